// The documentation in a real browser: every page, light and dark, on a phone; with and without script; and the
// playground's requests. SCREENSHOTS=1 leaves pictures in test/screenshots.

import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { createSite } from '../../src/docs/site.ts'
import { byDepth, isDeep } from '../depth.ts'
import { createWorld, type World } from '../world.ts'
import { assertJoinedFit, joinPages } from './joined-pages.ts'
import { axeViolations, browser, closeBrowser, removeRepeatedElements, sidewaysScroll } from './payer.ts'

const SCREENSHOTS = join(import.meta.dirname, '../screenshots')
const PHONE = { width: 360, height: 780 }
const NARROWEST_WIDTH = 320
const WIDTHS = [768, 1_280]
const RESOURCE = '/docs/refunds'
const SHOWN = ['/docs', RESOURCE, '/docs/lifecycles']

const PATHS = [
  ...createSite({ publicUrl: 'http://127.0.0.1:4000', environment: 'staging' }).pages.map(({ path }) => path),
  '/docs/search?q=cancel',
  '/docs/search?q=zzzzzz',
  '/docs/nowhere',
]

// One page of each kind is enough for axe: all of a kind are built alike, from one stylesheet. What may differ from page to
// page, headings, ids and texts, test/docs/pages.test.ts reads on all of them.
const OF_EACH_KIND = [
  '/docs',
  RESOURCE,
  '/docs/errors',
  '/docs/event-types',
  '/docs/lifecycles',
  '/docs/guides/first-payin',
  '/docs/search?q=cancel',
  '/docs/nowhere',
]
const LOADED = byDepth(OF_EACH_KIND, PATHS)

let world: World
before(async () => {
  await browser()
  mkdirSync(SCREENSHOTS, { recursive: true })
  world = await createWorld()
})
after(async () => {
  await closeBrowser()
  await world[Symbol.asyncDispose]()
})

async function open(options: BrowserContextOptions = {}) {
  const context = await (await browser()).newContext({ viewport: PHONE, ...options })
  const page = await context.newPage()
  const complaints: string[] = []
  const elsewhere: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    // The browser reports a 404 page as an error, which is expected here.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      complaints.push(message.text())
  })
  page.on('request', (request) => {
    if (!request.url().startsWith(world.baseUrl) && !request.url().startsWith('data:'))
      elsewhere.push(request.url())
  })
  return { page, complaints, elsewhere, [Symbol.asyncDispose]: () => context.close() }
}

// Folded content must pass too. A few of each kind are enough, because all are built alike.
const unfold = (page: Page, part = 'body') =>
  page.evaluate(`for (const part of document.querySelectorAll('${part}')) for (const kind of ['.try', '.more', '.fields details'])
    for (const fold of [...part.querySelectorAll(kind)].slice(0, 3)) fold.open = true`)

async function pictures(page: Page, path: string): Promise<void> {
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme })
    for (const width of [360, ...WIDTHS]) {
      await page.setViewportSize({ width, height: 900 })
      const name = `docs${path.slice(5).replaceAll('/', '-')}-${colorScheme}-${width}.png`
      await page.screenshot({ path: join(SCREENSHOTS, name) })
    }
  }
}

