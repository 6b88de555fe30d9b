// recaudo payins: money coming in.

import type { CreatePayin, ListPayinsQuery, Payin } from '@recaudo/sdk'
import { bodyOf } from './body.ts'
import { callOptions, openClient } from './client.ts'
import { fields } from './columns.ts'
import type { Call, Shown } from './command.ts'
import { filters, listed, pageSizeFor, readLimit } from './listing.ts'
import { pesos } from './money.ts'
import { shownTime } from './time.ts'

export async function createPayin(call: Call): Promise<Shown> {
  const body = bodyOf(call.flags, ['rail', 'amount-in-cents', 'reference'], (given) => ({
    '/currency': 'COP',
    ...(given.rail === 'BRE_B' && { '/breb/keyType': 'SINGLE_USE' }),
    ...(given.rail === 'PSE' && { '/pse/personType': 'INDIVIDUAL' }),
    ...(given.inlineCustomer !== undefined && { '/inlineCustomer/idType': 'CO_CC' }),
  }))
  const { recaudo } = await openClient()
  return withQr(await recaudo.payins.create(body as CreatePayin, callOptions(call)))
}

export async function listPayins({ flags }: Call): Promise<Shown> {
  const limit = readLimit(flags)
  const query = filters(flags, {
    status: 'status',
    rail: 'rail',
    reference: 'reference',
    'payment-link-id': 'paymentLinkId',
    'created-from': 'createdFrom',
    'created-to': 'createdTo',
  }) as ListPayinsQuery
  const { recaudo } = await openClient()
  return listed(
    recaudo.payins.list({ ...query, pageSize: pageSizeFor(limit + 1) }),
    limit,
    ['id', 'created', 'rail', 'amount', 'status', 'reference', 'customer'],
    (payin) => [
      payin.id,
      shownTime(payin.createdAt),
      payin.rail,
      pesos(payin.amountInCents),
      payin.errorCode === null ? payin.status : `${payin.status} ${payin.errorCode}`,
      payin.reference,
      payin.inlineCustomer,
    ],
  )
}

export async function getPayin({ argument, flags }: Call): Promise<Shown> {
  const { recaudo } = await openClient()
  const payin = await recaudo.payins.get(argument)
  return flags.qr === true ? withQr(payin) : shownPayin(payin)
}

export async function cancelPayin(call: Call): Promise<Shown> {
  const { recaudo } = await openClient()
  return shownPayin(await recaudo.payins.cancel(call.argument, callOptions(call)))
}

// Draws the image that the API sent, so a phone reads the very code that a shop would show.
async function withQr(payin: Payin): Promise<Shown> {
  const shown = shownPayin(payin)
  const { sourceData: source } = payin
  if (!('qrString' in source) || !source.qrString) return shown
  const { qrImageInTerminal } = await import('./qr-code.ts')
  const drawing = qrImageInTerminal(source.qrString)
  return drawing === undefined ? shown : { ...shown, text: () => `${shown.text()}\n\n${drawing}` }
}

export function shownPayin(payin: Payin): Shown {
  const { sourceData: source } = payin
  return {
    json: payin,
    text: () =>
      fields([
        ['id', payin.id],
        ['status', payin.status],
        ['error', payin.errorCode],
        ['rail', payin.rail],
        ['amount', pesos(payin.amountInCents)],
        ['confirmed', pesos(payin.confirmedAmountInCents)],
        ['settlement', payin.settlementStatus],
        ['reference', payin.reference],
        ['customer', payin.inlineCustomer?.name],
        ...('keyString' in source
          ? ([
              ['key to pay to', source.keyString],
              ['page to pay on', source.checkoutUrl],
              [
                'QR image',
                source.qrString && 'in sourceData.qrString (--json), or drawn here by `payins get --qr`',
              ],
            ] as const)
          : ([
              ['bank', source.bank],
              ['page to pay on', source.pseUrl],
            ] as const)),
        ['payment link', payin.paymentLinkId],
        ['created', shownTime(payin.createdAt)],
        ['expires', payin.resultAt === null ? shownTime(payin.expiresAt) : null],
        ['ended', shownTime(payin.resultAt)],
        ['charged back', shownTime(payin.chargebackAt)],
      ]),
  }
}
