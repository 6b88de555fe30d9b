// What every question runs on: its own real PostgreSQL with durable commits, merchants with API keys, one server per variant
// that is started on first use and reused, and the load generator. Disposing of the testbed removes all of it.

import { randomBytes } from 'node:crypto'
import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { SERVICE } from '../src/core/audit/actor.ts'
import { createIdSource } from '../src/core/ids.ts'
import { newOrganization } from '../src/core/organizations/organization.ts'
import { issueApiKey } from '../src/flows/organizations/issue-credential.ts'
import { type Db, openDb } from '../src/store/db.ts'
import { migrate } from '../src/store/migrate.ts'
import { insertOrganization } from '../src/store/organizations/organizations.ts'
import { type Child, startChild } from './child.ts'
import { startCollector } from './collector.ts'
import { openBenchDatabase } from './database.ts'
import { type Job, startGenerator } from './load.ts'
import { type Measurement, medians } from './report.ts'
import type { ServerQuestion, ServerSettings, Variant } from './server.ts'

export type Merchant = { organizationId: string; apiKey: string }

export type Server = { port: number; cpuMicros: () => Promise<number> }

export type Testbed = AsyncDisposable & {
  describe: () => string
  // The bench's own connections to the database, without a statement timeout.
  db: Db
  databaseUrl: string
  // How many rows a question writes that asks for many. Null: as many as it asks for.
  rows: number | null
  secretsKey: Buffer
  // Bre-B's notices to the servers are signed with it.
  notificationKey: string
  newMerchant: () => Promise<Merchant>
  server: (variant: Variant) => Promise<Server>
  // In one new process. The compiler fares better with one process than with another, by more than some bars allow.
  startTogether: (variants: readonly Variant[]) => Promise<void>
  // Puts load on a server: one second to settle, then three seconds measured. A new server is warmed up first.
  measure: (variant: Variant, load: LoadPlan) => Promise<Measurement>
  // Samples how much CPU other programs use while we do nothing.
  sampleBusyShare: () => Promise<void>
  reportProgress: (progress: string) => void
  // How many batches of spans have come from servers that trace.
  collectedRequests: () => number
}

export type LoadPlan = Pick<Job, 'requests' | 'connections'> & { arrivalsPerSecond?: number }

const WARM_UP_MS = 1_000
const MEASURE_MS = 3_000
// A new process takes about this long under load until its code is compiled. Until then all variants are equally slow.
const NEW_SERVER_WARM_UP_MS = 6_000
const ROUNDS = 3
const BUSY_SAMPLE_MS = 200

