// Makes the context that flows live in: the store's shared statements, the networks, the clock, ids, chance and hints.

import { randomBytes, randomFillSync } from 'node:crypto'
import type { Metrics } from './api/http/metrics.ts'
import type { Config, CrashAt } from './config.ts'
import { readRailReference } from './core/connections/reference.ts'
import { createIdSource } from './core/ids.ts'
import type { Instant } from './core/instant.ts'
import { deriveKeys } from './core/seal.ts'
import type { Context, CrashPoint, HintListener, NoticeTaker, WorkKind } from './flows/context.ts'
import type { Limits } from './rails/limits.ts'
import type { Exchange } from './rails/rail.ts'
import { openRails } from './rails/rails.ts'
import { openSimulator } from './rails/simulator.ts'
import { type BatchOptions, createBatch } from './store/batched-statement.ts'
import { insertExchanges } from './store/connections/exchanges.ts'
import { insertNotices } from './store/connections/notices.ts'
import { type Db, StoreUnavailable } from './store/db.ts'
import { getRecords } from './store/idempotency.ts'
import { SLOTS } from './store/ledger/transfers.ts'
import { getPayins, insertPayins } from './store/payins/payins.ts'
import { writePayinSteps } from './store/payins/write.ts'
import { insertLinks } from './store/payment-links/payment-links.ts'
import { getPayouts, insertPayouts } from './store/payouts/payouts.ts'
import { writePayoutSteps } from './store/payouts/write.ts'
import { readClockOffset } from './store/staging-clock.ts'
import { recordAcknowledged, recordAttempts } from './store/webhooks/deliveries.ts'
import { sendHint } from './store/work-signals.ts'
import { endpointUrlProblem } from './webhooks/endpoint-url.ts'
import { newWebhookSecret } from './webhooks/sign.ts'

// Rows in one statement: large enough to make the commit cheap, small enough to answer within milliseconds.
const MAX_BATCH = 200
// Requests that may wait for a batch, about a second's worth; beyond it they are refused.
const MAX_WAITING = 5_000
const READ_LANES = 2
// Other processes are told of work at most this often; they would find it by themselves a little later.
const HINT_EVERY_MS = 20
const CLOCK_LOOK_MS = 200

// What `start` needs beyond what flows see.
export type ServiceContext = Context & {
  // Takes a hint of another process, which is not passed on.
  hear: (kind: string, organizationIds: readonly string[]) => void
  // Who takes notices from now on.
  giveNoticesTo: (taker: () => NoticeTaker | undefined) => void
}

export function createContext(
  config: Config,
  db: Db,
  secretsKey: Buffer,
  metrics: Pick<Metrics, 'observeBatch' | 'countAttempt'>,
  baseNow: () => Instant = Date.now,
  railLimits: Partial<Limits> = {},
): ServiceContext {
  let offsetMs = 0
  let noticeTaker: () => NoticeTaker | undefined = () => undefined
  const now = () => baseNow() + offsetMs
  const ids = createIdSource(randomPool())
  const nextId = () => ids(now())
  const hints = createHints(db)
  const shared = <Item, Result>(
    statement: string,
    lanes: number,
    run: BatchOptions<Item, Result>['run'],
    fills?: 'lanes',
  ) =>
    createBatch({
      ...(fills && { fills }),
      maxItems: MAX_BATCH,
      maxWaiting: MAX_WAITING,
      onBatch: (size: number) => metrics.observeBatch(statement, size),
      lanes,
      run,
    })
  const lanes = config.groupCommitLanes
  // A slot of our own for what comes in: two processes, or two batches, seldom meet on one balance row.
  const slot = () => 1 + Math.floor(Math.random() * (SLOTS - 1))
  // Whatever wrote an event makes the stamper look.
  const told = async <Result>(writes: { event: unknown }[], written: Promise<Result>): Promise<Result> => {
    const result = await written
    if (writes.some((write) => write.event !== null)) hints.hint('events')
    return result
  }
  return {
    environment: config.environment,
    now,
    wallClock: Date.now,
    nextId,
    randomBytes,
    chance: Math.random,
    db,
    rails: openRails(config, { now, record: exchangeRecorder(db, nextId), limits: railLimits }),
    simulator: config.sandbox && openSimulator(controlUrlOf(config), config.breb.clientSecret),
    followClock: (movedMs) => {
      offsetMs = movedMs
    },
    keys: deriveKeys(secretsKey),
    publicUrl: config.publicUrl,
    checkoutUrl: config.checkoutUrl,
    pseCapInCents: config.pseCapInCents,
    settlementDelayMs: config.settlementDelayMs,
    countAttempt: metrics.countAttempt,
    passing: crashingAt(config.crashAt),
    hint: hints.hint,
    onHint: hints.onHint,
    hear: hints.hear,
    noticeTaker: () => noticeTaker(),
    giveNoticesTo: (taker) => {
      noticeTaker = taker
    },
    webhooks: {
      urlProblem: (text) =>
        endpointUrlProblem(text, {
          allowPrivate: config.webhookAllowPrivate,
          production: config.environment === 'production',
        }),
      newSecret: () => newWebhookSecret(randomBytes),
    },
    together: {
      insertPayin: shared(
        'insert_payins',
        lanes,
        (payins) => surely(() => insertPayins(db, payins)),
        'lanes',
      ),
      getPayin: shared('get_payins', READ_LANES, (addresses) => getPayins(db, addresses)),
      writePayin: shared('write_payins', lanes, (writes) =>
        told(writes, writePayinSteps(db, writes, slot())),
      ),
      insertLink: shared('insert_links', lanes, (links) => surely(() => insertLinks(db, links))),
      insertPayout: shared('insert_payouts', lanes, (payouts) => surely(() => insertPayouts(db, payouts))),
      getPayout: shared('get_payouts', READ_LANES, (addresses) => getPayouts(db, addresses)),
      writePayout: shared('write_payouts', lanes, (writes) => told(writes, writePayoutSteps(db, writes))),
      insertNotice: shared('insert_notices', lanes, (notices) => insertNotices(db, notices)),
      // Nobody waits for these: one after the other makes the largest batches.
      recordAcknowledged: shared('record_acknowledged', 1, async (records) => {
        await recordAcknowledged(db, records)
        return []
      }),
      recordAttempt: shared('record_attempts', 1, async (records) => {
        await recordAttempts(db, records)
        return []
      }),
      getRecord: shared('get_records', READ_LANES, (addresses) => getRecords(db, addresses)),
    },
  }
}

