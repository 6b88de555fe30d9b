// Every page of the payer in a real browser: light and dark, Spanish and English, narrow and wide. SCREENSHOTS=1 leaves
// pictures in test/screenshots.

import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import jsQR from 'jsqr'
import { PNG } from 'pngjs'
import { brebPayin, EVERY_STATE, link } from '../checkout/subjects.ts'
import { axeViolations, closeBrowser, openPayer, type Payer, sidewaysScroll } from './payer.ts'

const SCREENSHOTS = join(import.meta.dirname, '../screenshots')
const PHONE_WIDTH = 390
const NARROWEST_WIDTH = 320

const long = 'Cooperativa-de-Caficultores-y-Panaderos-Unidos-de-la-Sierra-Nevada '.repeat(2).trim()
const STATES: Readonly<Record<string, { subject: ReturnType<typeof link>; step?: string }>> = {
  ...EVERY_STATE,
  forward: { subject: link({ payin: EVERY_STATE['at-bank']?.subject.payin ?? null }), step: 'go' },
  'long-names': {
    subject: link({
      merchant: { ...link().merchant, name: long },
      reference: 'X'.repeat(255),
      amountInCents: 78_880_000_000n,
      payin: brebPayin({ status: 'CONFIRMED', resultAt: brebPayin().updatedAt }),
    }),
  },
  'accent-yellow': { subject: accented('#ffee00') },
  'accent-navy': { subject: accented('#000033') },
}

function accented(accentColor: string) {
  return link({ merchant: { ...link().merchant, accentColor } })
}

// Neither the structure nor the colours of a page depend on the language: in English it only has to fit.
for (const language of ['es', 'en'] as const)
  describe(`the payer’s pages, ${language}`, () => {
    let payer: Payer
    before(async () => {
      mkdirSync(SCREENSHOTS, { recursive: true })
      payer = await openPayer(undefined, { viewport: { width: NARROWEST_WIDTH, height: 780 } })
      for (const [name, { subject }] of Object.entries(STATES)) payer.harness.subjects.set(name, subject)
      // A 204 leaves the browser where it is, so that the forwarding page can be inspected.
      await payer.page.route(/bank\.example/, (route) => route.fulfill({ status: 204 }))
    })
    after(async () => {
      await payer.close()
    })

    const inspect = async (name: string) => {
      const { page, complaints } = payer
      assert.equal(await sidewaysScroll(page, NARROWEST_WIDTH), 0)
      assert.equal(await page.getAttribute('html', 'lang'), language === 'es' ? 'es-CO' : 'en')
      if (language === 'es') {
        assert.deepEqual(await axeViolations(page), [])
        await page.emulateMedia({ colorScheme: 'dark' })
        assert.deepEqual(await axeViolations(page, 'colours'), [], 'dark')
        assert.equal(await sidewaysScroll(page, PHONE_WIDTH), 0)
      }
      if (process.env.SCREENSHOTS) await pictures(name)
      assert.deepEqual(complaints, [])
      await page.emulateMedia({ colorScheme: 'light' })
      await page.setViewportSize({ width: NARROWEST_WIDTH, height: 780 })
    }

    const pictures = async (name: string) => {
      for (const colorScheme of ['light', 'dark'] as const) {
        await payer.page.emulateMedia({ colorScheme })
        const path = join(SCREENSHOTS, `${name}-${colorScheme}-${language}.png`)
        await payer.page.screenshot({ path, fullPage: true })
      }
    }

    for (const [name, { step }] of Object.entries(STATES))
      it(`${name}: no violation, no sideways scroll, no complaint`, async () => {
        const query = `?lang=${language}${step === undefined ? '' : `&step=${step}`}`
        // A page that forwards at once never fires its load event.
        await payer.page.goto(payer.url(query, name), { waitUntil: 'commit' })
        await payer.page.locator('footer a').waitFor()
        await inspect(name)
      })

    it('form with every field wrong: no violation, the first wrong field has the focus', async () => {
      const { page } = payer
      await page.goto(payer.url(`?lang=${language}`, 'choose'))
      await page.getByRole('radio', { name: /PSE/ }).check()
      await page.locator('form button').click()
      await page.locator('.note.bad').waitFor()
      await page.locator('#bank:focus').waitFor()
      assert.equal(await page.locator('[aria-invalid]').count(), 6)
      await inspect('form-errors')
    })

    it('not found: no violation', async () => {
      await payer.page.goto(payer.url(`?lang=${language}`, 'nobody'))
      await inspect('not-found')
    })

    it('internal error: no violation', async () => {
      const { get } = payer.harness.subjects
      payer.harness.subjects.get = () => {
        throw new Error('away')
      }
      await payer.page.goto(payer.url(`?lang=${language}`, 'choose'))
      payer.harness.subjects.get = get
      await inspect('broken')
    })
  })

