// The harness for simulated histories: several API nodes and workers, each with its own connections, caches and clock, and
// the simulated networks. The networks' clock only moves by hand; the nodes' clocks may differ from it. Payment ids come
// from the seed, and the networks' faults from the ids: the same seed gives the same history, except for the order of
// concurrent steps.

import pino, { type Logger } from 'pino'
import { readConfig } from '../../src/config.ts'
import { createIdSource } from '../../src/core/ids.ts'
import type { Instant } from '../../src/core/instant.ts'
import type { Organization } from '../../src/core/organizations/organization.ts'
import type { Context } from '../../src/flows/context.ts'
import { reconcileNextDue } from '../../src/flows/ledger/reconcile-due.ts'
import { createOrganization } from '../../src/flows/organizations/create.ts'
import type { Limits } from '../../src/rails/limits.ts'
import { ID_HEADER, SIGNATURE_HEADER, signNotice, TIMESTAMP_HEADER } from '../../src/rails/signature.ts'
import type { FaultPlan } from '../../src/sandbox/faults.ts'
import type { Network } from '../../src/sandbox/records.ts'
import { type Sandbox, startSandbox } from '../../src/sandbox/server.ts'
import { createApi, createContext, createMetrics } from '../../src/service.ts'
import { type Db, openDb } from '../../src/store/db.ts'
import { runAllDue } from '../../src/workers/start.ts'
import { freePort } from '../free-port.ts'
import { createDatabase } from '../world.ts'

export const START: Instant = Date.UTC(2026, 10, 15, 12)

export type Simulation = {
  seed: number
  db: Db
  // Merchants and payers call these; `ctx` is the first.
  ctx: Context
  apis: readonly Context[]
  workers: readonly Context[]
  // Each node's clock now differs from the true time by up to this much, ahead or behind. It may step back.
  skewClocks: (maxMs: number) => void
  // Sends a notice that the network signs, though it never happened.
  sendNotice: (network: Network, notice: Record<string, unknown> & { id: string }) => Promise<number>
  // Calls a simulated network as its own client would.
  callNetwork: (network: Network, method: string, path: string, body?: object) => Promise<Response>
  log: Logger
  sandbox: Sandbox
  // A number from 0 up to 1, from the seed.
  chance: () => number
  newOrganization: (name: string) => Promise<Organization>
  // All workers do everything that is due, at the same time.
  work: () => Promise<void>
  // The workers compare every closed day with the networks' own record, and apply what they learn.
  reconcile: () => Promise<void>
  // Time passes for the networks and for us. All notices due by then have been sent.
  passTime: (ms: number) => Promise<void>
  setFaults: (plan: FaultPlan | 'none' | 'stormy') => Promise<void>
  // Worker errors. There must be none, whatever happens.
  failures: () => readonly string[]
  [Symbol.asyncDispose](): Promise<void>
}

export type SimulationOptions = {
  seed: number
  // One, unless given.
  apis?: number
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
  const skews: number[] = []
  const newContext = () => {
    const db = openDb({ url: database.url, poolSize: POOL_SIZE })
    opened.push(db)
    const node = skews.push(0) - 1
    const key = Buffer.from(SECRETS_KEY, 'hex')
    const nodeNow = () => now + (skews[node] as number)
    return createContext(config, db, [key], createMetrics(), {
      baseNow: nodeNow,
      railLimits: options.railLimits,
    })
  }
  // Ids of payments come from the seed, for each node on its own: nodes act at the same time.
  const withSeededIds = (made: Context, node: number): Context => {
    const draw = chanceOf(options.seed * 1_000 + node)
    const ids = createIdSource((count) => Uint8Array.from({ length: count }, () => Math.floor(draw() * 256)))
    return { ...made, ids: { ...made.ids, next: () => ids(made.clock.now()) } }
  }

  const apis = Array.from({ length: options.apis ?? 1 }, (_, node) => withSeededIds(newContext(), node))
  const ctx = apis[0] as Context
  const workers = Array.from({ length: options.workers }, newContext)
  const api = await createApi(config, ctx, pino({ level: 'silent' }), createMetrics())
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
    db: ctx.db,
    ctx,
    apis,
    workers,
    skewClocks: (maxMs) => {
      for (const node of skews.keys()) skews[node] = Math.round((chance() * 2 - 1) * maxMs)
    },
    sendNotice: async (network, notice) => {
      const body = JSON.stringify(notice)
      const seconds = Math.floor(now / 1_000)
      const response = await fetch(`http://127.0.0.1:${port}/notifications/${network}`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          [ID_HEADER]: notice.id,
          [TIMESTAMP_HEADER]: String(seconds),
          [SIGNATURE_HEADER]: signNotice(config[network].notificationKey, notice.id, seconds, body),
        },
        body,
      })
      return response.status
    },
    callNetwork: async (network, method, path, body) => {
      const { clientId, clientSecret } = config[network]
      const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64')
      const grant = await fetch(`${sandbox.url}/${network}/oauth/token`, {
        method: 'POST',
        headers: { authorization: `Basic ${basic}`, 'content-type': 'application/x-www-form-urlencoded' },
        body: 'grant_type=client_credentials',
      })
      const { access_token } = (await grant.json()) as { access_token: string }
      return fetch(`${sandbox.url}/${network}${path}`, {
        method,
        headers: { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      })
    },
    log,
    sandbox,
    chance,
    newOrganization: (name) => createOrganization(ctx, name),
    work: async () => {
      await Promise.all(workers.map((worker) => runAllDue(worker, log)))
    },
    reconcile: async () => {
      const worker = workers[0] as Context
      while ((await reconcileNextDue(worker)) !== undefined);
      await runAllDue(worker, log)
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
      await Promise.all([...apis, ...workers].map((each) => each.networks.close()))
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
