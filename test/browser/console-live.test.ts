// Open pages of the console, in a real browser: what happens shows within a second, and nothing that somebody does is disturbed.
// Keys lead everywhere.

import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { PLACES } from '../../src/console/sections.ts'
import { updateRole } from '../../src/store/team/members.ts'
import { endSessions } from '../../src/store/team/sessions.ts'
import { type Person, signIn } from '../console/person.ts'
import { byDepth } from '../depth.ts'
import { brebPayin, CUSTOMER, createWorld, endPayin, type World } from '../world.ts'
import { closeBrowser } from './payer.ts'
import { openStaff, type Staff } from './staff.ts'

// Never ends by itself.
const open = { inlineCustomer: { ...CUSTOMER, idNumber: '1000000007' } }

let world: World
let owner: Person
before(async () => {
  world = await createWorld()
  owner = await signIn(world, 'owner', { language: 'en' })
})
after(async () => {
  await closeBrowser()
  await world[Symbol.asyncDispose]()
})

const newPayin = async (changes: Record<string, unknown> = {}): Promise<string> =>
  (await world.client('POST', '/payins', brebPayin({ ...open, ...changes }))).json.id

// A page that listens. What happened before it did is shown already.
async function listening(staff: Staff, path: string): Promise<Page> {
  const page = await staff.page.context().newPage()
  page.on('pageerror', (error) => staff.complaints.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error') staff.complaints.push(message.text())
  })
  const connected = page.waitForRequest((request) => request.url().includes('/live?'))
  await page.goto(`${world.baseUrl}${owner.home}${path}`)
  await connected
  return page
}

