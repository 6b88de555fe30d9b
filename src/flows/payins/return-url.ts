// Where the bank sends the payer back to: the page the payer came from. It is part of the order to the network, so it is
// kept with the payin when that is created and stays as it is if our own address changes.

import { payinPageToken } from '../../core/payins/page-token.ts'
import type { Payin } from '../../core/payins/payin.ts'
import { linkUrl, type PaymentLink } from '../../core/payment-links/payment-link.ts'
import type { Needs } from '../context.ts'

export function withReturnUrl(ctx: Needs<'settings'>, payin: Payin, link?: PaymentLink): Payin {
  if (payin.source.rail !== 'PSE') return payin
  return { ...payin, frozenOrder: { ...payin.frozenOrder, returnUrl: returnUrlOf(ctx, payin, link) } }
}

// An attempt on a payment link belongs to the link's page, where the payer can start another.
export function returnUrlOf(ctx: Needs<'settings'>, payin: Payin, link: PaymentLink | undefined): string {
  const { checkoutUrl, keys } = ctx.settings
  const page = link ? linkUrl(checkoutUrl, link) : `${checkoutUrl}/pay/${payinPageToken(keys.page, payin)}`
  return `${page}/return`
}
