// A merchant's colour stays readable, whatever colour it is.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { accentStyle } from '../../src/checkout/pages/accent.ts'
import { BACKGROUNDS, contrast } from '../../src/core/accent-color.ts'

// Of WCAG.
const AA_FOR_TEXT = 4.5

function colours(accent: string): { light: string; dark: string } {
  const [light = '', dark = ''] = accentStyle(accent)?.match(/#[0-9a-f]{6}/g) ?? []
  return { light, dark }
}

describe('the accent', () => {
  it('of any colour is readable on the card and on the page, in light and in dark', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 0xffffff }), (number) => {
        const made = colours(`#${number.toString(16).padStart(6, '0')}`)
        for (const scheme of ['light', 'dark'] as const)
          for (const background of [BACKGROUNDS[scheme].card, BACKGROUNDS[scheme].page])
            assert.ok(contrast(made[scheme], background) >= AA_FOR_TEXT)
      }),
    )
  })

  it('is unchanged if it is readable', () => {
    assert.equal(colours('#0B5C4A').light, '#0b5c4a')
    assert.equal(colours('#7fd6bd').dark, '#7fd6bd')
  })

  it('that is grey stays grey, however it must be moved', () => {
    for (const accent of ['#ffffff', '#999999', '#000000'])
      for (const made of Object.values(colours(accent))) assert.match(made, /^#(..)\1\1$/, accent)
  })

  it('that is no colour is ignored', () => {
    for (const text of ['red', '#fff', '#12345g', '', '#0b5c4a;}body{display:none', null])
      assert.equal(accentStyle(text), undefined)
  })

  it('computes the contrast of black and white', () => {
    assert.equal(contrast('#000000', '#ffffff'), 21)
    assert.equal(contrast('#777777', '#777777'), 1)
  })
})
