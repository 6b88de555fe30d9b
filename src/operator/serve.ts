// What every serving process runs: the API, the workers, and the signals that connect it with the others.

import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Metrics } from '../api/http/metrics.ts'
import type { RateLimit } from '../api/http/rate-limit.ts'
import { WrongSecretsKey } from '../api/http/signing-keys.ts'
import type { Config } from '../config.ts'
import { followStagingClock, type ServiceContext } from '../context.ts'
import { followSecretsKey } from '../flows/secrets-key.ts'
import type { Api } from '../service.ts'
import { readClockOffset } from '../store/staging-clock.ts'
import { listenForWorkSignals } from '../store/work-signals.ts'
import { createDeliveryWorkerOptions, createMailing } from '../worker-service.ts'
import { startWorkers } from '../workers/start.ts'
import type { OpenDatabase } from './database.ts'
import { listening, OperatorFailure } from './failure.ts'
import type { ServiceParts } from './prepare.ts'
import { takeSecretsKey } from './secrets.ts'

// Disposed: the workers finish what they have claimed.
export type Service = AsyncDisposable & {
  // Stops accepting requests and finishes those in progress, for as long as the settings allow.
  finishRequests: () => Promise<void>
  // Resolves only if it cannot go on.
  lost: Promise<OperatorFailure>
}

type Options = {
  config: Config
  parts: ServiceParts
  database: OpenDatabase
  ctx: ServiceContext
  metrics: Metrics
  log: Logger
  // The address is ours from here on.
  takeAddress: () => Promise<void>
  // Shared with other processes.
  rateLimit?: RateLimit
}

export async function serve(options: Options): Promise<Service> {
  const { config, parts, database, ctx, metrics, log } = options
  await using opened = new AsyncDisposableStack()
  if (config.environment === 'staging') {
    ctx.clock.setOffset(await readClockOffset(database.db))
    const clock = followStagingClock(ctx)
    opened.defer(clock.stop)
  }
  await takeSecretsKey(ctx)
  const secrets = followSecretsKey(ctx)
  opened.defer(secrets.stop)
  const api = parts.api ? await openApi(options) : undefined
  if (parts.workers) {
    const delivering = createDeliveryWorkerOptions(config, metrics)
    opened.defer(() => delivering.sender.close())
    const workers = startWorkers(ctx, log, delivering, createMailing(config))
    opened.defer(workers.stop)
    ctx.signals.onWork(workers.wake)
    ctx.setNoticeWorker(workers.noticeWorker)
  }
  // Needed without workers too: event streams wait for these signals.
  const signals = listenForWorkSignals(database.url, ctx.receiveSignal)
  opened.defer(signals.stop)
  const service = opened.move()
  return {
    lost: secrets.lost.then((problem) => {
      log.error({ problem }, 'another SECRETS_KEY seals: this process ends')
      return new OperatorFailure(problem)
    }),
    finishRequests: async () => {
      await Promise.race([api?.close(), delay(config.shutdownGraceMs, undefined, { ref: false })])
    },
    [Symbol.asyncDispose]: () => service.disposeAsync(),
  }
}

async function openApi({ config, ctx, log, metrics, rateLimit, takeAddress }: Options): Promise<Api> {
  // Workers alone do without its pages, and start sooner.
  const { createApi } = await import('../service.ts')
  const api = await createApi(config, ctx, log, metrics, undefined, rateLimit).catch((error: Error) => {
    throw error instanceof WrongSecretsKey ? new OperatorFailure(error.message) : error
  })
  const { host, port } = config
  await takeAddress()
  await listening(config, 'PORT', () => api.app.listen({ host, port }))
  return api
}
