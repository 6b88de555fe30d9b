// Between an operation and its answer: where the fault plan strikes. The one thing to know: but for "unavailable", the
// operation has been done, whatever the caller gets to hear.

import type { ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import type { Session } from '../rails/pse/wire.ts'
import { type Answer, type Asked, failure, notFound, send } from './http.ts'
import type { NetworkContext } from './network-context.ts'
import type { Network } from './records.ts'

// A caller who waits longer than this has forgotten to give up.
const HOLD_AT_MOST_MS = 60_000

export async function answerUnderFaults(
  context: NetworkContext,
  network: Network,
  asked: Asked,
  act: () => Answer | Promise<Answer>,
  response: ServerResponse,
): Promise<void> {
  const { faults, storage } = context
  if (faults.areOff()) return send(response, await act())

  const [, resource, ...names] = asked.segments
  const reference = names.join('/')
  const step = `${network} ${asked.method} ${resource}`
  const nth = storage.countStep(reference, step)
  const fault = faults.ofRequest(reference, `${step} ${nth}`)
  if (faults.strikes('latency', reference, `${step} ${nth}`))
    await pause(faults.number(reference, `${step} ${nth} wait`) * faults.plan.latencyMs)
  if (fault === 'unavailable') return send(response, failure(503, 'UNAVAILABLE', 'try again later'))

  const isQuery = asked.method === 'GET' && resource !== 'keys'
  const hidden = isQuery && faults.hidesFromQuery(reference, nth)
  const answer = hidden ? notFound() : await act()
  switch (fault) {
    case 'errorAfterAcceptance':
      return send(response, failure(500, 'INTERNAL', 'something broke'))
    case 'droppedAnswer':
      response.socket?.resetAndDestroy()
      return
    case 'timeout':
      return await hold(response)
    case 'malformedAnswer':
      return sendBroken(response, answer)
    case 'unclearAnswer':
      return send(response, unclear(network, resource, asked.method, answer))
    default:
      return send(response, answer)
  }
}

async function hold(response: ServerResponse): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const gone = new Promise<void>((resolve) => response.once('close', resolve))
  const enough = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, HOLD_AT_MOST_MS)
  })
  await Promise.race([gone, enough])
  clearTimeout(timer)
  response.destroy()
}

function sendBroken(response: ServerResponse, answer: Answer): void {
  const text = JSON.stringify(answer.json)
  response.writeHead(answer.status, { 'content-type': 'application/json' })
  response.end(text.slice(0, Math.ceil(text.length / 2)))
}

// An answer that can be read and still does not say what became of the payment.
function unclear(network: Network, resource: string | undefined, method: string, answer: Answer): Answer {
  if (answer.status >= 400) return answer
  if (resource === 'keys') return failure(504, 'DIFE-5000', 'directory timed out')
  if (resource === 'sessions') {
    const json: Session = { ...(answer.json as Session), status: 'FAILED' }
    return { ...answer, json }
  }
  if (network === 'pse') return failure(200, 'FAIL_TIMEOUT', 'time ran out')
  return method === 'GET'
    ? failure(200, 'B302', 'the receiving node timed out while asking')
    : failure(200, 'B002', 'the receiving node timed out')
}
