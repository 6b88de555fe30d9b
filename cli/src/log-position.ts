// Finds a position in the event log. Sequences have no gaps, so a binary search finds one event in a million with 20
// requests.

import type { Recaudo, RecaudoEvent } from '@recaudo/sdk'
import { readSpanSeconds, readTimeMs, wrongTime } from './time.ts'

// Sequences are assigned after the commit, so they may differ slightly from the order of `createdAt`.
const OUT_OF_ORDER = 200

// Where to start in the log, and the earliest time of wanted events.
export type StartPosition = { readonly after: number; readonly fromMs: number }

// The sequence of the last event, or 0 if there is none.
export function endOfLog(recaudo: Recaudo): Promise<number> {
  return sequenceBeforeFirst(recaudo, () => false)
}

export async function startPositionAt(recaudo: Recaudo, since: string): Promise<StartPosition> {
  if (/^\d{1,15}$/.test(since)) return { after: Number(since), fromMs: Number.NEGATIVE_INFINITY }
  const spanSeconds = readSpanSeconds(since)
  const fromMs = spanSeconds === undefined ? readTimeMs(since) : (await nowOf(recaudo)) - spanSeconds * 1_000
  if (fromMs === undefined) throw wrongTime('--since', since, 'the number of an event, ')
  const position = await sequenceBeforeFirst(recaudo, (event) => Date.parse(event.createdAt) >= fromMs)
  return { after: Math.max(0, position - OUT_OF_ORDER), fromMs }
}

// Staging's clock may be ahead of ours. The last event shows by how much at least.
async function nowOf(recaudo: Recaudo): Promise<number> {
  const end = await endOfLog(recaudo)
  const last = end === 0 ? undefined : await eventAfter(recaudo, end - 1)
  return Math.max(Date.now(), last === undefined ? 0 : Date.parse(last.createdAt))
}

// The sequence before the first matching event, or the last sequence if none matches.
async function sequenceBeforeFirst(
  recaudo: Recaudo,
  isMatch: (event: RecaudoEvent) => boolean,
): Promise<number> {
  const isBefore = async (after: number): Promise<boolean> => {
    const event = await eventAfter(recaudo, after)
    return event !== undefined && !isMatch(event)
  }
  let low = 0
  let high = 1
  if (!(await isBefore(0))) return 0
  while (await isBefore(high)) {
    low = high
    high *= 2
  }
  // The event after `low` is before the match, and the event after `high` is not.
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
