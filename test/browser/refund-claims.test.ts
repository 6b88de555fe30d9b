// The page on which a payer claims a refund, in a real browser without script: narrow and wide, light and dark, in both languages, and each
// thing that can be wrong. SCREENSHOTS=1 leaves pictures in test/screenshots.

import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { byDepth } from '../depth.ts'
import { refunding } from '../flows/refunds/refunding.ts'
import { CUSTOMER, createWorld, type World } from '../world.ts'
import { browser, closeBrowser, sidewaysScroll } from './payer.ts'

const SCREENSHOTS = join(import.meta.dirname, '../screenshots')
const OWN = '1020304050'
const WIDTHS = [360, 1280]
const NARROW = { name: 'narrow-es', width: 360, language: 'es', colorScheme: 'light' } as const
const WIDE = { name: 'wide-en', width: 1280, language: 'en', colorScheme: 'dark' } as const
const LOOKS = byDepth([NARROW], [NARROW, WIDE])

after(closeBrowser)

for (const { name, width, language, colorScheme } of LOOKS)
  describe(`the page of a refund, ${name}`, () => {
    let world: World
    let page: Page
    let close: () => Promise<void>
    before(async () => {
      mkdirSync(SCREENSHOTS, { recursive: true })
      world = await createWorld({ env: { PAYER_ACTIONS_PER_MINUTE: '0' } })
      const context = await (await browser()).newContext({
        viewport: { width, height: 800 },
        colorScheme,
        javaScriptEnabled: false,
      })
      page = await context.newPage()
      close = () => context.close()
    })
    after(async () => {
      await close()
      await world[Symbol.asyncDispose]()
    })
    const { asked, confirmed, ends, reaches, refund } = refunding(() => world)

    const open = async (payer: object = { inlineCustomer: { ...CUSTOMER, idNumber: OWN } }) => {
      const made = await asked(await confirmed({ ...payer }), { amountInCents: 1_000_000, way: 'CLAIM' })
      await page.goto(`${made.claimUrl}?lang=${language}`)
      return made
    }
    const type = async (key: string) => {
      await page.fill('#key', key)
      await page.click('form button')
    }
    // Nothing hides, nothing moves sideways, and nothing is unreadable.
    const look = async (state: string) => {
      const path = join(SCREENSHOTS, `refund-${state}-${name}.png`)
      if (process.env.SCREENSHOTS) await page.screenshot({ path, fullPage: true })
      for (const one of WIDTHS.toReversed()) assert.equal(await sidewaysScroll(page, one), 0, state)
    }

    it('asks for a key, says what is wrong with one, shows whose it is, and pays it', async () => {
      const made = await open()
      await look('ask')
      for (const key of ['?', '@NOEXISTE1', '@SUSPENDIDA1', '@CAIDA12']) {
        await type(key)
        assert.equal(await page.inputValue('#key'), key)
        assert.equal(await page.getAttribute('#key', 'aria-invalid'), 'true')
        assert.match((await page.getAttribute('#key', 'aria-describedby')) ?? '', /key-problem/)
        assert.ok(await page.locator('#key-problem').isVisible())
        await look(`wrong-${key.replaceAll(/\W/g, '') || 'key'}`)
      }
      await type(OWN)
      await look('review')
      await page.click('form button')
      await look('sending')
      await ends(made.id, 'CONFIRMED')
      await page.reload()
      assert.doesNotMatch(await page.locator('main').innerText(), /\.\./)
      await look('paid')
    })

    it('says that somebody else’s key needs an approval, and waits for it', async () => {
      const made = await open()
      await type('@OTRAPERSONA')
      await look('other')
      await page.click('form button')
      await reaches(made.id, 'AWAITING_APPROVAL')
      await look('approval')
    })

    it('asks who somebody is whom nobody named, and what is missing', async () => {
      await open({ inlineCustomer: undefined })
      await look('who')
      await type(OWN)
      assert.ok((await page.locator('[aria-invalid=true]').count()) > 0)
      await look('who-wrong')
    })

    it('says that it has ended', async () => {
      const made = await open()
      await world.passTime(30 * 86_400_000)
      assert.equal((await refund(made.id)).errorCode, 'CLAIM_EXPIRED')
      await page.reload()
      await look('expired')
      await page.goto(`${made.claimUrl}x`)
      await look('absent')
    })
  })
