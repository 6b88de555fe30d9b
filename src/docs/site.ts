// All documentation pages. They depend only on the installation's address and environment, so they are built on the
// first request and cached.

import { type Environment, readApi } from './open-api.ts'
import { errorsPage } from './pages/errors.ts'
import { eventTypesPage } from './pages/events.ts'
import { guideIndex, guidePages, readDocuments } from './pages/guides.ts'
import { lifecyclesPage } from './pages/lifecycles.ts'
import { overviewPage } from './pages/overview.ts'
import { resourcePage, type Setting } from './pages/resource.ts'
import { searchContent } from './pages/search-results.ts'
import type { Page } from './print/block.ts'
import { COPY_SCRIPT } from './print/copy-script.ts'
import { printHtml } from './print/html.ts'
import { hasForms, renderPage } from './print/layout.ts'
import { createMarkdown } from './print/markdown.ts'
import { printMarkdown } from './print/markdown-text.ts'
import { PLAYGROUND } from './print/playground.ts'
import { createSearch, type Result } from './search.ts'
import { type Document, PAGE_POLICY, PLAIN_POLICY, PLAYGROUND_POLICY } from './send.ts'

export type SiteOptions = {
  readonly publicUrl: string
  readonly environment: Environment
  readonly documents?: ReadonlyMap<string, string>
}

export type Site = {
  readonly pages: readonly Page[]
  /** The document at an address: a page, its Markdown, a script or llms.txt. Search results are not included. */
  readonly documentAt: (path: string) => Document | undefined
  readonly results: (query: string) => readonly Result[]
  readonly search: (query: string) => Document
  readonly notFound: () => Document
}

export function createSite({ publicUrl, environment, documents = readDocuments() }: SiteOptions): Site {
  const setting: Setting = { api: readApi(publicUrl, environment), baseUrl: publicUrl, environment }
  const guides = guidePages(documents)
  const pages: readonly Page[] = [
    overviewPage(setting, guides),
    guideIndex(guides),
    ...guides.filter(({ section }) => section === 'Guides'),
    ...setting.api.tags.map((tag) => resourcePage(tag, setting)),
    eventTypesPage(setting),
    lifecyclesPage(),
    errorsPage(setting),
    ...guides.filter(({ section }) => section === 'In depth'),
  ]
  const base = new URL(publicUrl).pathname.replace(/\/+$/, '')
  const printing = {
    base,
    markdown: createMarkdown((href) => (href.startsWith('/') ? base + href : safe(href))),
  }
  const frame = { pages, base, publicUrl, environment }
  const markdown = (page: Page) => printMarkdown(page, (href) => markdownAddress(href, publicUrl))
  let runSearch: ReturnType<typeof createSearch> | undefined
  const results = (query: string) => {
    runSearch ??= createSearch(pages, setting.api)
    return runSearch(query)
  }
  const page = (text: string, policy = PLAIN_POLICY): Document => ({ type: TYPES.html, policy, text })
  const documentsByPath = new Map<string, () => Document>([
    ['/llms.txt', () => ({ type: TYPES.plain, text: llmsIndex(pages, setting) })],
    ['/llms-full.txt', () => ({ type: TYPES.plain, text: pages.map(markdown).join('\n\n---\n\n') })],
    ['/docs/copy.js', () => ({ type: TYPES.script, text: COPY_SCRIPT })],
    ...(environment === 'staging' ? [PLAYGROUND_ENTRY] : []),
    ...pages.flatMap((one): [string, () => Document][] => [
      [
        one.path,
        () =>
          page(
            renderPage({ page: one, content: printHtml(one.blocks, printing) }, frame),
            hasForms(one) ? PLAYGROUND_POLICY : PAGE_POLICY,
          ),
      ],
      [markdownPath(one.path), () => ({ type: TYPES.markdown, text: markdown(one) })],
    ]),
  ])
  return {
    pages,
    results,
    documentAt: (path) => documentsByPath.get(path)?.(),
    search: (query) =>
      page(renderPage({ title: 'Search', content: searchContent(query, results(query), base) }, frame)),
    notFound: () =>
      page(renderPage({ title: 'Not found', content: searchContent(undefined, [], base) }, frame)),
  }
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

function markdownAddress(href: string, publicUrl: string): string | undefined {
  if (!href.startsWith('/')) return safe(href)
  const [path = '', anchor] = href.split('#')
  const target = /^\/docs(\/|$)/.test(path) ? markdownPath(path) : path
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
  const spanish = entries('Guides', 'es')
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
