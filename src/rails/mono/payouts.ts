// Money going out over Mono: a transfer to a key. A second transfer under the same reference pays a second time, so one that may have
// been taken is searched for, and an answer that says no is believed only if the search finds nothing.

import { createHash } from 'node:crypto'
import type { PayoutErrorCode } from '../../core/payouts/payout.ts'
import { uuidText } from '../../core/uuid-token.ts'
import type { Gateway } from '../gateway.ts'
import type { Limits } from '../limits.ts'
import { paymentIdOf } from '../provider.ts'
import {
  type Accepted,
  type PaymentHandle,
  type PayoutOrder,
  type PayoutRail,
  type RailAnswer,
  type RailPayoutStatus,
  type Unknown,
  unknown,
} from '../rail.ts'
import { ORDER_REFUSED, refusedOrder, undecided, unreadable } from '../wire-format.ts'
import { expectedCreditor, payoutReason, TRANSFER_MEANINGS } from './codes.ts'
import { searchByReference } from './pages.ts'
import {
  moneyOf,
  readTransfer,
  readTransferBatch,
  TRANSFERS,
  type Transfer,
  type TransferRequest,
} from './wire.ts'

type SubmitAnswer = RailAnswer<RailPayoutStatus, PayoutErrorCode>
type StatusAnswer = Accepted<RailPayoutStatus> | Unknown
type Ordered = Pick<PaymentHandle, 'reference' | 'amountInCents'>

// An order is taken within seconds or not at all.
const RESEND_AFTER_MS = 120_000

export function monoPayouts(gateway: Gateway, limits: Limits, accountId: string): PayoutRail {
  const search = async (ordered: Ordered): Promise<StatusAnswer> => {
    const { reference } = ordered
    // The documentation does not print what the list is called.
    const names = ['transfers', 'outgoing_transfers']
    const call = { resource: TRANSFERS, reference, deadlineMs: limits.queryMs, names }
    const listed = await searchByReference(gateway, call, readTransfer)
    if (listed.outcome === 'unknown') return listed
    const [first, ...others] = listed.entries
    if (first === undefined) return accepted({ state: 'absent' })
    if (others.length === 0) return statusOf(first, ordered)
    const states = listed.entries.map(({ state }) => state).join(', ')
    return unknown('undecided', `Mono has several transfers under one reference: ${states}`)
  }

  const read = async (ordered: Ordered, id: string): Promise<StatusAnswer> => {
    const reply = await gateway.ask({
      method: 'GET',
      resource: TRANSFERS,
      id,
      reference: ordered.reference,
      deadlineMs: limits.queryMs,
      mayAskAgain: true,
    })
    if (reply.outcome === 'unknown') return reply
    // Mono has given us this id, so even "not found" does not mean that the payout may be submitted again.
    if (reply.outcome === 'refused') return undecided(reply)
    const transfer = readTransfer(reply.body)
    if (transfer?.id !== id) return unreadable('the answer is not the transfer that was asked for')
    return statusOf(transfer, ordered)
  }

  // An order that came before may have been taken, whatever Mono answers to this one.
  const unlessItExists = async (order: PayoutOrder, refusal: SubmitAnswer): Promise<SubmitAnswer> => {
    const found = await search(order)
    if (found.outcome === 'accepted' && found.value.state === 'absent') return refusal
    return asSubmitted(found)
  }

  return {
    submit: async (order) => {
      const { reference } = order
      const reply = await gateway.ask({
        method: 'POST',
        resource: TRANSFERS,
        id: null,
        reference,
        headers: { 'x-idempotency-key': idempotencyKey(reference) },
        body: transferRequest(order, accountId),
        deadlineMs: limits.submitMs,
        mayAskAgain: false,
      })
      if (reply.outcome === 'unknown') return reply
      if (reply.outcome === 'refused')
        return unlessItExists(order, refusedOrder(reply, undefined, 'RAIL_ERROR', ORDER_REFUSED))
      const batch = readTransferBatch(reply.body)
      const taken = (batch?.accepted_transfers ?? []).concat(batch?.transfers ?? [])
      const rejected = batch?.rejected_transfers ?? []
      if (taken.length + rejected.length !== 1)
        return unreadable('the answer is not about the one transfer that was ordered')
      const [rejection] = rejected
      if (rejection === undefined) {
        const transfer = readTransfer(taken[0])
        if (transfer === undefined) return unreadable('the answer is not a transfer')
        return asSubmitted(statusOf(transfer, order))
      }
      if (rejection.external_id !== reference)
        return unreadable('the rejection is of another transfer than the one that was ordered')
      const { reason } = rejection
      return unlessItExists(order, { outcome: 'rejected', reason: payoutReason(reason), networkCode: reason })
    },

    query: ({ providerId, ...ordered }) =>
      providerId === null ? search(ordered) : read(ordered, providerId),

    resendAfterMs: RESEND_AFTER_MS,
  }
}

function accepted(value: RailPayoutStatus): Accepted<RailPayoutStatus> {
  return { outcome: 'accepted', value }
}

function asSubmitted(answer: StatusAnswer): SubmitAnswer {
  if (answer.outcome === 'unknown' || answer.value.state !== 'rejected') return answer
  const { reason, networkCode } = answer.value
  return { outcome: 'rejected', reason, networkCode }
}

function statusOf(transfer: Transfer, { reference, amountInCents }: Ordered): StatusAnswer {
  const { id, state, state_reason: stateReason } = transfer
  if (transfer.external_id !== reference || BigInt(transfer.amount.amount) !== amountInCents)
    return unreadable('the transfer is not the one that was ordered')
  const providerId = id
  // A transfer shows no end-to-end id, so its own id is the trace.
  const traceId = paymentIdOf('mono', id)
  const networkCode = stateReason ?? state
  switch (TRANSFER_MEANINGS[state]) {
    case 'processing':
      return accepted({ providerId, state: 'processing' })
    case 'completed':
      return accepted({ providerId, state: 'completed', traceId, amountInCents })
    case 'returned':
      return accepted({ providerId, state: 'returned', traceId, networkCode })
    case 'canceled':
      return accepted({ providerId, state: 'canceled', reason: 'RAIL_ERROR', networkCode })
    case 'rejected':
      return accepted({ providerId, state: 'rejected', reason: payoutReason(networkCode), networkCode })
  }
}

// The receiver sees it. In the sandbox some words would decide how the transfer ends.
const DESCRIPTION = 'Pago'

function transferRequest(order: PayoutOrder, accountId: string): TransferRequest {
  const creditor = expectedCreditor(order.customer)
  return {
    tenant_account_id: accountId,
    transfers: [
      {
        external_id: order.reference,
        amount: moneyOf(order.amountInCents),
        description: DESCRIPTION,
        query: { format: 'plain_key', value: order.keyString },
        ...(creditor && { expected_creditor: creditor }),
      },
    ],
  }
}

// Mono's guides ask for one with each transfer, and do not say what it does to this one. It is always the same for a reference, and a
// UUID of version 4, which one guide wants and another does not mind.
function idempotencyKey(reference: string): string {
  const bytes = createHash('sha256').update(reference).digest().subarray(0, 16)
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  return uuidText(bytes)
}
