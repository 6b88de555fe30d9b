// What it costs to look for due work when nothing is due, and how that grows with what waits: 1,000 organizations, 1,000
// endpoints and 100,000 rows that are due later, then ten and a hundred times as many; and whether events are numbered as fast
// while an old snapshot is open, as during a dump. BENCH_SCALE=10 stops at ten times.

import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import pino from 'pino'
import { firstIdAt } from '../src/core/ids.ts'
import type { Db, Queryable } from '../src/store/db.ts'
import { oldestDue, placeBefore, queuesWithWork, WORK_QUEUES } from '../src/store/due-work.ts'
import { oldestUnsequenced } from '../src/store/events/events.ts'
import { endpointsToResume } from '../src/store/webhooks/parked.ts'
import { searchForUnsequenced } from '../src/workers/due-queues.ts'
import { LATE_COMMIT_MS } from '../src/workers/due-search.ts'
import { sequenceAllDue } from '../src/workers/sequencer.ts'
import { fillWaiting, ORGANIZATIONS, type Waiting } from './fill-waiting.ts'
import { openInProcess } from './in-process.ts'
import { countDatabaseCpu } from './process-cpu.ts'
import { atLeast, atMost, type Measurement, type Row } from './report.ts'
import { inRounds, type Server, type Testbed } from './testbed.ts'
import { measurementOf, writeEvents } from './webhook-load.ts'

const SCALES = [1, 10, 100]
const LOOKS_TIMED = 30
const IDLE_MS = 10_000
// After data was written, the server's plans are made anew and its caches are filled.
const SETTLE_MS = 2_000
const NUMBERED = 30_000
const NUMBERED_AT_ONCE = 2_000
const NUMBERING_ORGANIZATIONS = 4

export async function idle(testbed: Testbed): Promise<Row[]> {
  const numbering = await measureNumbering(testbed)
  // Started before there are many organizations: what it deletes of each, once an hour, is another question.
  const server = await testbed.server('whole')
  const rows: Row[] = []
  let waiting: Waiting = { organizations: 0, rows: 0 }
  let first: { lookMs: number; share: number } | undefined
  for (const scale of SCALES.filter((one) => one <= Number(process.env.BENCH_SCALE ?? 100))) {
    waiting = await fillWaiting(testbed.db, waiting, ORGANIZATIONS * scale)
    const count = waiting.rows.toLocaleString('en')
    testbed.reportProgress(`  ${count} rows wait`)
    await testbed.sampleBusyShare()
    const look = await timeLooks(testbed.db, askAllQueues)
    const looks = await timeLooks(testbed.db, searchEachQueue)
    const idling = await measureIdle(testbed, server)
    first ??= { lookMs: look.p50Ms, share: idling.share }
    const growth = (now: number, then: number) => `(${(now / then).toFixed(1)} × that of ${SCALES[0]} ×)`
    rows.push({
      label: `one look at all queues, ${count} rows wait`,
      measured: look,
      bars: [atMost(look.p50Ms, 2, `ms of database time ${growth(look.p50Ms, first.lookMs)}`)],
    })
    rows.push({
      label: '  each queue searched by itself, all together',
      measured: looks,
      bars: [atMost(looks.p50Ms, 2, 'ms of database time')],
    })
    rows.push({
      label: '  an idle process and its database',
      measured: idling.measured,
      bars: [atMost(idling.share * 100, 2, `% of a core ${growth(idling.share, first.share)}`)],
    })
  }
  return [...rows, ...numbering]
}