describe('the documentation', () => {
  let reader: Awaited<ReturnType<typeof open>>
  before(async () => {
    reader = await open({ colorScheme: 'light' })
  })
  after(() => reader[Symbol.asyncDispose]())

  const assertColours = async (schemes: readonly ('dark' | 'light')[], part?: string) => {
    for (const colorScheme of schemes) {
      await reader.page.emulateMedia({ colorScheme })
      assert.deepEqual(await axeViolations(reader.page, 'colours', part), [], colorScheme)
    }
  }

  for (const path of LOADED)
    it(`${path}: no violation, no sideways scroll, no complaint, nothing from elsewhere`, async () => {
      const { page, complaints, elsewhere } = reader
      await page.emulateMedia({ colorScheme: 'light' })
      await page.setViewportSize(PHONE)
      await page.goto(world.baseUrl + path)
      await unfold(page)
      for (const width of [NARROWEST_WIDTH, ...WIDTHS])
        assert.equal(await sidewaysScroll(page, width), 0, `at ${width}`)
      if (SHOWN.includes(path) && process.env.SCREENSHOTS) await pictures(page, path)
      if (OF_EACH_KIND.includes(path)) {
        await page.setViewportSize(PHONE)
        await removeRepeatedElements(page, byDepth(1, 3))
        assert.deepEqual(await axeViolations(page), [])
        await assertColours(['dark'])
      }
      // With the code beside the text. Nothing but the arrangement differs from a phone.
      if (isDeep && SHOWN.includes(path)) {
        await page.setViewportSize({ width: 1_280, height: 900 })
        await assertColours(['dark', 'light'], 'main')
      }
      assert.deepEqual([complaints, elsewhere], [[], []])
    })

  // Their frame is the same, and no script changes what they show.
  it('all other pages: no sideways scroll', async () => {
    const { page } = reader
    const contents = new Map<string, string>()
    for (const path of PATHS.filter((one) => !LOADED.includes(one))) {
      const { status, text } = await world.anonymous('GET', path)
      const main = /<main[^>]*>([\s\S]*)<\/main>/.exec(text)?.[1] ?? ''
      assert.ok(status === 200 && main.includes('<h1'), path)
      // The colours of code make nothing wider, and are most of the elements.
      contents.set(
        path,
        main.replaceAll(/<pre[\s\S]*?<\/pre>/g, (code) => code.replaceAll(/<\/?span[^>]*>/g, '')),
      )
    }
    assert.ok(contents.size > byDepth(60, -1), String(contents.size))
    await page.goto(`${world.baseUrl}/docs/nowhere`)
    await joinPages(page, 'main', contents)
    await unfold(page, '[data-page]')
    await assertJoinedFit(page, [NARROWEST_WIDTH, ...byDepth([], WIDTHS)])
  })

  it('the phone menu: no violation when it is open', async () => {
    // Before the size: what is open is all pages in one.
    await reader.page.goto(`${world.baseUrl}/docs/nowhere`)
    await reader.page.setViewportSize(PHONE)
    await reader.page.emulateMedia({ colorScheme: 'light' })
    await reader.page.locator('.menu summary').click()
    assert.ok(await reader.page.locator('.menu a', { hasText: 'Payouts' }).first().isVisible())
    assert.equal(await sidewaysScroll(reader.page, NARROWEST_WIDTH), 0)
    await removeRepeatedElements(reader.page, 1)
    assert.deepEqual(await axeViolations(reader.page, 'all', '.menu'), [])
    await assertColours(['dark'], '.menu')
  })
})

describe('on a phone of 360 pixels', () => {
  let reader: Awaited<ReturnType<typeof open>>
  before(async () => {
    reader = await open()
  })
  after(() => reader[Symbol.asyncDispose]())

  it('no name of an event is broken over two lines', async () => {
    await reader.page.goto(`${world.baseUrl}/docs/event-types`)
    const broken = await reader.page.evaluate<
      string[]
    >(`[...document.querySelectorAll('td code, h2 code, p code')]
      .filter((code) => /^[a-z]+\\.[a-z]+$/.test(code.textContent) && code.getClientRects().length > 1)
      .map((code) => code.textContent)`)
    assert.deepEqual(broken, [])
  })

  it('every drawing of a lifecycle is seen whole', async () => {
    for (const path of ['/docs/lifecycles', '/docs/payins']) {
      await reader.page.goto(world.baseUrl + path)
      const hidden = await reader.page.evaluate<number[]>(`[...document.querySelectorAll('svg.lifecycle')]
        .map(({ parentElement: box }) => box.scrollWidth - box.clientWidth)`)
      assert.ok(hidden.length > 0)
      assert.deepEqual(new Set(hidden), new Set([0]), path)
    }
  })
})

