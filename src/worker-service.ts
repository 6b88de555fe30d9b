// What workers need besides the context, and a process that runs nothing else: it starts sooner, because it loads none of the pages.

import type { FastifyInstance } from 'fastify'
import { createHealthServer } from './api/http/health-server.ts'
import type { Metrics } from './api/http/metrics.ts'
import { receiptMail } from './checkout/receipts/mail.ts'
import type { Config } from './config.ts'
import type { Context } from './flows/context.ts'
import type { Mailing } from './flows/receipts/mail.ts'
import { createSmtpSender } from './mail/smtp.ts'
import { type Db, StoreUnavailable } from './store/db.ts'
import { lastReconciledDays, readReconciledTotals } from './store/ledger/statement-runs.ts'
import { isMigrated } from './store/migrate.ts'
import { readBacklog } from './store/webhooks/delivery-views.ts'
import type { Lookup } from './webhooks/name-lookup.ts'
import { createSender, senderOptions } from './webhooks/send.ts'
import type { DeliveryWorkerOptions } from './workers/deliveries.ts'

// The webhook sender, its settings and the attempt counter. Tests pass `lookup` to replace DNS.
export function createDeliveryWorkerOptions(
  config: Config,
  metrics?: Pick<Metrics, 'countAttempt'>,
  lookup?: Lookup,
): DeliveryWorkerOptions {
  const { webhookRetryMs: schedule, webhookConcurrency: perEndpoint } = config
  return {
    sender: createSender({ ...senderOptions(config), ...(lookup && { lookup }) }),
    settings: { schedule, perEndpoint },
    ...(metrics && { countAttempt: metrics.countAttempt }),
  }
}

// Undefined where no SMTP_URL is set.
export function createMailing({ smtp, environment }: Config): Mailing | undefined {
  if (smtp === null) return undefined
  const compose: Mailing['compose'] = (receipt, language) => receiptMail(receipt, language, environment)
  return { compose, send: createSmtpSender(smtp) }
}

// For a process that runs only workers.
export function createWorkersMonitor(config: Config, ctx: Context, metrics: Metrics): FastifyInstance {
  watchStore(ctx, metrics)
  const { metricsToken } = config
  return createHealthServer({ ctx, metrics, isReady: createReadinessCheck(ctx.db), metricsToken })
}

export function watchStore({ db, clock }: Context, metrics: Metrics): void {
  metrics.watchDb(db)
  metrics.watchBacklog(() => readBacklog(db, clock.now()), clock.now)
  metrics.watchReconciled(
    () => lastReconciledDays(db),
    () => readReconciledTotals(db),
    clock.now,
  )
}

type Readiness = { ready: boolean; reason?: string }

// Whoever asks while another is being answered gets the same answer: however many ask, it is one question to the database.
export function createReadinessCheck(db: Db): () => Promise<Readiness> {
  let asking: Promise<Readiness> | undefined
  return () => {
    asking ??= askReadiness(db).finally(() => {
      asking = undefined
    })
    return asking
  }
}

async function askReadiness(db: Db): Promise<Readiness> {
  try {
    return (await isMigrated(db))
      ? { ready: true }
      : { ready: false, reason: 'The database is not migrated yet.' }
  } catch (error) {
    const isUnreachable = error instanceof StoreUnavailable
    return {
      ready: false,
      reason: isUnreachable ? 'The database cannot be reached.' : 'The database cannot be used.',
    }
  }
}
