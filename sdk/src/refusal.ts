// Turns an error response into an ApiError. The message says what the server answered and, if a wrong setting of the client
// is the likely cause, which one.

import { ApiError, type FieldError } from './errors.ts'
import type { PreparedRequest } from './request.ts'
import type { Problem } from './schema.ts'

export type Server = {
  readonly baseUrl: string
  /** The credential's prefix: `rk_stg_…`, `rc_live_…`. */
  readonly label: string
  readonly send: typeof fetch
}

export const TOKEN_ROUTE = 'POST /oauth/token'

export async function refusalOf(
  server: Server,
  { route, idempotencyKey, tries }: PreparedRequest,
  { status, headers }: Response,
  text: string,
): Promise<ApiError> {
  const problem = readProblem(text) ?? {
    code: 'UNEXPECTED_ANSWER',
    // Browsers hide the target of a redirect and set its status to 0.
    detail: `${server.baseUrl} answered ${route} with ${status} ${headers.get('location') ?? headers.get('content-type')}: ${
      status < 500 ? 'not how Recaudo answers. Check baseUrl.' : 'a proxy cannot reach the server.'
    }`,
    type: '',
    requestId: '',
    errors: [],
  }
  const { code, detail, requestId, errors } = problem
  const fields = errors.map(({ path, message }) => ` ${path} ${message}.`).join('')
  const message = `${detail}${fields}${await adviceOn(code, detail, server, route)} [${code} ${requestId}]`
  const retryAfterMs = Number(headers.get('retry-after')) * 1_000 || undefined
  return new ApiError(message, { ...problem, status, retryAfterMs, idempotencyKey, tries })
}

export function parsed(text: string): object | undefined {
  try {
    return JSON.parse(text)
  } catch {
    // Not JSON, so not an answer of Recaudo.
  }
}

function readProblem(text: string): (Problem & { errors: FieldError[] }) | undefined {
  const problem = parsed(text) as (Problem & { errors: FieldError[] }) | undefined
  // Other servers' errors may have a `code` too.
  if (problem?.code && problem.detail != null) return { ...problem, errors: problem.errors ?? [] }
}

async function adviceOn(
  code: string,
  detail: string,
  { baseUrl, label, send }: Server,
  route: string,
): Promise<string> {
  if (detail.startsWith('No such address'))
    return route.includes(' /sandbox/') ? ' Only staging has it.' : ` Check baseUrl, ${baseUrl}.`
  if (code !== 'UNAUTHORIZED') return ''
  const [begin, kind, mark] = /^(r[kc]_)(stg|live)_/.exec(label) ?? []
  if (kind === 'rc_' && route !== TOKEN_ROUTE)
    return ' The token is new: was its client revoked, or do servers differ in clock or PUBLIC_URL?'
  const own = mark === 'live' ? 'production' : 'staging'
  // Only staging has this route, and it answers without a credential.
  const probe = begin ? await send(`${baseUrl}/sandbox/clock/advance`).catch(() => {}) : undefined
  const actual = { 404: 'production', 405: 'staging' }[probe?.status ?? 0] ?? own
  return actual === own
    ? ` Check that it was copied whole and made on ${baseUrl}.`
    : ` ${begin}… is for ${own}, and ${baseUrl} is ${actual}: use a credential or a baseUrl of the other.`
}
