// Creates the context of the flows: the batched statements, the networks, the clock, ids, randomness and signals.

import { randomBytes, randomFillSync } from 'node:crypto'
import type { Metrics } from './api/http/metrics.ts'
import { batchedStatements } from './batched-statements.ts'
import type { Config, CrashAt } from './config.ts'
import { connectedRails } from './connected-rails.ts'
import { SERVICE } from './core/audit/actor.ts'
import type { Provider } from './core/connections/provider.ts'
import type { Rail } from './core/connections/rail.ts'
import { createIdSource, createRandomPool } from './core/ids.ts'
import type { Instant } from './core/instant.ts'
import { createRenderedPayinCache } from './core/payins/rendered-payins.ts'
import { deriveKeys } from './core/seal.ts'
import type { Tracer } from './core/tracing/trace.ts'
import { tellProviderAccess } from './flows/connections/watch-access.ts'
import { type Context, type CrashPoint, type NoticeWorker, WORKER_KINDS } from './flows/context.ts'
import { secretsKeyWrapper } from './flows/people/key-wrapper.ts'
import { createVaults } from './flows/people/vault.ts'
import { createStatements } from './flows/receipts/statements.ts'
import { createWorkSignals } from './flows/work-signals.ts'
import { openCompanySignIn } from './oidc/company-sign-in.ts'
import type { Limits } from './rails/limits.ts'
import type { NetworkExchange } from './rails/rail.ts'
import { openRails } from './rails/rails.ts'
import { openSimulator } from './rails/simulator.ts'
import { exchangeRecorder } from './store/connections/record-exchanges.ts'
import type { Db } from './store/db.ts'
import { readClockOffset } from './store/staging-clock.ts'
import { endpointUrlProblem } from './webhooks/endpoint-url.ts'
import type { Lookup } from './webhooks/name-lookup.ts'
import { probeEndpoint } from './webhooks/probe.ts'
import { senderOptions } from './webhooks/send.ts'
import { newSigningKey, newWebhookSecret, secretBytes } from './webhooks/sign.ts'

const CLOCK_POLL_MS = 200
// About 13,000 payins.
const RENDERED_PAYIN_CHARACTERS = 16_000_000

// What `start` needs in addition to the flows' context.
export type ServiceContext = Context & {
  // Applies a work signal from another process. It is not sent on.
  receiveSignal: (kind: string, organizationIds: readonly string[]) => void
  // Sets the worker that takes notices from now on.
  setNoticeWorker: (worker: () => NoticeWorker | undefined) => void
}

export type ContextOptions = {
  baseNow?: () => Instant
  railLimits?: Partial<Limits> | undefined
  // Tests pass it to replace DNS.
  lookup?: Lookup
  tracer?: Tracer | null
}