async function boxOf({ page }: Payer, selector: string) {
  const box = await page.locator(selector).first().boundingBox()
  assert.ok(box, selector)
  return { left: box.x, right: box.x + box.width, top: box.y, bottom: box.y + box.height }
}

describe('the code to scan', () => {
  after(closeBrowser)

  for (const colorScheme of ['light', 'dark'] as const)
    it(`can be scanned off the screen, ${colorScheme}`, async () => {
      await using payer = await openPayer(link({ payin: brebPayin() }), { colorScheme })
      await payer.page.goto(payer.url())
      const { data, width, height } = PNG.sync.read(await payer.page.locator('.qr svg').screenshot())
      const decode = jsQR as unknown as typeof jsQR.default
      assert.equal(decode(new Uint8ClampedArray(data), width, height)?.data, brebPayin().qrPayload)
    })

  // The longest key there is.
  const longKey = link({ payin: brebPayin({ keyString: `@${'W'.repeat(20)}` }) })

  it('comes after the key and the steps on a phone, and the key is whole, on one line, above the fold', async () => {
    await using payer = await openPayer(longKey, { viewport: { width: 360, height: 640 } })
    const { page } = payer
    await page.goto(payer.url())
    const copy = await boxOf(payer, '.key button')
    const key = await boxOf(payer, '.key dd:not(:has(button))')
    const [steps, code] = [await boxOf(payer, 'ol'), await boxOf(payer, '.qr svg')]
    assert.ok(key.bottom <= copy.top && copy.bottom <= 640, `the button ends at ${copy.bottom}`)
    assert.ok(copy.bottom <= steps.top && steps.bottom <= code.top, 'the order')
    for (const width of [360, NARROWEST_WIDTH]) {
      assert.equal(await sidewaysScroll(page, width), 0)
      const lines = await page.evaluate<[number, number]>(`(() => {
        const range = document.createRange()
        range.selectNodeContents(document.querySelector('.key dd'))
        const { right } = document.querySelector('.copies').getBoundingClientRect()
        return [range.getClientRects().length, right - range.getBoundingClientRect().right]
      })()`)
      assert.equal(lines[0], 1, 'one line')
      assert.ok(lines[1] > 0, 'whole')
    }
  })

  it('leads on a wide screen, and both columns are used', async () => {
    await using payer = await openPayer(longKey, { viewport: { width: 1280, height: 800 } })
    await payer.page.goto(payer.url())
    const [code, key] = [await boxOf(payer, '.qr svg'), await boxOf(payer, '.key')]
    assert.ok(code.right <= key.left && code.bottom <= 800, 'the code is on the left, above the fold')
    assert.ok(Math.abs(code.top - key.top) < 40, 'both begin at the top')
    const paid = await boxOf(payer, 'form button')
    assert.ok(paid.right <= key.left && paid.top >= code.bottom, 'what happens next is below the code')
  })

  it('leaves only the receipt on paper', async () => {
    const subject = EVERY_STATE['approved-pse']?.subject
    await using payer = await openPayer(subject)
    await payer.page.goto(payer.url())
    await payer.page.emulateMedia({ media: 'print' })
    assert.equal(await payer.page.locator('button:visible, a.button:visible').count(), 0)
    assert.equal(await payer.page.locator('.receipt:visible').count(), 1)
    if (process.env.SCREENSHOTS)
      await payer.page.screenshot({ path: join(SCREENSHOTS, 'receipt-print.png'), fullPage: true })
  })
})
