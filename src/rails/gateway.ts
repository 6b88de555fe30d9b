// Calls one network, with authorization, a deadline, bounded attempts and a circuit breaker around each call. It knows HTTP
// but no network's codes: each rail supplies the reader of its refusals.

import { setTimeout as pause } from 'node:timers/promises'
import type { Authorization, Proof } from './authorization.ts'
import { circuitBreaker } from './circuit-breaker.ts'
import type { Connection, ConnectionOptions, Received, Sent } from './connection.ts'
import { refusesCredentials, type Unknown, unknown } from './rail.ts'

export type Call = {
  readonly method: Sent['method']
  // The resource, such as /collections, the id within it, and what is asked of that, such as /attempts.
  readonly resource: string
  readonly id: string | null
  readonly part?: string
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  // For the record: our reference of the payment, if it is not the id.
  readonly reference?: string
  // The id is a person's key, so it stays out of the record.
  readonly idIsPersonal?: true
  readonly body?: object
  readonly deadlineMs: number
  // An empty body is an answer too.
  readonly mayBeEmpty?: true
  // The answer time depends on the id, so a time-out says nothing about the network and must not stop other calls.
  readonly timeoutKeepsCircuitClosed?: true
  // Repeats the call if no answer came. Never set for calls that move money: there, the caller that keeps the books decides.
  readonly mayAskAgain: boolean
}

export type Refused = {
  readonly outcome: 'refused'
  readonly httpStatus: number
  readonly code: string
  readonly body: unknown
}
export type Reply =
  | { readonly outcome: 'answered'; readonly body: unknown; readonly httpStatus: number }
  | Refused
  | Unknown
export type Gateway = {
  readonly ask: (call: Call) => Promise<Reply>
  // The network has not been answering, and calls are refused for the moment.
  readonly isAway: () => boolean
}

// Reads the code of a refusal in a rail's format; undefined if the body is not a refusal.
export type ReadRefusalCode = (json: unknown, httpStatus: number) => string | undefined

// Gateways that share an authorization may use separate connections. Each gateway has its own circuit breaker.
export function gatewayOver(
  connection: Connection,
  authorization: Authorization,
  readRefusalCode: ReadRefusalCode,
  options: ConnectionOptions,
): Gateway {
  const { limits } = options
  const breaker = circuitBreaker(limits, options.monotonicMs)

  const sendAuthorized = async (call: Call, signal: AbortSignal): Promise<Received | Unknown> => {
    const proof = await authorization.prove(signal)
    if ('outcome' in proof) {
      connection.recordUnsent(authorized(call, {}), proof.why)
      return proof
    }
    const answer = await connection.send(authorized(call, proof), signal)
    if (answer.outcome === 'received' && answer.status === 401) authorization.refused(proof)
    return answer
  }

  // A call whose authorization was refused had no effect, so even a payment may be sent again with a fresh one.
  const sendRenewingProof = async (call: Call, signal: AbortSignal): Promise<Received | Unknown> => {
    const answer = await sendAuthorized(call, signal)
    const isRefused = answer.outcome === 'received' && answer.status === 401
    return isRefused && authorization.isRenewable ? sendAuthorized(call, signal) : answer
  }

  const sendWithRetries = async (call: Call, signal: AbortSignal): Promise<Reply> => {
    const maxAttempts = call.mayAskAgain ? limits.tries : 1
    for (let attempt = 1; ; attempt += 1) {
      const answer = await sendRenewingProof(call, signal)
      const reply = readReply(answer, call, readRefusalCode)
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
      const reply = await beforeDeadline(call.deadlineMs, (signal) => sendWithRetries(call, signal))
      reportAnswered(reply.outcome !== 'unknown' || !countsAsFailure(reply, call))
      reportAccess(reply, options.onAccess)
      return reply
    },
    isAway: breaker.isOpen,
  }
}

// An answer that we cannot use says nothing about our credentials, nor does silence.
function reportAccess(reply: Reply, onAccess: ConnectionOptions['onAccess']): void {
  if (reply.outcome === 'unknown') {
    if (reply.isLockedOut) onAccess?.(reply.why)
  } else if (reply.outcome === 'refused' && refusesCredentials(reply.httpStatus))
    onAccess?.(`the network answered ${reply.code} (HTTP ${reply.httpStatus})`)
  else onAccess?.(null)
}

// AbortSignal.timeout leaves a timer behind for as long as the call might have taken.
async function beforeDeadline<Answer>(
  deadlineMs: number,
  ask: (signal: AbortSignal) => Promise<Answer>,
): Promise<Answer> {
  const deadline = new AbortController()
  const timer = setTimeout(() => deadline.abort(), deadlineMs)
  try {
    return await ask(deadline.signal)
  } finally {
    clearTimeout(timer)
  }
}

function countsAsFailure({ kind }: Unknown, call: Call): boolean {
  return kind === 'unavailable' || (kind === 'timeout' && call.timeoutKeepsCircuitClosed !== true)
}

function authorized(call: Call, { headers: ours = {}, fields = {} }: Proof): Sent {
  const headers = { ...call.headers, ...ours }
  return {
    method: call.method,
    resource: call.resource,
    id: call.id,
    ...(call.part && { part: call.part }),
    ...(call.query && { query: call.query }),
    reference: call.reference ?? (call.idIsPersonal || call.id === null ? '' : call.id),
    headers: call.body === undefined ? headers : { ...headers, 'content-type': 'application/json' },
    body: call.body === undefined ? null : JSON.stringify({ ...fields, ...call.body }),
    shown: call.body,
  }
}

function readReply(answer: Received | Unknown, call: Call, readRefusalCode: ReadRefusalCode): Reply {
  if (answer.outcome === 'unknown') return answer
  const { status, json, described, isEmpty } = answer
  const code = status === 401 ? undefined : readRefusalCode(json, status)
  if (code !== undefined) return { outcome: 'refused', httpStatus: status, code, body: json }
  const hasAnswer = json !== undefined || (isEmpty && call.mayBeEmpty === true)
  if (status >= 200 && status < 300 && hasAnswer)
    return { outcome: 'answered', body: json, httpStatus: status }
  if (status === 408 || status === 504) return unknown('timeout', `the network timed out (HTTP ${status})`)
  const notServed = unknown('unavailable', `the network does not serve us (HTTP ${status})`)
  if (refusesCredentials(status)) return { ...notServed, isLockedOut: true }
  if (status === 429 || status >= 500) return notServed
  return unknown('unreadable', `what came is no answer (HTTP ${status}, ${described})`)
}

// No answer at all, or one from a proxy that could not reach the network. A 429 asks for fewer calls, so it is not retried.
function isWorthRetrying(answer: Received | Unknown, reply: Reply): boolean {
  if (reply.outcome !== 'unknown' || reply.kind !== 'unavailable') return false
  return answer.outcome === 'unknown' || answer.status >= 500
}