describe('a reader without script', () => {
  it('switches samples, opens what is folded, follows the menu and searches', async () => {
    await using reader = await open({ javaScriptEnabled: false, viewport: { width: 1_280, height: 900 } })
    const { page } = reader
    await page.goto(`${world.baseUrl}/docs/payins`)
    const samples = page.locator('.samples').first()
    const shown = async () => (await samples.locator('.panel:visible').allInnerTexts()).join('')
    assert.match(await shown(), /curl /)
    await samples.getByText('TypeScript').first().click()
    assert.match(await shown(), /recaudo\.payins\.create/)
    assert.doesNotMatch(await shown(), /curl /)
    await samples.locator('input').first().focus()
    await page.keyboard.press('ArrowLeft')
    assert.match(await shown(), /recaudo payins create/)
    await page.locator('.try summary').first().click()
    assert.ok(await page.getByText('Needs JavaScript').first().isVisible())
    assert.equal(await page.locator('.try form:visible').count(), 0)
    await page.getByRole('search').getByRole('searchbox').fill('refund')
    await page.getByRole('search').getByRole('searchbox').fill('chargeback')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'payin.chargeback' }).click()
    assert.match(page.url(), /\/docs\/event-types#payin\.chargeback$/)
  })

  it('can also read everything without style', async () => {
    await using reader = await open({ javaScriptEnabled: false })
    const { page } = reader
    await page.route(/\/docs/, async (route) => {
      const response = await route.fetch()
      const body = (await response.text()).replace(/<style>[\s\S]*?<\/style>/, '')
      await route.fulfill({ response, body })
    })
    await page.goto(`${world.baseUrl}/docs/payins`)
    for (const label of ['curl', 'TypeScript', 'CLI'])
      assert.ok(await page.locator('.panel', { hasText: label }).first().isVisible(), label)
  })

  it('can skip to the content first', async () => {
    await using reader = await open({ javaScriptEnabled: false })
    await reader.page.goto(`${world.baseUrl}/docs/errors`)
    await reader.page.keyboard.press('Tab')
    await reader.page.keyboard.press('Enter')
    assert.match(reader.page.url(), /#content$/)
  })
})

