// Applies a chargeback. It is booked where its payment is, whichever payin the network names: in suspense, or for the payin that
// the payment confirmed, of whichever merchant.

import { chargebackInWords } from '../../core/ledger/chargebacks.ts'
import { UNATTRIBUTED_ORGANIZATION } from '../../core/organizations/organization.ts'
import { isOpen, type Payin } from '../../core/payins/payin.ts'
import { type Chargeback, chargeBackPayin, type PayinStep } from '../../core/payins/settle.ts'
import { finishNotice, type StoredNotice } from '../../store/connections/notices.ts'
import { placesOfPayment } from '../../store/ledger/suspense.ts'
import { PAYOUT_SLOT } from '../../store/ledger/transfers.ts'
import { type PayinWrite, writePayins } from '../../store/payins/write.ts'
import { givenBackOf, wakeRefundsOf } from '../../store/refunds/refunds.ts'
import type { Needs } from '../context.ts'
import { chargeBackSuspense } from '../ledger/charge-back-suspense.ts'
import { leaveOnePlace } from '../ledger/leave-one-place.ts'
import { releaseSuspense } from '../ledger/release-suspense.ts'
import { payinWrite, readChargebackFacts } from '../payins/write.ts'

// Lost: somebody else has moved the subject. Absent: we do not know it, or not yet.
export type ApplyOutcome = 'written' | 'lost' | 'absent'

type ApplyNeeds = Needs<'clock' | 'ids' | 'db' | 'batched' | 'signals' | 'settings'>

export async function applyChargeback(
  ctx: ApplyNeeds,
  notice: StoredNotice,
  chargeback: Chargeback,
): Promise<ApplyOutcome> {
  const { organizationId, subjectId: payinId, rail } = notice
  const payin = await ctx.batched.getPayin({ organizationId, payinId })
  // A network knows nothing of another network's payins.
  const named = payin?.source.rail === rail ? payin : undefined
  if (named !== undefined) {
    const step = await decide(ctx, notice, named, chargeback)
    if (step === undefined) return 'absent'
    if (step.otherPaymentChargedBack === undefined) return writeStep(ctx, notice, named, step)
  }
  return chargeBackElsewhere(ctx, notice, chargeback, named !== undefined && isOpen(named))
}

// A payment has one id, whatever it is told for. If it is in suspense although it has confirmed a payin, it leaves suspense first.
async function chargeBackElsewhere(
  ctx: ApplyNeeds,
  notice: StoredNotice,
  chargeback: Chargeback,
  isNamedOpen: boolean,
): Promise<ApplyOutcome> {
  const { paymentId } = chargeback
  await leaveOnePlace(ctx, { rail: notice.rail, paymentId })
  if ((await chargeBackSuspense(ctx, notice, chargeback, isNamedOpen)) === 'written') return 'written'
  const payin = await confirmedPayin(ctx, notice, paymentId, isNamedOpen)
  if (payin === undefined) return 'absent'
  const step = await decide(ctx, notice, payin, chargeback)
  if (step === undefined) return 'absent'
  return writeStep(ctx, notice, payin, withOtherName(step, notice, payin, chargeback))
}

// The payin that the payment confirmed. While the named payin is open, the payment may confirm that too, and then the chargeback is
// its own, not another merchant's. Where payins of several other merchants were confirmed, the network lists the payment for one of
// them. Only that one is settled.
async function confirmedPayin(
  ctx: Needs<'db' | 'batched'>,
  { organizationId, rail }: StoredNotice,
  paymentId: string,
  isNamedOpen: boolean,
): Promise<Payin | undefined> {
  const places = (await placesOfPayment(ctx.db, { rail, paymentId })).filter(({ kind }) => kind === 'payin')
  const own = places.filter((place) => place.organizationId === organizationId)
  const others = isNamedOpen ? [] : places
  const found = await Promise.all(
    (own.length > 0 ? own : others).map((place) =>
      ctx.batched.getPayin({ organizationId: place.organizationId, payinId: place.id }),
    ),
  )
  return found.length > 1 ? found.find((payin) => payin?.settlementStatus !== 'PENDING_SETTLEMENT') : found[0]
}

// Undefined while the network has not said whether it gave money of the payin back: then nobody knows what is left to take. The notice is
// applied again later.
async function decide(
  ctx: ApplyNeeds,
  notice: StoredNotice,
  payin: Payin,
  chargeback: Chargeback,
): Promise<PayinStep | undefined> {
  const refunds = payin.refundHeldInCents === 0n ? undefined : await givenBackOf(ctx.db, payin)
  if (refunds?.isUnderWay) return undefined
  const facts = {
    paymentId: payin.progress.paymentId,
    noticeId: notice.noticeId,
    chargebacks: await readChargebackFacts(ctx, payin, notice),
    refunds,
  }
  return chargeBackPayin(payin, chargeback, facts, ctx.clock.now())
}

// The network named another merchant, or nobody. Perhaps the payment is theirs.
function withOtherName(
  step: PayinStep,
  { noticeId, organizationId }: StoredNotice,
  payin: Payin,
  { amountInCents, chargebackId }: Chargeback,
): PayinStep {
  const hasNothing = step.next === undefined && step.alarm === undefined
  if (organizationId === payin.organizationId || hasNothing) return step
  const reported = { noticeId, chargebackId: chargebackId ?? null, amountInCents }
  const inWords = step.alarm ?? chargebackInWords(reported, payin.confirmedAmountInCents as bigint)
  const where = step.next === undefined ? 'told here' : 'booked here'
  const name =
    organizationId === UNATTRIBUTED_ORGANIZATION ? 'nobody of ours' : `organization ${organizationId}`
  return { ...step, alarm: `${inWords}, ${where} although the network named ${name}` }
}

async function writeStep(
  ctx: ApplyNeeds,
  notice: StoredNotice,
  payin: Payin,
  step: PayinStep,
): Promise<ApplyOutcome> {
  if (step.next === undefined && step.alarm === undefined) {
    await finishNotice(ctx.db, notice)
    return 'written'
  }
  // A payin that is reversed is no longer settled, so nobody would come back for what is in suspense.
  await releaseSuspense(ctx, payin)
  const { rail, noticeId, networkCode } = notice
  const write = payinWrite(ctx, payin, step, { notice: { rail, noticeId }, networkCode }, 'keep')
  ctx.signals.crashPoint('notice-before-commit')
  const written =
    notice.organizationId === payin.organizationId
      ? await ctx.batched.writePayin(write)
      : await writeForOther(ctx, notice, write)
  ctx.signals.crashPoint('notice-after-commit')
  if (written) await wakeRefundsOf(ctx.db, payin, ctx.clock.now())
  return written ? 'written' : 'lost'
}

// The statement that writes a payin finishes notices of its own organization.
async function writeForOther(
  ctx: Needs<'db' | 'signals'>,
  notice: StoredNotice,
  write: PayinWrite,
): Promise<boolean> {
  const isWritten = await ctx.db.inTransaction(async (tx) => {
    const [isMoved = false] = await writePayins(tx, [{ ...write, notice: null }], PAYOUT_SLOT)
    if (isMoved) await finishNotice(tx, notice)
    return isMoved
  })
  if (isWritten) ctx.signals.workAdded('events', write.payin.organizationId)
  return isWritten
}
