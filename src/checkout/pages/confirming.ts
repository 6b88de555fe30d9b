// The payer has done their part, or time is over, and the network has not reported the result. At this moment people
// pay twice, so the page says that the money may have moved and where to check.

import { html } from '../../core/html.ts'
import type { CheckoutPayin } from '../backend.ts'
import { spinner } from './bank.ts'
import { contactLine } from './contact.ts'
import type { Page } from './layout.ts'
import { openNotice, otherMethod, paidButton } from './open-attempt.ts'
import { address, bankName, type PageContext, webAddress } from './page-context.ts'
import { receipt } from './receipt.ts'
import { returnLink } from './return-link.ts'

const REFRESH_SECONDS = 10

export function confirmingPage(
  context: PageContext,
  payin: CheckoutPayin,
  version: string,
  isOverdue: boolean,
): Page {
  const { words } = context
  const text = words.confirming
  const byPse = payin.rail === 'PSE'
  const title = byPse ? text.title : text.titleBreb
  const bankUrl = byPse && !isOverdue ? webAddress(payin.bankUrl) : null
  const content = html`${openNotice(context)}
${spinner}
<h1>${title}</h1>
<p>${isOverdue ? text.overdue : text.unsure}${byPse && ` ${text.verify}`}</p>
<p class="live">${text.live}</p>
${paidButton(context, text.check)}
${returnLink(context, { isEnd: false })}
${contactLine(context)}
${bankUrl !== null && html`<h2>${words.bank.unfinished}</h2><p><a class="button plain" href="${bankUrl}">${words.bank.continue(bankName(context, payin.bank))}</a></p>`}
${!isOverdue && otherMethod(context, payin)}
${receipt(context)}`
  const page = { title, content, version, refresh: { seconds: REFRESH_SECONDS } }
  return context.step === 'back' ? { ...page, recheck: address(context, { below: '/recheck' }) } : page
}