// The simulated networks' controls stand beside their doors.
function controlUrlOf(config: Config): string {
  return config.breb.baseUrl.replace(/\/breb$/, '/control')
}

// As a power cut would: no handler runs, nothing is flushed.
function crashingAt(crash: CrashAt | null): (point: CrashPoint) => void {
  let passed = 0
  return (point) => {
    if (point !== crash?.point) return
    passed += 1
    if (passed === crash.nth) process.kill(process.pid, 'SIGKILL')
  }
}

// Exchanges are written down in the background: the operator's record must not slow or fail what it records.
function exchangeRecorder(db: Db, nextId: () => string): (exchange: Exchange) => void {
  const write = createBatch<Exchange, void>({
    lanes: 1,
    maxItems: MAX_BATCH,
    maxWaiting: MAX_WAITING,
    run: async (exchanges) => {
      const rows = exchanges.map((exchange) => ({
        ...exchange,
        exchangeId: nextId(),
        organizationId: readRailReference(exchange.reference)?.organizationId ?? NOBODY,
      }))
      await insertExchanges(db, rows)
      return []
    },
  })
  return (exchange) => void write(exchange).catch(() => {})
}

// A look-up in the directory is about a key, not about a payment of an organization.
const NOBODY = '00000000-0000-0000-0000-000000000000'

// Staging's clock is moved in one process and followed by all.
export function followStagingClock(ctx: ServiceContext): { stop: () => void } {
  const look = (): void => void readClockOffset(ctx.db).then(ctx.followClock, () => {})
  look()
  const timer = setInterval(look, CLOCK_LOOK_MS).unref()
  return { stop: () => clearInterval(timer) }
}

// Tells our own process at once and others soon.
function createHints(db: Db) {
  const listeners = new Set<HintListener>()
  // By kind: whose work it is. Without a name it may be anybody's.
  const pending = new Map<WorkKind, Set<string | undefined>>()
  const tell = (kind: WorkKind, organizationId?: string): void => {
    for (const listener of listeners) listener(kind, organizationId)
  }
  return {
    onHint: (listener: HintListener) => void listeners.add(listener),
    hear: (kind: string, organizationIds: readonly string[]): void => {
      if (organizationIds.length === 0) tell(kind as WorkKind)
      for (const organizationId of organizationIds) tell(kind as WorkKind, organizationId)
    },
    hint: (kind: WorkKind, organizationId?: string): void => {
      tell(kind, organizationId)
      const known = pending.get(kind)
      if (known !== undefined) return void known.add(organizationId)
      const whose = new Set([organizationId])
      pending.set(kind, whose)
      setTimeout(() => {
        pending.delete(kind)
        const names = [...whose].filter((name) => name !== undefined)
        sendHint(db, kind, names.length < whose.size ? [] : names).catch(() => {})
      }, HINT_EVERY_MS).unref()
    },
  }
}

// A connection that breaks under a commit leaves us not knowing. The statement is safe to run again: what was written
// keeps its id, and the caller recognizes its own row.
async function surely<Result>(run: () => Promise<Result>): Promise<Result> {
  try {
    return await run()
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error
    return run()
  }
}

// Ten random bytes for each id from a pool that is filled seldom: the system call costs more than the bytes.
function randomPool(): (count: number) => Uint8Array {
  const pool = Buffer.allocUnsafe(8_192)
  let used = pool.length
  return (count) => {
    if (used + count > pool.length) {
      randomFillSync(pool)
      used = 0
    }
    used += count
    return pool.subarray(used - count, used)
  }
}
