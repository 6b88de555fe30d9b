// What a payment page needs from the rest of the service: the page of a token, and a payment link for whoever goes on.

import type { AmountRange } from '../core/connections/amount-range.ts'
import { linkUrl } from '../core/payment-links/payment-link.ts'
import { type PaymentPage, readPageToken } from '../core/payment-pages/payment-page.ts'
import type { Context } from '../flows/context.ts'
import {
  type PayerChoice,
  type StartedPayment,
  startPagePayment,
} from '../flows/payment-pages/start-payment.ts'
import { payableRanges } from '../flows/payment-route.ts'
import { getOrganization } from '../store/organizations/organizations.ts'
import { getPageByToken } from '../store/payment-pages/payment-pages.ts'
import type { CheckoutSubject } from './backend.ts'
import { merchantOf } from './live-backend.ts'

export type PageSubject = {
  readonly page: PaymentPage
  readonly merchant: CheckoutSubject['merchant']
  // What payers can pay over the page's rails.
  readonly payable: readonly AmountRange[]
  // Of the form that the page shows.
  readonly form: string
}
const FORM_BYTES = 16

type Stop = Extract<StartedPayment, { stop: unknown }>

export type PageBackend = {
  load(token: string): Promise<PageSubject | undefined>
  /** The address of a payment of the payer's own. */
  start(page: PaymentPage, choice: PayerChoice): Promise<{ readonly address: string } | Stop>
}

export function livePageBackend(ctx: Context): PageBackend {
  return {
    load: async (token) => {
      const place = readPageToken(token)
      if (place === undefined) return undefined
      const page = await getPageByToken(ctx.db, place.organizationId, place.token)
      const organization = page && (await getOrganization(ctx.db, place.organizationId))
      const form = ctx.ids.randomBytes(FORM_BYTES).toString('base64url')
      if (page === undefined || organization === undefined) return undefined
      const payable = payableRanges(ctx, organization, page.rail)
      return { page, merchant: merchantOf(organization), payable, form }
    },
    start: async ({ organizationId, paymentPageId }, choice) => {
      const organization = await getOrganization(ctx.db, organizationId)
      if (organization === undefined) return { stop: 'closed' }
      const started = await startPagePayment(ctx, organization, paymentPageId, choice)
      if ('stop' in started) return started
      return { address: new URL(linkUrl(ctx.settings.checkoutUrl, started.link)).pathname }
    },
  }
}
