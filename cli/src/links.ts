// recaudo links: payment links, and their address as a QR code in the terminal.

import type { CreatePaymentLink, ListPaymentLinksQuery, PaymentLink } from '@recaudo/sdk'
import { bodyOf } from './body.ts'
import { callOptions, openClient } from './client.ts'
import { fields } from './columns.ts'
import type { Call, Flags, Shown } from './command.ts'
import { filters, listed, pageSizeFor, readLimit } from './listing.ts'
import { pesos } from './money.ts'
import { shownTime } from './time.ts'

export async function createLink(call: Call): Promise<Shown> {
  const { flags } = call
  const body = bodyOf(flags, ['amount-in-cents', 'reference', 'callback-url'], (given) => ({
    '/amountType': 'FIXED',
    ...(given.inlineCustomer !== undefined && { '/inlineCustomer/idType': 'CO_CC' }),
  }))
  const { recaudo } = await openClient()
  const link = await recaudo.paymentLinks.create(body as CreatePaymentLink, callOptions(call))
  return withQr(link, flags)
}

export async function listLinks({ flags }: Call): Promise<Shown> {
  const limit = readLimit(flags)
  const query = filters(flags, {
    status: 'status',
    reference: 'reference',
    'created-from': 'createdFrom',
    'created-to': 'createdTo',
  }) as ListPaymentLinksQuery
  const { recaudo } = await openClient()
  return listed(
    recaudo.paymentLinks.list({ ...query, pageSize: pageSizeFor(limit + 1) }),
    limit,
    ['id', 'created', 'amount', 'status', 'rail', 'reference', 'page'],
    (link) => [
      link.paymentLinkId,
      shownTime(link.createdAt),
      pesos(link.amountInCents),
      link.status,
      link.rail ?? 'any',
      link.reference,
      link.paymentLinkUrl,
    ],
  )
}

export async function getLink({ argument, flags }: Call): Promise<Shown> {
  const { recaudo } = await openClient()
  return withQr(await recaudo.paymentLinks.get(argument), flags)
}

export async function expireLink(call: Call): Promise<Shown> {
  const { recaudo } = await openClient()
  return shownLink(await recaudo.paymentLinks.expire(call.argument, callOptions(call)))
}

async function withQr(link: PaymentLink, flags: Flags): Promise<Shown> {
  const shown = shownLink(link)
  if (flags.qr !== true) return shown
  const { qrInTerminal } = await import('./qr-code.ts')
  return { ...shown, text: () => `${shown.text()}\n\n${qrInTerminal(link.paymentLinkUrl)}` }
}

export function shownLink(link: PaymentLink): Shown {
  return {
    json: link,
    text: () =>
      fields([
        ['id', link.paymentLinkId],
        ['status', link.status],
        ['page', link.paymentLinkUrl],
        ['amount', pesos(link.amountInCents)],
        ['rail', link.rail ?? 'the payer chooses'],
        ['bank', link.pse?.bank],
        ['reference', link.reference],
        ['customer', link.inlineCustomer?.name],
        ['created', shownTime(link.createdAt)],
        ['expires', link.status === 'PENDING' ? shownTime(link.expiresAt) : null],
        ['completed', shownTime(link.completedAt)],
      ]),
  }
}
