// The plain design, for comparison: every step of a payment runs in its own transaction, statement by statement, from one
// pool. It writes the same rows as the service.

import { transfer } from '../src/core/ledger/bookings.ts'
import { presentPayin } from '../src/core/payins/object.ts'
import { newPayin, type PayinRequest } from '../src/core/payins/payin.ts'
import { presentPayout } from '../src/core/payouts/object.ts'
import { newPayout, type PayoutRequest } from '../src/core/payouts/payout.ts'
import { insertNotices } from '../src/store/connections/notices.ts'
import type { Queryable } from '../src/store/db.ts'
import { lockAvailable, postTransfers, readBalances } from '../src/store/ledger/transfers.ts'
import { insertPayins } from '../src/store/payins/payins.ts'
import { insertPayouts } from '../src/store/payouts/payouts.ts'
import type { InProcessService } from './in-process.ts'

export async function runPlainPayin(
  { ctx, db, organizations }: InProcessService,
  iteration: number,
  request: Omit<PayinRequest, 'reference'>,
): Promise<undefined> {
  const organization = organizations[iteration % organizations.length]
  if (organization === undefined) throw new Error('no organization')
  const payin = newPayin(organization, ctx.ids.next(), { ...request, reference: `plain-${ctx.ids.next()}` })
  const { organizationId, payinId, amountInCents } = payin
  await insertPayins(db, [{ payin, record: null }])
  const now = ctx.clock.now()
  const update = { kind: 'payin.paid', amountInCents, paymentId: payinId } as const
  const notice = {
    organizationId,
    rail: 'BRE_B',
    noticeId: `n-${payinId}`,
    subjectKind: 'payin',
    subjectId: payinId,
  } as const
  await insertNotices(db, [{ ...notice, update, networkCode: '', occurredAt: now, receivedAt: now }])
  await db.inTransaction(async (tx) => {
    await tx.query({
      text: 'select version from payins where organization_id = $1 and payin_id = $2 for update',
      values: [organizationId, payinId],
    })
    await tx.query({
      text: `update payins set version = 2, status = 'CONFIRMED', settlement_status = 'PENDING_SETTLEMENT',
                    confirmed_amount_cents = $3, updated_at = $4, result_at = $4, payment_id = $2::text, rail_stage = 'TO_SETTLE', due_at = $5
              where organization_id = $1 and payin_id = $2`,
      values: [organizationId, payinId, amountInCents, new Date(now), new Date(now + 86_400_000)],
    })
    const details = {
      organizationId,
      transferId: ctx.ids.next(),
      subjectId: payinId,
      amountInCents,
      createdAt: now,
    }
    await postTransfers(tx, [transfer('payin confirmed', 'BRE_B', details)], 1)
    await insertEvent(
      tx,
      organizationId,
      ctx.ids.next(),
      'payin.confirmed',
      'payin',
      payinId,
      presentPayin(ctx.settings, payin),
      now,
    )
    await markNoticeDone(tx, organizationId, `n-${payinId}`)
  })
}

export async function runPlainPayout(
  { ctx, db, organizations }: InProcessService,
  iteration: number,
  request: PayoutRequest,
): Promise<undefined> {
  const organizationId = organizations[iteration % organizations.length]?.organizationId ?? ''
  const payout = newPayout(organizationId, ctx.ids.next(), request)
  const { payoutId, amountInCents } = payout
  await insertPayouts(db, [{ payout, record: null, credentialId: 'bench' }])
  const book = (booking: 'payout reserved' | 'payout confirmed') =>
    transfer(booking, 'BRE_B', {
      organizationId,
      transferId: ctx.ids.next(),
      subjectId: payoutId,
      amountInCents,
    })
  await db.inTransaction(async (tx) => {
    const now = ctx.clock.now()
    await lockAvailable(tx, organizationId)
    await readBalances(tx, organizationId)
    await updatePayout(tx, organizationId, payoutId, 2, 'PROCESSING', 'SENDING', now)
    await postTransfers(tx, [book('payout reserved')], 0)
  })
  await db.inTransaction((tx) =>
    updatePayout(tx, organizationId, payoutId, 3, 'PROCESSING', 'SENT', ctx.clock.now()),
  )
  const now = ctx.clock.now()
  const update = { kind: 'payout.completed', traceId: null } as const
  const notice = {
    organizationId,
    rail: 'BRE_B',
    noticeId: `n-${payoutId}`,
    subjectKind: 'payout',
    subjectId: payoutId,
  } as const
  await insertNotices(db, [{ ...notice, update, networkCode: '', occurredAt: now, receivedAt: now }])
  await db.inTransaction(async (tx) => {
    await tx.query({
      text: 'select version from payouts where organization_id = $1 and payout_id = $2 for update',
      values: [organizationId, payoutId],
    })
    await updatePayout(tx, organizationId, payoutId, 4, 'CONFIRMED', 'DONE', now)
    await postTransfers(tx, [book('payout confirmed')], 0)
    await insertEvent(
      tx,
      organizationId,
      ctx.ids.next(),
      'payout.confirmed',
      'payout',
      payoutId,
      presentPayout(payout),
      now,
    )
    await markNoticeDone(tx, organizationId, `n-${payoutId}`)
  })
}

async function updatePayout(
  tx: Queryable,
  organizationId: string,
  payoutId: string,
  version: number,
  status: string,
  stage: string,
  now: number,
): Promise<void> {
  await tx.query({
    text: `update payouts set version = $3, status = $4, stage = $5, updated_at = $6, due_at = null where organization_id = $1 and payout_id = $2`,
    values: [organizationId, payoutId, version, status, stage, new Date(now)],
  })
}

async function insertEvent(
  tx: Queryable,
  organizationId: string,
  eventId: string,
  type: string,
  resource: string,
  objectId: string,
  data: unknown,
  now: number,
): Promise<void> {
  await tx.query({
    text: `insert into events (organization_id, event_id, type, resource, object_id, version, data, created_at) values ($1, $2, $3, $4, $5, 2, $6, $7)`,
    values: [organizationId, eventId, type, resource, objectId, JSON.stringify(data), new Date(now)],
  })
}

async function markNoticeDone(tx: Queryable, organizationId: string, noticeId: string): Promise<void> {
  await tx.query({
    text: `update rail_notices set state = 'DONE', due_at = null where organization_id = $1 and rail = 'BRE_B' and notice_id = $2`,
    values: [organizationId, noticeId],
  })
}
