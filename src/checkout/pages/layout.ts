// The frame of every page: head, test ribbon, merchant and amount, content, footer. A page is one response. Style and
// script are inline and the same on every page, so that their hashes in the policy are constant.

import { type Html, html, trustedHtml } from '../../core/html.ts'
import { LOGO_MAX_LENGTH, LOGO_PATTERN } from '../../core/organizations/organization.ts'
import type { CheckoutSubject } from '../backend.ts'
import { amountText } from '../words/format.ts'
import { accentStyle } from './accent.ts'
import { address, type PageContext, type PageSetting } from './page-context.ts'
import { SCRIPT } from './script.ts'
import { STYLE } from './style.ts'

export type Page = {
  readonly title: string
  readonly content: Html
  /** Uses two columns where there is room. */
  readonly isWide?: boolean
  /** Compared by a waiting page. Absent if the page does not wait. */
  readonly version?: string
  /** The address that queries the network at once, when the payer comes back from the bank. */
  readonly recheck?: string
  /** How often a browser without script reloads, and which address. */
  readonly refresh?: { seconds: number; url?: string }
  /** Whose page it is, where nobody has begun to pay. */
  readonly seller?: Seller
}

export type Seller = {
  readonly merchant: CheckoutSubject['merchant']
  readonly previewTitle: string
  readonly previewText: string
}

export type RenderedPage = { readonly text: string; readonly accent: string | undefined }

export function renderPage(setting: PageSetting & Partial<PageContext>, page: Page): RenderedPage {
  const { words, subject, environment } = setting
  const { seller } = page
  const merchant = subject?.merchant ?? seller?.merchant
  const accent = accentStyle(merchant?.accentColor ?? null)
  const { refresh } = page
  const document = html`<!doctype html>
<html lang="${words.locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>${page.title}${merchant && ` · ${merchant.name}`}</title>
<meta name="robots" content="noindex,nofollow">
<meta name="color-scheme" content="light dark">
${subject ? preview(setting, subject) : seller && previewOf(seller.previewTitle, seller.previewText)}
<link rel="icon" href="data:,">
<style>${trustedHtml(STYLE)}</style>
${accent && html`<style>${trustedHtml(accent)}</style>`}
${refresh && html`<noscript><meta http-equiv="refresh" content="${refresh.seconds}${refresh.url && `;url=${refresh.url}`}"></noscript>`}
</head>
<body${page.isWide === true && html` class="wide"`}>
<header>
${environment === 'staging' && html`<p class="ribbon">${words.ribbon}</p>`}
${subject ? charge(setting, subject) : merchant && html`<div class="charge">${logo(merchant)}<p class="who"><b>${merchant.name}</b></p></div>`}
</header>
<main${page.version && html` data-version="${page.version}"`}${page.recheck && html` data-recheck="${page.recheck}"`}>
${page.content}
<p class="heard" role="status"></p>
</main>
<footer>
<p>${words.promise}</p>
<p>${words.poweredBy} ${languageLink(setting)}</p>
</footer>
<script type="module">${trustedHtml(SCRIPT)}</script>
</body>
</html>`
  return { text: document.html, accent }
}

// The preview in a chat, by which most links are sent.
function preview({ words, language }: PageSetting, subject: CheckoutSubject): Html {
  const title = words.previewTitle(amountText(subject.amountInCents, language), subject.merchant.name)
  return previewOf(title, subject.description ?? words.previewText(subject.reference))
}

function previewOf(title: string, text: string): Html {
  return html`<meta property="og:title" content="${title}">
<meta property="og:description" content="${text}">`
}

function charge({ language }: PageSetting, subject: CheckoutSubject): Html {
  const { merchant } = subject
  return html`<div class="charge">
${logo(merchant)}
<p class="who"><b>${merchant.name}</b> <span>${subject.description ?? subject.reference}</span></p>
<p class="amount">${amountText(subject.amountInCents, language)}</p>
</div>`
}

// A merchant without a logo gets its initial in a circle.
function logo(merchant: CheckoutSubject['merchant']): Html {
  const { logoUrl } = merchant
  if (logoUrl !== null && logoUrl.length <= LOGO_MAX_LENGTH && INLINE_IMAGE.test(logoUrl)) {
    return html`<img class="logo" src="${logoUrl}" alt="">`
  }
  const [initial = '·'] = merchant.name.trim()
  return html`<span class="logo" aria-hidden="true">${initial.toUpperCase()}</span>`
}

const INLINE_IMAGE = new RegExp(LOGO_PATTERN)

// Keeps the step, so that the other language shows the same view.
function languageLink(setting: PageSetting & Partial<PageContext>): Html {
  const { code, locale, name } = setting.words.otherLanguage
  const url = address({ ...setting, chosenLanguage: code }, setting.step ? { step: setting.step } : {})
  return html`<a href="${url}" hreflang="${locale}" lang="${locale}">${name}</a>`
}
