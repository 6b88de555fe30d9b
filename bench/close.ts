// The close of a day with a million movements: how long it takes, and what it costs payins beside it.

import { setTimeout as delay } from 'node:timers/promises'
import { bogotaDay, type Day, daysAfter, startOfDay } from '../src/core/bogota-day.ts'
import { type ClosedDay, closeNextDue } from '../src/flows/ledger/close-days.ts'
import { insertClosingMark } from '../src/store/ledger/closing-marks.ts'
import { restBetweenParts } from '../src/workers/daily-closes.ts'
import { payinRequest } from './payins.ts'
import { atLeast, atMost, type Measurement, medians, type Row, UNTIMED } from './report.ts'
import type { Testbed } from './testbed.ts'

const MOVEMENTS = 1_000_000
const STEP_MS = 86
const MAX_SECONDS = 60
const CONNECTIONS = 64
const MAX_ROUNDS = 10
const MINUTE_MS = 60_000

export async function close(testbed: Testbed): Promise<Row[]> {
  await testbed.sampleBusyShare()
  const { organizationId } = await testbed.newMerchant()
  const load = {
    requests: [payinRequest(await testbed.newMerchant(), 'SINGLE_USE')],
    connections: CONNECTIONS,
  }
  const day = daysAfter(bogotaDay(Date.now()), -1)
  testbed.reportProgress(`  writing ${MOVEMENTS.toLocaleString('en')} movements`)
  await writeMovements(testbed, organizationId, startOfDay(day))
  await insertClosingMark(testbed.db, { organizationId, openFrom: 0, nextDay: day, dueAt: 0 })
  const alone: Measurement[] = []
  const beside: Measurement[] = []
  // By turns, so that what other programs do meanwhile costs both the same: the close waits while payins are alone.
  const turns = turnstile()
  const closing = closeDay(testbed, day, turns.pass)
  let isClosed = false
  const ended = closing.then(() => {
    isClosed = true
  })
  while (!isClosed) {
    turns.open()
    const measured = testbed.measure('store', load)
    await Promise.race([ended, measured])
    // Only rounds that lie within the close count.
    if (!isClosed) beside.push(await measured)
    else await measured
    turns.shut()
    if (alone.length < MAX_ROUNDS) alone.push(await testbed.measure('store', load))
  }
  const seconds = (await closing).seconds - turns.waitedSeconds()
  testbed.reportProgress(
    `  closed in ${seconds.toFixed(1)} s, with ${beside.length} rounds of payins beside it`,
  )
  const [before, during] = [medians(alone), medians(beside)]
  return [
    {
      label: 'a day of 1,000,000 movements closed, payins beside it',
      measured: { ...UNTIMED, answered: MOVEMENTS, requestsPerSecond: MOVEMENTS / seconds },
      bars: [atMost(seconds, MAX_SECONDS, 's')],
    },
    {
      label: '  POST /payins meanwhile',
      measured: during,
      bars: [atLeast(during.requestsPerSecond / before.requestsPerSecond, 0.95, 'of payins alone')],
    },
    { label: '  POST /payins alone', measured: before, bars: [] },
  ]
}

// The time of the second step, in which the day is summed. What was being written has a minute, which the clock jumps over.
async function closeDay(
  { db }: Testbed,
  day: Day,
  pass: () => Promise<void>,
): Promise<ClosedDay & { seconds: number }> {
  let offsetMs = 0
  const now = () => Date.now() + offsetMs
  const ctx = { db, clock: { now } } as unknown as Parameters<typeof closeNextDue>[0]
  for (;;) {
    const startedAt = performance.now()
    const rest = restBetweenParts()
    const done = await closeNextDue(ctx, async () => {
      await rest()
      await pass()
    })
    if (done !== null && done !== 'none closed' && done.day === day) {
      if (done.movements !== MOVEMENTS) throw new Error(`${done.movements} movements were closed`)
      return { ...done, seconds: (performance.now() - startedAt) / 1_000 }
    }
    offsetMs += MINUTE_MS
    await delay(1)
  }
}

type Turnstile = {
  open: () => void
  shut: () => void
  pass: () => Promise<void>
  waitedSeconds: () => number
}

function turnstile(): Turnstile {
  let gate = Promise.withResolvers<void>()
  let waitedMs = 0
  return {
    open: () => gate.resolve(),
    shut: () => {
      gate = Promise.withResolvers()
    },
    pass: async () => {
      const startedAt = performance.now()
      await gate.promise
      waitedMs += performance.now() - startedAt
    },
    waitedSeconds: () => waitedMs / 1_000,
  }
}

// As payins are confirmed, one each 86 milliseconds of the day.
async function writeMovements({ db }: Testbed, organizationId: string, startMs: number): Promise<void> {
  const time = `lpad(to_hex($2::bigint + n::bigint * ${STEP_MS}), 12, '0')`
  const uuid = (variant: string) => `(${time} || '7000${variant}000' || lpad(to_hex(n), 12, '0'))::uuid`
  await db.query({
    text: `insert into ledger_transfers (organization_id, transfer_id, booking, subject_id, debit_account, credit_account,
                                         amount_cents, currency, created_at)
           select $1, ${uuid('8')}, 'payin confirmed', ${uuid('9')}, 'CLEARING_PSE', 'PENDING_SETTLEMENT',
                  100000 + n, 'COP', to_timestamp(($2::bigint + n::bigint * ${STEP_MS}) / 1000.0)
             from generate_series(0, ${MOVEMENTS - 1}) as n`,
    values: [organizationId, startMs],
  })
  await db.query({ text: 'vacuum analyze ledger_transfers' })
}
