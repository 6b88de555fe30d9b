// recaudo start: starts every part, prints the addresses, and shuts down in order on a signal: stop accepting requests,
// finish those in progress, stop the workers, close the database. The address answers once the database is open: with
// not ready until the migrations are done, then with the API.

import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import pino, { type Logger } from 'pino'
import { WrongSecretsKey } from '../api/http/access-token.ts'
import type { Config } from '../config.ts'
import type { Sandbox } from '../sandbox/server.ts'
import {
  type Api,
  createApi,
  createContext,
  createDeliveryWorkerOptions,
  createMetrics,
  createWorkersMonitor,
  followStagingClock,
  startWorkers,
} from '../service.ts'
import { isMigrated } from '../store/migrate.ts'
import { advanceClock, readClockOffset } from '../store/staging-clock.ts'
import { listenForWorkSignals } from '../store/work-signals.ts'
import type { DeliveryWorkerOptions } from '../workers/deliveries.ts'
import type { Workers } from '../workers/start.ts'
import { migrateDatabase, type OpenDatabase, openForServer } from './database.ts'
import { type DemoCredentials, ensureDemo } from './demo.ts'
import { OperatorFailure } from './failure.ts'
import { openNotReadyServer } from './not-ready-server.ts'
import { alignClocks, openSandbox } from './sandbox.ts'
import { secretsKeyOf } from './secrets-key.ts'

export type Parts = { api: boolean; workers: boolean; sandbox: boolean }

// How often a process that may not migrate checks whether the database is migrated.
const MIGRATION_POLL_MS = 500
// Log lines are buffered for at most this long.
const LOG_FLUSH_MS = 500

export async function start(config: Config, parts: Parts): Promise<void> {
  const startedAtMs = performance.now()
  const stop = stopSignal()
  const log = createLog(config)
  const database = await openForServer(config)
  let api: Api | undefined
  let workers: Workers | undefined
  let delivering: DeliveryWorkerOptions | undefined
  let sandbox: Sandbox | undefined
  let clock: { stop: () => void } | undefined
  let signals: { stop: () => Promise<void> } | undefined
  let monitor: FastifyInstance | undefined
  try {
    const metrics = createMetrics()
    const ctx = createContext(config, database.db, secretsKeyOf(config), metrics)
    await using notReadyServer = parts.api
      ? await listening(config, 'PORT', () => openNotReadyServer(config, ctx))
      : undefined
    const { host, workersMetricsPort: port } = config
    if (!parts.api && port !== null) {
      const opened = createWorkersMonitor(config, ctx, metrics)
      monitor = opened
      await listening({ host, port }, 'WORKERS_METRICS_PORT', () => opened.listen({ host, port }))
    }
    if (config.migrateOnStart) await migrateDatabase(database)
    else await waitUntilMigrated(database, stop)
    if (stop.signal.aborted) return
    if (config.environment === 'staging') {
      if (parts.sandbox && config.sandbox !== null) {
        sandbox = await openSandbox(config)
        ctx.clock.setOffset(await readClockOffset(database.db))
        await alignClocks(sandbox, ctx.clock.now, async (ms) =>
          ctx.clock.setOffset(await advanceClock(database.db, ms)),
        )
      }
      clock = followStagingClock(ctx)
    }
    // Created only by a process that prints them. Otherwise nobody would see the key.
    const demo = parts.api && config.environment === 'staging' ? await ensureDemo(ctx, config) : null
    if (parts.api) {
      const ready = await createApi(config, ctx, log, metrics)
      api = ready
      await notReadyServer?.[Symbol.asyncDispose]()
      await listening(config, 'PORT', () => ready.app.listen({ host: config.host, port: config.port }))
    }
    if (parts.workers) {
      delivering = createDeliveryWorkerOptions(config, metrics)
      workers = startWorkers(ctx, log, delivering)
      ctx.signals.onWork(workers.wake)
      ctx.setNoticeWorker(workers.noticeWorker)
    }
    // Needed without workers too: event streams wait for these signals.
    signals = listenForWorkSignals(database.url, ctx.receiveSignal)
    printStartup(config, parts, database.description, demo, performance.now() - startedAtMs)
    const lost = await Promise.race([stop.received, database.lost])
    await Promise.race([api?.close(), delay(config.shutdownGraceMs, undefined, { ref: false })])
    if (lost !== undefined) throw lost
  } catch (error) {
    if (error instanceof WrongSecretsKey) throw new OperatorFailure(error.message)
    throw error
  } finally {
    clock?.stop()
    await signals?.stop()
    await workers?.stop()
    await delivering?.sender.close()
    await monitor?.close()
    await sandbox?.[Symbol.asyncDispose]()
    await database.close()
    log.flush()
  }
}

