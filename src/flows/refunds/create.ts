// A merchant gives money of a payin back. The refund is only written here, with what it holds of the payin, and its money is set aside if there
// is enough; a worker sends it. Of two at once, whatever the process, the second finds what the first has left of the payin.

import { payinAbilities } from '../../core/connections/provider.ts'
import { maximumInCents } from '../../core/connections/rail.ts'
import { centsToDecimal } from '../../core/money.ts'
import type { Organization } from '../../core/organizations/organization.ts'
import type { Payin } from '../../core/payins/payin.ts'
import {
  newRefund,
  type Refund,
  type RefundReason,
  type RefundWay,
  refundApprovers,
  refundableInCents,
} from '../../core/refunds/refund.ts'
import { isRefusal, type Refusal, refuse, refuseFields } from '../../core/refusal.ts'
import { getOrganization } from '../../store/organizations/organizations.ts'
import { lockPayin } from '../../store/payins/payins.ts'
import { insertRefund } from '../../store/refunds/refunds.ts'
import { holdOfPayin, insertRefundEvent } from '../../store/refunds/write.ts'
import { changeOnce } from '../change-once.ts'
import type { Idempotency, Needs } from '../context.ts'
import { recordAct } from '../record-act.ts'
import { submitRefund } from './approval.ts'
import { type FoundKey, findNamedKey, type KeyNaming, namedKey, payerOf } from './named-key.ts'
import { withMoneySetAside } from './reserve.ts'
import { bookRefund, dueAtOf, refundEvent } from './write.ts'

export type WantedRefund = {
  readonly payinId: string
  // Absent: all that is left.
  readonly amountInCents?: bigint
  readonly reason: RefundReason
  // Absent: the first that is possible.
  readonly way?: RefundWay
  // A key that the payer told the merchant.
  readonly keyString?: string
}

export async function createRefund(
  ctx: KeyNaming & Needs<'actor' | 'batched' | 'ids' | 'signals'>,
  organization: Organization,
  credentialId: string,
  wanted: WantedRefund,
  idempotency: Idempotency<Refund> | null,
): Promise<Refund | Refusal> {
  const { organizationId } = organization
  const refundId = ctx.ids.next()
  const address = { organizationId, payinId: wanted.payinId }
  const payin = await ctx.batched.getPayin(address)
  if (payin === undefined) return refuseUnknownPayin(wanted.payinId)
  const way = wayOf(payin, wanted)
  if (isRefusal(way)) return way
  const named = way === 'KEY' ? await keyOf(ctx, organization, payin, wanted.keyString ?? '') : undefined
  if (isRefusal(named)) return named
  const receiver =
    named && (await namedKey(ctx, { organizationId, refundId }, named.found, named.payer, named.typed))
  const made = await changeOnce(ctx, organizationId, idempotency, async (tx) => {
    const locked = await lockPayin(tx, address)
    if (locked === undefined) return refuseUnknownPayin(wanted.payinId)
    const amountInCents = wanted.amountInCents ?? refundableInCents(locked.payin)
    const refused = refuseAmount(ctx, locked.payin, amountInCents, way)
    if (refused !== undefined) return refused
    const { reason } = wanted
    const claim = receiver?.claim ?? null
    // As they are now: another process may have changed them a moment ago.
    const { approvalRules } = (await getOrganization(tx, organizationId)) ?? organization
    const approvers = refundApprovers(approvalRules, { amountInCents, claim, way })
    const asked = newRefund(locked.payin, refundId, {
      amountInCents,
      reason,
      way,
      credentialId,
      isAsked: approvers > 0,
      ...(receiver && { named: receiver }),
    })
    const held = { heldInCents: amountInCents, refundedInCents: 0n }
    if (!(await holdOfPayin(tx, address, held, ctx.clock.now()))) return refuseAbove(locked.payin)
    const refund = await withMoneySetAside(ctx, tx, organization, asked, locked.payin)
    await insertRefund(tx, refund, dueAtOf(refund))
    await bookRefund(ctx, tx, null, refund)
    await submitRefund(ctx, tx, refund, approvers)
    const event = refundEvent(ctx, null, refund)
    if (event !== undefined) await insertRefundEvent(tx, event)
    const act = { act: 'refund.create', before: null, after: refund } as const
    await recordAct(ctx, tx, { ...act, organizationId, objectId: refundId })
    return refund
  })
  ctx.signals.workAdded('refunds', organizationId)
  ctx.signals.workAdded('events', organizationId)
  return made
}

function refuseUnknownPayin(payinId: string): Refusal {
  return refuse('NOT_FOUND', `No payin has the id ${payinId}.`)
}

// The rail's own way back, then a key that is known, then the payer is asked for one.
function wayOf(payin: Payin, { way, keyString }: WantedRefund): RefundWay | Refusal {
  if (way === 'KEY' && keyString === undefined)
    return refuseFields([{ path: '/breb', code: 'REQUIRED', message: 'is required with the way KEY' }])
  const { returnsPayments } = payinAbilities(payin.connection?.provider ?? null, payin.source.rail)
  if (way === undefined) return keyString !== undefined ? 'KEY' : returnsPayments ? 'RAIL' : 'CLAIM'
  if (way === 'RAIL' && !returnsPayments)
    return refuse('REFUND_WAY_NOT_POSSIBLE', 'The provider that took this payin cannot give money back.')
  return way
}

async function keyOf(ctx: KeyNaming, organization: Organization, payin: Payin, typed: string) {
  const payer = await payerOf(ctx, payin)
  if (payer === null)
    return refuse(
      'REFUND_WAY_NOT_POSSIBLE',
      'Nobody said who paid this payin, so no key can be compared with them. Use the way CLAIM.',
    )
  const found: FoundKey | Refusal = await findNamedKey(ctx, organization, payer, typed)
  return isRefusal(found) ? found : { found, payer, typed }
}

function refuseAmount(
  ctx: Needs<'clock' | 'settings'>,
  payin: Payin,
  amountInCents: bigint,
  way: RefundWay,
): Refusal | undefined {
  if (payin.status !== 'CONFIRMED')
    return refuse('PAYIN_NOT_REFUNDABLE', `The payin is ${payin.status}: there is nothing to give back.`)
  const leftInCents = refundableInCents(payin)
  if (leftInCents === 0n || amountInCents > leftInCents) return refuseAbove(payin)
  const cap = maximumInCents('BRE_B', ctx.clock.now(), ctx.settings.pseMaximumInCents)
  if (way === 'RAIL' || amountInCents <= cap) return undefined
  const message = `must be at most ${cap} by payout: give it back in several refunds`
  return refuseFields([{ path: '/amountInCents', code: 'AMOUNT_ABOVE_MAXIMUM', message }])
}

function refuseAbove(payin: Payin): Refusal {
  const left = refundableInCents(payin)
  const detail = `${centsToDecimal(left)} pesos of the payin are left to give back.`
  const message = left === 0n ? 'nothing is left of the payin' : `must be at most ${left}`
  return refuse('REFUND_ABOVE_REMAINING', detail, {
    errors: [{ path: '/amountInCents', code: 'OUT_OF_RANGE', message }],
  })
}
