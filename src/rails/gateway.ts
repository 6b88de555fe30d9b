// The way to one network: authorization, deadline, bounded tries and circuit breaker around each call. It knows HTTP and no
// network's words; what a refusal looks like, the dialect says.

import { setTimeout as pause } from 'node:timers/promises'
import type { AccessTokens } from './access-token.ts'
import { circuitBreaker } from './circuit-breaker.ts'
import type { Connection, ConnectionOptions, Received, Sent } from './connection.ts'
import { type Unknown, unknown } from './rail.ts'

export type Call = {
  readonly method: 'GET' | 'PUT' | 'DELETE'
  // Such as /collections, and which one of them.
  readonly resource: string
  readonly id: string
  // The id is a person's key, and stays out of the record.
  readonly idIsPersonal?: true
  readonly body?: object
  readonly deadlineMs: number
  // How soon this is answered hangs on whom it is about: a time-out says nothing of the network, and turns nobody else away.
  readonly timesOutAlone?: true
  // Asks again where no answer came. Never set for what moves money: there, whoever keeps the books decides.
  readonly mayAskAgain: boolean
}

export type Refused = { readonly outcome: 'refused'; readonly httpStatus: number; readonly code: string }
export type Reply = { readonly outcome: 'answered'; readonly body: unknown } | Refused | Unknown
export type Gateway = { readonly ask: (call: Call) => Promise<Reply> }

// The code inside a refusal, as a dialect writes one; undefined where the body is none.
export type ReadRefusalCode = (json: unknown) => string | undefined

// Gateways that share access tokens may have connections of their own; each has a circuit breaker of its own.
export function gatewayOver(
  connection: Connection,
  tokens: AccessTokens,
  readRefusalCode: ReadRefusalCode,
  around: ConnectionOptions,
): Gateway {
  const { limits } = around
  const breaker = circuitBreaker(limits, around.monotonicMs)

  const sendAuthorized = async (call: Call, signal: AbortSignal): Promise<Received | Unknown> => {
    const token = await tokens.get(signal)
    if (typeof token !== 'string') return token
    const answer = await connection.send(authorized(call, token), signal)
    if (answer.outcome === 'received' && answer.status === 401) tokens.drop(token)
    return answer
  }

  // A call whose token was refused did nothing: with a fresh one even a payment may be sent again.
  const sendOnce = async (call: Call, signal: AbortSignal): Promise<Received | Unknown> => {
    const answer = await sendAuthorized(call, signal)
    return answer.outcome === 'received' && answer.status === 401 ? sendAuthorized(call, signal) : answer
  }

  const sendUntilAnswered = async (call: Call): Promise<Reply> => {
    const signal = AbortSignal.timeout(call.deadlineMs)
    const tries = call.mayAskAgain ? limits.tries : 1
    for (let tried = 1; ; tried += 1) {
      const answer = await sendOnce(call, signal)
      const reply = readReply(answer, readRefusalCode)
      if (tried >= tries || !isWorthAnotherTry(answer, reply)) return reply
      const pauseMs = limits.pauseFromMs + Math.random() * (limits.pauseToMs - limits.pauseFromMs)
      const inTime = await pause(pauseMs, true, { signal }).catch(() => false)
      if (!inTime) return reply
    }
  }

  return {
    ask: async (call) => {
      const leave = breaker.enter()
      if (leave === undefined)
        return unknown('unavailable', 'the network has not been answering, and was not asked')
      const reply = await sendUntilAnswered(call)
      leave(reply.outcome !== 'unknown' || !saysNobodyIsThere(reply, call))
      return reply
    },
  }
}

function saysNobodyIsThere({ kind }: Unknown, call: Call): boolean {
  return kind === 'unavailable' || (kind === 'timeout' && call.timesOutAlone !== true)
}

function authorized(call: Call, token: string): Sent {
  const authorization = `Bearer ${token}`
  return {
    method: call.method,
    resource: call.resource,
    id: call.id,
    reference: call.idIsPersonal ? '' : call.id,
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

// No answer at all, or one from a server on the way that found nobody. Who says 429 wants to be asked less, not more.
function isWorthAnotherTry(answer: Received | Unknown, reply: Reply): boolean {
  if (reply.outcome !== 'unknown' || reply.kind !== 'unavailable') return false
  return answer.outcome === 'unknown' || answer.status >= 500
}