// How long after `happens` the page shows it.
describe('an open page', () => {
  let staff: Staff
  before(async () => {
    staff = await openStaff(world, owner, { viewport: { width: 1280, height: 500 } })
  })
  beforeEach(() => staff.complaints.splice(0))
  // Browsers open few connections to a server, and each of these pages keeps one.
  afterEach(async () => {
    for (const page of staff.page.context().pages()) if (page !== staff.page) await page.close()
  })
  after(() => staff.close())

  it('shows by itself that a payin was confirmed: list, home and object', async () => {
    const payinId = await newPayin()
    await world.work()
    const [list, home, object] = [
      await listening(staff, '/payins'),
      await listening(staff, ''),
      await listening(staff, `/payins/${payinId}`),
    ]
    assert.equal(await list.locator(`#row-${payinId} .status.wait`).count(), 1)
    await endPayin(world, world.client, payinId, 'confirmed')
    await list.locator(`#row-${payinId} .status.good`).waitFor({ state: 'attached' })
    await home.locator('.today-sum a:has-text("50,000")').waitFor({ state: 'attached' })
    await object.locator('#sentence.good').waitFor({ state: 'attached' })
    assert.deepEqual(staff.complaints, [])
  })

  it('leaves focus, selection, scroll and typed text as they are', async () => {
    for (let count = 0; count < 12; count += 1) await newPayin()
    const payinId = await newPayin()
    await world.work()
    const page = await listening(staff, '/payins')
    await page.locator('#filter-text').pressSequentially('half a word')
    await page.evaluate('document.querySelector("#filter-text").setSelectionRange(2, 5)')
    await page.mouse.move(5, 5)
    await page.evaluate('scrollTo(0, 120)')
    await page.evaluate('window.seen = document.querySelector("#filter-text")')
    const state = (): Promise<unknown> =>
      page.evaluate(`(() => {
        const { activeElement } = document
        return [activeElement === window.seen, activeElement.value, activeElement.selectionStart, activeElement.selectionEnd, scrollY]
      })()`)
    const before = await state()
    await endPayin(world, world.client, payinId, 'confirmed')
    await page.locator(`#row-${payinId} .status.good`).waitFor()
    assert.deepEqual(await state(), before)
    assert.deepEqual((before as unknown[]).slice(0, 4), [true, 'half a word', 2, 5])
  })

  it('lets a new row join a list that nobody is at', async () => {
    await newPayin()
    const page = await listening(staff, '/payins')
    await page.mouse.move(2, 2)
    const payinId = await newPayin()
    await page.locator(`#rows tr:first-child#row-${payinId}`).waitFor()
    assert.equal(await page.locator('#news').isVisible(), false)
  })

  it('keeps rows where they are while somebody is at the list, and says how many are new', async () => {
    const known = await newPayin()
    await world.work()
    const page = await listening(staff, '/payins')
    await page.mouse.move(2, 2)
    await page.locator(`#row-${known} a`).focus()
    const top = (): Promise<number> =>
      page.locator(`#row-${known}`).evaluate((row) => row.getBoundingClientRect().top)
    const before = await top()
    const first = await newPayin()
    await page.locator('#news:has-text("1 new")').waitFor()
    const second = await newPayin()
    await page.locator('#news:has-text("2 new")').waitFor()
    assert.equal(await top(), before)
    assert.equal(await page.evaluate('document.activeElement.closest("tr").id'), `row-${known}`)
    // What is there already changes in its place.
    await endPayin(world, world.client, known, 'confirmed')
    await page.locator(`#row-${known} .status.good`).waitFor()
    assert.equal(await page.evaluate('document.activeElement.closest("tr").id'), `row-${known}`)
    await page.locator('#news').click()
    assert.equal(await page.locator(`#rows tr:nth-child(1)#row-${second}`).count(), 1)
    assert.equal(await page.locator(`#rows tr:nth-child(2)#row-${first}`).count(), 1)
    assert.equal(await page.locator('#news').isVisible(), false)
  })

  it('keeps what is unfolded, and what is typed beside it', async () => {
    const payinId = await newPayin()
    await world.work()
    const page = await listening(staff, `/payins/${payinId}`)
    await page.mouse.move(2, 2)
    await page.locator('.moment details summary').first().click()
    await page.locator('#json summary').click()
    await page.mouse.move(2, 2)
    const opened = (): Promise<string[]> =>
      page.locator('details[open]').evaluateAll((all) => all.map(({ id }) => id))
    const before = await opened()
    assert.equal(before.length, 2)
    await page.locator('#find').fill('typed')
    await endPayin(world, world.client, payinId, 'confirmed')
    await page.locator('#sentence.good').waitFor()
    assert.deepEqual((await opened()).sort(), before.sort())
    assert.equal(await page.locator('#find').inputValue(), 'typed')
    // What can no longer be done is gone.
    assert.equal(await page.locator('form[action$="/cancel"]').count(), 0)
  })

  it('asks for nothing while it is hidden, and catches up when it is shown', async () => {
    const payinId = await newPayin()
    await world.work()
    const page = await listening(staff, '/payins')
    const setHidden = (isHidden: boolean) =>
      page.evaluate(`(() => {
        Object.defineProperty(document, 'hidden', { value: ${isHidden}, configurable: true })
        document.dispatchEvent(new Event('visibilitychange'))
      })()`)
    await setHidden(true)
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await endPayin(world, world.client, payinId, 'confirmed')
    assert.deepEqual(asked, [])
    assert.equal(await page.locator(`#row-${payinId} .status.wait`).count(), 1)
    await setHidden(false)
    await page.locator(`#row-${payinId} .status.good`).waitFor()
  })

  it('shows nothing of another organization, and asks for nothing because of it', async () => {
    const other = await world.newMerchant()
    await newPayin()
    const page = await listening(staff, '/payins')
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await other.client('POST', '/payins', brebPayin(open))
    const payinId = await newPayin()
    await page.locator(`#row-${payinId}`).waitFor()
    assert.ok(asked.length <= 2, asked.join())
  })

  it('leads to sign-in when the session was ended elsewhere', async () => {
    const leaving = await signIn(world, 'support')
    const theirs = await openStaff(world, leaving)
    await theirs.open('')
    await theirs.open('/payins')
    await endSessions(world.db, leaving.userId, null, Date.now())
    await newPayin()
    await theirs.page.waitForURL(/\/console\/sign-in\?to=/)
    // Nothing of it is shown again by going back.
    await theirs.page.goBack()
    await theirs.page.waitForURL(/\/console\/sign-in/)
    assert.equal(await theirs.page.locator('#rows').count(), 0)
    await theirs.close()
  })

  it('says which right is missing when the role was changed', async () => {
    const support = await signIn(world, 'support', { language: 'en' })
    const theirs = await openStaff(world, support)
    await theirs.open('/webhooks')
    await updateRole(world.db, world.organization.organizationId, support.userId, 'accountant', Date.now())
    await world.client('POST', '/webhook-endpoints', { url: 'https://shop.example/role' })
    const payinId = await newPayin()
    await world.client('POST', `/payins/${payinId}/cancel`)
    await world.work()
    await theirs.page.locator('h1:has-text("You lack a right")').waitFor()
    await theirs.close()
  })
})

