// Every page of the payer in a real browser: light and dark, Spanish and English, narrow and wide. SCREENSHOTS=1 leaves
// pictures in test/screenshots.

import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import jsQR from 'jsqr'
import { PNG } from 'pngjs'
import { brebPayin, EVERY_STATE, link } from '../checkout/subjects.ts'
import { byDepth, isDeep } from '../depth.ts'
import { assertJoinedFit, joinedWithNewKinds, joinPages } from './joined-pages.ts'
import { axeViolations, closeBrowser, openPayer, type Payer, sidewaysScroll } from './payer.ts'

const SCREENSHOTS = join(import.meta.dirname, '../screenshots')
const PHONE_WIDTH = 390
const NARROWEST_WIDTH = 320

const long = 'Cooperativa-de-Caficultores-y-Panaderos-Unidos-de-la-Sierra-Nevada '.repeat(2).trim()
type Language = 'es' | 'en'
const LANG = { es: /<html lang="es-CO">/, en: /<html lang="en">/ } as const

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

const OWN_COLOURS = ['accent-yellow', 'accent-navy']

describe('the payer’s pages', () => {
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

  const address = (name: string, language: Language): string => {
    const step = STATES[name]?.step
    return payer.url(`?lang=${language}${step === undefined ? '' : `&step=${step}`}`, name)
  }

  // By name, without the script, and with what the script shows.
  const bodies = async (language: Language): Promise<Map<string, string>> => {
    const all = new Map<string, string>()
    for (const name of [...Object.keys(STATES), 'nobody']) {
      const text = await (await fetch(address(name, language))).text()
      assert.match(text, LANG[language], name)
      const body = /<body[^>]*>([\s\S]*)<script/.exec(text)?.[1] ?? ''
      assert.ok(body.includes('<main'), name)
      all.set(name, body.replaceAll(/(<[^>]+ data-(?:copy|share|print|return|left)[^>]*) hidden>/g, '$1>'))
    }
    return all
  }

  const inspect = async (name: string, language: Language, rules: 'axe' | 'no axe') => {
    const { page, complaints } = payer
    assert.equal(await sidewaysScroll(page, NARROWEST_WIDTH), 0)
    assert.equal(await page.getAttribute('html', 'lang'), language === 'es' ? 'es-CO' : 'en')
    if (rules === 'axe') await assertNoViolation()
    assert.equal(await sidewaysScroll(page, PHONE_WIDTH), 0)
    if (process.env.SCREENSHOTS) await pictures(`${name}-${language}`)
    assert.deepEqual(complaints, [])
    await page.setViewportSize({ width: NARROWEST_WIDTH, height: 780 })
  }

  const assertNoViolation = async () => {
    assert.deepEqual(await axeViolations(payer.page), [])
    await payer.page.emulateMedia({ colorScheme: 'dark' })
    assert.deepEqual(await axeViolations(payer.page, 'colours'), [], 'dark')
    await payer.page.emulateMedia({ colorScheme: 'light' })
  }

  const pictures = async (name: string) => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await payer.page.emulateMedia({ colorScheme })
      const path = join(SCREENSHOTS, `${name}-${colorScheme}.png`)
      await payer.page.screenshot({ path, fullPage: true })
    }
    await payer.page.emulateMedia({ colorScheme: 'light' })
  }

  // Neither the structure nor the colours of a page depend on the language: in English it only has to fit.
  it('fit in both languages, and in Spanish have no violation', async (t) => {
    const { page } = payer
    const inEnglish = await bodies('en')
    await page.goto(payer.url('?lang=en', 'nobody'))
    await joinPages(page, 'body', inEnglish)
    await assertJoinedFit(page, [NARROWEST_WIDTH, PHONE_WIDTH])

    const inSpanish = await bodies('es')
    await page.goto(payer.url('?lang=es', 'nobody'))
    await joinPages(page, 'body', inSpanish)
    await assertJoinedFit(page, [NARROWEST_WIDTH, PHONE_WIDTH])
    // One after the other in a document that has axe already, which takes longer to load than to run.
    await page.setViewportSize({ width: NARROWEST_WIDTH, height: 780 })
    for (const name of await joinedWithNewKinds(page))
      await t.test(name, async () => {
        await page.evaluate(`document.body.innerHTML = ${JSON.stringify(inSpanish.get(name))}`)
        await assertNoViolation()
      })
  })

  it('when they are loaded have no sideways scroll and no complaint', async (t) => {
    const inSpanish = await bodies('es')
    // The script of all is the same. What it does is in these attributes.
    const work = new Set<string>()
    const isWork = (body: string): boolean => {
      const before = work.size
      for (const [, attribute = ''] of body.matchAll(/ (data-[a-z]+)/g)) work.add(attribute)
      return work.size > before
    }
    const names = Object.keys(STATES).filter(
      (name) => OWN_COLOURS.includes(name) || isWork(inSpanish.get(name) ?? '') || isDeep,
    )
    for (const language of byDepth(['es'] as const, ['es', 'en'] as const))
      for (const name of names)
        await t.test(`${name}, ${language}`, async () => {
          // A page that forwards at once never fires its load event.
          await payer.page.goto(address(name, language), { waitUntil: 'commit' })
          await payer.page.locator('footer a').waitFor()
          await inspect(name, language, isDeep || OWN_COLOURS.includes(name) ? 'axe' : 'no axe')
        })
  })

  it('form with every field wrong: no violation, the first wrong field has the focus', async () => {
    const { page } = payer
    for (const language of ['en', 'es'] as const) {
      await page.goto(payer.url(`?lang=${language}`, 'choose'))
      await page.getByRole('radio', { name: /PSE/ }).check()
      await page.locator('form button').click()
      await page.locator('.note.bad').waitFor()
      await page.locator('#bank:focus').waitFor()
      assert.equal(await page.locator('[aria-invalid]').count(), 6)
      await inspect('form-errors', language, language === 'es' ? 'axe' : 'no axe')
    }
  })

  it('not found: no violation', async () => {
    await payer.page.goto(payer.url('?lang=es', 'nobody'))
    await inspect('not-found', 'es', 'axe')
  })

  it('internal error: no violation', async () => {
    const { get } = payer.harness.subjects
    payer.harness.subjects.get = () => {
      throw new Error('away')
    }
    await payer.page.goto(payer.url('?lang=es', 'choose'))
    payer.harness.subjects.get = get
    await inspect('broken', 'es', 'axe')
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
