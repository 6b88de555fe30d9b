// The network charges back a payment that is or was in suspense. The books follow, and a contradiction raises an alarm.

import { type Booking, transfer } from '../../core/ledger/bookings.ts'
import {
  type ChargebackFacts,
  chargebackInWords,
  chargebackPart,
  type ReportedChargeback,
  recognizeChargeback,
  WHY_NOT_BOOKED,
} from '../../core/ledger/chargebacks.ts'
import { UNATTRIBUTED_ORGANIZATION } from '../../core/organizations/organization.ts'
import type { Chargeback } from '../../core/payins/settle.ts'
import {
  chargebacksReportedBefore,
  finishNotice,
  type StoredNotice,
} from '../../store/connections/notices.ts'
import type { Queryable } from '../../store/db.ts'
import { insertAlarm } from '../../store/ledger/alarms.ts'
import {
  chargeBackSuspenseItem,
  isAtProvider,
  leftInCents,
  lockSuspenseOfPayment,
  placesOfPayment,
  type SuspenseItem,
  suspenseOfPayments,
} from '../../store/ledger/suspense.ts'
import { chargebacksOf, PAYOUT_SLOT, postTransfers } from '../../store/ledger/transfers.ts'
import type { Needs } from '../context.ts'

// Absent: the payment itself was not reported yet, or it has left suspense for another place, or we are returning it to the payer
// and the network has not said yet whether it did. The notice is applied again later. So it is while the payin is open and the
// payment is in suspense of nobody: the payment may be confirming the payin at this moment, in a transaction that does not lock
// the item.
export async function chargeBackSuspense(
  ctx: Needs<'clock' | 'ids' | 'db'>,
  notice: StoredNotice,
  { amountInCents, paymentId, chargebackId }: Chargeback,
  isPayinOpen = false,
): Promise<'written' | 'absent'> {
  const { rail, noticeId } = notice
  const owner = await ownerOf(ctx, notice, paymentId, isPayinOpen)
  return ctx.db.inTransaction(async (tx) => {
    const item = await lockSuspenseOfPayment(tx, { organizationId: owner, rail, paymentId })
    if (item === undefined || item.state === 'RETURNING' || item.state === 'COUNTED') return 'absent'
    const facts = {
      booked: await chargebacksOf(tx, item.organizationId, item.suspenseId),
      reportedBefore: await chargebacksReportedBefore(tx, notice, paymentId, item.organizationId),
    }
    const reported = { noticeId, chargebackId: chargebackId ?? null, amountInCents }
    const problem = await bookOnce(ctx, tx, item, reported, facts)
    const isOtherMerchants = ![notice.organizationId, UNATTRIBUTED_ORGANIZATION].includes(owner)
    const detail = problem ?? (isOtherMerchants ? toldForAnother(notice, reported, item) : undefined)
    if (detail !== undefined) {
      const alarm = { alarmId: ctx.ids.next(), kind: 'payin-contradiction', detail } as const
      await insertAlarm(tx, item.organizationId, item.payinId ?? item.suspenseId, alarm, ctx.clock.now())
    }
    await finishNotice(tx, notice)
    return 'written'
  })
}

// In whose suspense the payment is. It may have come under a name of nobody, or of another merchant: that is looked for last, because
// it asks every organization.
async function ownerOf(
  ctx: Needs<'db'>,
  { organizationId, rail }: StoredNotice,
  paymentId: string,
  isPayinOpen: boolean,
): Promise<string> {
  if (isPayinOpen) return organizationId
  const [items = []] = await suspenseOfPayments(ctx.db, [{ organizationId, rail, paymentId }])
  const own = items.find(({ state }) => state !== 'COUNTED')
  if (own !== undefined) return own.organizationId
  const places = await placesOfPayment(ctx.db, { rail, paymentId })
  return places.find(({ kind }) => kind === 'suspense')?.organizationId ?? organizationId
}

function toldForAnother(
  { organizationId }: StoredNotice,
  reported: ReportedChargeback,
  { amountInCents }: SuspenseItem,
): string {
  return `${chargebackInWords(reported, amountInCents)}, booked here although the network named organization ${organizationId}`
}

async function chargebackBooking(tx: Queryable, item: SuspenseItem): Promise<Booking | undefined> {
  if (item.state === 'OPEN') return 'suspense charged back'
  if (item.state !== 'ATTACHED') return undefined
  return (await isAtProvider(tx, item))
    ? 'suspense charged back from deposits'
    : 'suspense charged back after attaching'
}

// Books what the network took, but never more than is left. Returns what a person must look at.
async function bookOnce(
  ctx: Needs<'clock' | 'ids'>,
  tx: Queryable,
  item: SuspenseItem,
  reported: ReportedChargeback,
  facts: ChargebackFacts,
): Promise<string | undefined> {
  const { organizationId, suspenseId, state, rail } = item
  const inWords = chargebackInWords(reported, item.amountInCents)
  const recognition = recognizeChargeback(reported, facts)
  if (recognition !== 'new') {
    const problem = WHY_NOT_BOOKED[recognition]
    return problem && `${inWords}, ${problem}`
  }
  const booking = await chargebackBooking(tx, item)
  const left = leftInCents(item)
  if (booking === undefined) return `${inWords}, not booked: the payment is ${state}`
  const now = ctx.clock.now()
  const taken = reported.amountInCents < left ? reported.amountInCents : left
  await chargeBackSuspenseItem(tx, item, taken, now)
  const entry = {
    organizationId,
    subjectId: suspenseId,
    part: chargebackPart(reported),
    amountInCents: taken,
  }
  const charged = transfer(booking, rail, { ...entry, transferId: ctx.ids.next() })
  await postTransfers(tx, [charged], PAYOUT_SLOT)
  return reported.amountInCents === left ? undefined : inWords
}
