// A call that is ready to be sent, with the same bytes on every attempt.

import { RecaudoError } from './errors.ts'

export type CallOptions = {
  /** Identifies a POST: the same key gets the first answer again, even from another process. Default: a new key per call. */
  idempotencyKey?: string | undefined
  /** Cancels the call. */
  signal?: AbortSignal | undefined
  /** How long one attempt may take. */
  timeoutMs?: number | undefined
}

export type Input = {
  /** Replaces the part of the route in braces. */
  readonly id?: string | undefined
  readonly query?: object | undefined
  readonly body?: unknown
}

export type PreparedRequest = {
  /** For example `POST /payins/{payinId}/cancel`. */
  readonly route: string
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
  readonly idempotencyKey: string | undefined
  readonly signal: AbortSignal | undefined
  readonly timeoutMs: number
  /** Whether repeating the call has no further effect. */
  readonly isRepeatable: boolean
  /** How many attempts were made, the current one included. */
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
  const search = String(new URLSearchParams(Object.entries(query).filter(([, value]) => value !== undefined)))
  const filled = (baseUrl + path).replace(/\{(\w+)\}/, (_, name) => {
    // A path segment that is empty or only dots would lead to a different address.
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
    // The simulated networks do not deduplicate what they are asked.
    isRepeatable: !path.startsWith('/sandbox/'),
    tries: 0,
  }
}
