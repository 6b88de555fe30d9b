// recaudo payouts: money going out.

import type { CreatePayout, ListPayoutsQuery, Payout } from '@recaudo/sdk'
import { bodyOf } from './body.ts'
import { callOptions, openClient } from './client.ts'
import { fields } from './columns.ts'
import type { Call, Shown } from './command.ts'
import { filters, listed, pageSizeFor, readLimit } from './listing.ts'
import { pesos } from './money.ts'
import { shownTime } from './time.ts'

export async function createPayout(call: Call): Promise<Shown> {
  const body = bodyOf(
    call.flags,
    ['amount-in-cents', 'key', 'reference', 'name', 'email', 'phone', 'document-number'],
    () => ({ '/currency': 'COP', '/rail': 'BRE_B', '/inlineCustomer/idType': 'CO_CC' }),
  )
  const { recaudo } = await openClient()
  return shownPayout(await recaudo.payouts.create(body as CreatePayout, callOptions(call)))
}

export async function listPayouts({ flags }: Call): Promise<Shown> {
  const limit = readLimit(flags)
  const query = filters(flags, {
    status: 'status',
    reference: 'reference',
    'created-from': 'createdFrom',
    'created-to': 'createdTo',
  }) as ListPayoutsQuery
  const { recaudo } = await openClient()
  return listed(
    recaudo.payouts.list({ ...query, pageSize: pageSizeFor(limit + 1) }),
    limit,
    ['id', 'created', 'amount', 'status', 'key', 'reference', 'customer'],
    (payout) => [
      payout.id,
      shownTime(payout.createdAt),
      pesos(payout.amountInCents),
      payout.errorCode === null ? payout.status : `${payout.status} ${payout.errorCode}`,
      payout.sourceData.keyString,
      payout.reference,
      payout.inlineCustomer.name,
    ],
  )
}

export async function getPayout({ argument }: Call): Promise<Shown> {
  const { recaudo } = await openClient()
  return shownPayout(await recaudo.payouts.get(argument))
}

export async function cancelPayout(call: Call): Promise<Shown> {
  const { recaudo } = await openClient()
  return shownPayout(await recaudo.payouts.cancel(call.argument, callOptions(call)))
}

export function shownPayout(payout: Payout): Shown {
  return {
    json: payout,
    text: () =>
      fields([
        ['id', payout.id],
        ['status', payout.status],
        ['error', payout.errorCode],
        ['amount', pesos(payout.amountInCents)],
        ['key', payout.sourceData.keyString],
        ['reference', payout.reference],
        ['customer', payout.inlineCustomer.name],
        ['created', shownTime(payout.createdAt)],
        ['ended', shownTime(payout.resultAt)],
      ]),
  }
}
