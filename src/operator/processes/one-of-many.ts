// Entry point of one of many processes of `recaudo start --processes`. It serves like one alone; what there is once on
// the machine, the parent has. It shares the rate limit and the metrics with the others through the parent.

import { setTimeout as delay } from 'node:timers/promises'
import { createMetrics } from '../../api/http/metrics.ts'
import { policyOf } from '../../api/http/rate-limit.ts'
import { createSharedRateLimit } from '../../api/http/shared-rate-limit.ts'
import { readConfig } from '../../config.ts'
import { createContext } from '../../context.ts'
import { StoreUnavailable } from '../../store/db.ts'
import { watchStore } from '../../worker-service.ts'
import { openForServer } from '../database.ts'
import { OperatorFailure } from '../failure.ts'
import { secretsKeysOf, withNotificationKeys } from '../secrets-key.ts'
import { serve } from '../serve.ts'
import { createLog, openTracer, stopSignal } from '../this-process.ts'
import { type BeginMessage, type ToProcess, tellParent } from './process-messages.ts'

// A parent that is busy for longer has other troubles.
const LEAVE_WITHIN_MS = 10_000

const begun = Promise.withResolvers<BeginMessage>()
const mayListen = Promise.withResolvers<void>()
const mayLeave = Promise.withResolvers<void>()
process.once('disconnect', mayLeave.resolve)
const metrics = createMetrics()
let requests = 0
const wanted = new Map<number, (text: string) => void>()
const count = async (request: number | null): Promise<void> =>
  tellParent({ about: 'counted', request, counted: await metrics.registry.getMetricsAsJSON() })
let sharedLimit: ReturnType<typeof createSharedRateLimit> | undefined

process.on('message', (message: ToProcess) => {
  if (message.about === 'begin') begun.resolve(message)
  else if (message.about === 'listen') mayListen.resolve()
  else if (message.about === 'leave') mayLeave.resolve()
  else if (message.about === 'balances') sharedLimit?.receive(message.balances)
  else if (message.about === 'recall') sharedLimit?.recall(message.balance)
  else if (message.about === 'count') void count(message.request)
  else {
    wanted.get(message.request)?.(message.text)
    wanted.delete(message.request)
  }
})

try {
  await serveAsOneOfMany()
  process.exit(0)
} catch (error) {
  if (!(error instanceof OperatorFailure || error instanceof StoreUnavailable)) throw error
  // The parent says it, once for all.
  await tellParent({ about: 'failed', message: error.message })
  process.exit(1)
}

async function serveAsOneOfMany(): Promise<void> {
  const stop = stopSignal()
  const { number, processes, parts, databaseUrl } = await begun.promise
  const config = { ...withNotificationKeys(readConfig()), databaseUrl }
  const log = createLog(config, number)
  await using opened = new AsyncDisposableStack()
  opened.defer(() => log.flush())
  const database = await openForServer(config)
  opened.defer(database.close)
  const tracer = openTracer(config, metrics)
  opened.defer(async () => tracer?.close())
  const ctx = createContext(config, database.db, secretsKeysOf(config), metrics, { tracer })
  if (!parts.api) watchStore(ctx, metrics)
  sharedLimit = createSharedRateLimit(
    policyOf(config.rateLimitPerSecond),
    processes,
    () => performance.now(),
    (uses) => void tellParent({ about: 'used', uses }),
  )
  const service = opened.use(
    await serve({
      config,
      parts,
      database,
      ctx,
      log,
      metrics: { ...metrics, show: showOfAll },
      rateLimit: sharedLimit.limit,
      takeAddress: async () => {
        void tellParent({ about: 'prepared' })
        await Promise.race([mayListen.promise, stop.received])
      },
    }),
  )
  await tellParent({ about: 'ready' })
  const lost = await Promise.race([stop.received, service.lost])
  await service.finishRequests()
  await takeLeave()
  // So that what it counted is not lost with it.
  await count(null)
  if (lost !== undefined) throw lost
}

// The parent may have handed over a connection before it heard that we accept no more. Messages keep their order, so such a
// connection arrives before the parent's answer and goes back, to another process. If we ended at once it would be lost: open,
// and never answered.
async function takeLeave(): Promise<void> {
  await tellParent({ about: 'leaving' })
  // A parent that is gone hands over nothing.
  if (process.connected) await Promise.race([mayLeave.promise, delay(LEAVE_WITHIN_MS)])
}

function showOfAll(): Promise<string> {
  requests += 1
  const request = requests
  return new Promise((resolve) => {
    wanted.set(request, resolve)
    void tellParent({ about: 'metrics-wanted', request })
  })
}