export function createContext(
  config: Config,
  db: Db,
  // The first one seals.
  secretsKeys: readonly [Buffer, ...Buffer[]],
  metrics: Pick<Metrics, 'observeBatch'> & Partial<Pick<Metrics, 'countCall'>>,
  { baseNow = Date.now, railLimits = {}, lookup, tracer = null }: ContextOptions = {},
): ServiceContext {
  let offsetMs = 0
  let noticeWorker: () => NoticeWorker | undefined = () => undefined
  const now = () => baseNow() + offsetMs
  const pooledBytes = createRandomPool(randomFillSync)
  const newId = createIdSource(pooledBytes)
  const next = () => newId(now())
  const { workAdded, onWork, receiveSignal } = createWorkSignals(db)
  const keys = deriveKeys(...secretsKeys)
  const store = exchangeRecorder(db, next)
  const record = (exchange: NetworkExchange, caller: Rail | Provider = exchange.rail) => {
    if (exchange.isUnsent !== true) metrics.countCall?.(caller, exchange.status)
    store(exchange)
  }
  const dependencies = { now, record, limits: railLimits, clockOffsetMs: () => offsetMs, tracer }
  const rails = openRails(config, dependencies)
  const connections = connectedRails(
    db,
    keys,
    config.publicUrl,
    {
      ...dependencies,
      // What providers check against their own clocks is not moved with staging's.
      wallClock: baseNow,
      randomBytes,
    },
    // Beside the call, which it must not delay or fail. What is not told now is told when the connection is next opened.
    (connection, access) =>
      void tellProviderAccess({ db, now, nextId: next }, connection, access).catch(() => {}),
  )
  onWork((kind, organizationId) => {
    if (kind === 'settings') connections.recheck(organizationId)
  })
  return {
    actor: SERVICE,
    clock: {
      now,
      wallClock: Date.now,
      setOffset: (movedMs) => {
        offsetMs = movedMs
      },
    },
    ids: { next, randomBytes, random: Math.random },
    db,
    batched: batchedStatements(db, config.groupCommitLanes, metrics.observeBatch, now, workAdded),
    networks: {
      ...rails,
      // A rail without a network of the installation's has no statement to compare.
      statement: Object.fromEntries(config.installationRails.map((rail) => [rail, rails.statement[rail]])),
      connected: connections.connected,
      isConnectionAway: connections.isConnectionAway,
      close: async () => {
        await Promise.all([rails.close(), connections.close()])
      },
      companySignIn: config.oidc && openCompanySignIn(config.oidc, Date.now),
      simulator: config.sandbox && openSimulator(controlUrlOf(config), config.breb.clientSecret),
      probeEndpoint: (probes) =>
        probeEndpoint({ ...senderOptions(config), ...(lookup && { lookup }) }, probes),
    },
    signals: {
      workAdded,
      onWork,
      noticeWorker: () => noticeWorker(),
      crashPoint: crashingAt(config.crashAt),
    },
    settings: {
      environment: config.environment,
      publicUrl: config.publicUrl,
      checkoutUrl: config.checkoutUrl,
      pseMaximumInCents: config.pseMaximumInCents,
      settlementDelayMs: config.settlementDelayMs,
      installationRails: config.installationRails,
      keyWaitMs: config.keyWaitMs,
      connectionHosts: config.connectionHosts,
      retention: config.retention,
      mailsReceipts: config.smtp !== null,
      sendsMail: config.smtp !== null,
      sharedClock: config.sandbox?.sharedClock ?? false,
      keys,
      webhooks: {
        urlProblem: (text) =>
          endpointUrlProblem(text, {
            allowPrivate: config.webhookAllowPrivate,
            production: config.environment === 'production',
          }),
        newSecret: () => newWebhookSecret(randomBytes),
        secretBytes,
        newSigningKey: () => newSigningKey(randomBytes),
        requiresVerification: config.webhookVerification,
      },
    },
    vault: createVaults({
      db,
      wrapper: secretsKeyWrapper(keys.rest, randomBytes),
      now,
      randomBytes: pooledBytes,
    }),
    renderedPayins: createRenderedPayinCache(RENDERED_PAYIN_CHARACTERS),
    statements: createStatements({ db, sealingKey: keys.rest, now }),
    tracer,
    receiveSignal,
    setNoticeWorker: (worker) => {
      noticeWorker = worker
    },
  }
}

// The simulated networks serve their control API beside their own paths.
function controlUrlOf(config: Config): string {
  return config.breb.baseUrl.replace(/\/breb$/, '/control')
}

// Kills the process like a power cut: no handler runs, nothing is flushed.
function crashingAt(crash: CrashAt | null): (point: CrashPoint) => void {
  let reached = 0
  return (point) => {
    if (point !== crash?.point) return
    reached += 1
    if (reached === crash.nth) process.kill(process.pid, 'SIGKILL')
  }
}

// One process moves staging's clock, and all processes follow it: when they are told, and by polling. Everything may be due
// then, so every worker of the process looks at once.
export function followStagingClock(ctx: ServiceContext): { stop: () => void } {
  let seenOffsetMs = 0
  const follow = (offsetMs: number): void => {
    if (offsetMs === seenOffsetMs) return
    seenOffsetMs = offsetMs
    ctx.clock.setOffset(offsetMs)
    for (const kind of WORKER_KINDS) ctx.receiveSignal(kind, [])
  }
  const poll = (): void => void readClockOffset(ctx.db).then(follow, () => {})
  ctx.signals.onWork((kind) => {
    if (kind === 'clock') poll()
  })
  poll()
  const timer = setInterval(poll, CLOCK_POLL_MS).unref()
  return { stop: () => clearInterval(timer) }
}
