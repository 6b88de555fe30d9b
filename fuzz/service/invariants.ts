// What must be true of every answer, whatever was asked.

import type { ApiDocument } from './document.ts'
import type { FuzzedAnswer, FuzzedRequest } from './fuzzed-request.ts'
import type { Merchant } from './subjects.ts'

// Signs of the insides: stack frames, SQL, messages of PostgreSQL.
const INSIDES =
  /\bat \S+ \(|node:internal|node_modules\/|invalid byte sequence|syntax error at or near|violates \w+ constraint/

// Null if all is well.
export function faultOf(
  document: ApiDocument,
  merchants: readonly [Merchant, Merchant],
  request: FuzzedRequest,
  answer: FuzzedAnswer,
): string | null {
  const { status, text } = answer
  if (status >= 500) return `status ${status}`
  const stranger = strangerIn(merchants, request, text)
  if (stranger !== null) return stranger
  if (request.kind === 'raw bytes')
    return status === 0 || INSIDES.test(text) === false ? null : 'the insides are shown'
  if (status < 200) return `status ${status}`
  if (status >= 400 && INSIDES.test(text)) return 'the insides are shown'
  const isJson = /^application\/json\b/.test(String(answer.headers['content-type'] ?? ''))
  const body = isJson && text !== '' ? parsed(text) : undefined
  if (isJson && text !== '' && body === undefined) return 'the body is not JSON'
  // The address itself may be refused before it is known which operation is meant.
  const isRefusedAddress = request.operation !== undefined && [400, 404, 414, 431].includes(status)
  if (isRefusedAddress && !request.operation?.statuses.includes(status) && document.isProblem(body))
    return null
  if (request.operation !== undefined && !(request.isStream && status === 200))
    return document.faultOf(request.operation, status, body)
  const isPage = /^\/pay(?![a-z-])/.test(request.path)
  if (isPage || request.method === 'HEAD' || status < 400) return null
  return document.isProblem(body) ? null : 'a refusal is not a problem as documented'
}

// A canary of the merchant who is not concerned. An answer to nobody may hold neither.
function strangerIn(
  merchants: readonly [Merchant, Merchant],
  request: FuzzedRequest,
  text: string,
): string | null {
  for (const [index, { canary }] of merchants.entries())
    if (index !== request.merchant && text.includes(canary))
      return `the canary of merchant ${index} is in the answer`
  return null
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
