// All documentation pages. They depend only on the installation's address and environment, so they are built on the
// first request and cached.

import type { Html } from '../core/html.ts'
import { addressIn, LANGUAGES } from './language.ts'
import { type Environment, readApi } from './open-api.ts'
import { errorsPage } from './pages/errors.ts'
import { eventTypesPage } from './pages/events.ts'
import { guideIndex, guidePages, readDocuments } from './pages/guides.ts'
import { lifecyclesPage } from './pages/lifecycles.ts'
import { overviewPage } from './pages/overview.ts'
import { overviewPageEs } from './pages/overview-es.ts'
import { resourcePage, type Setting } from './pages/resource.ts'
import { searchContent } from './pages/search-results.ts'
import { type Language, type Page, SECTIONS } from './print/block.ts'
import { COPY_SCRIPT } from './print/copy-script.ts'
import { printHtml } from './print/html.ts'
import { type Frame, hasForms, renderPage } from './print/layout.ts'
import { createMarkdown } from './print/markdown.ts'
import { printMarkdown } from './print/markdown-text.ts'
import { PLAYGROUND } from './print/playground.ts'
import { SEARCH_SCRIPT, searchIndex } from './print/search-script.ts'
import { WORDS } from './print/words.ts'
import { createSearch, type Result, searchEntries } from './search.ts'
import { type Document, PAGE_POLICY, PLAIN_POLICY, PLAYGROUND_POLICY } from './send.ts'

export type SiteOptions = {
  readonly publicUrl: string
  readonly environment: Environment
  /** Where the simulated networks are, in staging. */
  readonly sandboxUrl?: string | undefined
  readonly documents?: ReadonlyMap<string, string>
}

export type Site = {
  /** Each in its own language. A page without a translation is also shown in a Spanish frame. */
  readonly pages: readonly Page[]
  /** The address of every page, in every language. */
  readonly addresses: readonly string[]
  /** Where the page at an address is read in a language. Undefined if there is no page at the address. */
  readonly addressIn: (path: string, language: Language) => string | undefined
  /** The document at an address: a page, its Markdown, a script or llms.txt. Search results are not included. */
  readonly documentAt: (path: string) => Document | undefined
  readonly results: (query: string, language?: Language) => readonly Result[]
  readonly search: (query: string, language?: Language) => Document
  readonly notFound: (language?: Language) => Document
}

export function createSite(options: SiteOptions): Site {
  const { publicUrl, environment, documents = readDocuments() } = options
  const setting: Setting = { api: readApi(publicUrl, environment), baseUrl: publicUrl, environment }
  const guides = guidePages(documents, options)
  const pages: readonly Page[] = [
    overviewPage(setting, guides),
    overviewPageEs(setting, guides),
    guideIndex(guides, 'en'),
    guideIndex(guides, 'es'),
    ...guides.filter(({ section }) => section === 'Guides'),
    ...setting.api.tags.map((tag) => resourcePage(tag, setting)),
    eventTypesPage(setting),
    lifecyclesPage(),
    errorsPage(setting, 'en'),
    errorsPage(setting, 'es'),
    ...guides.filter(({ section }) => section === 'In depth'),
  ]
  const base = new URL(publicUrl).pathname.replace(/\/+$/, '')
  const shown = new Map(
    pages.flatMap((page) =>
      LANGUAGES.filter((language) => language === page.language || page.translation === undefined).map(
        (language): [string, Shown] => [addressIn(page, language), { page, language }],
      ),
    ),
  )
  const frame = { pages, base, publicUrl, environment }
  const render = printer(shown, frame)
  const entries = once((language) => searchEntries(pages, setting.api, language))
  const searches = once((language) => createSearch(entries(language)))
  const results: Site['results'] = (query, language = 'en') => searches(language)(query)
  const unlisted = (language: Language, path: string, title: string, content: Html) =>
    htmlPage(renderPage({ title, path, content }, frame, language))
  const documentsByPath = new Map<string, () => Document>([
    ...plainDocuments(pages, shown, setting),
    ...LANGUAGES.map((language): [string, () => Document] => [
      `/docs/search-index.${language}.js`,
      () => ({ type: TYPES.script, text: searchIndex(entries(language), WORDS[language]) }),
    ]),
    ...[...shown].map(([path, one]): [string, () => Document] => [path, () => render(one)]),
  ])
  return {
    pages,
    addresses: [...shown.keys()],
    addressIn: (path, language) => {
      const found = shown.get(path)
      return found && addressIn(found.page, language)
    },
    results,
    documentAt: (path) => documentsByPath.get(path)?.(),
    search: (query, language = 'en') => {
      const words = WORDS[language]
      const other = language === 'en' ? '/docs/es/search' : '/docs/search'
      return unlisted(
        language,
        other,
        words.search,
        searchContent(query, results(query, language), base, words),
      )
    },
    notFound: (language = 'en') => {
      const words = WORDS[language]
      const other = language === 'en' ? '/docs/es' : '/docs'
      return unlisted(language, other, words.notFound.title, searchContent(undefined, [], base, words))
    },
  }
}