export async function openTestbed(options: {
  profileDirectory: string | null
  rows: number | null
}): Promise<Testbed> {
  await using onFailure = new AsyncDisposableStack()
  const directory = mkdtempSync(join(tmpdir(), 'recaudo-bench-'))
  onFailure.defer(() => rmSync(directory, { recursive: true, force: true }))
  const fdatasyncMicros = timeFdatasync(directory)
  const postgres = onFailure.use(await openBenchDatabase(directory))
  const db = openDb({ url: postgres.url, poolSize: 3, statementTimeoutMs: 0 })
  onFailure.defer(() => db.close())
  await migrate(db)
  await assertDurable(db)
  const generator = onFailure.use(startGenerator())

  const collector = onFailure.use(await startCollector())
  const secretsKey = randomBytes(32)
  const notificationKey = randomBytes(32).toString('hex')
  const environment = {
    DATABASE_URL: postgres.url,
    SECRETS_KEY: secretsKey.toString('hex'),
    RATE_LIMIT_PER_SECOND: '0',
    LOG_LEVEL: 'info',
    // A network that nobody calls: the servers have stubs in its place.
    BREB_BASE_URL: 'http://127.0.0.1:1',
    BREB_CLIENT_ID: 'bench',
    BREB_CLIENT_SECRET: 'bench',
    BREB_NOTIFICATION_KEY: notificationKey,
  }
  const nodeFlags =
    options.profileDirectory === null ? [] : ['--cpu-prof', `--cpu-prof-dir=${options.profileDirectory}`]
  const newProcess = (): Child<ServerQuestion, number> => {
    const settings: ServerSettings = { environment, collectorUrl: collector.url }
    return resources.use(startChild('server.ts', { argument: settings, nodeFlags }))
  }
  const servers = new Map<Variant, Promise<Server>>()
  const startServer = async (variant: Variant, child = newProcess()): Promise<Server> => ({
    port: await child.ask({ portOf: variant }),
    cpuMicros: () => child.ask('cpu'),
  })
  const server = (variant: Variant): Promise<Server> => {
    const started = servers.get(variant) ?? startServer(variant)
    servers.set(variant, started)
    return started
  }

  const warmed = new Set<Variant>()
  const busyShares: number[] = []

  const ids = createIdSource(randomBytes)
  const issuer = {
    actor: SERVICE,
    clock: { now: Date.now },
    ids: { next: () => ids(Date.now()), randomBytes },
    db,
    settings: { environment: 'staging' as const },
  }
  const resources = onFailure.move()
  return {
    describe: () =>
      `PostgreSQL ${postgres.version} with fsync and synchronous_commit on, an fdatasync takes ${fdatasyncMicros} µs, ` +
      `other programs used ${Math.round(mean(busyShares) * 100)} % of the cores between measurements`,
    db,
    databaseUrl: postgres.url,
    rows: options.rows,
    secretsKey,
    notificationKey,
    newMerchant: async () => {
      const organization = newOrganization(issuer.ids.next(), 'Café La Palma', issuer.clock.now())
      await insertOrganization(db, organization)
      const { organizationId } = organization
      const issued = await issueApiKey(issuer, {
        organizationId,
        name: 'bench',
        scopes: null,
        expiresAt: null,
      })
      if (issued === undefined) throw new Error('a random key was drawn twice')
      return { organizationId, apiKey: issued.secret }
    },
    server,
    startTogether: async (variants) => {
      const child = newProcess()
      for (const variant of variants) servers.set(variant, Promise.resolve(await startServer(variant, child)))
    },
    measure: async (variant, plan) => {
      const { port, cpuMicros } = await server(variant)
      const job: Job = {
        port,
        warmUpMs: 0,
        measureMs: NEW_SERVER_WARM_UP_MS,
        arrivalsPerSecond: null,
        ...plan,
      }
      const warmUp = warmed.has(variant) ? null : await generator.ask(job)
      warmed.add(variant)
      const cpuBefore = await cpuMicros()
      const load = await generator.ask({ ...job, warmUpMs: WARM_UP_MS, measureMs: MEASURE_MS })
      const cpuMicrosPerRequest = ((await cpuMicros()) - cpuBefore) / load.answered
      return { ...load, answered: load.answered + (warmUp?.answered ?? 0), cpuMicrosPerRequest }
    },
    sampleBusyShare: async () => void busyShares.push(await busyShare()),
    collectedRequests: collector.requests,
    reportProgress: (progress) => void process.stderr.write(`${progress}\n`),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

// Runs each leg once per round, so that disturbances of the machine affect all legs alike.
export async function inRounds<Name extends string>(
  testbed: Testbed,
  legs: Record<Name, () => Promise<Measurement>>,
  rounds = ROUNDS,
): Promise<Record<Name, Measurement>> {
  const names = Object.keys(legs) as Name[]
  const measured = Object.fromEntries(names.map((name) => [name, [] as Measurement[]])) as Record<
    Name,
    Measurement[]
  >
  for (let round = 1; round <= rounds; round += 1) {
    for (const name of names) {
      await testbed.sampleBusyShare()
      const leg = await legs[name]()
      measured[name].push(leg)
      testbed.reportProgress(
        `  round ${round}: ${name} ${Math.round(leg.requestsPerSecond)}/s, p99 ${leg.p99Ms.toFixed(1)} ms`,
      )
    }
  }
  return Object.fromEntries(names.map((name) => [name, medians(measured[name])])) as Record<Name, Measurement>
}

// The share of CPU that other programs use while we do nothing. The figures are only as good as this is low.
async function busyShare(): Promise<number> {
  const read = () => {
    const times = cpus().map((core) => core.times)
    const idle = times.reduce((sum, core) => sum + core.idle, 0)
    return { idle, all: times.reduce((sum, { user, nice, sys, irq }) => sum + user + nice + sys + irq, idle) }
  }
  const before = read()
  await delay(BUSY_SAMPLE_MS)
  const after = read()
  return 1 - (after.idle - before.idle) / (after.all - before.all)
}

function mean(figures: number[]): number {
  return figures.reduce((sum, figure) => sum + figure, 0) / figures.length
}

async function assertDurable(db: Db): Promise<void> {
  for (const setting of ['fsync', 'synchronous_commit']) {
    const { rows } = await db.query<Record<string, string>>({ text: `show ${setting}` })
    if (rows[0]?.[setting] !== 'on') throw new Error(`${setting} must be on, or commits are not durable`)
  }
}

// How long this disk takes to make a write durable. In memory it takes no time, and then commits look too cheap.
function timeFdatasync(directory: string): number {
  const file = openSync(join(directory, 'fdatasync'), 'w')
  const times = Array.from({ length: 100 }, () => {
    writeSync(file, Buffer.alloc(8_192))
    const startedAtMs = performance.now()
    fdatasyncSync(file)
    return performance.now() - startedAtMs
  }).sort((a, b) => a - b)
  closeSync(file)
  rmSync(join(directory, 'fdatasync'))
  return Math.round((times[50] ?? 0) * 1_000)
}
