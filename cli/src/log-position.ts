// Finds a place in the event log. Its numbers have no gap, so the log is searched like a book: 20 looks find one event in a
// million.

import type { Recaudo, RecaudoEvent } from '@recaudo/sdk'
import { readSpanSeconds, readTimeMs, wrongTime } from './time.ts'

// Events are numbered as they are committed, which may be a little out of the order of their times.
const OUT_OF_ORDER = 200

// Where to begin, and from which time on events are wanted.
export type Beginning = { readonly after: number; readonly fromMs: number }

// The number of the last event there is; 0 where there is none.
export function endOfLog(recaudo: Recaudo): Promise<number> {
  return firstPlace(recaudo, () => false)
}

export async function beginningAt(recaudo: Recaudo, since: string): Promise<Beginning> {
  if (/^\d{1,15}$/.test(since)) return { after: Number(since), fromMs: Number.NEGATIVE_INFINITY }
  const spanSeconds = readSpanSeconds(since)
  const fromMs = spanSeconds === undefined ? readTimeMs(since) : (await nowOf(recaudo)) - spanSeconds * 1_000
  if (fromMs === undefined) throw wrongTime('--since', since, 'the number of an event, ')
  const place = await firstPlace(recaudo, (event) => Date.parse(event.createdAt) >= fromMs)
  return { after: Math.max(0, place - OUT_OF_ORDER), fromMs }
}

// Staging's clock may have been moved ahead of ours: the last event tells.
async function nowOf(recaudo: Recaudo): Promise<number> {
  const end = await endOfLog(recaudo)
  const last = end === 0 ? undefined : await eventAfter(recaudo, end - 1)
  return Math.max(Date.now(), last === undefined ? 0 : Date.parse(last.createdAt))
}

// The number before the first event that is so, or else before the one that is still to come.
async function firstPlace(recaudo: Recaudo, isSo: (event: RecaudoEvent) => boolean): Promise<number> {
  const isBefore = async (after: number): Promise<boolean> => {
    const event = await eventAfter(recaudo, after)
    return event !== undefined && !isSo(event)
  }
  let low = 0
  let high = 1
  if (!(await isBefore(0))) return 0
  while (await isBefore(high)) {
    low = high
    high *= 2
  }
  // The event after `low` is before the place, that after `high` is not.
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (await isBefore(middle)) low = middle
    else high = middle
  }
  return high
}

async function eventAfter(recaudo: Recaudo, after: number): Promise<RecaudoEvent | undefined> {
  return (await recaudo.events.list({ after, pageSize: 1 })).data[0]
}
