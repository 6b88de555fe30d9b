// The statements that many requests share, with how many run at once: what flows call as `ctx.batched`.

import type { Metrics } from './api/http/metrics.ts'
import type { Instant } from './core/instant.ts'
import type { Batched, Signals } from './flows/context.ts'
import { insertAwaitingPayouts } from './flows/payouts/insert-awaiting.ts'
import { insertLimitedPayouts } from './flows/payouts/insert-limited.ts'
import { type BatchOptions, batchedStatement } from './store/batched-statement.ts'
import { insertNotices } from './store/connections/notices.ts'
import { type Db, StoreSilent, StoreUnavailable } from './store/db.ts'
import { isDistributed } from './store/distribute.ts'
import { getRecords } from './store/idempotency.ts'
import { suspenseOfPayments } from './store/ledger/suspense.ts'
import { SLOTS } from './store/ledger/transfers.ts'
import { insertPlainPayins } from './store/payins/insert-plain.ts'
import { getPayins } from './store/payins/payins.ts'
import { writePayins } from './store/payins/write.ts'
import { insertLinks } from './store/payment-links/payment-links.ts'
import { getPayouts, insertPayouts } from './store/payouts/payouts.ts'
import { writePayouts } from './store/payouts/write.ts'
import { recordAcknowledged, recordAttempts } from './store/webhooks/deliveries.ts'

// Rows in one statement: large enough to make the commit cheap, small enough to answer within milliseconds.
const MAX_BATCH = 200
// Requests that may wait for a batch, about a second's worth. Beyond it they are refused.
const MAX_WAITING = 5_000
const READERS = 2

export function batchedStatements(
  db: Db,
  writers: number,
  observeBatch: Metrics['observeBatch'],
  now: () => Instant,
  workAdded: Signals['workAdded'],
): Batched {
  const batched = <Item, Result>(
    statement: string,
    concurrency: number,
    ownerOf: (item: Item) => { organizationId: string },
    run: BatchOptions<Item, Result>['run'],
    waitsForFairShare = false,
  ) =>
    batchedStatement({
      waitsForFairShare,
      apart: { isNeeded: () => isDistributed(db), ownerOf: (item: Item) => ownerOf(item).organizationId },
      maxItems: MAX_BATCH,
      maxWaiting: MAX_WAITING,
      onBatch: (size: number) => observeBatch(statement, size),
      concurrency,
      run,
    })
  // Incoming money goes to a random slot, so two processes or batches seldom update the same balance row.
  const randomSlot = () => 1 + Math.floor(Math.random() * (SLOTS - 1))
  // Wakes the sequencer after a write that includes an event.
  const signalEvents = async <Write extends { event: unknown }, Result>(
    writes: Write[],
    ownerOf: (write: Write) => { organizationId: string },
    written: Promise<Result>,
  ): Promise<Result> => {
    const result = await written
    const owners = writes.filter(({ event }) => event !== null).map((write) => ownerOf(write).organizationId)
    for (const organizationId of new Set(owners)) workAdded('events', organizationId)
    return result
  }
  const signalShown = (records: { organizationId: string }[]): void => {
    for (const organizationId of new Set(records.map((record) => record.organizationId)))
      workAdded('shown', organizationId)
  }
  return {
    insertPayin: batched(
      'insert_payins',
      writers,
      ({ payin }) => payin,
      (rows) => retryOnce(() => insertPlainPayins(db, rows)),
      true,
    ),
    getPayin: batched('get_payins', READERS, itself, (addresses) => getPayins(db, addresses)),
    suspenseOfPayment: batched('suspense_of_payments', READERS, itself, (payments) =>
      suspenseOfPayments(db, payments),
    ),
    writePayin: batched(
      'write_payins',
      writers,
      ({ payin }) => payin,
      async (writes) => {
        const written = writePayins(db, writes, randomSlot())
        const result = await signalEvents(writes, ({ payin }) => payin, written)
        // Money in suspense has no event.
        signalShown(writes.flatMap(({ payin, suspense }) => (suspense === null ? [] : [payin])))
        return result
      },
    ),
    insertLink: batched(
      'insert_links',
      writers,
      ({ link }) => link,
      (rows) => retryOnce(() => insertLinks(db, rows)),
    ),
    insertPayout: batched(
      'insert_payouts',
      writers,
      ({ payout }) => payout,
      (rows) => retryOnce(() => insertPayouts(db, rows)),
    ),
    // Apart from the others, which wait for nobody's limits.
    insertLimitedPayout: batched(
      'insert_limited_payouts',
      writers,
      ({ payout }) => payout,
      (rows) => retryOnce(() => insertLimitedPayouts(db, rows)),
    ),
    insertAwaitingPayout: batched(
      'insert_awaiting_payouts',
      writers,
      ({ payout }) => payout,
      (rows) => retryOnce(() => insertAwaitingPayouts(db, rows)),
    ),
    getPayout: batched('get_payouts', READERS, itself, (addresses) => getPayouts(db, addresses)),
    writePayout: batched(
      'write_payouts',
      writers,
      ({ payout }) => payout,
      (writes) => signalEvents(writes, ({ payout }) => payout, writePayouts(db, writes)),
    ),
    insertNotice: batched('insert_notices', writers, itself, (notices) => insertNotices(db, notices)),
    // Nobody waits for these, and one batch at a time makes the largest batches.
    recordAcknowledged: batched('record_acknowledged', 1, itself, async (records) => {
      await recordAcknowledged(db, records)
      signalShown(records)
      return []
    }),
    recordAttempt: batched('record_attempts', 1, itself, async (records) => {
      await recordAttempts(db, records)
      signalShown(records)
      return []
    }),
    getRecord: batched('get_records', READERS, itself, (addresses) => getRecords(db, addresses, now())),
  }
}

function itself<Item extends { organizationId: string }>(item: Item): Item {
  return item
}

// If a connection breaks during a commit, the outcome is unknown. The statement is safe to run again: written rows keep their
// ids, and the caller recognizes its own row.
async function retryOnce<Result>(run: () => Promise<Result>): Promise<Result> {
  try {
    return await run()
  } catch (error) {
    if (!(error instanceof StoreUnavailable) || error instanceof StoreSilent) throw error
    return run()
  }
}
