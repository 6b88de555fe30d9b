// The Markdown files of docs/, as pages. A guide is recognized by its path (`docs/guides/<language>/<name>.md`), and
// its links to other files become links to other pages.

import { existsSync, globSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { type Language, list, type Page } from '../print/block.ts'
import { rewriteLinks } from '../print/markdown.ts'

/** In reading order. Guides that are not listed come last. */
export const GUIDE_ORDER = [
  'first-payin',
  'pse',
  'breb',
  'payouts',
  'giving-money-back',
  'paying-many',
  'payment-links',
  'receipts',
  'webhooks',
  'reconciliation',
  'closing',
  'sandbox',
  'connections',
  'connecting-wompi',
  'connecting-mono',
  'connecting-placetopay',
  'production',
  'deploying',
  'team',
  'approvals',
  'operating',
  'growing',
  'security',
  'audit',
  'search',
  'writing-an-adapter',
]
const LANGUAGES: readonly Language[] = ['en', 'es']
// Printed from the catalogue for readers of the repository. The site builds its own page instead.
const GENERATED = new Set(['docs/errors.md'])

const REPOSITORY = join(import.meta.dirname, '../../..')

/** Empty if the installation has no docs folder. The reference works without it. */
export function readDocuments(root: string = REPOSITORY): Map<string, string> {
  if (!existsSync(join(root, 'docs'))) return new Map()
  const files = globSync(['docs/*.md', 'docs/guides/*/*.md'], { cwd: root }).sort()
  return new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]))
}

export function guidePages(documents: ReadonlyMap<string, string>, addresses: ServerAddresses): Page[] {
  const files = [...documents.keys()].filter((file) => pathOf(file) !== undefined && !GENERATED.has(file))
  const guides = files.filter((file) => file.startsWith('docs/guides/')).sort(byOrder)
  const inDepth = files.filter((file) => !file.startsWith('docs/guides/'))
  return [...guides, ...inDepth].map((file) => guidePage(file, documents, addresses))
}

const INDEX = {
  en: {
    path: '/docs/guides',
    title: 'Guides',
    summary: 'From the first payin to running your own installation.',
  },
  es: {
    path: '/docs/guides/es',
    title: 'Guías',
    summary: 'Desde el primer cobro hasta operar tu propia instalación.',
  },
} as const

export function guideIndex(guides: readonly Page[], language: Language): Page {
  const other: Language = language === 'en' ? 'es' : 'en'
  return {
    ...INDEX[language],
    section: 'Guides',
    language,
    translation: { language: other, path: INDEX[other].path },
    blocks: [
      list(
        guides
          .filter((page) => page.section === 'Guides' && page.language === language)
          .map((page) => `[${page.title}](${page.path}): ${page.summary}`),
      ),
    ],
  }
}

/** The addresses that the guides are written with, and those of this installation. */
export type ServerAddresses = { readonly publicUrl: string; readonly sandboxUrl?: string | undefined }

// The proxy of an operator's own machine reaches the service there, whatever its public address is.
const OF_ANOTHER_MACHINE = /^```nginx\n[\s\S]*?^```$/gm

/** A guide as it holds for this installation: what the reader copies reaches the server that shows it. */
export function atAddresses(source: string, { publicUrl, sandboxUrl }: ServerAddresses): string {
  const replaced = (text: string) =>
    text
      .replaceAll(/http:\/\/127\.0\.0\.1:4000(?!\d)/g, publicUrl)
      .replaceAll(/http:\/\/127\.0\.0\.1:4001(?!\d)/g, sandboxUrl ?? 'http://127.0.0.1:4001')
  let out = ''
  let last = 0
  for (const { 0: block, index } of source.matchAll(OF_ANOTHER_MACHINE)) {
    out += replaced(source.slice(last, index)) + block
    last = index + block.length
  }
  return out + replaced(source.slice(last))
}

function guidePage(file: string, documents: ReadonlyMap<string, string>, addresses: ServerAddresses): Page {
  const written = atAddresses(documents.get(file) ?? '', addresses)
  const source = rewriteLinks(written, (href) => siteAddress(file, href, documents))
  const [, title = 'Untitled', body = ''] = /^# (.+)\n+([\s\S]*)$/.exec(source.trimStart()) ?? []
  const [summary = ''] = body.split(/\n\s*\n/)
  const language = languageOf(file)
  const other = LANGUAGES.find((one) => one !== language) as Language
  const translatedFile = file.replace(`/guides/${language}/`, `/guides/${other}/`)
  const translatedPath =
    translatedFile !== file && documents.has(translatedFile) ? pathOf(translatedFile) : undefined
  return {
    path: pathOf(file) as string,
    title: title.trim(),
    summary: summary.replaceAll('\n', ' '),
    section: file.startsWith('docs/guides/') ? 'Guides' : 'In depth',
    language,
    blocks: [{ kind: 'markdown', source: body }],
    ...(translatedPath !== undefined && { translation: { language: other, path: translatedPath } }),
  }
}

function languageOf(file: string): Language {
  return file.startsWith('docs/guides/es/') ? 'es' : 'en'
}

function pathOf(file: string): string | undefined {
  if (file === 'docs/errors.md') return '/docs/errors'
  const [, language, guide] = /^docs\/guides\/(en|es)\/([\w-]+)\.md$/.exec(file) ?? []
  if (guide !== undefined) return language === 'en' ? `/docs/guides/${guide}` : `/docs/guides/es/${guide}`
  const [, name] = /^docs\/([\w-]+)\.md$/.exec(file) ?? []
  return name === undefined ? undefined : `/docs/in-depth/${name}`
}

// A link to a repository file that is not a page is removed, and its words stay.
function siteAddress(file: string, href: string, documents: ReadonlyMap<string, string>): string | undefined {
  if (/^(https?:|mailto:|#|\/)/.test(href)) return href
  const [target = '', anchor] = href.split('#')
  const found = posix.normalize(posix.join(posix.dirname(file), target))
  if (found === 'openapi.json') return '/openapi.json'
  const path = documents.has(found) || GENERATED.has(found) ? pathOf(found) : undefined
  if (path === undefined) return undefined
  return anchor === undefined ? path : `${path}#${anchor}`
}

function byOrder(a: string, b: string): number {
  const rank = (file: string) => {
    const index = GUIDE_ORDER.indexOf(posix.basename(file, '.md'))
    return index === -1 ? GUIDE_ORDER.length : index
  }
  return languageOf(a).localeCompare(languageOf(b)) || rank(a) - rank(b) || a.localeCompare(b)
}
