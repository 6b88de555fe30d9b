// Sends notices to the service: signed, and repeated until it answers 2xx or a day has passed. Notices of one payment are
// sent one at a time, those of different payments concurrently, and no order is promised.

import { Agent, request } from 'undici'
import { HOUR_MS, type Instant, MINUTE_MS } from '../core/instant.ts'
import { ID_HEADER, SIGNATURE_HEADER, signNotice, TIMESTAMP_HEADER } from '../rails/signature.ts'
import type { Clock } from './clock.ts'
import { retryUntilDiskHasRoom } from './full-disk.ts'
import type { Delivery, Network } from './records.ts'
import type { Storage } from './storage.ts'

export type NotificationTarget = { url: () => string; notificationKey: string }

export type Notifier = {
  /** Starts sending the notices that are due. */
  sendDue: () => void
  /** When more can be started; undefined if that is only known after one in progress has ended. */
  nextDue: () => Instant | undefined
  /** Waits until everything due by then has been attempted. */
  settled: (until: Instant) => Promise<void>
  close: () => Promise<void>
}

// On the networks' clock, after the first attempt. The sum is about a day.
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
// Enough to keep a fast service busy, few enough not to overload it.
const MAX_IN_FLIGHT = 32
// Claimed from storage at once.
const MAX_CLAIMED = 256
// If the service takes longer to acknowledge a notice, it is sent again.
const ANSWER_WITHIN_MS = 10_000

export function createNotifier(
  storage: Storage,
  clock: Clock,
  addressees: Readonly<Record<Network, NotificationTarget>>,
  onAttempted: () => void,
): Notifier {
  const agent = new Agent({ connections: MAX_IN_FLIGHT })
  const closing = new AbortController()
  // Deliveries in progress, by reference.
  const inFlight = new Map<string, { due: Instant; attempted: Promise<void> }>()

  // Claimed, but not in progress yet.
  let queue: Delivery[] = []

  async function attempt(delivery: Delivery): Promise<void> {
    const acknowledged = await post(delivery)
    if (closing.signal.aborted) return
    const retryAfterMs = RETRY_AFTER_MS[delivery.tries]
    await retryUntilDiskHasRoom(() => {
      if (acknowledged || retryAfterMs === undefined) storage.endDelivery(delivery.id)
      else storage.retryDelivery(delivery.id, delivery.tries + 1, clock.now() + retryAfterMs)
    }, closing)
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
      // No connection or no answer. The next attempt may succeed.
      return false
    }
  }

  function sendDue(): void {
    if (closing.signal.aborted) return
    const now = clock.now()
    if (queue.length < MAX_IN_FLIGHT && (storage.nextDeliveryDue() ?? now + 1) <= now)
      queue.push(...storage.takeDeliveries(now, MAX_CLAIMED))
    queue = queue.filter((delivery) => {
      const { due, reference } = delivery
      if (inFlight.size >= MAX_IN_FLIGHT || inFlight.has(reference)) return true
      const attempted = attempt(delivery).then(() => {
        inFlight.delete(reference)
        onAttempted()
      })
      inFlight.set(reference, { due, attempted })
      return false
    })
  }

  return {
    sendDue,
    nextDue: () => (queue.length < MAX_IN_FLIGHT ? storage.nextDeliveryDue() : undefined),
    settled: async (until) => {
      for (;;) {
        sendDue()
        const dueInFlight = [...inFlight.values()].filter(({ due }) => due <= until)
        const isMoreDue =
          queue.some(({ due }) => due <= until) || (storage.nextDeliveryDue() ?? until + 1) <= until
        if (closing.signal.aborted || (dueInFlight.length === 0 && !isMoreDue)) return
        // If none of those due by then is in progress, later ones use the whole capacity.
        await Promise.race(
          (dueInFlight.length > 0 ? dueInFlight : [...inFlight.values()]).map(({ attempted }) => attempted),
        )
      }
    },
    close: async () => {
      closing.abort()
      await Promise.allSettled([...inFlight.values()].map(({ attempted }) => attempted))
      await agent.destroy()
    },
  }
}
