// Search over all pages. It scans about two thousand short entries, which takes a millisecond or two, so there is no
// index to maintain.

import { addressIn } from './language.ts'
import type { ApiDocument } from './open-api.ts'
import { errorTexts } from './pages/errors.ts'
import type { Field } from './pages/fields.ts'
import { operationAddress } from './pages/resource.ts'
import { type Block, flatten, type Language, type Page } from './print/block.ts'
import { sectionsOf } from './print/markdown.ts'
import { type ResultKind, WORDS } from './print/words.ts'

export type Result = {
  readonly kind: ResultKind
  readonly title: string
  /** Where it was found: the page, or the operation of a field. */
  readonly place: string
  readonly text: string
  readonly href: string
  readonly language: Language
}

type Found = Omit<Result, 'language'>
type Entry = Result & { readonly plainTitle: string; readonly plainText: string }

/** Readers do not go through more. */
export const MAX_RESULTS = 40
/** Longer than any real query. The rest is cut off. */
export const MAX_QUERY_LENGTH = 100

/** Everything that a reader of a language can find, at the addresses of that language. */
export function searchEntries(pages: readonly Page[], api: ApiDocument, language: Language): Result[] {
  const shown = pages.filter((page) => page.language === language || page.translation === undefined)
  const addresses = new Map(pages.map((page) => [page.path, addressIn(page, language)]))
  const found = [
    ...operationEntries(api).map((entry): Result => ({ ...entry, language: 'en' })),
    ...shown.flatMap((page) => pageEntries(page).map((entry) => ({ ...entry, language: page.language }))),
  ]
  return found.map((entry) => {
    const [path = '', anchor] = entry.href.split('#')
    const address = addresses.get(path) ?? path
    return { ...entry, href: anchor === undefined ? address : `${address}#${anchor}` }
  })
}

export function createSearch(found: readonly Result[]): (query: string) => readonly Result[] {
  const entries = found.map(
    (entry): Entry => ({
      ...entry,
      plainTitle: plain(entry.title),
      plainText: plain(`${entry.place} ${entry.text}`),
    }),
  )
  return (query) => {
    const words = wordsIn(query)
    if (words.length === 0) return []
    return entries
      .map((entry, index) => ({ entry, index, score: scoreOf(entry, words) }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score || a.index - b.index)
      .slice(0, MAX_RESULTS)
      .map(({ entry: { plainTitle: _, plainText: __, ...result } }) => result)
  }
}

export function wordsIn(query: string): string[] {
  return plain(query.slice(0, MAX_QUERY_LENGTH))
    .split(/[^\p{L}\p{N}._@]+/u)
    .filter((word) => word !== '')
}

// Search ignores case and accents.
export function plain(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
}

// A title counts more than a field's name, and a field's name more than text. Every word must match somewhere.
const WEIGHT: Readonly<Record<Result['kind'], number>> = {
  Operation: 6,
  Event: 6,
  Error: 6,
  Guide: 5,
  Page: 5,
  Section: 4,
  Field: 3,
}

function scoreOf({ kind, plainTitle, plainText }: Entry, words: readonly string[]): number {
  let score = 0
  for (const word of words) {
    if (plainTitle === word) score += 10 * WEIGHT[kind]
    else if (plainTitle.startsWith(word)) score += 6 * WEIGHT[kind]
    else if (plainTitle.includes(word)) score += 4 * WEIGHT[kind]
    else if (plainText.includes(word)) score += WEIGHT[kind] / 2
    else return 0
  }
  return score
}

function operationEntries(api: ApiDocument): Found[] {
  return api.operations.map((operation) => ({
    kind: 'Operation',
    title: operation.summary,
    place: operation.tag,
    text: `${operation.method} ${operation.path} ${operation.description}`,
    href: operationAddress(operation),
  }))
}

function pageEntries(page: Page): Found[] {
  const own: Found = {
    kind: page.section === 'Guides' ? 'Guide' : 'Page',
    title: page.title,
    place: WORDS[page.language].sections[page.section],
    text: page.summary,
    href: page.path,
  }
  let place = page.title
  return [
    own,
    ...flatten(page.blocks).flatMap((block) => {
      if (block.kind === 'heading' && block.level === 2) place = withoutMarkup(block.text)
      return blockEntries(page, block, place)
    }),
  ]
}

function blockEntries(page: Page, block: Block, place: string): Found[] {
  if (block.kind === 'fields') return fieldEntries(page, block.fields, place)
  // The text before the first heading is the page's own.
  if (block.kind === 'markdown')
    return sectionsOf(block.source).map(({ heading, id, text }) =>
      heading === undefined
        ? { kind: 'Guide', title: page.title, place, text, href: page.path }
        : sectionEntry(page, heading, id, text),
    )
  if (block.kind !== 'heading') return []
  const meaning = errorTexts(page)?.[block.id]
  if (meaning !== undefined)
    return [
      {
        kind: 'Error',
        title: block.id,
        place: page.title,
        text: meaning,
        href: `${page.path}#${block.id}`,
      },
    ]
  if (block.level !== 2) return []
  if (page.path === '/docs/event-types' && block.id.includes('.'))
    return [{ kind: 'Event', title: block.id, place: page.title, text: '', href: `${page.path}#${block.id}` }]
  // Operations already have their own entries.
  if (page.section === 'API reference' && /^[a-z]+[A-Z]/.test(block.id)) return []
  return [sectionEntry(page, block.text, block.id, '')]
}

function sectionEntry(page: Page, title: string, id: string, text: string): Found {
  return { kind: 'Section', title: withoutMarkup(title), place: page.title, text, href: `${page.path}#${id}` }
}

function fieldEntries(page: Page, fields: readonly Field[], place: string): Found[] {
  return fields.flatMap((field) => [
    {
      kind: 'Field' as const,
      title: field.name,
      place,
      text: [field.description, ...field.values].join(' '),
      href: `${page.path}#${field.id}`,
    },
    ...fieldEntries(page, field.fields, place),
  ])
}

function withoutMarkup(text: string): string {
  return text.replaceAll(/[`*]/g, '')
}
