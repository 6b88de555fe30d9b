// What is done once before anything is served, by however many processes: the address answers with not ready, the
// database is migrated, staging's simulated networks and demo credentials are there.

import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Metrics } from '../api/http/metrics.ts'
import type { Config } from '../config.ts'
import type { ServiceContext } from '../context.ts'
import { isMigrated, newerSchema } from '../store/migrate.ts'
import { missingRights } from '../store/service-role.ts'
import { advanceClock, readClockOffset, readStoredClockOffset } from '../store/staging-clock.ts'
import { createWorkersMonitor } from '../worker-service.ts'
import { migrateDatabase, type OpenDatabase } from './database.ts'
import { type Demo, ensureDemo } from './demo.ts'
import { listening } from './failure.ts'
import { openNotReadyServer } from './not-ready-server.ts'
import { alignClocks, openSandbox } from './sandbox.ts'
import { takeSecretsKey } from './secrets.ts'
import { sayRights } from './service-role.ts'
import type { StopSignal } from './this-process.ts'

export type ServiceParts = { api: boolean; workers: boolean; sandbox: boolean }

export type Prepared = AsyncDisposable & {
  demo: Demo | null
  // Leaves the API's address to whoever serves there now.
  leaveAddress: () => Promise<void>
}

type Options = {
  config: Config
  parts: ServiceParts
  database: OpenDatabase
  ctx: ServiceContext
  metrics: Metrics
  log: Logger
  stop: StopSignal
}

// How often a process that may not migrate checks whether the database is migrated, and its rights are there.
const MIGRATION_POLL_MS = 500

// If `stop` comes first, not everything is prepared.
export async function prepare(options: Options): Promise<Prepared> {
  const { config, parts, database, ctx, metrics, stop } = options
  await using opened = new AsyncDisposableStack()
  const notReadyServer = parts.api
    ? opened.use(await listening(config, 'PORT', () => openNotReadyServer(config, ctx)))
    : undefined
  const { host, workersMetricsPort: port } = config
  if (!parts.api && port !== null) {
    const monitor = createWorkersMonitor(config, ctx, metrics)
    opened.defer(() => monitor.close())
    await listening({ host, port }, 'WORKERS_METRICS_PORT', () => monitor.listen({ host, port }))
  }
  if (config.migrateOnStart) await migrateDatabase(database)
  await waitUntilUsable(database, stop)
  if (!stop.signal.aborted) await sayIfNewer(options)
  if (!stop.signal.aborted) await takeSecretsKey(ctx)
  let demo: Demo | null = null
  if (!stop.signal.aborted && config.environment === 'staging') {
    await setClock(options)
    if (parts.sandbox && config.sandbox !== null) {
      const sandbox = opened.use(await openSandbox(config))
      await alignClocks(sandbox, ctx.clock.now, async (ms) => {
        await advanceClock(database.db, ms)
        ctx.clock.setOffset(await readClockOffset(database.db))
      })
    }
    // Created only by a process that prints them. Otherwise nobody would see the key.
    if (parts.api) demo = await ensureDemo(ctx, config)
  }
  const prepared = opened.move()
  return {
    demo,
    leaveAddress: async () => notReadyServer?.[Symbol.asyncDispose](),
    [Symbol.asyncDispose]: () => prepared.disposeAsync(),
  }
}

// A newer version was here. Its schema works with this one, which is how an upgrade is rolled back.
async function sayIfNewer({ database, log }: Options): Promise<void> {
  const schema = await newerSchema(database.db)
  if (schema !== null)
    log.warn({ schema }, 'the database has the schema of a newer version, which works with this one')
}

// A time that nobody can write is no reason not to start.
async function setClock({ database, ctx, log }: Options): Promise<void> {
  const offsetMs = await readClockOffset(database.db)
  const storedMs = await readStoredClockOffset(database.db)
  if (storedMs !== offsetMs)
    log.warn({ storedMs, offsetMs }, 'staging’s clock was out of range, and is set to its limit')
  ctx.clock.setOffset(offsetMs)
}

// For whoever owns the tables, where that is not us: their migration, and our rights on what it made.
async function waitUntilUsable({ db, description }: OpenDatabase, stop: StopSignal): Promise<void> {
  let printed = ''
  while (!stop.signal.aborted) {
    const missing = await missingRights(db)
    if (missing.length === 0 && (await isMigrated(db))) return
    const wanted =
      missing.length === 0
        ? `\`recaudo migrate\` was run on the ${description}`
        : `\`recaudo migrate --grant\` with this role was run on the ${description} as the tables’ owner: the role may not ${sayRights(missing)}`
    if (printed !== wanted) process.stdout.write(`Waiting until ${wanted}.\n`)
    printed = wanted
    await delay(MIGRATION_POLL_MS, undefined, { signal: stop.signal }).catch(() => {})
  }
}
