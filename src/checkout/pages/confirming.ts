// The payer has done their part, or time is over, and the network has not said how it ended. The one thing to know: this
// is the moment in which people pay twice, so the page says that the money may have moved and where to look.

import { html } from '../../core/html.ts'
import type { CheckoutPayin } from '../backend.ts'
import { spinner } from './bank.ts'
import type { Page } from './layout.ts'
import { openNotice, otherWay, paidButton } from './open-attempt.ts'
import { address, bankName, type Scene, webAddress } from './page-context.ts'
import { receipt } from './receipt.ts'
import { wayBack } from './return-link.ts'

const REFRESH_SECONDS = 10

export function confirmingPage(
  scene: Scene,
  payin: CheckoutPayin,
  version: string,
  isOverdue: boolean,
): Page {
  const { subject, words } = scene
  const text = words.confirming
  const byPse = payin.rail === 'PSE'
  const title = byPse ? text.title : text.titleBreb
  const { name, contact } = subject.merchant
  const bankUrl = byPse && !isOverdue ? webAddress(payin.bankUrl) : null
  const content = html`${openNotice(scene)}
${spinner}
<h1>${title}</h1>
<p>${text.unsure}${byPse && ` ${text.verify}`}</p>
<p class="live">${text.live}</p>
${contact !== null && html`<p>${text.contact(name, contact)}</p>`}
${paidButton(scene, text.check)}
${bankUrl !== null && html`<p><a class="button plain" href="${bankUrl}">${words.bank.continue(bankName(scene, payin.bank))}</a></p>`}
${wayBack(scene, { isEnd: false })}
${!isOverdue && otherWay(scene, payin)}
${receipt(scene)}`
  const page = { title, content, version, refresh: { seconds: REFRESH_SECONDS } }
  return scene.step === 'back' ? { ...page, recheck: address(scene, { below: '/recheck' }) } : page
}
