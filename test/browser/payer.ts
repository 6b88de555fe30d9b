// A payer with a browser on our pages. The banks and shops they are sent to are answered here: no test leaves this
// machine. Every browser complaint is recorded, policy violations too.

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import type { CheckoutSubject } from '../../src/checkout/backend.ts'
import { type Harness, startHarness, TOKEN } from '../checkout/harness.ts'
import { launchChromium } from './chromium.ts'

export type Payer = {
  harness: Harness
  page: Page
  /** The address of a page of ours. */
  url: (query?: string, token?: string) => string
  complaints: string[]
  close: () => Promise<void>
}

let shared: Promise<Browser> | undefined

/** One browser for all tests of a process; each test gets a fresh context. Who asks after it was closed gets a new one: files that
 * share a process each close it. */
export function browser(): Promise<Browser> {
  shared ??= launchChromium()
  return shared
}

export async function closeBrowser(): Promise<void> {
  const launched = shared
  shared = undefined
  await (await launched)?.close()
}

export async function openPayer(
  subject?: CheckoutSubject,
  options: BrowserContextOptions = {},
): Promise<Payer & AsyncDisposable> {
  // Before the server listens: if there is no browser, nothing must keep the process alive.
  const context = await (await browser()).newContext({
    viewport: { width: 390, height: 780 },
    locale: 'es-CO',
    // Nothing turns or glows: a browser that draws sixty times a second while a test waits takes the others' time.
    reducedMotion: 'reduce',
    ...options,
  })
  const harness = startHarness(subject)
  await harness.app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = harness.app.server.address() as AddressInfo
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    // The browser reports a 404 or 422 page as an error, which is expected here.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      complaints.push(message.text())
  })
  await page.route(/^https:\/\//, (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: `<title>elsewhere</title><h1>${route.request().url()}</h1>`,
    }),
  )
  const close = async () => {
    await context.close()
    await harness.app.close()
  }
  return {
    harness,
    page,
    url: (query = '', token = TOKEN) => `http://127.0.0.1:${port}/pay/${token}${query}`,
    complaints,
    close,
    [Symbol.asyncDispose]: close,
  }
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

// Listed by name. If asked for all colour rules, axe also runs the stricter ones that it leaves out by default.
const COLOUR_RULES = ['color-contrast', 'link-in-text-block']

// What a width can make wrong by itself.
const WIDTH_RULES = ['scrollable-region-focusable', 'target-size']

const ASKED = {
  all: {},
  'all, and width': { rules: Object.fromEntries(WIDTH_RULES.map((rule) => [rule, { enabled: true }])) },
  structure: { rules: Object.fromEntries(COLOUR_RULES.map((rule) => [rule, { enabled: false }])) },
  colours: { runOnly: { type: 'rule', values: COLOUR_RULES } },
  'colours and width': { runOnly: { type: 'rule', values: [...COLOUR_RULES, ...WIDTH_RULES] } },
} as const

/** What axe finds, on the page or in a part of it: with every rule, with those of colour only, for a page that differs
 * from a checked one only in colour, or with all others. */
export async function axeViolations(
  page: Page,
  rules: keyof typeof ASKED = 'all',
  part = 'html',
): Promise<string[]> {
  if (!(await page.evaluate<boolean>("typeof axe === 'object'"))) await page.evaluate(AXE)
  // Only violations are read: the rest need not be described.
  const options = { ...ASKED[rules], resultTypes: ['violations'] }
  return page.evaluate<string[]>(
    `axe.run('${part}', ${JSON.stringify(options)}).then(({ violations }) => violations.map(({ id, nodes }) =>
      id + ': ' + nodes.map((node) => node.html + ' ' + node.failureSummary).join(' | ')))`,
  )
}

// What an element looks like and is used for: its class, which attributes it has, its state, and whether it has words. What axe says of
// one, it says of all of the same kind in the same place.
export const KIND_OF_ELEMENT = `(one) => {
  const state = /^(aria-(current|invalid|selected|disabled|expanded|pressed|checked|hidden)|open|type|disabled|hidden|role|lang)$/
  const attributes = [...one.attributes].map(({ name, value }) => (state.test(name) ? name + '=' + value : name)).sort()
  return [one.tagName, one.className.baseVal ?? one.className, one.textContent.trim() === '', ...attributes].join(' ')
}`

// In an element of its parent's kind.
export const KINDS_IN = `(part) => {
  const kindOf = ${KIND_OF_ELEMENT}
  const whole = part.documentElement ?? part
  return [...new Set([...whole.querySelectorAll('*')].map((one) => kindOf(one.parentElement) + ' > ' + kindOf(one)))]
}`

/** Whether the page has an element of a kind that was not seen yet. They are seen from now on. */
export async function showsNewKinds(page: Page, seen: Set<string>): Promise<boolean> {
  const before = seen.size
  for (const kind of await page.evaluate<string[]>(`(${KINDS_IN})(document)`)) seen.add(kind)
  return seen.size > before
}

/** Takes away all but the first elements of a kind in a place. What axe computes grows faster than the page. */
export const removeRepeatedElements = (page: Page, kept = 3): Promise<number> =>
  page.evaluate<number>(`(() => {
    const kindOf = ${KIND_OF_ELEMENT}
    const counts = new Map()
    const repeated = new Set()
    const hasNew = (one, place) => {
      const path = place + ' > ' + kindOf(one) + (one.nextElementSibling === null)
      const count = (counts.get(path) ?? 0) + 1
      counts.set(path, count)
      const isNew = [...one.children].map((child) => hasNew(child, path)).includes(true) || count <= ${kept}
      if (!isNew) repeated.add(one)
      return isNew
    }
    hasNew(document.body, '')
    // A field keeps its label.
    for (const label of document.querySelectorAll('label'))
      if (label.control !== null && !repeated.has(label.control))
        for (let one = label; one !== null; one = one.parentElement) repeated.delete(one)
    for (const one of repeated) one.remove()
    return repeated.size
  })()`)

/** How far the page scrolls sideways at a width. */
export async function sidewaysScroll(page: Page, width: number): Promise<number> {
  await page.setViewportSize({ width, height: 780 })
  return page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth')
}
