// XML that somebody sent is read to the letter, within its limits, or not at all.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { attributeOf, readXml } from '../../../src/core/payout-batches/xml.ts'

// What the reader is told, in order: <name parents|attributes>, the text between them, and </name parents>.
function told(xml: string, stopAt?: string): [outcome: string, ...events: string[]] {
  const events: string[] = []
  const outcome = readXml(xml, {
    open: (name, parents, attributes) => {
      events.push(`<${name} ${parents.join('/')}|${attributes}>`)
      return name !== stopAt
    },
    text: (text, elements) => events.push(`${text} ${elements.join('/')}`),
    close: (name, parents) => {
      events.push(`</${name} ${parents.join('/')}>`)
      return `/${name}` !== stopAt
    },
  })
  return [outcome, ...events]
}
const outcomeOf = (xml: string) => readXml(xml, { open: () => true })

describe('elements', () => {
  it('are told with what is around them, their attributes and their text', () => {
    assert.deepEqual(told('<?xml version="1.0"?><a x="1"><b>one</b ><c y=\'>\' />two</a>'), [
      'read',
      '<a | x="1">',
      '<b a|>',
      'one a/b',
      '</b a>',
      "<c a| y='>' >",
      '</c a>',
      'two a',
      '</a >',
    ])
  })

  it('have names that end with a space of any kind, and with no other sign', () => {
    for (const space of [' ', '\t', '\n', '\r', '\u000b', '\u000c'])
      assert.deepEqual(
        told(`<a${space}x="1"/>`),
        ['read', `<a |${space}x="1">`, '</a >'],
        JSON.stringify(space),
      )
    for (const sign of ['\u0008', '\u000e', '\u001a', '\u00a0'])
      assert.equal(outcomeOf(`<a${sign}/>`), 'broken')
  })

  it('have no prefix where the outermost has one, and keep any other', () => {
    assert.deepEqual(told('<x:a><x:b/><y:c></y:c></x:a>'), [
      ...['read', '<a |>', '<b a|>', '</b a>', '<y:c a|>', '</y:c a>', '</a >'],
    ])
    assert.deepEqual(told('<a><x:b/></a>'), ['read', '<a |>', '<x:b a|>', '</x:b a>', '</a >'])
  })

  it('hide comments and instructions, and show text that is not to be read as elements', () => {
    assert.deepEqual(told('<a><!-- <b> --><?c <d>?>x<![CDATA[<e>&amp;]]></a>'), [
      ...['read', '<a |>', 'x a', '<e>&amp; a', '</a >'],
    ])
    for (const open of ['<a><!-- -', '<a><![CDATA[]]', '<a><?x', '<a><!-->'])
      assert.equal(outcomeOf(open), 'broken', open)
  })

  it('end where the reader says so', () => {
    assert.deepEqual(told('<a><b/></a>', 'b'), ['ended', '<a |>', '<b a|>'])
    assert.deepEqual(told('<a><b/>x</a>', '/b'), ['ended', '<a |>', '<b a|>', '</b a>'])
    assert.deepEqual(told('<a><b></b>x</a>', '/b'), ['ended', '<a |>', '<b a|>', '</b a>'])
  })

  it('are broken where they do not close, close twice, or have no name', () => {
    for (const xml of [
      '<a>',
      '<a><b></a></b>',
      '</a>',
      '<a></b>',
      '<a></a></a>',
      '< a></a>',
      '<1></1>',
      '<a',
      '<>',
    ])
      assert.equal(outcomeOf(xml), 'broken', xml)
    for (const xml of ['', 'text', '<a/>', '<_a.b-c/>', '<a/><b/>', '<!DOCTYPE'])
      assert.equal(outcomeOf(xml), xml.startsWith('<!') ? 'broken' : 'read', xml)
    assert.equal(outcomeOf('<!DOCTYPE a [<!ENTITY b "c">]><a/>'), 'broken')
  })

  it('are read as deep as fifty, with tags of ten thousand signs', () => {
    const deep = (count: number) => '<a>'.repeat(count) + '</a>'.repeat(count)
    assert.deepEqual([outcomeOf(deep(50)), outcomeOf(deep(51))], ['read', 'broken'])
    const long = (length: number) => `<a${' '.repeat(length - 4)}/>`
    assert.deepEqual([outcomeOf(long(10_000)), outcomeOf(long(10_001))], ['read', 'broken'])
  })

  it('are 450,000 at most, with 100,000 signs that stand for others', () => {
    // Whoever ends at the first waits for no other.
    const begun = (xml: string) => readXml(xml, { open: () => false })
    const tags = (count: number) => begun('<a/>'.repeat(count))
    assert.deepEqual([tags(450_000), tags(450_001)], ['ended', 'too-large'])
    const signs = (count: number) => begun(`<a>${'&'.repeat(count)}</a>`)
    assert.deepEqual([signs(100_000), signs(100_001)], ['ended', 'too-large'])
  })
})

describe('signs that stand for others', () => {
  it('are read by name and by number, and left as they are where they mean nothing', () => {
    const read = (text: string) => told(`<a>${text}</a>`)[2]?.slice(0, -2)
    assert.equal(read('&lt;&gt;&amp;&quot;&apos;'), '<>&"\'')
    assert.equal(read('&#65;&#x41;&#x1F600;&#128512;&#X42;'), 'AA😀😀B')
    assert.equal(read('&#x10FFFF;'), '\u{10ffff}')
    assert.equal(read('&AMP;'), '&AMP;')
    for (const text of ['&#x110000;', '&#9999999;', '&nbsp;', '&x;', '& ', '&#;', '&#x;', '&#x1000000;'])
      assert.equal(read(text), text)
  })
})

describe('an attribute', () => {
  it('is found by its name, in quotes of either kind', () => {
    const attributes = ' r="A1" \n t = \'s&amp;"\' x:id="7"'
    const found = ['r', 't', 'x:id', 'id', 'R'].map((name) => attributeOf(attributes, name))
    assert.deepEqual(found, ['A1', 's&"', '7', undefined, undefined])
    assert.equal(attributeOf(' a=""', 'a'), '')
    assert.equal(attributeOf(' a=1 b="2"', 'b'), undefined, 'behind what cannot be read')
    assert.equal(attributeOf('a="1"', 'a'), undefined)
  })
})