// Runs the simulated networks alone, for services in other processes.
export async function runSandbox(config: Config): Promise<void> {
  const stop = stopSignal()
  await using sandbox = await openSandbox(config)
  process.stdout.write(`Simulated networks: Bre-B at ${sandbox.brebUrl}, PSE at ${sandbox.pseUrl}\n`)
  await stop.received
}

function createLog(config: Config): Logger {
  const destination = pino.destination({
    dest: 1,
    sync: false,
    minLength: 4_096,
    periodicFlush: LOG_FLUSH_MS,
  })
  return pino({ level: config.logLevel, base: null, timestamp: pino.stdTimeFunctions.isoTime }, destination)
}

async function listening<Result>(
  { host, port }: { host: string; port: number },
  setting: string,
  listen: () => Promise<Result>,
): Promise<Result> {
  try {
    return await listen()
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const reason =
      code === 'EADDRINUSE' ? `another program listens there already; set ${setting} to a free one` : message
    throw new OperatorFailure(`Cannot listen on ${host}:${port}: ${reason}.`)
  }
}

async function waitUntilMigrated({ db, description }: OpenDatabase, stop: StopSignal): Promise<void> {
  let hasPrinted = false
  while (!stop.signal.aborted && !(await isMigrated(db))) {
    if (!hasPrinted)
      process.stdout.write(`Waiting until \`recaudo migrate\` was run on the ${description}.\n`)
    hasPrinted = true
    await delay(MIGRATION_POLL_MS, undefined, { signal: stop.signal }).catch(() => {})
  }
}

type StopSignal = { signal: AbortSignal; received: Promise<void> }

// SIGINT may arrive twice, from the terminal and from our launcher. The death of the launcher counts as a signal too.
function stopSignal(): StopSignal {
  const controller = new AbortController()
  const received = new Promise<void>((resolve) => {
    const stop = (): void => {
      controller.abort()
      resolve()
    }
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect'] as const) process.on(name, stop)
  })
  return { signal: controller.signal, received }
}

function printStartup(
  config: Config,
  parts: Parts,
  store: string,
  demo: DemoCredentials | null,
  tookMs: number,
): void {
  const { publicUrl } = config
  const running = [
    parts.api && 'API',
    parts.workers && 'workers',
    parts.sandbox && config.sandbox && 'simulated networks',
  ]
    .filter(Boolean)
    .join(', ')
  const lines = [
    `Recaudo · ${config.environment} · ${running} ready in ${(tookMs / 1_000).toFixed(1)} s`,
    `  Store          ${store}`,
  ]
  if (!parts.api && config.workersMetricsPort !== null)
    lines.push(`  Metrics        http://${config.host}:${config.workersMetricsPort}/metrics`)
  if (parts.api) {
    lines.push(`  API            ${publicUrl}`, `  Docs           ${publicUrl}/docs`)
    if (parts.sandbox && config.sandbox !== null)
      lines.push(
        `  Test app       http://127.0.0.1:${config.sandbox.port}/app pays a Bre-B key as a customer would`,
      )
    lines.push(...(demo === null ? [] : demoLines(publicUrl, demo)))
  }
  process.stdout.write(`${lines.join('\n')}\n`)
}

function demoLines(publicUrl: string, { apiKey, client }: DemoCredentials): string[] {
  if (apiKey === null)
    return ['  API key        made by an earlier start elsewhere; `npx recaudo key create` makes another']
  // A reference can be used only once, and the printed command should work after every start.
  const reference = `order-${Date.now()}`
  const body = `{"amountInCents":5000000,"currency":"COP","rail":"BRE_B","reference":"${reference}","breb":{"keyType":"SINGLE_USE"}}`
  return [
    `  API key        ${apiKey}`,
    ...(client === null ? [] : [`  Client id      ${client.id}`, `  Client secret  ${client.secret}`]),
    'A first payin:',
    `curl -s ${publicUrl}/payins -H 'x-api-key: ${apiKey}' -H 'content-type: application/json' -d '${body}'`,
  ]
}