type Shown = { readonly page: Page; readonly language: Language }

// In a Spanish frame the links in the text lead to Spanish addresses.
function readIn(path: string, language: Language, shown: ReadonlyMap<string, Shown>): string {
  const found = language === 'es' ? shown.get(path) : undefined
  return found === undefined ? path : addressIn(found.page, language)
}

function printer(shown: ReadonlyMap<string, Shown>, frame: Frame): (one: Shown) => Document {
  const { base } = frame
  const linkTo = (language: Language) => (href: string) => {
    if (!href.startsWith('/')) return safe(href)
    const [path = '', anchor] = href.split('#')
    return `${base}${readIn(path, language, shown)}${anchor === undefined ? '' : `#${anchor}`}`
  }
  const markdown = once((language) => createMarkdown(linkTo(language), WORDS[language]))
  return ({ page, language }) =>
    htmlPage(
      renderPage(
        { page, content: printHtml(page.blocks, { base, markdown: markdown(language) }) },
        frame,
        language,
      ),
      hasForms(page) ? PLAYGROUND_POLICY : PAGE_POLICY,
    )
}

function plainDocuments(
  pages: readonly Page[],
  shown: ReadonlyMap<string, Shown>,
  setting: Setting,
): [string, () => Document][] {
  const markdown = ({ page, language }: Shown) =>
    printMarkdown(page, {
      linkTo: (href) => markdownAddress(href, setting.baseUrl, (path) => readIn(path, language, shown)),
      note: page.language === language ? '' : WORDS[language].inEnglish,
    })
  const everything = () => pages.map((page) => markdown({ page, language: page.language }))
  return [
    ['/llms.txt', () => ({ type: TYPES.plain, text: llmsIndex(pages, setting) })],
    ['/llms-full.txt', () => ({ type: TYPES.plain, text: everything().join('\n\n---\n\n') })],
    ['/docs/copy.js', () => ({ type: TYPES.script, text: COPY_SCRIPT })],
    ['/docs/search.js', () => ({ type: TYPES.script, text: SEARCH_SCRIPT })],
    ...(setting.environment === 'staging' ? [PLAYGROUND_ENTRY] : []),
    ...[...shown].map(([path, one]): [string, () => Document] => [
      markdownPath(path),
      () => ({ type: TYPES.markdown, text: markdown(one) }),
    ]),
  ]
}

// Built for a language when somebody first asks.
function once<Value>(build: (language: Language) => Value): (language: Language) => Value {
  const built = new Map<Language, Value>()
  return (language) => {
    const value = built.get(language) ?? build(language)
    built.set(language, value)
    return value
  }
}

function htmlPage(text: string, policy = PLAIN_POLICY): Document {
  return { type: TYPES.html, policy, text }
}

const TYPES = {
  html: 'text/html; charset=utf-8',
  markdown: 'text/markdown; charset=utf-8',
  plain: 'text/plain; charset=utf-8',
  script: 'text/javascript; charset=utf-8',
} as const
const PLAYGROUND_ENTRY: [string, () => Document] = [
  '/docs/playground.js',
  () => ({ type: TYPES.script, text: PLAYGROUND }),
]

export function markdownPath(path: string): string {
  return `${path}.md`
}

function markdownAddress(
  href: string,
  publicUrl: string,
  addressOf: (path: string) => string,
): string | undefined {
  if (!href.startsWith('/')) return safe(href)
  const [path = '', anchor] = href.split('#')
  const target = /^\/docs(\/|$)/.test(path) ? markdownPath(addressOf(path)) : path
  return `${publicUrl}${target}${anchor === undefined ? '' : `#${anchor}`}`
}

function safe(href: string): string | undefined {
  return /^(https?:|mailto:|#)/.test(href) ? href : undefined
}

function llmsIndex(pages: readonly Page[], { api, baseUrl }: Setting): string {
  const entries = (section: Page['section'], language = 'en') =>
    pages
      .filter((page) => page.section === section && page.language === language)
      .map((page) => `- [${page.title}](${baseUrl}${markdownPath(page.path)}): ${page.summary}`)
  const spanish = SECTIONS.flatMap((section) => entries(section, 'es'))
  return `${[
    `# ${api.title}`,
    `> ${api.summary}`,
    api.description,
    ['## Start', '', ...entries('Start')].join('\n'),
    ['## Guides', '', ...entries('Guides')].join('\n'),
    [
      '## API reference',
      '',
      ...entries('API reference'),
      `- [OpenAPI 3.1](${baseUrl}/openapi.json): The whole API for machines.`,
    ].join('\n'),
    [
      '## Optional',
      '',
      ...entries('In depth'),
      ...spanish,
      `- [Everything in one](${baseUrl}/llms-full.txt): All pages, one after the other.`,
    ].join('\n'),
  ].join('\n\n')}\n`
}
