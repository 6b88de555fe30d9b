// A provider tells us something of a payment. It settles nothing: we ask the provider. What was told is stored first, like a notice, so
// that it is not lost while a worker has the payment.

import { parseRailReference, railReference } from '../../core/connections/reference.ts'
import type { Hint, HintedPayment } from '../../rails/rail.ts'
import { type ConnectionAddress, findHinted, makeHintedDue } from '../../store/connections/connections.ts'
import { deferNotice, finishNotice, type StoredNotice } from '../../store/connections/notices.ts'
import { insertAlarm } from '../../store/ledger/alarms.ts'
import type { Needs } from '../context.ts'

// How many payments of ours it was about.
export async function receiveHint(
  ctx: Needs<'clock' | 'ids' | 'db' | 'batched' | 'signals'>,
  connection: ConnectionAddress,
  { ask, kind }: Extract<Hint, { ask: unknown }>,
): Promise<number> {
  let found = 0
  for (const payment of ask) {
    const subjectId = await subjectOf(ctx, connection, payment)
    // Collections that the merchant made elsewhere with the same account have an id, and no reference of ours.
    if (subjectId === undefined && 'reference' in payment)
      await raiseUnknown(ctx, connection, payment.reference, payment.kind, kind)
    if (subjectId !== undefined) {
      await storeHint(ctx, connection, payment.kind, subjectId, kind)
      found += 1
    }
  }
  if (found > 0) ctx.signals.workAdded('notices')
  return found
}

async function subjectOf(
  ctx: Needs<'db'>,
  connection: ConnectionAddress,
  payment: HintedPayment,
): Promise<string | undefined> {
  if ('providerId' in payment)
    return findHinted(ctx.db, connection, payment.kind, { providerId: payment.providerId })
  const named = parseRailReference(payment.reference)
  if (named?.kind !== payment.kind || named.organizationId !== connection.organizationId) return undefined
  return findHinted(ctx.db, connection, payment.kind, { id: named.id })
}

async function storeHint(
  ctx: Needs<'clock' | 'ids' | 'batched' | 'signals'>,
  { organizationId, connectionId }: ConnectionAddress,
  subjectKind: 'payin' | 'payout',
  subjectId: string,
  networkCode: string,
): Promise<void> {
  const now = ctx.clock.now()
  ctx.signals.crashPoint('receipt-before-commit')
  await ctx.batched.insertNotice({
    organizationId,
    // The queue is one; which rail it was does not matter for asking.
    rail: 'BRE_B',
    noticeId: ctx.ids.next(),
    subjectKind,
    subjectId,
    reference: railReference(subjectKind, organizationId, subjectId),
    update: { kind: `${subjectKind}.hint`, connectionId },
    networkCode,
    occurredAt: now,
    receivedAt: now,
    dueAt: now,
  })
  ctx.signals.crashPoint('receipt-after-commit')
}

// Makes the payment due. A worker that has it at this moment may have asked too early, so we come back when it is done.
export async function applyHint(
  ctx: Needs<'clock' | 'db' | 'signals'>,
  notice: StoredNotice,
  connectionId: string,
): Promise<void> {
  const { organizationId, subjectKind, subjectId } = notice
  const now = ctx.clock.now()
  ctx.signals.crashPoint('notice-before-commit')
  const isDue = await makeHintedDue(ctx.db, { organizationId, connectionId }, subjectKind, subjectId, now)
  // Whoever dies here leaves the hint to the next, and the payment is asked about once more.
  ctx.signals.crashPoint('notice-after-commit')
  if (isDue) {
    await finishNotice(ctx.db, notice)
    ctx.signals.workAdded(subjectKind === 'payin' ? 'payins' : 'payouts', organizationId)
  } else await deferNotice(ctx.db, notice, now + LOOK_AGAIN_AFTER_MS)
}

const LOOK_AGAIN_AFTER_MS = 500

// It is signed, and names a payment like one of ours that this connection does not have.
async function raiseUnknown(
  ctx: Needs<'clock' | 'ids' | 'db'>,
  { organizationId, connectionId }: ConnectionAddress,
  reference: string,
  subjectKind: HintedPayment['kind'],
  kind: string,
): Promise<void> {
  const detail = `connection ${connectionId} reported ${kind} of ${subjectKind} ${reference}, which it does not have`
  const alarm = { alarmId: ctx.ids.next(), kind: 'orphan-notice', detail } as const
  await insertAlarm(ctx.db, organizationId, connectionId, alarm, ctx.clock.now())
}
