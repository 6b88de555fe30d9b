// Whether a request that changes something comes from a page of ours. Browsers say so themselves, and a page cannot forge it; the
// cookie alone would not do, because it is sent from links of other sites too.

import type { FastifyRequest } from 'fastify'

export function isFromOurPage(request: FastifyRequest, publicUrl: string): boolean {
  if (request.method === 'GET' || request.method === 'HEAD') return true
  const site = request.headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin'
  // Browsers from before 2023 send the origin only.
  const { origin, host } = request.headers
  const from = origin === undefined ? null : URL.parse(origin)
  return from !== null && (from.origin === new URL(publicUrl).origin || from.host === host)
}
