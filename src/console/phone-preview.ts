// The payment page on a phone, as a drawing: beside the forms of links and of the merchant's look. Colours stand in attributes,
// because pages have no inline style. The script writes into what has a `data-preview` as the person types (client/preview.js).

import { BACKGROUNDS, readableAccent } from '../core/accent-color.ts'
import type { Rail } from '../core/connections/rail.ts'
import { type Html, html } from '../core/html.ts'
import type { UserLanguage } from '../core/team/user.ts'

export type PreviewedPage = {
  readonly name: string
  readonly logoUrl: string | null
  readonly accentColor: string | null
  // As it is written to payers.
  readonly amount: string
  readonly about: string
  readonly rails: readonly Rail[]
}

type Scheme = keyof typeof BACKGROUNDS

// As the payer's pages have them (src/checkout/pages/style.ts).
const COLOURS = {
  light: { ink: '#17211d', soft: '#52605a', line: '#dde3df', edge: '#76847d', accent: '#0b5c4a' },
  dark: { ink: '#e8eeeb', soft: '#a8b5af', line: '#303b36', edge: '#7d8b84', accent: '#7fd6bd' },
} as const

const WORDS = {
  es: {
    label: 'Así se ve la página de pago',
    choose: 'Elige cómo pagar',
    rails: {
      BRE_B: ['Bre-B', 'Con llave o QR, desde tu banco'],
      PSE: ['PSE', 'Desde la página de tu banco'],
    },
    go: 'Continuar',
    promise: 'Nunca te pedimos claves del banco',
  },
  en: {
    label: 'What the payment page looks like',
    choose: 'Choose how to pay',
    rails: {
      BRE_B: ['Bre-B', 'By key or QR, from your bank'],
      PSE: ['PSE', 'From your bank’s own page'],
    },
    go: 'Continue',
    promise: 'We never ask for bank passwords',
  },
} as const

export const PREVIEW_LIMITS = { name: 22, about: 30, amount: 15 } as const

export function phonePreview(page: PreviewedPage, language: UserLanguage, scheme: Scheme = 'light'): Html {
  const words = WORDS[language]
  const { card, page: ground } = BACKGROUNDS[scheme]
  const { ink, soft, line, edge, accent: usual } = COLOURS[scheme]
  const accent = (page.accentColor && readableAccent(page.accentColor, scheme)) ?? usual
  const { rails } = page
  const way = (rail: Rail, index: number): Html => {
    const [name, hint] = words.rails[rail]
    const y = 214 + index * 64
    const isFirst = index === 0
    return html`<g data-rail="${rail}"><rect x="30" y="${y}" width="240" height="54" rx="11" fill="none" stroke="${isFirst ? accent : edge}" stroke-width="${isFirst ? 2 : 1}"${isFirst && html` data-accent="stroke"`}/><circle cx="48" cy="${y + 20}" r="6.5" fill="none" stroke="${isFirst ? accent : edge}" stroke-width="${isFirst ? 4.5 : 1.3}"${isFirst && html` data-accent="stroke"`}/><text x="66" y="${y + 24}" font-size="14" font-weight="650" fill="${ink}">${name}</text><text x="66" y="${y + 42}" font-size="11.5" fill="${soft}">${hint}</text></g>`
  }
  const end = 214 + rails.length * 64
  const mark =
    page.logoUrl === null
      ? html`<circle cx="42" cy="58" r="20" fill="${accent}" data-accent="fill"/><text x="42" y="65" font-size="19" font-weight="700" text-anchor="middle" fill="${card}" data-preview="initial">${initialOf(page.name)}</text>`
      : html`<rect x="22" y="38" width="40" height="40" rx="8" fill="#fff"/><image x="22" y="38" width="40" height="40" href="${page.logoUrl}"/>`
  return html`<svg class="phone" viewBox="0 0 300 520" role="img" aria-label="${words.label}">
<rect x="1" y="1" width="298" height="518" rx="34" fill="${ground}" stroke="${edge}" stroke-width="1.5"/>
<rect x="115" y="12" width="70" height="5" rx="2.5" fill="${line}"/>
${mark}
<text x="74" y="54" font-size="15" font-weight="700" fill="${ink}" data-preview="name" data-limit="${PREVIEW_LIMITS.name}">${clipped(page.name, PREVIEW_LIMITS.name)}</text>
<text x="74" y="73" font-size="12.5" fill="${soft}" data-preview="about" data-limit="${PREVIEW_LIMITS.about}">${clipped(page.about, PREVIEW_LIMITS.about)}</text>
<text x="22" y="121" font-size="30" font-weight="700" letter-spacing="-0.3" fill="${ink}" data-preview="amount" data-limit="${PREVIEW_LIMITS.amount}">${clipped(page.amount, PREVIEW_LIMITS.amount)}</text>
<rect x="14" y="144" width="272" height="${end + 86 - 144}" rx="16" fill="${card}" stroke="${line}"/>
<text x="30" y="186" font-size="18" font-weight="700" fill="${ink}">${words.choose}</text>
${rails.map(way)}
<rect x="30" y="${end + 10}" width="240" height="48" rx="11" fill="${accent}" data-accent="fill"/>
<text x="150" y="${end + 39}" font-size="15" font-weight="650" text-anchor="middle" fill="${card}">${words.go}</text>
<text x="150" y="492" font-size="11.5" text-anchor="middle" fill="${soft}">${words.promise}</text>
</svg>`
}

function initialOf(name: string): string {
  const [initial = '·'] = name.trim()
  return initial.toUpperCase()
}

// A drawing has no room for more.
function clipped(text: string, limit: number): string {
  const characters = [...text]
  return characters.length <= limit ? text : `${characters.slice(0, limit - 1).join('')}…`
}
