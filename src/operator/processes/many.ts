// recaudo start --processes N: many processes on one machine behind one address. The parent has what there is once: the
// embedded PostgreSQL, the simulated networks, the migrations, the true rate limits and the sums of the metrics. It
// serves nobody itself.

import type { Worker } from 'node:cluster'
import { createMetrics } from '../../api/http/metrics.ts'
import { policyOf } from '../../api/http/rate-limit.ts'
import { createRateLimitKeeper } from '../../api/http/shared-rate-limit.ts'
import type { Config } from '../../config.ts'
import { createContext } from '../../context.ts'
import { countLeftovers } from '../../embedded/leftovers.ts'
import { openForServer } from '../database.ts'
import { printGreeting } from '../greeting.ts'
import { prepare, type ServiceParts } from '../prepare.ts'
import { secretsKeysOf, withNotificationKeys } from '../secrets-key.ts'
import { createLog, stopSignal } from '../this-process.ts'
import { type CombinedMetrics, combineMetrics } from './combined-metrics.ts'
import { PARENT_POOL, processesThatFit, type WantedProcesses } from './process-count.ts'
import { type FromProcess, tell } from './process-messages.ts'
import { type Processes, runProcesses } from './processes.ts'

// The parent's number in the log. The others count from 1.
const PARENT = 0

export async function startMany(
  settings: Config,
  parts: ServiceParts,
  wanted: WantedProcesses,
): Promise<void> {
  const startedAtMs = performance.now()
  const stop = stopSignal()
  const log = createLog(settings, PARENT)
  await using opened = new AsyncDisposableStack()
  opened.defer(() => log.flush())
  const database = await openForServer({ ...settings, databasePool: PARENT_POOL })
  opened.defer(database.close)
  const config = withNotificationKeys(settings)
  const { count, description } = await processesThatFit(wanted, config, database)
  const metrics = createMetrics()
  let processes: Processes | undefined
  const combined = combineMetrics(metrics.registry, (request) => {
    const asked = processes?.serving() ?? []
    for (const worker of asked) tell(worker, { about: 'count', request })
    return asked.map(({ id }) => id)
  })
  metrics.watchProcesses(count, () => processes?.serving().length ?? 0)
  const ctx = createContext(config, database.db, secretsKeysOf(config), metrics)
  const prepared = opened.use(
    await prepare({ config, parts, database, ctx, metrics: { ...metrics, show: combined.show }, log, stop }),
  )
  if (stop.signal.aborted) return

  const all = runProcesses({
    count,
    begin: { parts, databaseUrl: database.url },
    log,
    graceMs: config.shutdownGraceMs,
    leaveAddress: prepared.leaveAddress,
    onMessage: answers(config, combined, () => all.serving()),
    onEnd: ({ id }) => combined.ended(id),
    onReplace: metrics.countReplaced,
  })
  processes = all
  opened.defer(all.stop)
  const ended = Promise.race([stop.received, database.lost, all.failed])
  const isReady = await Promise.race([all.ready.then(() => true), ended.then(() => false)])
  const { description: store } = database
  const tookMs = performance.now() - startedAtMs
  const leftovers = config.databaseUrl === null ? await countLeftovers() : 0
  if (isReady)
    printGreeting({ config, parts, store, demo: prepared.demo, tookMs, processes: description, leftovers })
  const failure = await ended
  await all.stop()
  if (failure !== undefined) throw failure
}

function answers(
  config: Config,
  combined: CombinedMetrics,
  serving: () => Worker[],
): (worker: Worker, message: FromProcess) => void {
  const keeper = createRateLimitKeeper(
    policyOf(config.rateLimitPerSecond),
    () => performance.now(),
    (process, balance) => {
      const other = serving().find(({ id }) => id === process)
      if (other !== undefined) tell(other, { about: 'recall', balance })
    },
  )
  return (worker, message) => {
    if (message.about === 'used')
      tell(worker, { about: 'balances', balances: keeper.report(worker.id, message.uses) })
    else if (message.about === 'leaving') tell(worker, { about: 'leave' })
    else if (message.about === 'counted') combined.counted(worker.id, message.request, message.counted)
    else if (message.about === 'metrics-wanted') {
      const { request } = message
      void combined.show().then((text) => tell(worker, { about: 'metrics', request, text }))
    }
  }
}
