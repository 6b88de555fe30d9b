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
  assert.deepEqual(linesOf('x'.repeat(60)), ['x'.repeat(26), `${'x'.repeat(25)}…`])
})
