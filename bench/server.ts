// The servers under test, in a process of their own: the API as `recaudo start --api` builds it, with the same log, except for the
// one part that a variant replaces. Workers run only in the variant that measures them.

import type { AddressInfo } from 'node:net'
import pino, { type Logger } from 'pino'
import type { RequestLog } from '../src/api/audit/request-log.ts'
import type { Metrics } from '../src/api/http/metrics.ts'
import { type Config, readConfig } from '../src/config.ts'
import { isoInstant } from '../src/core/instant.ts'
import { customerOf, type Sealed } from '../src/core/people/sealed.ts'
import { readTracing } from '../src/core/tracing/settings.ts'
import type { Tracer } from '../src/core/tracing/trace.ts'
import type { Context } from '../src/flows/context.ts'
import type { Vault } from '../src/flows/people/vault.ts'
import {
  createApi,
  createContext,
  createDeliveryWorkerOptions,
  createMetrics,
  startWorkers,
} from '../src/service.ts'
import { openDb, type Queryable } from '../src/store/db.ts'
import { insertRecord } from '../src/store/idempotency.ts'
import type { NewPayin } from '../src/store/payins/payins.ts'
import { openTracing } from '../src/tracing/open-tracing.ts'
import { answerParent, childArgument } from './child.ts'
import { stubRails } from './stub-rails.ts'

export type ServerSettings = {
  environment: Record<string, string>
  collectorUrl: string
}

export type Variant = keyof typeof VARIANTS

const VARIANTS = {
  // The service unchanged.
  store: (ctx: Context) => ctx,
  // Stores nothing. Answers are still sent in batches, at the end of an event loop turn: batches are cheaper in
  // themselves, and that saving must not count as a cost of the store.
  nostore: (ctx: Context) => {
    const insertPayin = Object.assign(batchedAnswers(), { waiting: 0 })
    return { ...ctx, batched: { ...ctx.batched, insertPayin } } satisfies Context
  },
  // Stores people as they are: what sealing them costs. No setting of the service does this.
  unsealed: (ctx: Context) => {
    const seal: Vault['seal'] = (_, fields) => customerOf(fields) as object as Sealed
    const opened = new Map<string, Vault>()
    const load = async (id: string): Promise<Vault> => {
      const vault = { ...(await ctx.vault(id)), seal }
      opened.set(id, vault)
      return vault
    }
    return { ...ctx, vault: (id) => opened.get(id) ?? load(id) } satisfies Context
  },
  // Without the request log: what it costs. No setting of the service does this.
  unlogged: (ctx: Context) => ctx,
  // Traces go to the bench's collector: one in twenty, or all.
  traced: (ctx: Context) => ctx,
  traced_all: (ctx: Context) => ctx,
  // With the workers in the same process, as `recaudo start` runs it, and stub networks.
  whole: (ctx: Context) => {
    const networks = { ...ctx.networks, ...stubRails(), readNotice: ctx.networks.readNotice }
    return { ...ctx, networks } satisfies Context
  },
  // The plain design: one pool, one insert per request.
  plain: (ctx: Context) => {
    const insertPayin = Object.assign((payin: NewPayin) => insertOne(ctx, payin), { waiting: 0 })
    return { ...ctx, batched: { ...ctx.batched, insertPayin } } satisfies Context
  },
} satisfies Record<string, (ctx: Context) => Context>

// What stores nothing does not store requests either.
const UNLOGGED: readonly Variant[] = ['nostore', 'unlogged']
const NO_LOG: RequestLog = { add: () => {}, flush: async () => {}, close: async () => {} }

// The port of a variant, which is started if it does not run yet; or the CPU time of the process.
export type ServerQuestion = { portOf: Variant } | 'cpu'

type Running = { readonly port: number; readonly close: () => Promise<void> }

const settings = childArgument<ServerSettings>()
const running = new Map<Variant, Running>()
answerParent<ServerQuestion, number>(
  async (question) => {
    if (question === 'cpu') {
      const { user, system } = process.cpuUsage()
      return user + system
    }
    const server = running.get(question.portOf) ?? (await start(question.portOf, settings))
    running.set(question.portOf, server)
    return server.port
  },
  async () => {
    for (const { close } of running.values()) await close()
  },
)

