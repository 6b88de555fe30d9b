// recaudo listen: every event as it happens, also over a restart of the server, and what is asked for again. Forwarded, an
// event is sent once; what the receiver did not take is sent again by `recaudo events replay`.

import type { RecaudoEvent } from '@recaudo/sdk'
import { openClient } from './client.ts'
import type { Call } from './command.ts'
import { readKept, writeKept } from './credentials.ts'
import { readEventNames } from './event-names.ts'
import { objectIdOf } from './events.ts'
import {
  type Answer,
  forward,
  isAcknowledged,
  newSecret,
  readForwardUrl,
  type Signed,
  type Signer,
  signerWith,
} from './forward.ts'
import { type Beginning, beginningAt, endOfLog } from './log-position.ts'
import { clean, dim, green, note, print, red } from './terminal.ts'

// A laptop may sleep, and a server may be down over lunch.
const GIVE_UP_AFTER_MS = 60 * 60_000
const NAME_WIDTH = 'paymentlink.completed'.length

export async function listen({ flags, isJson }: Call): Promise<undefined> {
  const names = typeof flags.events === 'string' ? readEventNames('--events', flags.events) : undefined
  const url = typeof flags['forward-to'] === 'string' ? readForwardUrl(flags['forward-to']) : undefined
  const secret = typeof flags.secret === 'string' ? flags.secret : ownSecret()
  const sign = await signerWith(secret)
  const stop = stopSignal()
  const { recaudo, signIn } = await openClient({ fetch: watchedFetch(stop) })
  const begin: Beginning =
    typeof flags.since === 'string'
      ? await beginningAt(recaudo, flags.since)
      : { after: await endOfLog(recaudo), fromMs: Number.NEGATIVE_INFINITY }

  const from = Number.isFinite(begin.fromMs)
    ? `since ${new Date(begin.fromMs).toISOString()}`
    : `from event ${begin.after + 1} on`
  note(`Listening to ${signIn.baseUrl} ${from}. Ctrl-C ends it.`)
  if (url !== undefined) note(`Forwarding to ${url}; each event is sent once, and not again by itself.`)
  note(`Signed with ${secret}`)

  const receive = receiver(sign, url, isJson, stop)
  let last = begin.after
  const events = recaudo.events.follow({
    after: begin.after,
    type: names?.length === 1 ? names[0] : undefined,
    redeliveries: true,
    giveUpAfterMs: GIVE_UP_AFTER_MS,
    signal: stop,
  })
  for await (const event of events) {
    const isAgain = event.sequence <= last
    if (!isAgain) last = event.sequence
    if (names !== undefined && !names.includes(event.event)) continue
    if (!isAgain && Date.parse(event.createdAt) < begin.fromMs) continue
    await receive(event, isAgain)
  }
  note(`\`recaudo listen --since ${last}\` goes on from here.`)
  return undefined
}

function receiver(sign: Signer, url: string | undefined, isJson: boolean, stop: AbortSignal) {
  let hasAdvised = false
  return async (event: RecaudoEvent, isAgain: boolean): Promise<void> => {
    const signed = await sign(event)
    const answer = url === undefined ? undefined : await forward(url, signed, stop)
    // Ended in the middle: it was not taken, and nobody should believe so.
    if (stop.aborted) return
    if (isJson)
      print(JSON.stringify({ event, redelivery: isAgain, headers: signed.headers, answer: answer ?? null }))
    else print(lines(event, isAgain, signed, answer))
    if (answer === undefined || isAcknowledged(answer) || hasAdvised) return
    hasAdvised = true
    note(`Not acknowledged by a 2xx. \`recaudo events replay ${event.id}\` sends it again.`)
  }
}

function lines(
  event: RecaudoEvent,
  isAgain: boolean,
  { headers }: Signed,
  answer: Answer | undefined,
): string {
  const time = new Date().toTimeString().slice(0, 8)
  const first = [
    dim(time),
    clean(event.event).padEnd(NAME_WIDTH),
    clean(objectIdOf(event)),
    dim(`#${event.sequence}${isAgain ? ' again' : ''}`),
    answer === undefined ? '' : answerText(answer),
  ]
  const second = `         webhook-timestamp ${headers['webhook-timestamp']}  webhook-signature ${headers['webhook-signature']}`
  return `${first.filter(Boolean).join('  ')}\n${dim(second)}`
}

function answerText(answer: Answer): string {
  const text = 'status' in answer ? String(answer.status) : `no answer: ${clean(answer.failure)}`
  return `→ ${(isAcknowledged(answer) ? green : red)(text)}  ${answer.latencyMs} ms`
}

// Made once and kept, so that a receiver need be told of it only once.
function ownSecret(): string {
  const kept = readKept()
  if (kept.listenSecret !== undefined) return kept.listenSecret
  const listenSecret = newSecret()
  try {
    writeKept({ ...kept, listenSecret })
  } catch (error) {
    // As in a container: one for this time does as well.
    note(`${(error as Error).message} The next time another secret signs.`)
  }
  return listenSecret
}

function stopSignal(): AbortSignal {
  const controller = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, () => controller.abort())
  return controller.signal
}

// Says when the server is away and when it is back; the client itself tries again in silence.
function watchedFetch(stop: AbortSignal): typeof fetch {
  let isConnected: boolean | undefined
  return async (url, init) => {
    const isStream = String(url).includes('/events/stream')
    try {
      const response = await fetch(url, init)
      if (isStream && response.ok) {
        if (isConnected !== undefined) note('Connected again. Nothing was missed.')
        isConnected = true
      }
      return response
    } catch (error) {
      if (isStream && isConnected && !stop.aborted) {
        isConnected = false
        note('The server is away. Waiting for it; nothing is lost.')
      }
      throw error
    }
  }
}
