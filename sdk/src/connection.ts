// How a call reaches the server: credentials, retries, timeouts. Every POST has an idempotency key that stays the same over
// all attempts, so that a retry never does anything twice.

import { createAccessTokens } from './access-token.ts'
import { type Credentials, readBaseUrl, readCredentials } from './credentials.ts'
import { type ApiError, ConnectionError, RecaudoError, TimeoutError } from './errors.ts'
import { parsed, refusalOf, TOKEN_ROUTE } from './refusal.ts'
import { type CallOptions, type Input, type PreparedRequest, prepareRequest } from './request.ts'
import type { Operations } from './schema.ts'
import { aborted, backOff, startWatch, type Watch } from './waiting.ts'

export type ClientOptions = {
  /** The address of the server. Default: the environment variable `RECAUDO_BASE_URL`, else `http://127.0.0.1:4000`. */
  baseUrl?: string | undefined
  /** How long one attempt may take. Default 20,000. */
  timeoutMs?: number | undefined
  /** How often a call is retried after a transient failure. Default 3. */
  maxRetries?: number | undefined
  /** Replaces the runtime's `fetch`. */
  fetch?: typeof fetch | undefined
}

export type Route = keyof Operations
export type Answer<R extends Route> = Operations[R]['answer']

/** A response whose body is not read yet. The reader must stop the watch. */
export type Opened = { readonly response: Response; readonly watch: Watch }

export type Connection = {
  readonly call: <R extends Route>(route: R, input: Input, options?: CallOptions) => Promise<Answer<R>>
  readonly open: (route: Route, input: Input, options: CallOptions) => Promise<Opened>
}

const TIMEOUT_MS = 20_000
const MAX_RETRIES = 3
// If the server asks for a longer wait, the call throws, so that the caller can do something else meanwhile.
const LONGEST_WAIT_MS = 60_000

export function openConnection(credentials: Credentials, options: ClientOptions): Connection {
  const { maxRetries = MAX_RETRIES, timeoutMs = TIMEOUT_MS, fetch: send = fetch } = options
  const baseUrl = readBaseUrl(options.baseUrl)
  const { apiKey, client, label } = readCredentials(credentials)
  const server = { baseUrl, label, send }
  const tokens = client && createAccessTokens(() => call(TOKEN_ROUTE, { body: client }))

  // Makes one attempt. A rejected token is renewed once: it may have expired by the server's clock but not by ours.
  const ask = async (request: PreparedRequest, signal: AbortSignal, refused?: string): Promise<Response> => {
    const { route, url, method, body } = request
    const token =
      tokens && route !== TOKEN_ROUTE ? await Promise.race([tokens(refused), aborted(signal)]) : undefined
    const credential = token ? { authorization: `Bearer ${token}` } : apiKey && { 'x-api-key': apiKey }
    const headers = { ...request.headers, ...credential }
    // Following a redirect would turn a POST into a GET and could send the credential to a stranger.
    const response = await send(url, { method, headers, body, redirect: 'manual', signal })
    if (response.ok) return response
    const text = await response.text()
    if (response.status === 401 && token && !refused) return ask(request, signal, token)
    throw await refusalOf(server, request, response, text)
  }

  // Money may have moved, so the message says how to find out.
  const unanswered = (
    what: string,
    { method, isRepeatable, idempotencyKey, tries }: PreparedRequest,
  ): string => {
    const again = isRepeatable
      ? `: repeat it with idempotencyKey ${idempotencyKey}, and it is done once at most`
      : ''
    const doubt = method === 'POST' ? ` It may have been done${again}.` : ''
    return `${baseUrl} ${what}, at try ${tries}. Check baseUrl, and that the server runs.${doubt}`
  }

  const withRetries = async <Value>(
    route: Route,
    input: Input,
    given: CallOptions,
    read: (response: Response, watch: Watch, request: PreparedRequest) => Value | Promise<Value>,
  ): Promise<Value> => {
    const request = prepareRequest(baseUrl, route, input, {
      ...given,
      timeoutMs: given.timeoutMs ?? timeoutMs,
    })
    const { signal, idempotencyKey } = request
    for (;;) {
      request.tries += 1
      const watch = startWatch(signal)
      watch.limit(request.timeoutMs, () => {
        const text = unanswered(`did not answer within ${request.timeoutMs} ms`, request)
        return new TimeoutError(text, { idempotencyKey })
      })
      try {
        return await read(await ask(request, watch.signal), watch, request)
      } catch (thrown) {
        const cause = watch.signal.aborted ? watch.signal.reason : thrown
        watch.stop()
        signal?.throwIfAborted()
        // Node puts the actual reason into the cause.
        const text = unanswered(`cannot be reached (${cause.cause?.code ?? cause})`, request)
        const error =
          cause instanceof RecaudoError ? cause : new ConnectionError(text, { cause, idempotencyKey })
        const { retryAfterMs = 0 } = error as Partial<ApiError>
        if (request.tries > maxRetries || retryAfterMs > LONGEST_WAIT_MS || !isTransient(error, request))
          throw error
        await backOff(request.tries, retryAfterMs, signal)
      }
    }
  }

  const call: Connection['call'] = (route, input, given = {}) =>
    withRetries(route, input, given, async (response, watch, request) => {
      const body = await response.blob()
      const text = await body.text()
      // The only answers that are not JSON are images and files.
      const answer = /qr|poster|csv/.test(route) ? body : parsed(text)
      if (!answer) throw await refusalOf(server, request, response, text)
      watch.stop()
      return answer as Answer<typeof route>
    })

  return {
    call,
    open: (route, input, given) =>
      withRetries(route, input, given, (response, watch) => ({ response, watch })),
  }
}

// Whether the failure is likely temporary and the call can safely be retried.
export function isTransient(error: unknown, { isRepeatable }: { isRepeatable: boolean }): boolean {
  const { status = 0, code } = error as Partial<ApiError>
  return (
    status === 429 ||
    (isRepeatable &&
      (error instanceof ConnectionError ||
        status >= 500 ||
        status === 408 ||
        code === 'IDEMPOTENCY_KEY_IN_USE'))
  )
}