async function start(variant: Variant, { environment, collectorUrl }: ServerSettings): Promise<Running> {
  const config = readConfig(environment)
  if (config.databaseUrl === null || config.secretsKey === null) throw new Error('the bench names both')
  const db = openDb({ url: config.databaseUrl, poolSize: config.databasePool })
  const metrics = createMetrics()
  const tracer = tracerOf(variant, collectorUrl, metrics)
  const { secretsKey } = config
  const created = createContext(config, db, [secretsKey], metrics, { tracer })
  const ctx = VARIANTS[variant](created)
  const log = productionLog(config)
  const requestLog = UNLOGGED.includes(variant) ? NO_LOG : undefined
  const api = await createApi(config, ctx, log, metrics, undefined, undefined, requestLog)
  const workers =
    variant === 'whole' ? startWorkers(ctx, log, createDeliveryWorkerOptions(config)) : undefined
  if (workers !== undefined) {
    created.signals.onWork(workers.wake)
    created.setNoticeWorker(workers.noticeWorker)
  }
  await api.app.listen({ host: config.host, port: 0 })
  return {
    port: (api.app.server.address() as AddressInfo).port,
    close: async () => {
      await api.close()
      await workers?.stop()
      await tracer?.close()
      await db.close()
    },
  }
}

function tracerOf(variant: Variant, url: string, { countSpans }: Metrics): Tracer | null {
  if (variant !== 'traced' && variant !== 'traced_all') return null
  const settings = readTracing(
    (name) =>
      ({
        OTEL_EXPORTER_OTLP_ENDPOINT: url,
        OTEL_TRACES_SAMPLER: variant === 'traced_all' ? 'always_on' : null,
      })[name] ?? null,
    [],
  )
  return openTracing(settings, 'bench', countSpans)
}

// Logs exactly as production does, although standard output is discarded here.
function productionLog(config: Config): Logger {
  const destination = pino.destination({ dest: 1, sync: false, minLength: 4_096, periodicFlush: 500 })
  return pino({ level: config.logLevel, base: null, timestamp: pino.stdTimeFunctions.isoTime }, destination)
}

function batchedAnswers(): () => Promise<{ inserted: boolean }> {
  let waiting: ((answer: { inserted: boolean }) => void)[] = []
  const answer = (): void => {
    const all = waiting
    waiting = []
    for (const resolve of all) resolve({ inserted: true })
  }
  return () =>
    new Promise((resolve) => {
      if (waiting.push(resolve) === 1) setImmediate(answer)
    })
}

async function insertOne(ctx: Context, { payin, record }: NewPayin): Promise<{ inserted: boolean }> {
  const insert = async (db: Queryable): Promise<boolean> => {
    const { source } = payin
    const breb = source.rail === 'BRE_B' ? source : null
    const pse = source.rail === 'PSE' ? source : null
    const result = await db.query({
      name: 'insert-one-payin',
      text: `insert into payins (
                      organization_id, payin_id, version, status, rail, amount_cents, currency, reference,
                      payment_link_id, customer, callback_url, key_type, key_string, qr_payload, bank, person_type,
                      created_at, updated_at, expires_at, rail_stage, due_at)
             values ($1, $2, 1, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $16, $17, 'TO_OPEN', $16)
                 on conflict do nothing`,
      values: [
        payin.organizationId,
        payin.payinId,
        payin.status,
        source.rail,
        payin.amountInCents,
        payin.currency,
        payin.reference,
        payin.paymentLinkId,
        payin.customer,
        payin.callbackUrl,
        breb?.keyType,
        breb?.keyString,
        breb?.qrPayload,
        pse?.bank,
        pse?.personType,
        isoInstant(payin.createdAt),
        isoInstant(payin.expiresAt),
      ],
    })
    return result.rowCount === 1
  }
  if (record === null) return { inserted: await insert(ctx.db) }
  return ctx.db.inTransaction(async (tx) => {
    const inserted = await insert(tx)
    if (inserted) await insertRecord(tx, payin.organizationId, record, payin.createdAt)
    return { inserted }
  })
}
