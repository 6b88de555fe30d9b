// An address to be given to payers: to copy, to send by chat, to be scanned.

import { type Html, html, trustedHtml } from '../../core/html.ts'
import { qrSvg } from '../../core/qr-image.ts'
import { copyable } from '../curl-block.ts'
import { icon } from '../icons.ts'
import type { Visit } from '../visit.ts'
import { OBJECT_WORDS } from './words.ts'

export function shareCard(
  visit: Visit,
  { url, qrLabel, chatText, also }: { url: string; qrLabel: string; chatText: string; also?: Html },
): Html {
  const words = OBJECT_WORDS[visit.language]
  const chat = `https://wa.me/?text=${encodeURIComponent(chatText)}`
  return html`<section class="share card"><div class="share-qr" role="img" aria-label="${qrLabel}">${trustedHtml(qrSvg(url))}</div><div class="share-ways"><p class="share-url">${copyable(visit, url, words.copyLink)}</p><p class="share-buttons"><a class="button" href="${url}" target="_blank" rel="noopener">${icon('outside')}${words.openPage}</a><a class="button" href="${chat}" target="_blank" rel="noopener noreferrer">${icon('send')}WhatsApp</a>${also}</p></div></section>`
}
