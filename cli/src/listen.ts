// recaudo listen: shows every event as it happens, across restarts of the server, and redelivered events too. An event is
// forwarded once. If the receiver did not accept it, `recaudo events replay` sends it again.

import type { RecaudoEvent } from '@recaudo/sdk'
import { openClient } from './client.ts'
import type { Call } from './command.ts'
import { readStoredCredentials, writeStoredCredentials } from './credentials.ts'
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
import { endOfLog, type StartPosition, startPositionAt } from './log-position.ts'
import { pesos } from './money.ts'
import { clean, dim, green, note, print, red } from './terminal.ts'

// Long enough for a laptop that sleeps or a server that is down over lunch.
const GIVE_UP_AFTER_MS = 60 * 60_000
const NAME_WIDTH = 'paymentlink.completed'.length
// Under the name of the event.
const INDENT = ' '.repeat('12:00:00  '.length)

export async function listen({ flags, isJson }: Call): Promise<undefined> {
  const names = typeof flags.events === 'string' ? readEventNames('--events', flags.events) : undefined
  const url = typeof flags['forward-to'] === 'string' ? readForwardUrl(flags['forward-to']) : undefined
  const secret = typeof flags.secret === 'string' ? flags.secret : storedSecret()
  const sign = await signerWith(secret)
  const stop = stopSignal()
  const { recaudo, signIn } = await openClient({ fetch: watchedFetch(stop) })
  const start: StartPosition =
    typeof flags.since === 'string'
      ? await startPositionAt(recaudo, flags.since)
      : { after: await endOfLog(recaudo), fromMs: Number.NEGATIVE_INFINITY }

  const from = Number.isFinite(start.fromMs)
    ? `since ${new Date(start.fromMs).toISOString()}`
    : `from event ${start.after + 1} on`
  note(`Listening to ${signIn.baseUrl} ${from}. Ctrl-C ends it.`)
  if (url !== undefined) note(`Forwarding to ${url}; each event is sent once, and not again by itself.`)
  note(`Signed with ${secret}`)

  const receive = createReceiver(sign, url, isJson, stop)
  let last = start.after
  const events = recaudo.events.follow({
    after: start.after,
    type: names?.length === 1 ? names[0] : undefined,
    redeliveries: true,
    giveUpAfterMs: GIVE_UP_AFTER_MS,
    signal: stop,
  })
  for await (const event of events) {
    const isRedelivery = event.sequence <= last
    if (!isRedelivery) last = event.sequence
    if (names !== undefined && !names.includes(event.event)) continue
    if (!isRedelivery && Date.parse(event.createdAt) < start.fromMs) continue
    await receive(event, isRedelivery)
  }
  note(`\`recaudo listen --since ${last}\` goes on from here.`)
  return undefined
}

function createReceiver(sign: Signer, url: string | undefined, isJson: boolean, stop: AbortSignal) {
  let hasAdvised = false
  return async (event: RecaudoEvent, isRedelivery: boolean): Promise<void> => {
    const signed = await sign(event)
    const answer = url === undefined ? undefined : await forward(url, signed, stop)
    // Stopped during the request. The event counts as not forwarded, so nothing is printed.
    if (stop.aborted) return
    if (isJson)
      print(
        JSON.stringify({ event, redelivery: isRedelivery, headers: signed.headers, answer: answer ?? null }),
      )
    else print(lines(event, isRedelivery, signed, answer))
    if (answer === undefined || isAcknowledged(answer) || hasAdvised) return
    hasAdvised = true
    note(`Not acknowledged by a 2xx. \`recaudo events replay ${event.id}\` sends it again.`)
  }
}

function lines(
  event: RecaudoEvent,
  isRedelivery: boolean,
  { headers }: Signed,
  answer: Answer | undefined,
): string {
  const time = new Date().toTimeString().slice(0, 8)
  const first = [
    dim(time),
    clean(event.event).padEnd(NAME_WIDTH),
    clean(objectIdOf(event)),
    dim(`#${event.sequence}${isRedelivery ? ' again' : ''}`),
    answer === undefined ? '' : answerText(answer),
  ]
  const signature = `webhook-timestamp ${headers['webhook-timestamp']}  webhook-signature ${headers['webhook-signature']}`
  const what = summaryOf(event)
  return [first.filter(Boolean).join('  '), what && INDENT + what, INDENT + dim(signature)]
    .filter(Boolean)
    .join('\n')
}

// The order as the merchant knows it: how much, for what, and why not.
function summaryOf({ data }: RecaudoEvent): string {
  if (!('amountInCents' in data)) return ''
  const errorCode = 'errorCode' in data ? data.errorCode : null
  const amount = data.amountInCents === null ? '' : pesos(data.amountInCents)
  const name = 'reference' in data ? data.reference : 'kind' in data ? data.kind : data.reason
  return [amount, clean(name), errorCode && red(errorCode)].filter(Boolean).join('  ')
}

function answerText(answer: Answer): string {
  const text = 'status' in answer ? String(answer.status) : `no answer: ${clean(answer.failure)}`
  return `→ ${(isAcknowledged(answer) ? green : red)(text)}  ${answer.latencyMs} ms`
}

// Created once and stored, so that a receiver has to be configured only once.
function storedSecret(): string {
  const stored = readStoredCredentials()
  if (stored.listenSecret !== undefined) return stored.listenSecret
  const listenSecret = newSecret()
  try {
    writeStoredCredentials({ ...stored, listenSecret })
  } catch (error) {
    // The file may be read-only, as in a container. A secret for this run will do.
    note(`${(error as Error).message} The next time another secret signs.`)
  }
  return listenSecret
}

function stopSignal(): AbortSignal {
  const controller = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, () => controller.abort())
  return controller.signal
}

// Prints when the server is unreachable and when it is back. The client itself retries without output.
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
