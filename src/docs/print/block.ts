// The content model of documentation pages, independent of their layout. A page is written once, as blocks, and printed
// twice, as HTML and as Markdown. Texts are inline Markdown. Addresses begin with a slash and contain no server.

import type { ApiOperation } from '../open-api.ts'
import type { Field } from '../pages/fields.ts'
import type { LifecycleDoc } from '../pages/lifecycle-tables.ts'

export type Sample = { readonly label: string; readonly language: string; readonly text: string }

export type Block =
  | { readonly kind: 'heading'; readonly level: 2 | 3 | 4; readonly id: string; readonly text: string }
  | { readonly kind: 'text'; readonly text: string; readonly tone?: 'lead' | 'note' }
  | { readonly kind: 'list'; readonly items: readonly string[] }
  | {
      readonly kind: 'table'
      readonly label: string
      readonly head: readonly string[]
      readonly rows: readonly (readonly string[])[]
    }
  | { readonly kind: 'code'; readonly caption: string; readonly language: string; readonly text: string }
  | {
      readonly kind: 'samples'
      readonly id: string
      readonly caption: string
      readonly samples: readonly Sample[]
      readonly folded?: boolean
    }
  | { readonly kind: 'endpoint'; readonly method: string; readonly path: string }
  | { readonly kind: 'fields'; readonly label: string; readonly fields: readonly Field[] }
  | { readonly kind: 'lifecycle'; readonly doc: LifecycleDoc }
  | { readonly kind: 'split'; readonly text: readonly Block[]; readonly code: readonly Block[] }
  | { readonly kind: 'try'; readonly operation: ApiOperation }
  /** Blocks in another language than the page, such as what openapi.json says. */
  | { readonly kind: 'foreign'; readonly language: Language; readonly blocks: readonly Block[] }
  | { readonly kind: 'markdown'; readonly source: string }

export const heading = (level: 2 | 3 | 4, text: string, id: string): Block => ({
  kind: 'heading',
  level,
  id,
  text,
})
export const text = (content: string, tone?: 'lead' | 'note'): Block => ({
  kind: 'text',
  text: content,
  ...(tone && { tone }),
})
export const list = (items: readonly string[]): Block => ({ kind: 'list', items })
export const table = (
  label: string,
  head: readonly string[],
  rows: readonly (readonly string[])[],
): Block => ({
  kind: 'table',
  label,
  head,
  rows,
})
export const json = (caption: string, value: unknown): Block => ({
  kind: 'code',
  caption,
  language: 'json',
  text: typeof value === 'string' ? value : JSON.stringify(value, null, 2),
})

export type Language = 'en' | 'es'

export const SECTIONS = ['Start', 'Guides', 'API reference', 'In depth'] as const

export type Page = {
  /** For example `/docs/payins`. Its Markdown is at the same path with `.md` appended. */
  readonly path: string
  readonly title: string
  /** One sentence. */
  readonly summary: string
  readonly section: (typeof SECTIONS)[number]
  readonly language: Language
  readonly blocks: readonly Block[]
  /** The same page in the other language. */
  readonly translation?: { readonly language: Language; readonly path: string }
}

/** Every block of a page, including those inside another. */
export function flatten(blocks: readonly Block[]): Block[] {
  return blocks.flatMap((block) => {
    if (block.kind === 'split') return [...flatten(block.text), ...flatten(block.code)]
    return block.kind === 'foreign' ? flatten(block.blocks) : [block]
  })
}

/** The anchor of a heading. Codes keep their spelling, because error bodies link to them. */
export function slugOf(title: string): string {
  const plain = title.replaceAll(/[`*]|\]\([^)]*\)|\[/g, '').trim()
  if (/^[A-Z][A-Z0-9_]+$/.test(plain)) return plain
  return (
    plain
      .normalize('NFD')
      .replaceAll(/\p{M}/gu, '')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
      .replaceAll(/^-|-$/g, '') || 'section'
  )
}
