// A poster of a payment page, to print and put on a counter: who sells, what, for how much, and the code that opens the page. One
// drawing in millimetres, so that it prints at its size. It needs nothing from elsewhere.

import { escapeHtml } from '../html.ts'
import { qrSvg } from '../qr-image.ts'

export const POSTER_SIZES = ['a4', 'a6'] as const
export type PosterSize = (typeof POSTER_SIZES)[number]

export const POSTER_LANGUAGES = ['es', 'en'] as const
export type PosterLanguage = (typeof POSTER_LANGUAGES)[number]

export type PosterText = {
  readonly merchant: string
  readonly name: string
  readonly amountInCents: bigint | null
  readonly url: string
}

// Everything is drawn for an A6 sheet and scaled. An A4 sheet is twice as wide and a little less than twice as high.
const SHEETS = {
  a4: { width: 210, height: 297, scale: 2 },
  a6: { width: 105, height: 148, scale: 1 },
} as const
const WORDS = {
  es: {
    scan: 'Escanea para pagar',
    how: 'Con la cámara de tu celular',
    sign: '$',
    thousands: '.',
    cents: ',',
  },
  en: { scan: 'Scan to pay', how: 'With your phone’s camera', sign: 'COP', thousands: ',', cents: '.' },
} as const
const MIDDLE = 52.5
const QR_SIDE = 62

export function posterSvg(text: PosterText, size: PosterSize, language: PosterLanguage): string {
  const { width, height, scale } = SHEETS[size]
  const words = WORDS[language]
  const amount = text.amountInCents === null ? '' : amountText(text.amountInCents, language)
  const code = qrSvg(text.url).replace(
    '<svg ',
    `<svg x="${MIDDLE - QR_SIDE / 2}" y="50" width="${QR_SIDE}" height="${QR_SIDE}" `,
  )
  const parts = [
    ...linesOf(text.merchant, 30, 1).map((line) => textAt(line, 14, 5, true)),
    ...linesOf(text.name, 26, 2).map((line, at) => textAt(line, 25 + at * 8, 6.5, true)),
    textAt(amount, 45, 8, true),
    code,
    textAt(words.scan, 122, 6.5, true),
    textAt(words.how, 129, 4, false),
    ...(text.url.length <= 90
      ? [textAt(text.url, 140, (3.4 * 40) / Math.max(40, text.url.length), false)]
      : []),
  ]
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}mm" height="${height}mm" viewBox="0 0 ${width} ${height}">` +
    `<title>${escapeHtml(`${text.merchant}: ${text.name}`)}</title><path fill="#fff" d="M0 0h${width}v${height}H0z"/>` +
    `<g transform="scale(${scale})" font-family="system-ui, sans-serif" text-anchor="middle">${parts.join('')}</g></svg>`
  )
}

function textAt(line: string, y: number, size: number, isBold: boolean): string {
  const weight = isBold ? ' font-weight="700"' : ''
  return line === ''
    ? ''
    : `<text x="${MIDDLE}" y="${y}" font-size="${size.toFixed(2)}"${weight}>${escapeHtml(line)}</text>`
}

// Words in lines of so many characters. What does not fit ends with dots, in the last line.
function linesOf(text: string, width: number, count: number): string[] {
  const lines: string[] = []
  let rest = text.trim()
  while (rest.length > width && lines.length < count - 1) {
    const space = rest.lastIndexOf(' ', width)
    const end = space > 0 ? space : width
    lines.push(rest.slice(0, end))
    rest = rest.slice(end).trim()
  }
  return [...lines, rest.length > width ? `${wholeWords(rest, width - 1)}…` : rest]
}

function wholeWords(text: string, width: number): string {
  const space = text.lastIndexOf(' ', width)
  return text.slice(0, space > 0 ? space : width)
}

function amountText(amountInCents: bigint, language: PosterLanguage): string {
  const { sign, thousands, cents: decimal } = WORDS[language]
  const pesos = (amountInCents / 100n).toString().replaceAll(/\B(?=(\d{3})+$)/g, thousands)
  const cents = amountInCents % 100n
  return `${sign} ${pesos}${cents === 0n ? '' : `${decimal}${cents.toString().padStart(2, '0')}`}`
}
