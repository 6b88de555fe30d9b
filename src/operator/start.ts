// recaudo start: starts every part, prints the addresses, and shuts down in order on a signal: stop accepting requests,
// finish those in progress, stop the workers, close the database. The address answers once the database is open: with
// not ready until the migrations are done, then with the API. This is one process; many.ts runs several.

import { createMetrics } from '../api/http/metrics.ts'
import type { Config } from '../config.ts'
import { createContext } from '../context.ts'
import { countLeftovers } from '../embedded/leftovers.ts'
import { openForServer } from './database.ts'
import { OperatorFailure, USAGE_EXIT_CODE } from './failure.ts'
import type { Flags } from './flags.ts'
import { printGreeting } from './greeting.ts'
import { prepare, type ServiceParts } from './prepare.ts'
import { openSandbox } from './sandbox.ts'
import { secretsKeysOf, withNotificationKeys } from './secrets-key.ts'
import { serve } from './serve.ts'
import { openSimulatedProvider } from './simulated-provider.ts'
import { createLog, openTracer, stopSignal } from './this-process.ts'

export async function start(settings: Config, parts: ServiceParts): Promise<void> {
  const startedAtMs = performance.now()
  const stop = stopSignal()
  const log = createLog(settings)
  await using opened = new AsyncDisposableStack()
  opened.defer(() => log.flush())
  const database = await openForServer(settings)
  opened.defer(database.close)
  const config = withNotificationKeys(settings)
  const metrics = createMetrics()
  const tracer = openTracer(config, metrics)
  opened.defer(async () => tracer?.close())
  const ctx = createContext(config, database.db, secretsKeysOf(config), metrics, { tracer })
  const run = { config, parts, database, ctx, metrics, log, stop }
  const prepared = opened.use(await prepare(run))
  if (stop.signal.aborted) return
  const service = opened.use(await serve({ ...run, takeAddress: prepared.leaveAddress }))
  const { description: store } = database
  const leftovers = config.databaseUrl === null ? await countLeftovers() : 0
  const tookMs = performance.now() - startedAtMs
  printGreeting({ config, parts, store, demo: prepared.demo, tookMs, leftovers })
  const lost = await Promise.race([stop.received, database.lost, service.lost])
  await service.finishRequests()
  if (lost !== undefined) throw lost
}

// Runs the simulated networks alone, for services in other processes.
export async function runSandbox(config: Config, flags: Flags = {}): Promise<void> {
  const stop = stopSignal()
  if (flags.provider !== undefined) {
    await using provider = await openSimulatedProvider(config, flags)
    process.stdout.write(provider.greeting)
    await stop.received
    return
  }
  for (const flag of ['port', 'notify-url'])
    if (flags[flag] !== undefined)
      throw new OperatorFailure(`--${flag} goes with --provider only.`, USAGE_EXIT_CODE)
  await using sandbox = await openSandbox(withNotificationKeys(config))
  process.stdout.write(`Simulated networks: Bre-B at ${sandbox.brebUrl}, PSE at ${sandbox.pseUrl}\n`)
  await stop.received
}