describe('the keyboard', () => {
  let staff: Staff
  let page: Page
  const focused = (): Promise<string> =>
    page.evaluate(`(document.activeElement.closest('[id]') ?? document.activeElement).id`)
  before(async () => {
    await newPayin()
    await newPayin()
    staff = await openStaff(world, owner)
    page = staff.page
  })
  // The list, with nothing in focus: as it stands if nobody left it.
  beforeEach(async () => {
    if (page.url() !== `${world.baseUrl}${owner.home}/payins`) await staff.open('/payins')
    else await page.evaluate('document.activeElement.blur()')
  })
  after(() => staff.close())

  it('finds with Ctrl K and with ⌘K, from anywhere', async () => {
    for (const key of ['Control+k', 'Meta+k']) {
      await page.locator('#filter-text').focus()
      await page.keyboard.press(key)
      assert.equal(await focused(), 'find')
    }
  })

  it('filters with /, and gives the page back with Escape', async () => {
    await page.keyboard.press('/')
    assert.equal(await focused(), 'filter-text')
    await page.keyboard.type('j?c')
    assert.equal(await page.locator('#filter-text').inputValue(), 'j?c')
    await page.keyboard.press('Escape')
    assert.notEqual(await focused(), 'filter-text')
  })

  it('goes through the rows with j and k, and opens one with Enter', async () => {
    const rows = await page.locator('#rows tr').evaluateAll((all) => all.map(({ id }) => id))
    await page.keyboard.press('j')
    assert.equal(await focused(), rows[0])
    await page.keyboard.press('j')
    assert.equal(await focused(), rows[1])
    await page.keyboard.press('k')
    assert.equal(await focused(), rows[0])
    const ring = await page.evaluate<string>(
      'getComputedStyle(document.activeElement).outlineStyle + getComputedStyle(document.activeElement, "::after").outlineStyle',
    )
    assert.match(ring, /solid|auto/)
    await page.keyboard.press('Enter')
    await page.waitForURL(new RegExp(`/payins/${rows[0]?.slice(4)}$`))
  })

  it('goes to every section with g and its key', async () => {
    const sections = [
      ['a', '/alarms'],
      ['h', ''],
      ['c', '/payins'],
      ['p', '/payouts'],
      ['l', '/links'],
      ['e', '/events'],
      ['w', '/webhooks'],
      ['s', '/settings'],
    ] as const
    const keyOf = new Map(Object.values(PLACES).map((place) => [place.path, place.key]))
    for (const [key, path] of sections) assert.equal(keyOf.get(path), key, path)
    for (const [key, path] of sections.slice(0, byDepth(2, sections.length))) {
      await page.keyboard.press('g')
      await page.keyboard.press(key)
      await page.waitForURL(`${world.baseUrl}${owner.home}${path}`)
      await page.locator('h1').waitFor()
    }
  })

  it('creates with c', async () => {
    await staff.open('/webhooks')
    await page.keyboard.press('c')
    await page.waitForURL(/\/webhooks\/new$/)
  })

  it('lists the keys with ?, and the focus comes back', async () => {
    await page.keyboard.press('j')
    const before = await focused()
    await page.keyboard.press('?')
    assert.equal(await page.locator('#keys[open]').count(), 1)
    // Nothing behind it is reached.
    await page.keyboard.press('j')
    assert.match(await focused(), /^keys/)
    await page.keyboard.press('Escape')
    assert.equal(await focused(), before)
  })

  it('lists them from the menu of the person too', async () => {
    await page.locator('.person').click()
    await page.locator('#person [data-open=keys]').click()
    await page.locator('#keys[open] h2').waitFor()
    await page.locator('#keys[open] button').click()
    assert.equal(await page.locator('#keys[open]').count(), 0)
  })

  it('asks before a grave step, and gives the focus back when it is left', async () => {
    await world.client('POST', '/webhook-endpoints', { url: 'https://shop.example/grave' })
    await staff.open('/webhooks')
    await page.locator('.endpoint h2 a').first().click()
    const button = page.locator('form[data-confirm][action$="/delete"] button')
    await button.focus()
    await page.keyboard.press('Enter')
    await page.locator('#sure[open]').waitFor()
    await page.keyboard.press('Escape')
    assert.equal(await page.locator('form[data-confirm][action$="/delete"] button:focus').count(), 1)
    // Left and asked again in one turn of the page: the first question's closing is told after the second is open.
    await page.evaluate(`(async () => {
      const sure = document.querySelector('#sure')
      const closing = new Promise((told) => sure.addEventListener('close', told, { once: true }))
      const ask = () => document.querySelector('form[data-confirm][action$="/delete"]').requestSubmit()
      ask()
      sure.close()
      ask()
      await closing
    })()`)
    await page.locator('#sure[open] button[value=yes]').click()
    await page.waitForURL(/\/webhooks(\?done=|$)/)
  })

  it('leaves single keys alone for whoever does not want them', async () => {
    const quiet = await signIn(world, 'owner', { singleKeys: false })
    const theirs = await openStaff(world, quiet)
    await theirs.open('/payins')
    for (const key of ['j', '/', '?', 'c']) await theirs.page.keyboard.press(key)
    assert.equal(await theirs.page.evaluate('document.activeElement === document.body'), true)
    assert.equal(await theirs.page.locator('#keys[open]').count(), 0)
    await theirs.page.keyboard.press('Control+k')
    assert.equal(await theirs.page.evaluate('document.activeElement.id'), 'find')
    await theirs.close()
  })

  it('is quiet in the browser', () => assert.deepEqual(staff.complaints, []))
})
