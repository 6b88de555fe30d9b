// The frame and the shared parts of the simulated pages. Nobody may take one of them for a bank, so the banner is the most
// prominent part of each. None has scripts, cookies or third-party addresses.

import { createHash } from 'node:crypto'
import { type Html, html, trustedHtml } from '../core/html.ts'
import type { Answer } from './http.ts'
import { STYLE } from './page-style.ts'

export type Place = 'bank' | 'app'

const NAMES: Readonly<Record<Place, string>> = { bank: 'Banco de Pruebas', app: 'App de Pruebas' }
const WARNINGS: Readonly<Record<Place, string>> = {
  bank: 'Banco de Pruebas: no es un banco real',
  app: 'App de Pruebas: no es una billetera real',
}

export function page(place: Place, status: number, title: string, content: Html): Answer {
  // The error goes into the title, because a screen reader reads the title first.
  const documentTitle = status === INVALID_FORM ? `Error: ${title}` : title
  const document = html`<!doctype html>
<html lang="es-CO">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>${documentTitle} · ${NAMES[place]} (simulación)</title>
<meta name="robots" content="noindex,nofollow">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<style>${trustedHtml(STYLE)}</style>
</head>
<body>
<header><p><b>${WARNINGS[place]}</b> Simulación: aquí no se mueve dinero.</p></header>
<main>
<h1>${title}</h1>
${content}
</main>
</body>
</html>
`
  return { status, page: document, headers: PAGE_HEADERS }
}

/** The status of a form that is shown again because its input is invalid. */
export const INVALID_FORM = 422

export type Field = {
  name: string
  label: string
  value: string
  hint?: string
  problem?: string | false | undefined
  inputMode?: 'decimal'
}

// Nothing here is secret, so no input is masked, and browsers need not remember it.
export function textField({ name, label, value, hint, problem, inputMode }: Field): Html {
  const described = [hint && `${name}-hint`, problem && `${name}-problem`].filter(Boolean).join(' ')
  return html`<div class="field">
<label for="${name}">${label}</label>
${hint && html`<span class="soft" id="${name}-hint">${hint}</span>`}
${problem && html`<span class="error" id="${name}-problem">${problem}</span>`}
<input id="${name}" name="${name}" value="${value}" autocomplete="off" autocapitalize="off" spellcheck="false"
${inputMode && html` inputmode="${inputMode}"`}${described && html` aria-describedby="${described}"`}${problem && html` aria-invalid="true" autofocus`}>
</div>`
}

/** One of several submit buttons of a form, with its effect. */
export function choiceButton(name: string, value: string, label: string, hint: string, isMain = false): Html {
  return html`<button${!isMain && html` class="plain"`} name="${name}" value="${value}" aria-describedby="${value}-hint">${label}</button>
<p class="soft" id="${value}-hint">${hint}</p>`
}

export function hiddenFields(values: Readonly<Record<string, string>>): Html {
  const inputs = Object.entries(values).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )
  return html`${inputs}`
}

export function facts(values: Readonly<Record<string, string>>): Html {
  const rows = Object.entries(values).map(
    ([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>\n`,
  )
  return html`<dl>${rows}</dl>`
}

/** $ 1.250.000,50. Written by hand: Intl changes its spaces from version to version. */
export function pesos(amountInCents: bigint): string {
  const whole = (amountInCents / 100n).toString().replaceAll(/\B(?=(\d{3})+$)/g, '.')
  const cents = amountInCents % 100n
  return `$\u00a0${whole}${cents === 0n ? '' : `,${cents.toString().padStart(2, '0')}`}`
}

// The way back to the merchant is a link, because `form-action` would also forbid a form's answer to redirect there.
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  'img-src data:',
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

const PAGE_HEADERS = {
  'content-security-policy': POLICY,
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'x-robots-tag': 'noindex, nofollow, noarchive',
  'cross-origin-resource-policy': 'same-origin',
}
