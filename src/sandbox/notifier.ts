// Tells the service what happened: signed, one try after another until it says 2xx or a day has passed. The one thing to
// know: notices of one payment go one at a time, those of different payments side by side, and no order is promised.

import { Agent, request } from 'undici'
import { HOUR_MS, type Instant, MINUTE_MS } from '../core/instant.ts'
import { ID_HEADER, SIGNATURE_HEADER, signNotice, TIMESTAMP_HEADER } from '../rails/signature.ts'
import type { Clock } from './clock.ts'
import type { Delivery, Network } from './records.ts'
import type { Storage } from './storage.ts'

export type Addressee = { url: () => string; notificationKey: string }

export type Notifier = {
  /** Starts what is due. */
  sendDue: () => void
  /** When there will be more to start; undefined where that is known only once something under way has ended. */
  nextDue: () => Instant | undefined
  /** Waits until everything that was due then has been tried. */
  settled: (until: Instant) => Promise<void>
  close: () => Promise<void>
}

// On the networks' clock, after the first try; together about a day.
const RETRY_AFTER_MS = [
  1_000,
  5_000,
  30_000,
  2 * MINUTE_MS,
  10 * MINUTE_MS,
  30 * MINUTE_MS,
  HOUR_MS,
  3 * HOUR_MS,
  6 * HOUR_MS,
  12 * HOUR_MS,
]
// Enough to keep a fast service busy, few enough not to be an attack on it.
const MAX_IN_FLIGHT = 32
// Taken out of storage at once.
const MAX_TAKEN = 256
// A service that takes longer to say it has heard us is asked again.
const ANSWER_WITHIN_MS = 10_000

export function createNotifier(
  storage: Storage,
  clock: Clock,
  addressees: Readonly<Record<Network, Addressee>>,
  onTried: () => void,
): Notifier {
  const agent = new Agent({ connections: MAX_IN_FLIGHT })
  const closing = new AbortController()
  // By reference: what is on its way for it.
  const inFlight = new Map<string, { due: Instant; tried: Promise<void> }>()

  // Taken, and not on their way yet.
  let queue: Delivery[] = []

  async function tryOnce(delivery: Delivery): Promise<void> {
    const heard = await post(delivery)
    if (closing.signal.aborted) return
    const retryAfterMs = RETRY_AFTER_MS[delivery.tries]
    if (heard || retryAfterMs === undefined) storage.endDelivery(delivery.id)
    else storage.retryDelivery(delivery.id, delivery.tries + 1, clock.now() + retryAfterMs)
  }

  async function post({ network, noticeId, body }: Delivery): Promise<boolean> {
    const { url, notificationKey } = addressees[network]
    const timestamp = Math.floor(clock.now() / 1_000)
    try {
      const { statusCode, body: answer } = await request(url(), {
        method: 'POST',
        dispatcher: agent,
        signal: AbortSignal.any([closing.signal, AbortSignal.timeout(ANSWER_WITHIN_MS)]),
        headers: {
          'content-type': 'application/json',
          [ID_HEADER]: noticeId,
          [TIMESTAMP_HEADER]: String(timestamp),
          [SIGNATURE_HEADER]: signNotice(notificationKey, noticeId, timestamp, body),
        },
        body,
      })
      await answer.dump()
      return statusCode >= 200 && statusCode < 300
    } catch {
      // Nobody there, or no answer: the next try says more.
      return false
    }
  }

  function sendDue(): void {
    if (closing.signal.aborted) return
    const now = clock.now()
    if (queue.length < MAX_IN_FLIGHT && (storage.nextDeliveryDue() ?? now + 1) <= now)
      queue.push(...storage.takeDeliveries(now, MAX_TAKEN))
    queue = queue.filter((delivery) => {
      const { due, reference } = delivery
      if (inFlight.size >= MAX_IN_FLIGHT || inFlight.has(reference)) return true
      const tried = tryOnce(delivery).then(() => {
        inFlight.delete(reference)
        onTried()
      })
      inFlight.set(reference, { due, tried })
      return false
    })
  }

  return {
    sendDue,
    nextDue: () => (queue.length < MAX_IN_FLIGHT ? storage.nextDeliveryDue() : undefined),
    settled: async (until) => {
      for (;;) {
        sendDue()
        const underWay = [...inFlight.values()].filter(({ due }) => due <= until)
        const isNext =
          queue.some(({ due }) => due <= until) || (storage.nextDeliveryDue() ?? until + 1) <= until
        if (closing.signal.aborted || (underWay.length === 0 && !isNext)) return
        // Where nothing of then is under way, the lanes are full of later ones.
        await Promise.race(
          (underWay.length > 0 ? underWay : [...inFlight.values()]).map(({ tried }) => tried),
        )
      }
    },
    close: async () => {
      closing.abort()
      await Promise.allSettled([...inFlight.values()].map(({ tried }) => tried))
      await agent.destroy()
    },
  }
}
