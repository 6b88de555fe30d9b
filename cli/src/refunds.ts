// recaudo refunds: money given back to payers.

import type { CreateRefund, ListRefundsQuery, Refund, Refunds } from '@recaudo/sdk/refunds'
import { bodyOf } from './body.ts'
import { callOptions } from './client.ts'
import { fields } from './columns.ts'
import type { Call, Shown } from './command.ts'
import { readSignIn } from './credentials.ts'
import { filters, listed, pageSizeFor, readLimit } from './listing.ts'
import { pesos } from './money.ts'
import { shownTime } from './time.ts'

export async function createRefund(call: Call): Promise<Shown> {
  const body = bodyOf(call.flags, ['reason'], () => ({})) as CreateRefund
  return shownRefund(await (await openRefunds()).create(call.argument, body, callOptions(call)))
}

export async function listRefunds({ flags }: Call): Promise<Shown> {
  const limit = readLimit(flags)
  const query = filters(flags, {
    status: 'status',
    reason: 'reason',
    payin: 'payinId',
    'created-from': 'createdFrom',
    'created-to': 'createdTo',
  }) as ListRefundsQuery
  const refunds = await openRefunds()
  return listed(
    refunds.list({ ...query, pageSize: pageSizeFor(limit + 1) }),
    limit,
    ['id', 'created', 'amount', 'status', 'stage', 'reason', 'payin'],
    (refund) => [
      refund.id,
      shownTime(refund.createdAt),
      pesos(refund.amountInCents),
      refund.errorCode === null ? refund.status : `${refund.status} ${refund.errorCode}`,
      refund.stage,
      refund.reason,
      refund.payinId,
    ],
  )
}

export async function getRefund({ argument }: Call): Promise<Shown> {
  return shownRefund(await (await openRefunds()).get(argument))
}

export async function cancelRefund(call: Call): Promise<Shown> {
  return shownRefund(await (await openRefunds()).cancel(call.argument, callOptions(call)))
}

export function shownRefund(refund: Refund): Shown {
  const { legalDeadline, claim } = refund
  return {
    json: refund,
    text: () =>
      fields([
        ['id', refund.id],
        ['payin', refund.payinId],
        ['status', refund.status],
        ['stage', refund.stage],
        ['error', refund.errorCode],
        ['amount', pesos(refund.amountInCents)],
        ['reason', refund.reason],
        ['legal deadline', legalDeadline && `${legalDeadline.day} (estimate)`],
        ['way', refund.way],
        ['claim page', refund.claimUrl],
        ['claimed by', claim && `${claim.holderName}, ${claim.participant} (${claim.match})`],
        ['payout', refund.payoutId],
        ['created', shownTime(refund.createdAt)],
        ['ended', shownTime(refund.resultAt)],
      ]),
  }
}

export async function openRefunds(): Promise<Refunds> {
  const { Refunds } = await import('@recaudo/sdk/refunds')
  const { credentials, baseUrl } = readSignIn()
  return new Refunds(credentials, { baseUrl })
}
