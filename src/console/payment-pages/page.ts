// The page of one payment page: what it sells, how much it sold, and how to share it.

import { closePaymentPageOperation, getPaymentPageOperation } from '../../api/payment-pages/operations.ts'
import { html } from '../../core/html.ts'
import { isUuid } from '../../core/ids.ts'
import { presentPage } from '../../core/payment-pages/object.ts'
import { type PaymentPage, pageUrl } from '../../core/payment-pages/payment-page.ts'
import { getPage } from '../../store/payment-pages/payment-pages.ts'
import { actionButton, problemSummary } from '../form-frame.ts'
import { type FormState, newForm } from '../form-state.ts'
import { amountText, countText, timeText, withFullStop } from '../format.ts'
import { type FactGroup, objectPage } from '../objects/object-page.ts'
import { shareCard } from '../objects/share.ts'
import { actEntries, callEntries, eventEntries, madeEntry } from '../objects/sources.ts'
import { OBJECT_WORDS } from '../objects/words.ts'
import type { Page } from '../page.ts'
import { LINK_WORDS } from '../payment-links/words.ts'
import { eyesOf } from '../people.ts'
import type { Route } from '../route.ts'
import type { Visit } from '../visit.ts'
import { STATES, statusMark, toneOf } from '../words/states.ts'
import { PAYMENT_PAGE_WORDS } from './words.ts'

async function pageOf({ ctx, organization, request }: Visit): Promise<PaymentPage | undefined> {
  const { pageId } = request.params as { pageId: string }
  return isUuid(pageId) ? getPage(ctx.db, organization.organizationId, pageId.toLowerCase()) : undefined
}

async function pagePage(visit: Visit, form: FormState = newForm(visit)): Promise<Page | undefined> {
  const page = await pageOf(visit)
  if (page === undefined) return undefined
  const { ctx, language, organization, home } = visit
  const { paymentPageId } = page
  const words = PAYMENT_PAGE_WORDS[language]
  const eyes = await eyesOf(visit)
  const entries = await Promise.all([
    callEntries(visit, paymentPageId),
    actEntries(visit, paymentPageId),
    eventEntries(visit, paymentPageId, eyes),
  ])
  const url = pageUrl(ctx.settings.checkoutUrl, page)
  const price = page.amountInCents === null ? words.openAmount : amountText(page.amountInCents, language)
  return objectPage(visit, {
    section: 'links',
    list: { path: '/pages', label: words.list },
    id: paymentPageId,
    name: page.reference,
    headline: page.name,
    status: statusMark(page.status, STATES[language].page[page.status]),
    sentence: sentenceOf(visit, page),
    tone: toneOf(page.status),
    actions: [
      html`<a class="button" href="${home}/links?page=${paymentPageId}&amp;period=all">${words.links}</a>`,
      page.status === 'OPEN' &&
        actionButton(visit, newForm(visit), {
          action: `/pages/${paymentPageId}/close`,
          operation: closePaymentPageOperation,
          submit: words.close,
          isGrave: true,
          call: { params: { paymentPageId } },
          confirm: words.closeSure,
        }),
    ],
    problem: problemSummary(visit, form, []),
    before:
      page.status === 'OPEN' &&
      shareCard(visit, {
        url,
        qrLabel: words.qr,
        chatText: LINK_WORDS[language].whatsappText(price, organization.name, url),
      }),
    groups: groupsOf(visit, page),
    entries: [madeEntry(visit, page.createdAt), ...entries.flat()],
    json: JSON.stringify(presentPage(ctx.settings.checkoutUrl, page)),
    operation: getPaymentPageOperation,
    call: { params: { paymentPageId } },
    watches: [`pages/${paymentPageId}`],
  })
}

function sentenceOf({ language }: Visit, page: PaymentPage): string {
  const words = PAYMENT_PAGE_WORDS[language]
  const state = { OPEN: words.isOpen, SOLD_OUT: words.isSoldOut, CLOSED: words.isClosed }[page.status]
  const left =
    page.status === 'OPEN' && page.maxPieces !== null ? [words.left(page.maxPieces - page.paidPieces)] : []
  return [words.sold(page.paidPayments, amountText(page.paidInCents, language)), state, ...left]
    .map(withFullStop)
    .join(' ')
}

function groupsOf({ language, ctx }: Visit, page: PaymentPage): FactGroup[] {
  const { fields, facts } = OBJECT_WORDS[language]
  const words = PAYMENT_PAGE_WORDS[language]
  const now = ctx.clock.now()
  const ofMost = (count: number, most: number | null) =>
    `${countText(count, language)}${most === null ? '' : ` / ${countText(most, language)}`}`
  const range = [page.minAmountInCents, page.maxAmountInCents]
    .map((cents) => (cents === null ? '…' : amountText(cents, language)))
    .join(' – ')
  return [
    {
      title: facts,
      facts: [
        [
          fields.amount,
          page.amountInCents === null
            ? `${words.openAmount} (${range})`
            : amountText(page.amountInCents, language),
        ],
        [fields.rail, page.rail === null ? LINK_WORDS[language].anyRail : STATES[language].rails[page.rail]],
        [fields.paid, amountText(page.paidInCents, language)],
        [fields.payments, ofMost(page.paidPayments, page.maxPayments)],
        [fields.pieces, page.maxPieces === null ? null : ofMost(page.paidPieces, page.maxPieces)],
        [fields.held, page.heldPieces === 0 ? null : countText(page.heldPieces, language)],
        [fields.validUntil, page.validUntil === null ? null : timeText(page.validUntil, now, language)],
        [fields.created, timeText(page.createdAt, now, language)],
        [fields.description, page.description],
        ...Object.entries(page.metadata ?? {}),
      ],
    },
  ]
}

function idOf({ request }: Visit): string {
  return (request.params as { pageId: string }).pageId
}

export const pageRoutes: readonly Route[] = [
  { method: 'GET', path: '/pages/:pageId', scope: 'links:read', show: (visit) => pagePage(visit) },
  {
    method: 'POST',
    path: '/pages/:pageId/close',
    operation: closePaymentPageOperation,
    call: (visit) => ({ params: { paymentPageId: idOf(visit) } }),
    done: (visit) => `/pages/${idOf(visit)}`,
    again: pagePage,
  },
]
