// recaudo pages: pages to sell by, and their address as a QR code in the terminal.

import type { CreatePaymentPage, ListPaymentPagesQuery, PaymentPage, PaymentPageChanges } from '@recaudo/sdk'
import { bodyOf, changesOf, type FieldFlag } from './body.ts'
import { callOptions, openClient } from './client.ts'
import { fields } from './columns.ts'
import type { Call, Flags, Shown } from './command.ts'
import { usageFailure } from './failure.ts'
import { filters, listed, pageSizeFor, readLimit } from './listing.ts'
import { pesos } from './money.ts'
import { shownTime } from './time.ts'

const ALWAYS: readonly FieldFlag[] = ['page-name', 'amount-in-cents', 'reference']
const OPTIONAL: readonly FieldFlag[] = [
  ...(['description', 'callback-url', 'min-amount-in-cents', 'max-amount-in-cents'] as const),
  ...(['max-pieces', 'max-payments', 'valid-until'] as const),
]

export async function createPage(call: Call): Promise<Shown> {
  const { flags } = call
  const body = bodyOf(flags, ['page-name', 'reference'], (given) => ({
    '/amountType': given.amountInCents === undefined ? 'OPEN' : 'FIXED',
  }))
  const { recaudo } = await openClient()
  return withQr(await recaudo.paymentPages.create(body as CreatePaymentPage, callOptions(call)), flags)
}

export async function listPages({ flags }: Call): Promise<Shown> {
  const limit = readLimit(flags)
  const query = filters(flags, {
    status: 'status',
    reference: 'reference',
    'created-from': 'createdFrom',
    'created-to': 'createdTo',
  }) as ListPaymentPagesQuery
  const { recaudo } = await openClient()
  return listed(
    recaudo.paymentPages.list({ ...query, pageSize: pageSizeFor(limit + 1) }),
    limit,
    ['id', 'created', 'name', 'amount', 'status', 'paid', 'page'],
    (page) => [
      page.paymentPageId,
      shownTime(page.createdAt),
      page.name,
      amountOf(page),
      page.status,
      String(page.paidPayments),
      page.paymentPageUrl,
    ],
  )
}

export async function getPage({ argument, flags }: Call): Promise<Shown> {
  const { recaudo } = await openClient()
  return withQr(await recaudo.paymentPages.get(argument), flags)
}

export async function updatePage({ argument, flags }: Call): Promise<Shown> {
  const changes = changesOf(flags, OPTIONAL)
  if (Object.keys(changes).length === 0)
    throw usageFailure(
      `Say what to change: ${[...ALWAYS, ...OPTIONAL].map((flag) => `--${flag}`).join(', ')} or --data.`,
    )
  const { recaudo } = await openClient()
  return shownPage(await recaudo.paymentPages.update(argument, changes as PaymentPageChanges))
}

export async function closePage(call: Call): Promise<Shown> {
  const { recaudo } = await openClient()
  return shownPage(await recaudo.paymentPages.close(call.argument, callOptions(call)))
}

async function withQr(page: PaymentPage, flags: Flags): Promise<Shown> {
  const shown = shownPage(page)
  if (flags.qr !== true) return shown
  const { qrInTerminal } = await import('./qr-code.ts')
  return { ...shown, text: () => `${shown.text()}\n\n${qrInTerminal(page.paymentPageUrl)}` }
}

function amountOf({ amountInCents }: PaymentPage): string {
  return amountInCents === null ? 'typed by the payer' : (pesos(amountInCents) ?? '')
}

export function shownPage(page: PaymentPage): Shown {
  const left = (most: number | null, taken: number) => (most === null ? null : String(most - taken))
  return {
    json: page,
    text: () =>
      fields([
        ['id', page.paymentPageId],
        ['status', page.status],
        ['name', page.name],
        ['description', page.description],
        ['page', page.paymentPageUrl],
        ['amount', amountOf(page)],
        ['at least', pesos(page.minAmountInCents)],
        ['at most', pesos(page.maxAmountInCents)],
        ['reference', page.reference],
        ['open', String(page.openPayments)],
        ['paid', `${page.paidPayments}, ${pesos(page.paidAmountInCents)}`],
        ['pieces left', left(page.maxPieces, page.paidPieces + page.openPieces)],
        ['payments left', left(page.maxPayments, page.paidPayments + page.openPayments)],
        ['until', shownTime(page.validUntil)],
        ['created', shownTime(page.createdAt)],
      ]),
  }
}
