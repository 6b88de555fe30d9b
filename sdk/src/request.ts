// A call, ready to be sent: the same bytes on every try.

import { RecaudoError } from './errors.ts'

export type CallOptions = {
  /** Names a POST: the same key gets the first answer again, also in another process. Default a new one for each call. */
  idempotencyKey?: string | undefined
  /** Gives the call up. */
  signal?: AbortSignal | undefined
  /** How long one try may take. */
  timeoutMs?: number | undefined
}

export type Input = {
  /** What stands for the braces in the route. */
  readonly id?: string | undefined
  readonly query?: object | undefined
  readonly body?: unknown
}

export type PreparedRequest = {
  /** As `POST /payins/{payinId}/cancel`. */
  readonly route: string
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
  readonly idempotencyKey: string | undefined
  readonly signal: AbortSignal | undefined
  readonly timeoutMs: number
  /** Whether doing it twice is the same as doing it once. */
  readonly isRepeatable: boolean
  /** Which try this is. */
  tries: number
}

export function prepareRequest(
  baseUrl: string,
  route: string,
  { id, query = {}, body }: Input,
  { idempotencyKey, signal, timeoutMs }: CallOptions & { timeoutMs: number },
): PreparedRequest {
  const [method, path] = route.split(' ') as [string, string]
  const key = method === 'POST' ? (idempotencyKey ?? crypto.randomUUID()) : undefined
  if (key?.match(/^[ -~]{1,255}$/) === null)
    throw new RecaudoError('idempotencyKey must have 1 to 255 ASCII characters.')
  const search = `${new URLSearchParams(Object.entries(query).filter(([, value]) => value !== undefined))}`
  const filled = (baseUrl + path).replace(/\{(\w+)\}/, (_, name) => {
    // An address with an empty part, or with dots for one, is another address.
    if (!/[^.]/.test(id ?? '')) throw new RecaudoError(`${name} must be a text, and not empty.`)
    return encodeURIComponent(id as string)
  })
  return {
    route,
    method,
    url: filled + (search && `?${search}`),
    headers: { 'content-type': 'application/json', ...(key && { 'idempotency-key': key }) },
    body: body === undefined ? null : JSON.stringify(body),
    idempotencyKey: key,
    signal,
    timeoutMs,
    // The simulated networks keep no record of what they were told.
    isRepeatable: !path.startsWith('/sandbox/'),
    tries: 0,
  }
}
