// recaudo start: brings everything up, says where things are, and on a signal lets go in order: stop taking requests,
// finish those under way, stop the workers, close the database.

import { setTimeout as delay } from 'node:timers/promises'
import pino, { type Logger } from 'pino'
import { WrongSecretsKey } from '../api/access-token.ts'
import type { Config } from '../config.ts'
import { type Api, createApi, createContext, createMetrics, startWorkers } from '../service.ts'
import { isMigrated, migrate } from '../store/migrate.ts'
import type { Loop } from '../workers/loop.ts'
import { openForServer } from './database.ts'
import { type DemoCredentials, ensureDemo } from './demo.ts'
import { OperatorFailure } from './failure.ts'
import { secretsKeyOf } from './secrets-key.ts'

export type Parts = { api: boolean; workers: boolean }

// How often a process that may not migrate looks whether somebody has.
const MIGRATION_POLL_MS = 500
// Log lines leave in bunches, at the latest after this.
const LOG_FLUSH_MS = 500

export async function start(config: Config, parts: Parts): Promise<void> {
  const startedAtMs = performance.now()
  const stop = stopSignal()
  const log = createLog(config)
  const database = await openForServer(config)
  let api: Api | undefined
  let workers: Loop[] = []
  try {
    const metrics = createMetrics()
    const ctx = createContext(config, database.db, secretsKeyOf(config), metrics)
    if (config.migrateOnStart) await migrate(database.db)
    else await waitUntilMigrated(() => isMigrated(database.db), stop)
    if (stop.signal.aborted) return
    const demo = config.environment === 'staging' ? await ensureDemo(ctx, config) : null
    if (parts.api) {
      api = await createApi(config, ctx, log, metrics)
      await listen(api, config)
    }
    if (parts.workers) workers = startWorkers(ctx, log)
    greet(config, parts, database.description, demo, performance.now() - startedAtMs)
    await stop.received
    await Promise.race([api?.close(), delay(config.shutdownGraceMs, undefined, { ref: false })])
  } catch (error) {
    if (error instanceof WrongSecretsKey) throw new OperatorFailure(error.message)
    throw error
  } finally {
    await Promise.all(workers.map((worker) => worker.stop()))
    await database.close()
    log.flush()
  }
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

async function listen(api: Api, config: Config): Promise<void> {
  try {
    await api.app.listen({ host: config.host, port: config.port })
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const reason =
      code === 'EADDRINUSE' ? 'another program listens there already; set PORT to a free one' : message
    throw new OperatorFailure(`Cannot listen on ${config.host}:${config.port}: ${reason}.`)
  }
}

async function waitUntilMigrated(migrated: () => Promise<boolean>, stop: StopSignal): Promise<void> {
  while (!stop.signal.aborted && !(await migrated())) {
    await delay(MIGRATION_POLL_MS, undefined, { signal: stop.signal }).catch(() => {})
  }
}

type StopSignal = { signal: AbortSignal; received: Promise<void> }

// SIGINT may come twice (from the terminal and from our launcher), and a launcher that died counts as a signal too.
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

function greet(
  config: Config,
  parts: Parts,
  store: string,
  demo: DemoCredentials | null,
  tookMs: number,
): void {
  const { publicUrl } = config
  const running = [parts.api && 'API', parts.workers && 'workers'].filter(Boolean).join(' and ')
  const lines = [
    `Recaudo · ${config.environment} · ${running} ready in ${(tookMs / 1_000).toFixed(1)} s`,
    `  Store          ${store}`,
  ]
  if (parts.api) {
    lines.push(`  API            ${publicUrl}`, `  Docs           ${publicUrl}/docs`)
    lines.push(...(demo === null ? [] : demoLines(publicUrl, demo)))
  }
  process.stdout.write(`${lines.join('\n')}\n`)
}

function demoLines(publicUrl: string, { apiKey, client }: DemoCredentials): string[] {
  if (apiKey === null)
    return ['  API key        made by an earlier start elsewhere; `npx recaudo key create` makes another']
  const body =
    '{"amountInCents":5000000,"currency":"COP","rail":"BRE_B","reference":"order-1","breb":{"keyType":"SINGLE_USE"}}'
  return [
    `  API key        ${apiKey}`,
    ...(client === null ? [] : [`  Client id      ${client.id}`, `  Client secret  ${client.secret}`]),
    'A first payin:',
    `curl -s ${publicUrl}/payins -H 'x-api-key: ${apiKey}' -H 'content-type: application/json' -d '${body}'`,
  ]
}
