// The harness for simulated histories: the service with several workers, each with its own connections and caches, and
// the simulated networks, on one clock that only moves by hand. Payment ids come from the seed, and the networks'
// faults from the ids: the same seed gives the same history, except for the order of concurrent steps.

import pino, { type Logger } from 'pino'
import { readConfig } from '../../src/config.ts'
import { createIdSource } from '../../src/core/ids.ts'
import type { Instant } from '../../src/core/instant.ts'
import type { Organization } from '../../src/core/organizations/organization.ts'
import type { Context } from '../../src/flows/context.ts'
import { createOrganization } from '../../src/flows/organizations/create.ts'
import type { Limits } from '../../src/rails/limits.ts'
import type { FaultPlan } from '../../src/sandbox/faults.ts'
import { type Sandbox, startSandbox } from '../../src/sandbox/server.ts'
import { createApi, createContext, createMetrics } from '../../src/service.ts'
import { type Db, openDb } from '../../src/store/db.ts'
import { runAllDue } from '../../src/workers/due.ts'
import { freePort } from '../free-port.ts'
import { createDatabase } from '../world.ts'

export const START: Instant = Date.UTC(2026, 10, 15, 12)

export type Simulation = {
  seed: number
  db: Db
  // Merchants call this one.
  ctx: Context
  workers: readonly Context[]
  log: Logger
  sandbox: Sandbox
  // A number from 0 up to 1, from the seed.
  chance: () => number
  newOrganization: (name: string) => Promise<Organization>
  // All workers do everything that is due, at the same time.
  work: () => Promise<void>
  // Time passes for the networks and for us. All notices due by then have been sent.
  passTime: (ms: number) => Promise<void>
  setFaults: (plan: FaultPlan | 'none' | 'stormy') => Promise<void>
  // Worker errors. There must be none, whatever happens.
  failures: () => readonly string[]
  [Symbol.asyncDispose](): Promise<void>
}

export type SimulationOptions = {
  seed: number
  workers: number
  faults: FaultPlan
  delayMs: number
  railLimits?: Partial<Limits>
}

const SECRETS_KEY = 'ab'.repeat(32)
// A worker's share of the test server's connections.
const POOL_SIZE = 5

export async function startSimulation(options: SimulationOptions): Promise<Simulation> {
  const database = await createDatabase()
  const [port, sandboxPort] = [await freePort(), await freePort()]
  const config = readConfig({
    LOG_LEVEL: 'silent',
    RATE_LIMIT_PER_SECOND: '0',
    PORT: String(port),
    SANDBOX_PORT: String(sandboxPort),
    DATABASE_URL: database.url,
    SECRETS_KEY,
  })
  const chance = chanceOf(options.seed)
  const failures: string[] = []
  const log = pino({ level: 'error', base: null }, { write: (line: string) => failures.push(line) })
  let now: Instant = START
  const opened: Db[] = []
  const newContext = () => {
    const db = openDb({ url: database.url, poolSize: POOL_SIZE })
    opened.push(db)
    const key = Buffer.from(SECRETS_KEY, 'hex')
    return createContext(config, db, key, createMetrics(), () => now, options.railLimits)
  }

  const service = newContext()
  const ids = createIdSource((count) => Uint8Array.from({ length: count }, () => Math.floor(chance() * 256)))
  const ctx: Context = { ...service, ids: { ...service.ids, next: () => ids(now) } }
  const workers = Array.from({ length: options.workers }, newContext)
  const api = await createApi(config, service, pino({ level: 'silent' }), createMetrics())
  await api.app.listen({ host: '127.0.0.1', port })
  const sandbox = await startSandbox({
    host: '127.0.0.1',
    port: sandboxPort,
    storageFile: ':memory:',
    notifyUrl: {
      breb: `http://127.0.0.1:${port}/notifications/breb`,
      pse: `http://127.0.0.1:${port}/notifications/pse`,
    },
    credentials: { breb: config.breb, pse: config.pse },
    delayMs: options.delayMs,
    seed: options.seed,
    faults: options.faults,
    now: () => START,
  })

  return {
    seed: options.seed,
    db: service.db,
    ctx,
    workers,
    log,
    sandbox,
    chance,
    newOrganization: (name) => createOrganization(ctx, name),
    work: async () => {
      await Promise.all(workers.map((worker) => runAllDue(worker, log)))
    },
    passTime: async (ms) => {
      now += ms
      await sandbox.advance(ms)
    },
    setFaults: async (plan) => {
      const response = await fetch(`${sandbox.controlUrl}/faults`, {
        method: 'PUT',
        headers: { authorization: `Bearer ${config.breb.clientSecret}` },
        body: JSON.stringify({ plan }),
      })
      if (response.status !== 200) throw new Error(await response.text())
    },
    failures: () => failures,
    async [Symbol.asyncDispose]() {
      await sandbox[Symbol.asyncDispose]()
      await Promise.all([service, ...workers].map((each) => each.networks.close()))
      await api.close()
      await Promise.all(opened.map((db) => db.close()))
      await database.drop()
    },
  }
}

// Mulberry32: small, fast, and the same everywhere.
function chanceOf(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