describe('the search field', () => {
  it('is focused by /, completes what is typed with words of guides too, and leads there by keyboard', async () => {
    await using reader = await open({ viewport: { width: 1_280, height: 900 } })
    const { page, complaints, elsewhere } = reader
    await page.goto(`${world.baseUrl}/docs/authentication`)
    await page.keyboard.press('/')
    const field = page.getByRole('combobox')
    assert.equal(await page.evaluate('document.activeElement.id'), 'q')
    assert.equal(await field.inputValue(), '', 'the slash itself is not typed')
    await field.fill('pgbackre')
    await field.pressSequentially('st')
    const option = page.getByRole('option', { name: /Back to any second/ })
    await option.waitFor()
    assert.deepEqual(await axeViolations(page, 'all', 'header'), [])
    await page.keyboard.press('Escape')
    assert.equal(await page.locator('.suggested li').count(), 0)
    await field.fill('KEY_INVALID')
    await page
      .getByRole('option', { name: /KEY_INVALID/ })
      .first()
      .waitFor()
    await field.fill('pgbackrest')
    await option.waitFor()
    await page.keyboard.press('ArrowDown')
    assert.equal(await option.getAttribute('aria-selected'), 'true')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/docs\/guides\/operating#back-to-any-second$/)
    assert.deepEqual([complaints, elsewhere], [[], []])
  })

  it('is Spanish on Spanish pages, and a slash in another field is a slash', async () => {
    await using reader = await open({ locale: 'es-CO', viewport: { width: 1_280, height: 900 } })
    const { page } = reader
    await page.goto(world.baseUrl)
    await page.waitForURL(/\/docs\/es$/)
    await page.getByRole('combobox').fill('lectores')
    await page.getByRole('option', { name: /TOO_MANY_STREAMS/ }).click()
    await page.waitForURL(/\/docs\/es\/errors#TOO_MANY_STREAMS$/)
    await page.getByRole('link', { name: 'English' }).click()
    await page.waitForURL(/\/docs\/errors\?lang=en$/)
    await page.getByRole('link', { name: 'Payins' }).first().click()
    await page.waitForURL(/\/docs\/payins$/)
    await page.locator('.try summary').first().click()
    const body = page.locator('.try textarea').first()
    await body.fill('')
    await body.press('/')
    assert.equal(await body.inputValue(), '/')
  })
})

describe('a reader with script', () => {
  let reader: Awaited<ReturnType<typeof open>>
  before(async () => {
    reader = await open({
      viewport: { width: 1_280, height: 900 },
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    await reader.page.goto(`${world.baseUrl}/docs/payins`)
  })
  after(() => reader[Symbol.asyncDispose]())

  it('copies a sample unchanged', async () => {
    const { page } = reader
    await page.locator('.samples').first().getByRole('button', { name: 'Copy' }).click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    const copied = await page.evaluate<string>('navigator.clipboard.readText()')
    assert.equal(copied, await page.locator('.samples pre').first().textContent())
    assert.match(copied, /^curl /)
  })

  it('sends the playground’s example with a reference of its own, so that it works after the guide has used the example’s', async () => {
    const { page } = reader
    await page.locator('.try').first().locator('summary').click()
    const form = page.locator('form[data-method=POST][data-path="/payins"]')
    await form.getByLabel(/API key/).fill(world.apiKey)
    const body = form.getByLabel('Body')
    const example = JSON.parse(await body.inputValue())
    assert.equal((await world.client('POST', '/payins', example)).status, 201)
    const references = new Set<string>()
    for (const time of ['first', 'second']) {
      await form.getByRole('button', { name: /Send/ }).click()
      await form.locator('.outcome b', { hasText: '201' }).waitFor()
      const { reference, ...sent } = JSON.parse(await body.inputValue())
      assert.match(reference, new RegExp(`^${example.reference}-\\w+$`), time)
      assert.deepEqual({ ...sent, reference: example.reference }, example)
      references.add(reference)
    }
    assert.equal(references.size, 2)
  })

  it('sends a real request with the key that was typed, and is shown what came back', async () => {
    const { page, complaints, elsewhere } = reader
    const form = page.locator('form[data-method=POST][data-path="/payins"]')
    const body = form.getByLabel('Body')
    await body.fill(JSON.stringify({ ...JSON.parse(await body.inputValue()), reference: 'tried-1' }))
    await form.getByRole('button').click()
    await form.locator('.outcome', { hasText: '"reference": "tried-1"' }).waitFor()
    const shown = await form.locator('.outcome').innerText()
    assert.match(shown, /^201 /)
    assert.match(shown, /in \d+ ms/)
    assert.match(shown, /x-request-id: /)

    // The same key in every form, and nowhere else.
    await page.locator('.try:has(form[data-method=GET][data-path="/payins"]) > summary').click()
    const listing = page.locator('form[data-method=GET][data-path="/payins"]')
    assert.equal(await listing.getByLabel(/API key/).inputValue(), world.apiKey)
    await listing.getByLabel('status').selectOption('PROCESSING')
    await listing.getByRole('button').click()
    await listing.locator('.outcome b', { hasText: '200' }).waitFor()
    assert.equal(
      await page.evaluate('localStorage.length + sessionStorage.length + document.cookie.length'),
      0,
    )
    await page.reload()
    assert.equal(await page.locator('[data-key]').first().inputValue(), '')
    assert.deepEqual([complaints, elsewhere], [[], []])
  })

  it('is shown a refusal as one, and no violation there or beside an answer', async () => {
    const { page } = reader
    await page.goto(`${world.baseUrl}/docs/events`)
    await page.locator('.try summary').first().click()
    const form = page.locator('.try form').first()
    await form.getByLabel(/API key/).fill('rk_stg_wrong')
    await form.getByRole('button').click()
    await form.locator('.outcome b.bad', { hasText: '401' }).waitFor()
    assert.match(await form.locator('.outcome').innerText(), /UNAUTHORIZED/)
    await removeRepeatedElements(page, 1)
    assert.deepEqual(await axeViolations(page, 'all', '.try[open]'), [])
    await form.getByLabel(/API key/).fill(world.apiKey)
    await form.getByRole('button').click()
    await form.locator('.outcome b', { hasText: '200' }).waitFor()
    assert.deepEqual(await axeViolations(page, 'all', '.try[open]'), [])
  })
})
