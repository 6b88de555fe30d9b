// Reads XML that somebody sent, in one pass from its first character to its last: no pattern looks twice at the same text, so that a
// small file cannot keep everybody else waiting. What a spreadsheet does not show is not told: comments and instructions.

import { hasMoreThan } from './table.ts'

export type XmlReader = {
  // `parents`: the names of the elements around it, outermost first. False ends the reading.
  readonly open: (name: string, parents: readonly string[], attributes: string) => boolean
  // `elements`: the names of the elements around the text. One text may come in several parts.
  readonly text?: (text: string, elements: readonly string[]) => void
  readonly close?: (name: string, parents: readonly string[]) => boolean
}

// 5,000 rows of our columns have about 250,000, and hardly any entities.
const MAX_TAGS = 450_000
const MAX_ENTITIES = 100_000
const MAX_DEPTH = 50
// The outermost element of a sheet has about a thousand characters.
const MAX_TAG_LENGTH = 10_000

// `ended`: the reader said so.
export function readXml(xml: string, reader: XmlReader): 'read' | 'ended' | 'broken' | 'too-large' {
  if (hasMoreThan(xml, '<', MAX_TAGS) || hasMoreThan(xml, '&', MAX_ENTITIES)) return 'too-large'
  const elements: string[] = []
  // Some programs name the elements of a sheet with a prefix: the one of the outermost.
  let prefix: string | undefined
  let at = 0
  for (;;) {
    const tagAt = xml.indexOf('<', at)
    if (tagAt < 0) return elements.length === 0 ? 'read' : 'broken'
    if (tagAt > at) reader.text?.(unescaped(xml.slice(at, tagAt)), elements)
    const mark = xml[tagAt + 1]
    const hidden =
      mark === '!' || mark === '?' ? HIDDEN.find(([begin]) => xml.startsWith(begin, tagAt)) : undefined
    if (hidden !== undefined) {
      const [begin, end] = hidden
      const endAt = xml.indexOf(end, tagAt + begin.length)
      if (endAt < 0) return 'broken'
      if (begin === CDATA) reader.text?.(xml.slice(tagAt + begin.length, endAt), elements)
      at = endAt + end.length
      continue
    }
    const endAt = tagEnd(xml, tagAt)
    if (endAt === undefined) return 'broken'
    at = endAt + 1
    if (mark === '/') {
      const name = withoutPrefix(xml.slice(tagAt + 2, endAt).trimEnd(), prefix ?? '')
      if (elements.pop() !== name) return 'broken'
      if (reader.close?.(name, elements) === false) return 'ended'
      continue
    }
    const isWhole = xml[endAt - 1] === '/'
    const nameEnd = nameEndIn(xml, tagAt + 1, isWhole ? endAt - 1 : endAt)
    const fullName = xml.slice(tagAt + 1, nameEnd)
    // Declarations of entities, too: a part that has some could grow without end, and no spreadsheet program writes one.
    if (!NAME.test(fullName)) return 'broken'
    prefix ??= fullName.slice(0, fullName.indexOf(':') + 1)
    const name = withoutPrefix(fullName, prefix)
    if (!reader.open(name, elements, xml.slice(nameEnd, isWhole ? endAt - 1 : endAt))) return 'ended'
    if (isWhole) {
      if (reader.close?.(name, elements) === false) return 'ended'
    } else if (elements.push(name) > MAX_DEPTH) return 'broken'
  }
}

const CDATA = '<![CDATA['
const HIDDEN = [
  ['<!--', '-->'],
  [CDATA, ']]>'],
  ['<?', '?>'],
] as const

const NAME = /^[A-Za-z_][\w:.-]*$/

function withoutPrefix(name: string, prefix: string): string {
  return prefix !== '' && name.startsWith(prefix) ? name.slice(prefix.length) : name
}

const END_OF_TAG = '>'.charCodeAt(0)
const QUOTE = '"'.charCodeAt(0)
const APOSTROPHE = "'".charCodeAt(0)

// A value in quotes may hold the sign that ends a tag.
function tagEnd(xml: string, tagAt: number): number | undefined {
  let quote = 0
  for (let at = tagAt + 1; at < tagAt + MAX_TAG_LENGTH; at += 1) {
    const sign = xml.charCodeAt(at)
    if (quote === 0 && sign === END_OF_TAG) return at
    if (sign === quote) quote = 0
    else if (quote === 0 && (sign === QUOTE || sign === APOSTROPHE)) quote = sign
  }
  return undefined
}

function nameEndIn(xml: string, from: number, to: number): number {
  let at = from
  while (at < to && !isSpace(xml.charCodeAt(at))) at += 1
  return at
}

function isSpace(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d)
}

// Undefined if there is none of that name, or what stands before it cannot be read.
export function attributeOf(attributes: string, name: string): string | undefined {
  ATTRIBUTE.lastIndex = 0
  for (let found = ATTRIBUTE.exec(attributes); found !== null; found = ATTRIBUTE.exec(attributes))
    if (found[1] === name) return unescaped(found[2] ?? found[3] ?? '')
  return undefined
}

const ATTRIBUTE = /\s+([^\s=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/y

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function unescaped(text: string): string {
  if (!text.includes('&')) return text
  return text.replaceAll(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(\w{2,4}));/gi, (found, hex, decimal, name) => {
    if (name !== undefined) return ENTITIES[name] ?? found
    const point = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
    return point <= 0x10ffff ? String.fromCodePoint(point) : found
  })
}
