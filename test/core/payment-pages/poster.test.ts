// The words of a poster: whole ones in two lines, and dots where there are more.

import assert from 'node:assert/strict'
import { it } from 'node:test'
import { posterSvg } from '../../../src/core/payment-pages/poster.ts'

const text = { merchant: 'Café La Palma', amountInCents: null, url: 'https://pay.example/page/x' }
// What is drawn in the size of the name, without what to do.
const linesOf = (name: string) =>
  [...posterSvg({ ...text, name }, 'a6', 'es').matchAll(/font-size="6\.50"[^>]*>([^<]*)</g)]
    .map(([, line]) => line)
    .filter((line) => line !== 'Escanea para pagar')

it('a name fills its first line, and ends with dots where it is longer than two', () => {
  assert.deepEqual(linesOf('Pan'), ['Pan'])
  assert.deepEqual(linesOf('Pan de la casa para toda la semana'), ['Pan de la casa para toda', 'la semana'])
  assert.deepEqual(linesOf('Pan de la casa para toda la semana y café de la sierra'), [
    'Pan de la casa para toda',
    'la semana y café de la…',
  ])
  assert.deepEqual(linesOf('Pan de la casa para todos.'), ['Pan de la casa para todos.'], 'twenty-six')
  assert.deepEqual(linesOf('Pan de la casa para todos…!'), ['Pan de la casa para', 'todos…!'])
  assert.deepEqual(linesOf('x'.repeat(60)), ['x'.repeat(26), `${'x'.repeat(25)}…`])
})

const drawn = (changes: object, size: 'a4' | 'a6' = 'a6', language: 'es' | 'en' = 'es') =>
  posterSvg({ ...text, name: 'Pan', ...changes }, size, language)
const textsOf = (svg: string) =>
  [...svg.matchAll(/<text x="52.5" y="([\d.]+)" font-size="([\d.]+)"( font-weight="700")?>([^<]*)</g)].map(
    ([, y, size, bold, line]) => `${y} ${size}${bold === undefined ? '' : ' bold'}: ${line}`,
  )

it('a poster has who sells, what, for how much, the code, what to do and the address, from top to bottom', () => {
  assert.deepEqual(textsOf(drawn({ amountInCents: 123_456_789n })), [
    '14 5.00 bold: Café La Palma',
    '25 6.50 bold: Pan',
    '45 8.00 bold: $ 1.234.567,89',
    '122 6.50 bold: Escanea para pagar',
    '129 4.00: Con la cámara de tu celular',
    '140 3.40: https://pay.example/page/x',
  ])
  assert.deepEqual(
    textsOf(drawn({ amountInCents: 123_456_705n, name: 'Pan de la casa y té de la sierra' }, 'a6', 'en')),
    [
      '14 5.00 bold: Café La Palma',
      '25 6.50 bold: Pan de la casa y té de la',
      '33 6.50 bold: sierra',
      '45 8.00 bold: COP 1,234,567.05',
      '122 6.50 bold: Scan to pay',
      '129 4.00: With your phone’s camera',
      '140 3.40: https://pay.example/page/x',
    ],
  )
})

it('an amount has its cents only where there are some, and none is drawn where the payer types it', () => {
  const amountOf = (amountInCents: bigint | null) =>
    textsOf(drawn({ amountInCents })).find((line) => line.startsWith('45 '))
  assert.equal(amountOf(null), undefined)
  assert.equal(amountOf(100n), '45 8.00 bold: $ 1')
  assert.equal(amountOf(5n), '45 8.00 bold: $ 0,05')
  assert.equal(amountOf(100_000_000n), '45 8.00 bold: $ 1.000.000')
})

it('a name of somebody who sells is one line, and an address as small as it must be, or not there', () => {
  const merchantOf = (merchant: string) => textsOf(drawn({ merchant }))[0]
  assert.equal(merchantOf('x'.repeat(30)), `14 5.00 bold: ${'x'.repeat(30)}`)
  assert.equal(merchantOf(`${'x'.repeat(20)} ${'y'.repeat(20)}`), `14 5.00 bold: ${'x'.repeat(20)}…`)
  assert.equal(merchantOf('x'.repeat(31)), `14 5.00 bold: ${'x'.repeat(29)}…`)
  const addressOf = (length: number) =>
    textsOf(drawn({ url: 'u'.repeat(length) })).find((line) => line.startsWith('140 '))
  assert.equal(addressOf(40), `140 3.40: ${'u'.repeat(40)}`)
  assert.equal(addressOf(80), `140 1.70: ${'u'.repeat(80)}`)
  assert.equal(addressOf(90), `140 1.51: ${'u'.repeat(90)}`)
  assert.equal(addressOf(91), undefined)
})

it('a poster fills its sheet, and has its code in the middle', () => {
  const frames = (['a4', 'a6'] as const).map((size) => /^<svg [^>]*>/.exec(drawn({}, size))?.[0])
  assert.deepEqual(frames, [
    '<svg xmlns="http://www.w3.org/2000/svg" width="210mm" height="297mm" viewBox="0 0 210 297">',
    '<svg xmlns="http://www.w3.org/2000/svg" width="105mm" height="148mm" viewBox="0 0 105 148">',
  ])
  const a4 = drawn({ merchant: 'A & B' }, 'a4')
  assert.match(a4, /<title>A &amp; B: Pan<\/title><path fill="#fff" d="M0 0h210v297H0z"\/>/)
  assert.match(a4, /<g transform="scale\(2\)" font-family="system-ui, sans-serif" text-anchor="middle">/)
  assert.match(drawn({}), /<g transform="scale\(1\)" /)
  assert.match(a4, /<svg x="21.5" y="50" width="62" height="62" xmlns/)
})
