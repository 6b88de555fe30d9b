// Migrations beside payins: how long a payin waits at most while the newest migrations run on a database that is full, with reports
// that read the same tables for a second at a time. Ten million payins, or as many as `--rows` says. What works with no version before
// is run without payins, because nobody serves meanwhile, and what follows it too.

import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { createIdSource } from '../src/core/ids.ts'
import { newOrganization } from '../src/core/organizations/organization.ts'
import { newPayin } from '../src/core/payins/payin.ts'
import { type Db, openDb } from '../src/store/db.ts'
import { migrate, readMigrations } from '../src/store/migrate.ts'
import { insertPayins } from '../src/store/payins/payins.ts'
import { fillSchema, ORGANIZATIONS } from './fill-schema.ts'
import { atMost, type Measurement, type Row, UNTIMED } from './report.ts'
import type { Testbed } from './testbed.ts'

// The schema that was full before. What is newer is measured.
const FILLED_SCHEMA = 44
const DEFAULT_ROWS = 10_000_000
const LONGEST_WAIT_MS = 200
const PAYINS_PER_SECOND = 100
const ALONE_MS = 10_000
const REPORT_SECONDS = 1
const BETWEEN_REPORTS_MS = 1_000
const LOCK_LOOK_MS = 5

const NOBODY_SERVES = /^-- works with none$/m

type Step = { name: string; startedAtMs: number; endedAtMs: number }

type Wait = { dueMs: number; ms: number; failed: boolean }

export async function migrations(testbed: Testbed): Promise<Row[]> {
  const rows = testbed.rows ?? DEFAULT_ROWS
  await using database = await openEmptyDatabase(testbed)
  const all = readMigrations()
  const before = all.filter(({ version }) => version <= FILLED_SCHEMA)
  const owner = openDb({ url: database.url, poolSize: 4, statementTimeoutMs: 0 })
  database.closing.push(owner)
  await migrate(owner, before)
  await fillSchema(owner, rows, testbed.reportProgress)
  const payer = openDb({ url: database.url, poolSize: 20 })
  database.closing.push(payer)

  const payins = startPayins(payer)
  const reports = startReports(owner)
  const locks = startLockWatch(owner)
  await delay(ALONE_MS)
  const aloneUntilMs = performance.now()
  const migrateUpTo = async (count: number): Promise<Step> => {
    const startedAtMs = performance.now()
    const [name = ''] = await migrate(owner, all.slice(0, count))
    testbed.reportProgress(`  ${name}: ${((performance.now() - startedAtMs) / 1_000).toFixed(1)} s`)
    return { name, startedAtMs, endedAtMs: performance.now() }
  }
  const firstAlone = all.findIndex(({ version, sql }) => version > FILLED_SCHEMA && NOBODY_SERVES.test(sql))
  const beside = firstAlone === -1 ? all.length : firstAlone
  const steps: Step[] = []
  for (let count = before.length + 1; count <= beside; count += 1) steps.push(await migrateUpTo(count))
  const endedAtMs = performance.now()
  await delay(1_000)
  await reports.stop()
  const longestLockMs = await locks.stop()
  const waits = await payins.stop()
  const aloneSteps: Step[] = []
  for (let count = beside + 1; count <= all.length; count += 1) aloneSteps.push(await migrateUpTo(count))

  // A payin counts for every migration that ran at some time while it waited.
  const between = (fromMs: number, toMs: number): Wait[] =>
    waits.filter(({ dueMs, ms }) => dueMs <= toMs && dueMs + ms >= fromMs)
  const alone = waits.filter(({ dueMs, ms }) => dueMs + ms < aloneUntilMs)
  const during = between(aloneUntilMs, endedAtMs)
  const failed = during.filter(({ failed }) => failed).length
  return [
    {
      label: `payins while ${steps.length} migrations run on ${rows.toLocaleString('en')} payins`,
      measured: measurementOf(during),
      bars: [
        atMost(longest(during), LONGEST_WAIT_MS, 'ms longest wait'),
        atMost(longestLockMs, LONGEST_WAIT_MS, 'ms of it for a lock'),
        atMost(failed, 0, 'failed'),
      ],
    },
    {
      label: `  before them, longest wait ${longest(alone).toFixed(0)} ms`,
      measured: measurementOf(alone),
      bars: [],
    },
    ...steps.map((step) => ({
      label: `  ${step.name}: ${((step.endedAtMs - step.startedAtMs) / 1_000).toFixed(1)} s`,
      measured: UNTIMED,
      bars: [atMost(longest(between(step.startedAtMs, step.endedAtMs)), LONGEST_WAIT_MS, 'ms longest wait')],
    })),
    ...aloneSteps.map((step) => ({
      label: `  ${step.name}, while nobody serves: ${((step.endedAtMs - step.startedAtMs) / 1_000).toFixed(1)} s`,
      measured: UNTIMED,
      bars: [],
    })),
  ]
}

