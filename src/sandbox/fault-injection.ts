// Applies the fault plan between an operation and its answer. Except for "unavailable", the operation is done, whatever the
// caller receives.

import type { ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import type { Transfer } from '../rails/breb/wire.ts'
import type { Session } from '../rails/pse/wire.ts'
import type { RequestFault } from './faults.ts'
import { type Answer, failure, notFound, type ParsedRequest, send } from './http.ts'
import type { NetworkContext } from './network-context.ts'
import type { Network } from './records.ts'

// A caller that waits longer than this has no timeout of its own.
const MAX_HOLD_MS = 60_000

export async function answerUnderFaults(
  context: NetworkContext,
  network: Network,
  request: ParsedRequest,
  act: () => Answer | Promise<Answer>,
  response: ServerResponse,
): Promise<void> {
  const { faults, storage } = context
  if (faults.areOff()) return send(response, await act())

  const [, resource, ...names] = request.segments
  const reference = names.join('/')
  const step = `${network} ${request.method} ${resource}`
  const nth = storage.countStep(reference, step)
  const fault = faults.ofRequest(reference, `${step} ${nth}`)
  if (faults.strikes('latency', reference, `${step} ${nth}`))
    await pause(faults.number(reference, `${step} ${nth} wait`) * faults.plan.latencyMs)
  const directoryAway = resource === 'keys' && faults.strikes('directoryAway', reference, `${step} ${nth}`)
  if (fault === 'unavailable' || directoryAway)
    return send(response, failure(503, 'UNAVAILABLE', 'try again later'))

  const isQuery = request.method === 'GET' && resource !== 'keys'
  const hidden = isQuery && faults.hidesFromQuery(reference, nth)
  const answer = hidden ? notFound() : await act()
  return sendUnder(fault, response, answer, {
    broken: failure(500, 'INTERNAL', 'something broke'),
    unclear: () => unclear(network, resource, request.method, answer),
  })
}

/** What the caller receives of an answer. What was asked is done. */
export async function sendUnder(
  fault: RequestFault | undefined,
  response: ServerResponse,
  answer: Answer,
  instead: { broken: Answer; unclear: () => Answer },
): Promise<void> {
  switch (fault) {
    case 'errorAfterAcceptance':
      return send(response, instead.broken)
    case 'droppedAnswer':
      response.socket?.resetAndDestroy()
      return
    case 'timeout':
      return await hold(response)
    case 'malformedAnswer':
      return sendBroken(response, answer)
    case 'unclearAnswer':
      return send(response, instead.unclear())
    default:
      return send(response, answer)
  }
}

async function hold(response: ServerResponse): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const callerGone = new Promise<void>((resolve) => response.once('close', resolve))
  const maxHoldReached = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, MAX_HOLD_MS)
  })
  await Promise.race([callerGone, maxHoldReached])
  clearTimeout(timer)
  response.destroy()
}

function sendBroken(response: ServerResponse, answer: Answer): void {
  const text = JSON.stringify(answer.json ?? {})
  response.writeHead(answer.status, { 'content-type': 'application/json' })
  response.end(text.slice(0, Math.ceil(text.length / 2)))
}

// A readable answer that does not say what happened to the payment.
function unclear(network: Network, resource: string | undefined, method: string, answer: Answer): Answer {
  if (answer.status >= 400) return answer
  if (resource === 'keys') return failure(504, 'DIFE-5000', 'directory timed out')
  if (resource === 'sessions') {
    const json: Session = { ...(answer.json as Session), status: 'FAILED' }
    return { ...answer, json }
  }
  if (network === 'pse') return failure(200, 'FAIL_TIMEOUT', 'time ran out')
  // A node that timed out says rejected too early, and may do so when it is asked, too.
  if (resource === 'transfers' && method === 'GET') {
    const json: Transfer = { ...(answer.json as Transfer), status: 'REJECTED', reasonCode: 'B302' }
    return { ...answer, json }
  }
  return method === 'GET'
    ? failure(200, 'B302', 'the receiving node timed out while asking')
    : failure(200, 'B002', 'the receiving node timed out')
}
