// Stores the notices of a simulated provider and sends them, repeated as the provider repeats them. A notice may be lost, doubled,
// late or overtaken, by the fault plan.

import { Agent, request } from 'undici'
import type { Instant } from '../../core/instant.ts'
import type { Clock } from '../clock.ts'
import type { Faults } from '../faults.ts'
import { retryUntilDiskHasRoom } from '../full-disk.ts'
import { isOnThisMachine } from './input.ts'
import type { Notice, Provider } from './provider.ts'
import type { DocumentStorage, DueNotice } from './storage.ts'

// Without any delay, a late notice would be on time.
const MIN_PAUSE_MS = 1_000
const REORDER_WITHIN_PAUSES = 2
const REPEAT_WITHIN_PAUSES = 3

export function queueNotice(
  { storage, faults, delayMs }: { storage: DocumentStorage; faults: Faults; delayMs: number },
  { reference, body, at, url }: Notice,
): void {
  const step = `notice ${storage.countStep(reference, 'notice')}`
  const pauseMs = Math.max(delayMs, MIN_PAUSE_MS)
  const chance = (what: string) => faults.number(reference, `${step} ${what}`)
  if (faults.strikes('noticeLost', reference, step)) return
  let due = at
  if (faults.strikes('noticeLate', reference, step)) due += faults.plan.lateFactor * pauseMs
  if (faults.strikes('noticeReordered', reference, step))
    due += Math.floor(chance('pause') * REORDER_WITHIN_PAUSES * pauseMs)
  storage.addNotice(due, reference, body, url)
  if (faults.strikes('noticeDoubled', reference, step))
    storage.addNotice(
      due + Math.floor(chance('second') * REPEAT_WITHIN_PAUSES * pauseMs),
      reference,
      body,
      url,
    )
}

export type NoticeSender = {
  /** Starts sending what is due. */
  sendDue: () => void
  nextDue: () => Instant | undefined
  /** Waits until everything due by then has been attempted. */
  settled: (until: Instant) => Promise<void>
  close: () => Promise<void>
}

const MAX_IN_FLIGHT = 16
const ANSWER_WITHIN_MS = 10_000

export function createNoticeSender(
  storage: DocumentStorage,
  clock: Clock,
  { notices }: Provider,
  url: () => string | undefined,
  onAttempted: () => void,
): NoticeSender {
  const agent = new Agent({ connections: MAX_IN_FLIGHT })
  const closing = new AbortController()
  const inFlight = new Map<string, { due: Instant; attempted: Promise<void> }>()

  const post = async ({ body, url: named }: DueNotice): Promise<boolean> => {
    const address = named ?? url()
    // Nobody has said where notices go, or a caller has named a machine elsewhere: nothing is sent.
    if (address === undefined || !isOnThisMachine(address)) return true
    try {
      const answer = await request(address, {
        method: 'POST',
        dispatcher: agent,
        signal: AbortSignal.any([closing.signal, AbortSignal.timeout(ANSWER_WITHIN_MS)]),
        headers: { 'content-type': 'application/json', ...notices.headers(body, clock.now()) },
        body,
      })
      await answer.body.dump()
      return answer.statusCode >= 200 && answer.statusCode < 300
    } catch {
      return false
    }
  }
  const attempt = async (notice: DueNotice): Promise<void> => {
    const { id, tries } = notice
    const isTaken = await post(notice)
    if (closing.signal.aborted) return
    const retryAfterMs = notices.retryAfterMs[tries]
    await retryUntilDiskHasRoom(() => {
      if (isTaken || retryAfterMs === undefined) storage.endNotice(id)
      else storage.repeatNotice(id, clock.now() + retryAfterMs)
    }, closing)
  }
  const sendDue = (): void => {
    while (!closing.signal.aborted && inFlight.size < MAX_IN_FLIGHT) {
      const notice = storage.takeNotice(clock.now(), [...inFlight.keys()])
      if (notice === undefined) return
      const attempted = attempt(notice).then(() => {
        inFlight.delete(notice.reference)
        onAttempted()
      })
      inFlight.set(notice.reference, { due: notice.due, attempted })
    }
  }

  return {
    sendDue,
    // With all connections in use, or the next one behind another of its subject, it is an attempt's end that goes on.
    nextDue: () => (inFlight.size > 0 ? undefined : storage.nextNoticeDue()),
    settled: async (until) => {
      for (;;) {
        sendDue()
        const due = [...inFlight.values()].filter((one) => one.due <= until)
        if (closing.signal.aborted || (due.length === 0 && (storage.nextNoticeDue() ?? until + 1) > until))
          return
        await Promise.race((due.length > 0 ? due : [...inFlight.values()]).map(({ attempted }) => attempted))
      }
    },
    close: async () => {
      closing.abort()
      await Promise.allSettled([...inFlight.values()].map(({ attempted }) => attempted))
      await agent.destroy()
    },
  }
}