// One comes every ten milliseconds, whether or not those before it have their answer: the organization is read, and the payin written
// by the store's own statement.
function startPayins(db: Db): { stop: () => Promise<Wait[]> } {
  const ids = createIdSource(randomBytes)
  const organizations = Array.from({ length: ORGANIZATIONS }, (_, index) =>
    newOrganization(`${String(index + 1).padStart(8, '0')}-0000-7000-8000-000000000000`, 'Café', 0),
  )
  const create = async (index: number): Promise<void> => {
    const organization = organizations[index % ORGANIZATIONS] ?? organizations[0]
    if (organization === undefined) throw new Error('there are organizations')
    await db.query({
      text: 'select name, rails from organizations where organization_id = $1',
      values: [organization.organizationId],
    })
    const payin = newPayin(organization, ids(Date.now()), {
      amountInCents: 5_000_000n,
      reference: `bench-${index}`,
      customer: null,
      callbackUrl: null,
      way: { rail: 'BRE_B', keyType: 'SINGLE_USE' },
    })
    await insertPayins(db, [{ payin, record: null }])
  }
  const waits: Promise<Wait>[] = []
  const startedAtMs = performance.now()
  const timer = setInterval(() => {
    for (;;) {
      const dueMs = startedAtMs + (waits.length * 1_000) / PAYINS_PER_SECOND
      if (dueMs > performance.now()) return
      const ended = (failed: boolean): Wait => ({ dueMs, ms: performance.now() - dueMs, failed })
      waits.push(
        create(waits.length).then(
          () => ended(false),
          () => ended(true),
        ),
      )
    }
  }, 1)
  return {
    stop: () => {
      clearInterval(timer)
      return Promise.all(waits)
    },
  }
}

// Readers whose transactions last: a migration that waited for them in front of everybody would stop all payins meanwhile.
function startReports(db: Db): { stop: () => Promise<void> } {
  let isStopped = false
  const run = async (): Promise<void> => {
    while (!isStopped) {
      await db.inTransaction(
        async (tx) => {
          await tx.query({ text: 'select from payins limit 1' })
          await tx.query({ text: 'select from payouts limit 1' })
          await tx.query({ text: 'select from organizations limit 1' })
          await tx.query({ text: `select pg_sleep(${REPORT_SECONDS})` })
        },
        { timeoutMs: 0 },
      )
      await delay(BETWEEN_REPORTS_MS)
    }
  }
  const running = run()
  return {
    stop: () => {
      isStopped = true
      return running
    },
  }
}

// How long anybody who reads or writes rows waited for the lock of a table: what is the migrations' doing, on a busy machine too.
function startLockWatch(db: Db): { stop: () => Promise<number> } {
  let isStopped = false
  const watch = async (): Promise<number> => {
    let longestMs = 0
    while (!isStopped) {
      const { rows } = await db.query<{ ms: number }>({
        text: `select coalesce(max(extract(epoch from clock_timestamp() - waitstart)), 0)::float8 * 1000 as ms
                 from pg_locks
                where not granted and locktype = 'relation'
                  and mode in ('AccessShareLock', 'RowShareLock', 'RowExclusiveLock')`,
      })
      longestMs = Math.max(longestMs, rows[0]?.ms ?? 0)
      await delay(LOCK_LOOK_MS)
    }
    return longestMs
  }
  const watching = watch()
  return {
    stop: () => {
      isStopped = true
      return watching
    },
  }
}

function longest(waits: readonly Wait[]): number {
  return waits.reduce((most, { ms }) => Math.max(most, ms), 0)
}

function measurementOf(waits: readonly Wait[]): Measurement {
  const sorted = waits.map(({ ms }) => ms).sort((a, b) => a - b)
  const at = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? Number.NaN
  return {
    answered: waits.length,
    requestsPerSecond: PAYINS_PER_SECOND,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    cpuMicrosPerRequest: Number.NaN,
  }
}

type EmptyDatabase = AsyncDisposable & { url: string; closing: Db[] }

// Beside the testbed's, which has the newest schema already.
async function openEmptyDatabase({ db, databaseUrl }: Testbed): Promise<EmptyDatabase> {
  const name = `recaudo_bench_${randomBytes(6).toString('hex')}`
  await db.query({ text: `create database ${name}` })
  const closing: Db[] = []
  return {
    // Edited as text, because URL refuses the address of a server on a unix socket, which has no host.
    url: databaseUrl.replace(/^(\w+:\/\/[^/]*\/)[^?]*/, `$1${name}`),
    closing,
    async [Symbol.asyncDispose]() {
      await Promise.all(closing.map((one) => one.close()))
      await db.query({ text: `drop database ${name} with (force)` })
    },
  }
}
