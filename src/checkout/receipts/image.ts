// A receipt as one picture, to send in a chat: an SVG that the page turns into a PNG where it can. It holds what the page holds.

import { type Html, html, trustedHtml } from '../../core/html.ts'
import { qrSvg } from '../../core/qr-image.ts'
import type { Receipt } from '../../flows/receipts/receipt.ts'
import type { Language } from '../words/language.ts'
import { receiptRows } from './receipt-page.ts'
import { RECEIPT_WORDS } from './words.ts'

const WIDTH = 720
const MARGIN = 48
const LINE = 34
const QR_SIDE = 420
// Letters that fit beside a label, and in a whole line, in a wide font: the viewer's own is not known.
const VALUE_LETTERS = 22
const LINE_LETTERS = 50
const VALUE_X = 290

export function receiptImage(receipt: Receipt, language: Language, isTest: boolean): string | undefined {
  if (receipt.signed === null) return undefined
  const words = RECEIPT_WORDS[language]
  let y = MARGIN
  const parts: Html[] = []
  const write = (text: string, { x = MARGIN, size = 22, weight = 400, fill = '#17211d' } = {}): void => {
    parts.push(
      html`<text x="${x}" y="${y}" font-size="${size}" font-weight="${weight}" fill="${fill}">${text}</text>`,
    )
  }
  if (isTest) {
    write(words.ribbon, { size: 20, weight: 700, fill: '#a1241b' })
    y += LINE + 12
  }
  write(words.receipt.title, { size: 32, weight: 700 })
  y += LINE + 12
  for (const [label, value] of receiptRows(receipt, language)) {
    if (value === null) continue
    write(label, { fill: '#52605a' })
    for (const line of wrapped(value, VALUE_LETTERS)) {
      write(line, { x: VALUE_X })
      y += LINE
    }
  }
  y += 8
  const qr = qrSvg(receipt.signed.qrText).replace(
    '<svg ',
    `<svg x="${(WIDTH - QR_SIDE) / 2}" y="${y}" width="${QR_SIDE}" height="${QR_SIDE}" `,
  )
  parts.push(trustedHtml(qr))
  y += QR_SIDE + LINE
  for (const line of wrapped(words.receipt.howTo(receipt.verifyUrl), LINE_LETTERS)) {
    write(line, { size: 20, fill: '#52605a' })
    y += LINE
  }
  return html`<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${y}" viewBox="0 0 ${WIDTH} ${y}" font-family="Helvetica,Arial,sans-serif"><rect width="${WIDTH}" height="${y}" fill="#fff"/>${parts}</svg>`
    .html
}

// Between words where it can, within one where it must.
function wrapped(text: string, letters: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(/ /)) {
    const longer = line === '' ? word : `${line} ${word}`
    if (longer.length <= letters) {
      line = longer
      continue
    }
    if (line !== '') lines.push(line)
    line = word
    while (line.length > letters) {
      lines.push(line.slice(0, letters))
      line = line.slice(letters)
    }
  }
  return [...lines, line]
}