// The time that PostgreSQL itself states for the prepared statements of a look, added up.
async function timeLooks(db: Db, look: (db: Db) => Promise<void>): Promise<Measurement> {
  const totals = await db.inTransaction(async (tx) => {
    const sums: number[] = []
    await look(within(db, tx.query))
    for (let time = 0; time < LOOKS_TIMED; time += 1) {
      let sum = 0
      const explain: Queryable['query'] = async ({ name, values = [] }) => {
        const literals = values.map((value) => pg.escapeLiteral(String(value)))
        const args = literals.length === 0 ? '' : `(${literals.join(', ')})`
        const { rows } = await tx.query<{ 'QUERY PLAN': ExplainedPlan[] }>({
          text: `explain (analyze, format json) execute "${name}"${args}`,
        })
        const [plan] = rows[0]?.['QUERY PLAN'] ?? []
        sum += (plan?.['Planning Time'] ?? 0) + (plan?.['Execution Time'] ?? Number.NaN)
        return { rows: [] } as never
      }
      await look(within(db, explain))
      sums.push(sum)
    }
    return sums.sort((a, b) => a - b)
  })
  const p50Ms = totals[totals.length >> 1] ?? Number.NaN
  return {
    answered: LOOKS_TIMED,
    requestsPerSecond: 1_000 / p50Ms,
    p50Ms,
    p99Ms: totals.at(-1) ?? Number.NaN,
    cpuMicrosPerRequest: p50Ms * 1_000,
  }
}

// A database whose statements are all run in this way.
function within(db: Db, query: Queryable['query']): Db {
  const sendTransaction: Db['sendTransaction'] = async (statements) => {
    const results = []
    for (const statement of statements) results.push(await query(statement))
    return results
  }
  return { ...db, query, sendTransaction, database: db }
}

type ExplainedPlan = { 'Planning Time': number; 'Execution Time': number }

// What an idle process asks four times a second.
async function askAllQueues(db: Db): Promise<void> {
  const now = Date.now()
  await queuesWithWork(db, now, () => now - LATE_COMMIT_MS)
}

// What the loops ask every few seconds, and when they are woken.
async function searchEachQueue(db: Db): Promise<void> {
  const now = Date.now()
  const from = now - LATE_COMMIT_MS
  for (const queue of WORK_QUEUES) await oldestDue(db, queue, now, placeBefore(from), 10_000)
  await oldestUnsequenced(db, firstIdAt(from), 10_000)
  await endpointsToResume(db, 100)
}

async function measureIdle(
  testbed: Testbed,
  server: Server,
): Promise<{ share: number; measured: Measurement }> {
  await delay(SETTLE_MS)
  const databaseUsedMs = await countDatabaseCpu(testbed.db)
  const before = await server.cpuMicros()
  const startedAtMs = performance.now()
  await delay(IDLE_MS)
  const tookMs = performance.now() - startedAtMs
  const usedMs = ((await server.cpuMicros()) - before) / 1_000 + (await databaseUsedMs())
  const measured = { ...measurementOf(1, tookMs, { user: usedMs * 1_000, system: 0 }), requestsPerSecond: 0 }
  return { share: usedMs / tookMs, measured }
}

// Events are written and numbered by turns. Only the numbering is timed.
async function measureNumbering(testbed: Testbed): Promise<Row[]> {
  await using service = await openInProcess(testbed, NUMBERING_ORGANIZATIONS)
  const search = searchForUnsequenced(service.ctx)
  const log = pino({ level: 'silent' })
  const number = async (events: number): Promise<Measurement> => {
    let tookMs = 0
    const cpuBefore = process.cpuUsage()
    for (let left = events; left > 0; left -= NUMBERED_AT_ONCE) {
      await writeEvents(service, NUMBERED_AT_ONCE)
      const startedAtMs = performance.now()
      while ((await sequenceAllDue(service.ctx, log, search)).events > 0);
      tookMs += performance.now() - startedAtMs
    }
    return measurementOf(events, tookMs, process.cpuUsage(cpuBefore))
  }
  const besideSnapshot = () =>
    testbed.db.inTransaction(async (tx) => {
      await tx.query({ text: 'set transaction isolation level repeatable read' })
      await tx.query({ text: `set local idle_in_transaction_session_timeout = 0` })
      await tx.query({ text: 'select count(*) from organizations' })
      return number(NUMBERED)
    })
  await number(NUMBERED)
  const { without, beside } = await inRounds(testbed, {
    without: () => number(NUMBERED),
    beside: besideSnapshot,
  })
  const share = beside.requestsPerSecond / without.requestsPerSecond
  return [
    { label: 'events numbered', measured: without, bars: [] },
    {
      label: '  while an old snapshot is open',
      measured: beside,
      bars: [atLeast(share, 0.8, 'of the rate without')],
    },
  ]
}
