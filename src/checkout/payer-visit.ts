// Tells payers from programs that only look at an address: chats that show a preview, crawlers, browsers that load ahead.
// Browsers say whether a person opens a page (`sec-fetch-dest`). Old ones do not, and there the name of the program decides.

import type { IncomingHttpHeaders } from 'node:http'

export function isPayerVisit({ method, headers }: { method: string; headers: IncomingHttpHeaders }): boolean {
  if (method !== 'GET' || LOADS_AHEAD.some((name) => headers[name] !== undefined)) return false
  const destination = headers['sec-fetch-dest']
  if (destination !== undefined) return destination === 'document'
  const program = headers['user-agent'] ?? ''
  return program !== '' && !PREVIEWERS.test(program)
}

const LOADS_AHEAD = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'] as const
const PREVIEWERS = /bot\b|crawler|spider|preview|facebookexternalhit|whatsapp|embedly/i
