// The frame of the pages of receipts, evidence and /verify, and the headers they are sent with.

import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Html, html, trustedHtml } from '../../core/html.ts'
import type { Environment } from '../../flows/context.ts'
import { PRIVATE_HEADERS, sendCompressed } from '../send.ts'
import { asLanguage, type Language, preferredLanguage } from '../words/language.ts'
import { RECEIPT_STYLE } from './style.ts'
import { RECEIPT_WORDS, type ReceiptWords } from './words.ts'

export type Setting = {
  readonly environment: Environment
  readonly language: Language
  readonly words: ReceiptWords
  /** Set by `?lang=`. Every address of the page then keeps it. */
  readonly chosenLanguage: Language | null
  /** What stands before every path of ours. */
  readonly root: string
  readonly path: string
}

export type ReceiptsPage = {
  readonly title: string
  readonly content: Html
  /** Constant, so that its hash is too. */
  readonly script?: string
  /** What the page's script may do beside it. */
  readonly policy?: readonly string[]
  readonly camera?: true
}

export function settingOf(
  { environment, publicUrl }: { environment: Environment; publicUrl: string },
  request: FastifyRequest,
): Setting {
  const chosenLanguage = asLanguage((request.query as { lang?: unknown } | undefined)?.lang) ?? null
  const language = chosenLanguage ?? preferredLanguage(request.headers['accept-language'])
  const root = new URL(publicUrl).pathname.replace(/\/$/, '')
  return {
    environment,
    language,
    words: RECEIPT_WORDS[language],
    chosenLanguage,
    root,
    path: root + (request.url.split('?')[0] as string),
  }
}

/** An address of ours, in the language that was chosen. */
export function addressOf({ root, chosenLanguage }: Setting, path: string): string {
  return root + path + (chosenLanguage === null ? '' : `?lang=${chosenLanguage}`)
}

export function sendFramed(
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  setting: Setting,
  page: ReceiptsPage,
): FastifyReply {
  return sendCompressed(
    request,
    reply
      .code(status)
      .headers({
        ...PRIVATE_HEADERS,
        vary: 'accept-encoding, accept-language, accept',
        'permissions-policy': `camera=(${page.camera ? 'self' : ''}), geolocation=(), microphone=(), payment=()`,
        'content-security-policy': policyOf(page),
      })
      .type('text/html; charset=utf-8'),
    framed(setting, page).html,
  )
}

function framed(setting: Setting, { title, content, script }: ReceiptsPage): Html {
  const { words, environment } = setting
  const { code, locale, name } = words.otherLanguage
  return html`<!doctype html>
<html lang="${words.locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>${title}</title>
<meta name="robots" content="noindex,nofollow">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<style>${trustedHtml(RECEIPT_STYLE)}</style>
</head>
<body>
<header>${environment === 'staging' && html`<p class="ribbon">${words.ribbon}</p>`}</header>
<main>
${content}
</main>
<footer><p>${words.poweredBy} <a href="${setting.path}?lang=${code}" hreflang="${locale}" lang="${locale}">${name}</a></p></footer>
${script && html`<script type="module">${trustedHtml(script)}</script>`}
</body>
</html>`
}

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
const STYLE_HASH = hashOf(RECEIPT_STYLE)

function policyOf({ script, policy = [] }: ReceiptsPage): string {
  return [
    "default-src 'none'",
    `style-src ${STYLE_HASH}`,
    "img-src 'self' data:",
    ...(script === undefined ? [] : [`script-src ${hashOf(script)} 'self'`]),
    ...policy,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

export const rowList = (rows: readonly (readonly [string, string | null])[]): Html =>
  html`<dl>${rows.map(([name, value]) => value !== null && html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`

export function plainPage(title: string, text: string): ReceiptsPage {
  return { title, content: html`<h1>${title}</h1><p>${text}</p>` }
}
