// Calls one network, with authorization, a deadline, bounded attempts and a circuit breaker around each call. It knows HTTP
// but no network's codes: each rail supplies the reader of its refusals.

import { setTimeout as pause } from 'node:timers/promises'
import type { AccessTokens } from './access-token.ts'
import { circuitBreaker } from './circuit-breaker.ts'
import type { Connection, ConnectionOptions, Received, Sent } from './connection.ts'
import { type Unknown, unknown } from './rail.ts'

export type Call = {
  readonly method: 'GET' | 'PUT' | 'DELETE'
  // The resource, such as /collections, and the id within it.
  readonly resource: string
  readonly id: string | null
  readonly query?: Readonly<Record<string, string>>
  // The id is a person's key, so it stays out of the record.
  readonly idIsPersonal?: true
  readonly body?: object
  readonly deadlineMs: number
  // The answer time depends on the id, so a time-out says nothing about the network and must not stop other calls.
  readonly timeoutKeepsCircuitClosed?: true
  // Repeats the call if no answer came. Never set for calls that move money: there, the caller that keeps the books decides.
  readonly mayAskAgain: boolean
}

export type Refused = { readonly outcome: 'refused'; readonly httpStatus: number; readonly code: string }
export type Reply = { readonly outcome: 'answered'; readonly body: unknown } | Refused | Unknown
export type Gateway = { readonly ask: (call: Call) => Promise<Reply> }

// Reads the code of a refusal in a rail's format; undefined if the body is not a refusal.
export type ReadRefusalCode = (json: unknown) => string | undefined

// Gateways that share access tokens may use separate connections. Each gateway has its own circuit breaker.
export function gatewayOver(
  connection: Connection,
  tokens: AccessTokens,
  readRefusalCode: ReadRefusalCode,
  options: ConnectionOptions,
): Gateway {
  const { limits } = options
  const breaker = circuitBreaker(limits, options.monotonicMs)

  const sendAuthorized = async (call: Call, signal: AbortSignal): Promise<Received | Unknown> => {
    const token = await tokens.get(signal)
    if (typeof token !== 'string') return token
    const answer = await connection.send(authorized(call, token), signal)
    if (answer.outcome === 'received' && answer.status === 401) tokens.drop(token)
    return answer
  }

  // A call whose token was refused had no effect, so even a payment may be sent again with a fresh token.
  const sendRenewingToken = async (call: Call, signal: AbortSignal): Promise<Received | Unknown> => {
    const answer = await sendAuthorized(call, signal)
    return answer.outcome === 'received' && answer.status === 401 ? sendAuthorized(call, signal) : answer
  }

  const sendWithRetries = async (call: Call): Promise<Reply> => {
    const signal = AbortSignal.timeout(call.deadlineMs)
    const maxAttempts = call.mayAskAgain ? limits.tries : 1
    for (let attempt = 1; ; attempt += 1) {
      const answer = await sendRenewingToken(call, signal)
      const reply = readReply(answer, readRefusalCode)
      if (attempt >= maxAttempts || !isWorthRetrying(answer, reply)) return reply
      const pauseMs = limits.pauseFromMs + Math.random() * (limits.pauseToMs - limits.pauseFromMs)
      const inTime = await pause(pauseMs, true, { signal }).catch(() => false)
      if (!inTime) return reply
    }
  }

  return {
    ask: async (call) => {
      const reportAnswered = breaker.enter()
      if (reportAnswered === undefined)
        return unknown('unavailable', 'the network has not been answering, and was not asked')
      const reply = await sendWithRetries(call)
      reportAnswered(reply.outcome !== 'unknown' || !countsAsFailure(reply, call))
      return reply
    },
  }
}

function countsAsFailure({ kind }: Unknown, call: Call): boolean {
  return kind === 'unavailable' || (kind === 'timeout' && call.timeoutKeepsCircuitClosed !== true)
}

function authorized(call: Call, token: string): Sent {
  const authorization = `Bearer ${token}`
  return {
    method: call.method,
    resource: call.resource,
    id: call.id,
    ...(call.query && { query: call.query }),
    reference: call.idIsPersonal || call.id === null ? '' : call.id,
    headers:
      call.body === undefined ? { authorization } : { authorization, 'content-type': 'application/json' },
    body: call.body === undefined ? null : JSON.stringify(call.body),
    shown: call.body,
  }
}

function readReply(answer: Received | Unknown, readRefusalCode: ReadRefusalCode): Reply {
  if (answer.outcome === 'unknown') return answer
  const { status, json, described } = answer
  const code = status === 401 ? undefined : readRefusalCode(json)
  if (code !== undefined) return { outcome: 'refused', httpStatus: status, code }
  if (status >= 200 && status < 300 && json !== undefined) return { outcome: 'answered', body: json }
  if (status === 408 || status === 504) return unknown('timeout', `the network timed out (HTTP ${status})`)
  if (status === 401 || status === 403 || status === 429 || status >= 500)
    return unknown('unavailable', `the network does not serve us (HTTP ${status})`)
  return unknown('unreadable', `what came is no answer (HTTP ${status}, ${described})`)
}

// No answer at all, or one from a proxy that could not reach the network. A 429 asks for fewer calls, so it is not retried.
function isWorthRetrying(answer: Received | Unknown, reply: Reply): boolean {
  if (reply.outcome !== 'unknown' || reply.kind !== 'unavailable') return false
  return answer.outcome === 'unknown' || answer.status >= 500
}
