// HTML from templates: what is inserted is text, unless it is HTML made by the same means.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { html, trustedHtml } from '../../src/core/html.ts'

describe('a template of HTML', () => {
  it('is what stands in it, and nothing before or behind', () => {
    assert.equal(html``.html, '')
    assert.equal(html`<hr>`.html, '<hr>')
    assert.equal(html`${'a'}`.html, 'a')
    assert.equal(html`<i>${'a'}</i><b>${7}</b>`.html, '<i>a</i><b>7</b>')
  })

  it('escapes each character that would be read as HTML, also in an attribute', () => {
    const hostile = `<a href="x" title='y'>&amp;`
    const escaped = html`<p title="${hostile}">${hostile}</p>`.html
    assert.doesNotMatch(
      escaped.replaceAll(/^<p title="|">|<\/p>$/g, ''),
      /[<>"']|&(?!(?:lt|gt|amp|quot|#\d+|#x[0-9a-f]+);)/i,
    )
    assert.match(escaped, /&amp;amp;/)
  })

  it('leaves HTML as it is, joins lists, and leaves out what is not there', () => {
    const items = ['<', html`<li>1</li>`, [trustedHtml('<li>2</li>'), 3], null, undefined, false] as const
    assert.equal(html`<ul>${items}</ul>${0}${''}`.html, '<ul>&lt;<li>1</li><li>2</li>3</ul>0')
  })
})
