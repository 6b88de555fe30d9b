// Every page of the console in a real browser, with markup and quotes in every text that somebody can choose: nothing of it becomes
// an element or is run, the policy holds everywhere, axe finds nothing in either theme, wide and narrow, no page
// is wider than the screen in either language, and zoom loses nothing. Pages that are added to ROUTES are looked at without a change here.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import type { Browser, Response } from 'playwright-core'
import { ASSETS } from '../../src/console/assets.ts'
import { isUuid } from '../../src/core/ids.ts'
import { type Answered, type Person, signIn } from '../console/person.ts'
import { byDepth } from '../depth.ts'
import { createWorld, eventually, type World } from '../world.ts'
import { answerFitFaults, consolePageFaults, missingStyles } from './console-look.ts'
import { makePlaces, type Places } from './console-places.ts'
import { closeBrowser } from './payer.ts'
import { launchUndrawn, openStaff, pictures, type Staff } from './staff.ts'

const HOSTILE = `"'><b data-planted onfocus=ran=1 autofocus><script>ran=1</script>`
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
]
const FIRST_VISIT_BYTES = 60 * 1_024
const SCRIPT_BYTES = 8 * 1_024
const TYPEFACE_BYTES = 29_000

let world: World
let owner: Person
let places: Places
before(async () => {
  world = await createWorld()
  owner = await signIn(world, 'owner', { name: HOSTILE })
  places = await makePlaces(world, owner, HOSTILE)
})
after(async () => {
  await closeBrowser()
  await places[Symbol.asyncDispose]()
  await world[Symbol.asyncDispose]()
})

// Of each kind of page one is looked at with all that it has in common with others.
const WHOLE = byDepth(['', '/payouts/new'], ['', '/payins', '/payouts/new', '/settings/look', '/search'])

async function followed(person: Person, path: string): Promise<Answered> {
  const answer = await person.get(path)
  return answer.location === null ? answer : person.get(answer.location)
}

