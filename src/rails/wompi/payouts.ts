// Money going out over Bre-B: one payout is a batch of one. Only the idempotency key keeps Wompi from paying twice, and only for a
// day, so nothing is sent again before a search.

import { centsToNumber } from '../../core/money.ts'
import type { PayoutErrorCode } from '../../core/payouts/payout.ts'
import type { Customer } from '../../core/people/customer.ts'
import type { Gateway, Refused } from '../gateway.ts'
import type { Limits } from '../limits.ts'
import { paymentIdOf } from '../provider.ts'
import {
  type Accepted,
  type PayoutOrder,
  type PayoutRail,
  type RailAnswer,
  type RailPayoutStatus,
  type Unknown,
  unknown,
} from '../rail.ts'
import { ORDER_REFUSED, refusedOrder, unreadable } from '../wire-format.ts'
import type { PayoutsAccount } from './account.ts'
import { type Batches, batchReference, type Sought } from './batches.ts'
import { documentNumber, documentType, payoutMeaning, payoutReason, saysKeyUsed } from './codes.ts'
import { type Batch, failureCodeOf, type PayoutRequest, readCreated } from './wire.ts'

// An order without an answer arrives within this time, or never.
const RESEND_AFTER_MS = 120_000

type Submitted = RailAnswer<RailPayoutStatus, PayoutErrorCode>

export function wompiPayouts(
  gateway: Gateway,
  limits: Limits,
  { accountId }: PayoutsAccount,
  batches: Batches,
): PayoutRail {
  const statusOf = async (batch: Batch, sought: Sought): Promise<Accepted<RailPayoutStatus> | Unknown> => {
    batches.seen(sought)
    const found = await batches.payoutOf(batch, sought)
    if (found.outcome === 'unknown') return found
    const { payout } = found
    const failureCode = failureCodeOf(payout?.failureReason)
    const meaning = payoutMeaning(batch.status, payout && { status: payout.status, failureCode })
    const providerId = batch.id
    if (meaning?.state === 'completed' && payout !== null)
      return accepted({
        providerId,
        state: 'completed',
        traceId: paymentIdOf('wompi', payout.id),
        amountInCents: BigInt(payout.amountInCents),
      })
    if (meaning !== undefined && meaning.state !== 'completed') return accepted({ providerId, ...meaning })
    return unknown(
      'undecided',
      `the batch is in ${batch.status} and its payout in ${payout?.status ?? 'no state'}, which settles nothing`,
    )
  }

  const statusById = async (id: string, sought: Sought): Promise<Accepted<RailPayoutStatus> | Unknown> => {
    const found = await batches.byId(id, sought)
    return found.outcome === 'unknown' ? found : statusOf(found.batch, sought)
  }

  // An earlier order of this payout may have arrived, although its answer was lost. Then it is the order that counts.
  const afterRefusal = async (order: PayoutOrder, refusal: Refused): Promise<Submitted> => {
    const refused = saysKeyUsed(refusal.code, refusal.httpStatus)
      ? unknown('undecided', 'the idempotency key was used, and no batch is found')
      : refusedOrder<PayoutErrorCode>(refusal, payoutReason(refusal.code), 'RAIL_ERROR', ORDER_REFUSED)
    const found = await batches.search(order)
    if (found.outcome === 'nothing') return refused
    return found.outcome === 'unknown' ? found : asSubmitted(await statusOf(found.batch, order))
  }

  return {
    submit: async (order): Promise<Submitted> => {
      const key = batchReference(order.reference)
      const reply = await gateway.ask({
        method: 'POST',
        resource: '/v2/payouts',
        id: null,
        headers: { 'idempotency-key': key },
        reference: order.reference,
        body: payoutRequest(order, key, accountId),
        deadlineMs: limits.submitMs,
        mayAskAgain: false,
      })
      if (reply.outcome === 'unknown') return reply
      if (reply.outcome === 'refused') return afterRefusal(order, reply)
      const created = readCreated(reply.body)
      if (created?.transactions !== 1 || created.success + created.failed !== 1)
        return unreadable('the answer is not the batch that was asked for')
      batches.seen(order)
      const taken = accepted({ providerId: created.payoutId, state: 'processing' })
      if (created.failed === 0) return taken
      // The batch was accepted, and its payout refused. Why is said elsewhere.
      const status = await statusById(created.payoutId, order)
      return status.outcome === 'unknown' ? taken : asSubmitted(status)
    },

    query: async (payment) => {
      if (payment.providerId !== null) return statusById(payment.providerId, payment)
      const found = await batches.search(payment)
      if (found.outcome === 'unknown') return found
      if (found.outcome === 'found') return statusOf(found.batch, payment)
      return (await batches.provesAbsence(payment))
        ? accepted({ state: 'absent' })
        : unknown('undecided', 'no batch is found, and the search has not been seen to find any')
    },

    resendAfterMs: RESEND_AFTER_MS,
  }
}

function accepted(value: RailPayoutStatus): Accepted<RailPayoutStatus> {
  return { outcome: 'accepted', value }
}

function asSubmitted(status: Accepted<RailPayoutStatus> | Unknown): Submitted {
  if (status.outcome === 'unknown' || status.value.state !== 'rejected') return status
  const { reason, networkCode } = status.value
  return { outcome: 'rejected', reason, networkCode }
}

function payoutRequest(
  { amountInCents, keyString, customer }: PayoutOrder,
  reference: string,
  accountId: string,
): PayoutRequest {
  return {
    reference,
    accountId,
    paymentType: 'OTHER',
    transactions: [
      {
        key: keyString,
        name: customer.name,
        email: customer.email,
        amount: centsToNumber(amountInCents),
        ...document(customer),
        reference,
      },
    ],
  }
}

// Both fields or none.
function document({ idType, idNumber }: Customer): { legalIdType?: string; legalId?: string } {
  const legalIdType = documentType(idType)
  return legalIdType === undefined ? {} : { legalIdType, legalId: documentNumber(idNumber) }
}
