// What somebody at the counter is shown to pay an open payin over Bre-B: the code for their bank's app, and the key to type.

import { type Html, html, trustedHtml } from '../../core/html.ts'
import { isOpen, type Payin, payinQrPayload } from '../../core/payins/payin.ts'
import { qrSvg } from '../../core/qr-image.ts'
import { copyable } from '../curl-block.ts'
import { amountText } from '../format.ts'
import type { Visit } from '../visit.ts'
import { PAYIN_WORDS } from './words.ts'

export function collectCard(visit: Visit, payin: Payin): Html | false {
  const { language, organization } = visit
  const payload = payinQrPayload(organization, payin)
  // The payers of a link are on its page.
  if (!isOpen(payin) || payload === null || payin.paymentLinkId !== null) return false
  const words = PAYIN_WORDS[language]
  const key = payin.source.rail === 'BRE_B' ? (payin.source.keyString ?? '') : ''
  return html`<section class="share card collect"><div class="share-qr" role="img" aria-label="${words.qr}">${trustedHtml(qrSvg(payload))}</div><div class="share-ways"><h2>${words.scan}</h2><p class="collect-amount">${amountText(payin.amountInCents, language)}</p><p class="soft">${words.orKey}</p><p class="share-url">${copyable(visit, key)}</p></div></section>`
}