describe('every page', () => {
  let undrawn: Promise<Browser>
  before(() => {
    undrawn = launchUndrawn()
  })
  after(async () => (await undrawn).close())

  it('is under the policy, runs nothing that was typed, fits, and axe finds nothing', async (t) => {
    const { page, complaints, close } = await openStaff(world, owner, {}, undrawn)
    const foreign: string[] = []
    page.on('request', (request) => {
      if (!request.url().startsWith(world.baseUrl) && !request.url().startsWith('data:'))
        foreign.push(request.url())
    })
    let shown = 0
    for (const path of places.pages)
      await t.test(path || '/', async () => {
        complaints.length = 0
        const response = (await page.goto(`${world.baseUrl}${owner.home}${path}`)) as Response
        assert.equal(response.status(), 200)
        const policy = response.headers()['content-security-policy'] ?? ''
        for (const part of POLICY) assert.ok(policy.includes(part), part)
        assert.equal(response.headers()['cache-control'], 'no-store')
        assert.equal(await page.getAttribute('html', 'lang'), 'es-CO')
        const [planted, ran, isShown] = await page.evaluate<[number, unknown, boolean]>(
          `[document.querySelectorAll('[data-planted]').length, window.ran, document.body.innerText.includes('data-planted')]`,
        )
        assert.deepEqual([planted, ran], [0, undefined])
        if (isShown) shown += 1
        await pictures(page, `page${path.replaceAll(/\W+/g, '-').slice(0, 40)}`)
        assert.deepEqual(await missingStyles(page, ASSETS.moreStyle), [])
        const look = WHOLE.includes(path) ? 'whole' : 'content'
        assert.deepEqual(await consolePageFaults(page, look), [])
        assert.deepEqual(complaints, [])
        assert.deepEqual(foreign, [])
      })
    // Otherwise nothing was tested.
    assert.ok(shown >= places.pages.length / 2, `${shown} pages show what was typed`)
    await close()
  })

  // The words differ, and the elements do not.
  it('fits in English too, and has nothing that was typed among its elements', async (t) => {
    const reader = await signIn(world, 'owner', { name: HOSTILE, language: 'en' })
    const { page, open, close } = await openStaff(world, reader, { bypassCSP: true }, undrawn)
    await open('')
    for (const path of places.pages)
      await t.test(path || '/', async () => {
        const { status, text } = await followed(reader, path)
        assert.equal(status, 200)
        assert.match(text, /<html lang="en"/)
        assert.doesNotMatch(text, /<[^>"]* data-planted/)
        assert.deepEqual(await answerFitFaults(page, text), [])
      })
    await close()
  })
})

describe('what is read', () => {
  it('is kept by nobody, files too', async () => {
    for (const path of places.files) {
      const { status, headers } = await owner.get(path)
      assert.deepEqual([status, headers.get('cache-control')], [200, 'no-store'], path)
      assert.match(headers.get('content-disposition') ?? '', /^attachment/, path)
      assert.equal(headers.get('x-content-type-options'), 'nosniff')
    }
  })

  it('is nobody else’s: another organization’s id leads nowhere', async () => {
    const other = await world.newMerchant()
    const stranger = await signIn(world, 'owner', { organization: other.organization })
    for (const path of [...places.pages, ...places.files]) {
      const foreign = await stranger.get(`${owner.home}${path}`)
      assert.equal(foreign.status, 404, path)
      assert.ok(!foreign.text.includes('data-planted'), path)
      // Their own organization, our object.
      if (!Object.values(places.ids).some((id) => isUuid(id) && path.includes(id) && id !== owner.userId))
        continue
      const guessed = await stranger.get(path)
      assert.equal(guessed.status, 404, path)
      assert.ok(!guessed.text.includes('data-planted'), path)
    }
  })

  it('is the same for a list’s address in a new session: rows, filters, tab and page', async () => {
    const again = await signIn(world, 'owner')
    const first = await openStaff(world, owner)
    const second = await openStaff(world, again)
    const seen = ({ page }: Staff) =>
      page.evaluate<unknown>(`({
        rows: [...document.querySelectorAll('#rows tr')].map(({ id }) => id),
        tab: document.querySelector('#tabs [aria-current]')?.textContent,
        filters: [...document.querySelectorAll('[data-filters] [name]')].map(({ name, value }) => [name, value]),
        pager: document.querySelector('.pager')?.innerHTML,
      })`)
    const lists = ['payins', 'movements', 'settings/audit']
    for (const list of byDepth(lists, [...lists, 'payouts', 'links', 'pages', 'events'])) {
      await first.open(`/${list}`)
      await first.page.locator('#filter-period').selectOption('7d')
      await first.page.waitForURL(/period=7d/)
      const tab = first.page.locator('#tabs li:nth-child(2) a')
      if ((await tab.count()) > 0) await tab.click()
      const address = first.page.url()
      await second.page.goto(address)
      assert.deepEqual(await seen(second), await seen(first), address)
    }
    await first.close()
    await second.close()
  })

  it('costs little: the first visit with the typeface, and the script', async () => {
    const staff = await openStaff(world, owner)
    const devtools = await staff.page.context().newCDPSession(staff.page)
    let bytes = 0
    devtools.on('Network.loadingFinished', ({ encodedDataLength }) => {
      bytes += encodedDataLength
    })
    await devtools.send('Network.enable')
    await staff.open('/payins')
    await staff.page.waitForLoadState('load')
    // The typeface comes last.
    await eventually(
      async () => bytes,
      (sum) => sum > TYPEFACE_BYTES,
    )
    assert.ok(bytes <= FIRST_VISIT_BYTES, `${bytes} bytes`)
    const script = await world.anonymous('GET', `/console/assets/${ASSETS.script}`)
    const size = gzipSync(script.text, { level: 9 }).length
    assert.ok(size <= SCRIPT_BYTES, `${size} bytes`)
    await staff.close()
  })

  it('of a list’s styles is all in the first sheet: what is not would be missed', async () => {
    const staff = await openStaff(world, owner)
    await staff.open('/payins')
    assert.equal(await staff.page.locator('link[rel=stylesheet]').count(), 1)
    await staff.page.evaluate(
      `document.querySelector('main').append(Object.assign(document.createElement('p'), { className: 'sentence' }))`,
    )
    assert.deepEqual(new Set(await missingStyles(staff.page, ASSETS.moreStyle)), new Set(['.sentence']))
    await staff.close()
  })

  it('can be printed: what is there, without what can be pressed', async () => {
    const staff = await openStaff(world, owner)
    const { page } = staff
    for (const path of ['/payins', `/payins/${places.ids.payinId}`, `/payouts/${places.ids.payoutId}`, '']) {
      await staff.open(path)
      await page.emulateMedia({ media: 'print' })
      assert.deepEqual(
        await page
          .locator('button:visible, input:visible, select:visible, nav:visible a:not(.tab)')
          .evaluateAll((all) => all.map((one) => one.outerHTML.slice(0, 80))),
        [],
        path,
      )
      assert.equal(await page.locator('h1:visible').count(), 1)
      if (path.startsWith('/payins'))
        assert.ok((await page.locator('#rows tr:visible, .moment:visible').count()) > 0)
      await page.emulateMedia({ media: null })
    }
    await staff.close()
  })

  it('is not shown to whoever lacks the right, and says which', async () => {
    const accountant = await signIn(world, 'accountant', { language: 'en' })
    const staff = await openStaff(world, accountant)
    await staff.page.goto(`${world.baseUrl}${owner.home}/webhooks`)
    assert.match(await staff.page.innerText('main'), /see webhooks/)
    assert.deepEqual(staff.complaints, [])
    await staff.close()
  })
})
