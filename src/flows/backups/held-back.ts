// What waits since a restore, because it may have been paid already: it is held back, shown with what to look for at the network, and
// let go once a person has looked.

import type { Act } from '../../core/audit/act.ts'
import { forgetfulProviders, type HeldKind, type HeldSubject } from '../../core/backups/held-back.ts'
import { maskKey } from '../../core/directory/breb-key.ts'
import { instantOfId } from '../../core/ids.ts'
import { type Instant, isoOrNull } from '../../core/instant.ts'
import { UNATTRIBUTED_ORGANIZATION } from '../../core/organizations/organization.ts'
import { MAX_BATCH_ROWS } from '../../core/payout-batches/columns.ts'
import type { Receiver } from '../../core/people/customer.ts'
import { receiverOf, type Sealed, type Unopened } from '../../core/people/sealed.ts'
import {
  type HeldBack,
  holdBackUnpaid,
  listHeldBatches,
  listHeldPayouts,
  listHeldRefunds,
  readHoldState,
  releaseHeldBatch,
  releaseHeldPayout,
  releaseHeldRefund,
} from '../../store/backups/hold-back.ts'
import type { Queryable } from '../../store/db.ts'
import { listBatchRows } from '../../store/payout-batches/rows.ts'
import { getPayouts } from '../../store/payouts/payouts.ts'
import { getRefund } from '../../store/refunds/refunds.ts'
import type { Needs, WorkKind } from '../context.ts'
import { openReceiver, type Vault } from '../people/vault.ts'
import { recordAct } from '../record-act.ts'

// As a restore does by itself. `asOf` is the moment that the database went back to; null if nobody says.
export function holdBack(
  ctx: Needs<'actor' | 'clock' | 'ids' | 'db'>,
  asOf: Instant | null,
): Promise<HeldSubject[]> {
  const hold = {
    leaseToken: ctx.ids.next(),
    providers: forgetfulProviders(asOf, ctx.clock.wallClock()),
  }
  return ctx.db.inTransaction(async (tx) => {
    const held = await holdBackUnpaid(tx, hold)
    await recordAct(ctx, tx, {
      organizationId: UNATTRIBUTED_ORGANIZATION,
      act: 'database.hold',
      objectId: null,
      before: null,
      after: { takenAt: isoOrNull(asOf), heldBack: held.length },
    })
    return held
  })
}

export async function listHeldBack(db: Queryable): Promise<HeldBack[]> {
  return [...(await listHeldBatches(db)), ...(await listHeldRefunds(db)), ...(await listHeldPayouts(db))]
}

export function heldSince({ leaseToken }: Pick<HeldBack, 'leaseToken'>): Instant {
  return instantOfId(leaseToken)
}

// What the network would show of it. `rowNumber` is that of a batch's file. `key` is masked.
export type HeldPayment = {
  readonly rowNumber: number | null
  readonly amountInCents: bigint
  readonly key: string
}

export async function paymentsOf(ctx: Needs<'db' | 'vault'>, held: HeldBack): Promise<HeldPayment[]> {
  const { organizationId, id, amountInCents } = held
  const vault = await ctx.vault(organizationId)
  if (held.kind === 'batch') {
    const rows = await listBatchRows(ctx.db, organizationId, id, { state: 'QUEUED' }, MAX_BATCH_ROWS)
    return rows.map((row) => ({
      rowNumber: row.rowNumber,
      amountInCents: row.amountInCents ?? 0n,
      key: keyOfRow(vault, row),
    }))
  }
  const receiver =
    held.kind === 'refund'
      ? (await getRefund(ctx.db, { organizationId, refundId: id }))?.receiver
      : (await getPayouts(ctx.db, [{ organizationId, payoutId: id }]))[0]?.receiver
  return [{ rowNumber: null, amountInCents, key: keySeen(receiver && openReceiver(vault, id, receiver)) }]
}

function keyOfRow(vault: Vault, { person, rowId }: { person: Sealed; rowId: string }): string {
  const fields = vault.open(person, rowId)
  return keySeen(typeof fields === 'string' ? fields : receiverOf(fields))
}

function keySeen(receiver: Receiver | Unopened | null | undefined): string {
  return typeof receiver === 'object' && receiver !== null
    ? maskKey(receiver.keyString)
    : (receiver ?? 'none')
}

const RELEASES = {
  batch: { release: releaseHeldBatch, act: 'payoutbatch.release', work: 'batches' },
  refund: { release: releaseHeldRefund, act: 'refund.release', work: 'refunds' },
  payout: { release: releaseHeldPayout, act: 'payout.release', work: 'payouts' },
} as const satisfies Readonly<
  Record<HeldKind, { release: typeof releaseHeldBatch; act: Act; work: WorkKind }>
>

// 'unknown': the organization has no such thing. Otherwise, if it is not held back, what it is.
export type ReleaseOutcome = 'released' | 'unknown' | { readonly state: string }

export async function releaseHeldBack(
  ctx: Needs<'actor' | 'clock' | 'ids' | 'db' | 'signals'>,
  subject: HeldSubject,
): Promise<ReleaseOutcome> {
  const { organizationId, id } = subject
  const { release, act, work } = RELEASES[subject.kind]
  const outcome = await ctx.db.inTransaction(async (tx): Promise<ReleaseOutcome> => {
    const found = await readHoldState(tx, subject)
    if (found === undefined) return 'unknown'
    const { state, leaseToken } = found
    if (leaseToken === null || !(await release(tx, subject, ctx.clock.now()))) return { state }
    await recordAct(ctx, tx, {
      organizationId,
      act,
      objectId: id,
      before: { heldSince: instantOfId(leaseToken) },
      after: { heldSince: null },
    })
    return 'released'
  })
  if (outcome === 'released') ctx.signals.workAdded(work, organizationId)
  return outcome
}
