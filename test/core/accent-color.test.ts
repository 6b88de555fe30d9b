// The colour of a merchant is moved as far as it must be to be readable, and no farther.

import assert from 'node:assert/strict'
import { it } from 'node:test'
import { BACKGROUNDS, contrast, READABLE_CONTRAST, readableAccent } from '../../src/core/accent-color.ts'

const parts = (color: string): number[] => [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16))
const least = (color: string, scheme: 'light' | 'dark'): number =>
  Math.min(...[BACKGROUNDS[scheme].card, BACKGROUNDS[scheme].page].map((one) => contrast(color, one)))

it('a colour that is not readable goes step by step towards black or white, and stops where it is', () => {
  for (const accent of [
    '#ffcc00',
    '#ff0000',
    '#00ff00',
    '#0000ff',
    '#808080',
    '#123456',
    '#fefefe',
    '#010101',
  ])
    for (const scheme of ['light', 'dark'] as const) {
      const target = scheme === 'light' ? 0 : 255
      const steps = Array.from(
        { length: 50 },
        (_, step) =>
          `#${parts(accent)
            .map((part) =>
              Math.round(part + ((target - part) * step) / 50)
                .toString(16)
                .padStart(2, '0'),
            )
            .join('')}`,
      )
      const first = steps.find((color) => least(color, scheme) >= 4.5)
      assert.equal(readableAccent(accent, scheme), first, `${accent} ${scheme}`)
    }
  assert.equal(READABLE_CONTRAST, 4.5)
})

// By the calculators of others.
it('the contrast of two colours is that of WCAG', () => {
  const known: [string, string, number][] = [
    ['#ff0000', '#ffffff', 4.0],
    ['#00ff00', '#ffffff', 1.37],
    ['#0000ff', '#ffffff', 8.59],
    ['#777777', '#ffffff', 4.48],
    ['#0b0b0b', '#ffffff', 19.68],
    ['#0a0a0a', '#ffffff', 19.8],
    ['#123456', '#abcdef', 7.7],
  ]
  for (const [one, other, expected] of known) {
    assert.equal(Math.round(contrast(one, other) * 100) / 100, expected, `${one} on ${other}`)
    assert.equal(contrast(one, other), contrast(other, one))
  }
})
