// Lighthouse on the payer's pages: 100 of 100 in accessibility and in best practices. On the console: 100 in accessibility, on one page,
// with --deep on a page of each kind, or on every page with LIGHTHOUSE_PAGES=all. axe, whose rules these are, sees
// everything of every page once anyway.

import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { Browser } from 'playwright-core'
import { EVERY_STATE } from '../checkout/subjects.ts'
import { signIn } from '../console/person.ts'
import { byDepth } from '../depth.ts'
import { FRAMEWORKS, frameworksProblem } from '../frameworks/frameworks.ts'
import { freePort } from '../free-port.ts'
import { createWorld, type World } from '../world.ts'
import { launchChromium } from './chromium.ts'
import { makePlaces, type Places } from './console-places.ts'
import { closeBrowser, openPayer, type Payer } from './payer.ts'

const CATEGORIES = ['accessibility', 'best-practices'] as const
// A page of each layout; axe looks at all of them.
const PAGES = byDepth(['breb'], ['choose', 'breb', 'approved-pse'])

// Neither category measures speed, so there is no wait after the load and no screenshot.
const AT_ONCE = {
  pauseAfterFcpMs: 0,
  pauseAfterLoadMs: 0,
  networkQuietThresholdMs: 0,
  cpuQuietThresholdMs: 0,
  disableFullPageScreenshot: true,
}

// What these tests read of a report.
type Report = {
  lhr: {
    runtimeError?: unknown
    audits: Record<string, { score: number | null; title: string; details?: unknown } | undefined>
    categories: Record<
      string,
      { score: number | null; auditRefs: { id: string; weight: number }[] } | undefined
    >
  }
}

// What these tests use of Lighthouse, and of the Puppeteer that comes with it.
type Lighthouse = {
  default: (url: string, flags: object) => Promise<Report | undefined>
  snapshot: (page: ConnectedPage, options: { flags: object }) => Promise<Report | undefined>
}
type ConnectedPage = {
  goto: (url: string) => Promise<{ status: () => number } | null>
  setExtraHTTPHeaders: (headers: Record<string, string>) => Promise<void>
}
type Connected = { newPage: () => Promise<ConnectedPage>; disconnect: () => Promise<void> }
type Puppeteer = { default: { connect: (options: { browserURL: string }) => Promise<Connected> } }

const problem = await frameworksProblem()
const load = <Module>(path: string): Promise<Module> => import(join(FRAMEWORKS, 'node_modules', path))

function assertPerfect(result: Report | undefined, wanted: readonly string[]): void {
  assert.ok(result, 'it ran')
  const { audits, categories, runtimeError } = result.lhr
  assert.equal(runtimeError, undefined)
  const failed = wanted
    .flatMap((category) => categories[category]?.auditRefs ?? [])
    .filter(({ id, weight }) => weight > 0 && audits[id]?.score !== null && (audits[id]?.score ?? 0) < 1)
    .map(({ id }) => `${id}: ${audits[id]?.title} ${JSON.stringify(audits[id]?.details)?.slice(0, 300)}`)
  assert.deepEqual(failed, [])
  for (const category of wanted) assert.equal(categories[category]?.score, 1)
}

describe('Lighthouse', { skip: problem ?? false }, () => {
  let lighthouse: Lighthouse
  let browser: Browser
  let port: number
  before(async () => {
    lighthouse = await load<Lighthouse>('lighthouse/core/index.js')
    port = await freePort()
    browser = await launchChromium([`--remote-debugging-port=${port}`])
  })
  after(() => browser.close())

  describe('on the payer’s pages', () => {
    let payer: Payer
    before(async () => {
      payer = await openPayer()
      for (const [name, { subject }] of Object.entries(EVERY_STATE)) payer.harness.subjects.set(name, subject)
    })
    after(async () => {
      await payer.close()
      await closeBrowser()
    })

    for (const name of PAGES)
      it(`${name} has 100 in ${CATEGORIES.join(' and ')}`, async () => {
        assert.ok(name in EVERY_STATE, `${name} is a page`)
        const step = EVERY_STATE[name]?.step
        const result = await lighthouse.default(payer.url(step === undefined ? '' : `?step=${step}`, name), {
          port,
          logLevel: 'silent',
          onlyCategories: [...CATEGORIES],
          ...AT_ONCE,
        })
        assertPerfect(result, CATEGORIES)
      })
  })

  describe('on the console', () => {
    let world: World
    let places: Places
    let connected: Connected
    before(async () => {
      world = await createWorld()
      places = await makePlaces(world, await signIn(world, 'owner'), 'Café <La Palma>')
      const { default: puppeteer } = await load<Puppeteer>('puppeteer-core/lib/puppeteer/puppeteer-core.js')
      connected = await puppeteer.connect({ browserURL: `http://127.0.0.1:${port}` })
    })
    after(async () => {
      await connected.disconnect()
      await places[Symbol.asyncDispose]()
      await world[Symbol.asyncDispose]()
    })

    // As it stands, without another load.
    it('its pages have 100 in accessibility', async (t) => {
      const person = await signIn(world, 'owner')
      const page = await connected.newPage()
      await page.setExtraHTTPHeaders({ cookie: person.cookie })
      const flags = { onlyCategories: ['accessibility'], logLevel: 'silent', disableFullPageScreenshot: true }
      const kinds = byDepth(['/payins'], ['', '/payins', '/payouts/new', '/settings/look'])
      const shown = process.env.LIGHTHOUSE_PAGES === 'all' ? places.pages : kinds
      for (const path of shown)
        await t.test(path || '/', async () => {
          const response = await page.goto(`${world.baseUrl}${person.home}${path}`)
          assert.equal(response?.status(), 200)
          assertPerfect(await lighthouse.snapshot(page, { flags }), ['accessibility'])
        })
    })
  })
})
