// The terms of a provider in a real browser: on a desk without script, and on the narrowest phone with it.

import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import {
  AWAY,
  awaitingPayin,
  BANK_URL,
  brebPayin,
  CUSTOMER,
  link,
  psePayin,
  TERMS,
  WOMPI,
} from '../checkout/subjects.ts'
import { isDeep } from '../depth.ts'
import { axeViolations, closeBrowser, openPayer, type Payer, sidewaysScroll } from './payer.ts'

after(closeBrowser)

const preparing = psePayin({ status: 'PENDING', bankUrl: null, traceId: null })
const box = /Acepto los términos y condiciones de Wompi y autorizo el tratamiento de mis datos personales/

const sees = (payer: Payer, title: string) => payer.page.locator('h1').filter({ hasText: title }).waitFor()
const focusedId = (payer: Payer) => payer.page.locator(':focus').getAttribute('id')

// What the provider and the bank do next.
function answering({ harness }: Payer, subject: ReturnType<typeof link>): void {
  harness.answers.begin = () => {
    harness.become(subject)
    return 'begun'
  }
}

for (const [screen, width, height, javaScriptEnabled] of [
  ['a desk', 1280, 800, false],
  ['the narrowest phone', 320, 640, true],
] as const)
  describe(`the terms on ${screen}, ${javaScriptEnabled ? 'with' : 'without'} script`, () => {
    const options = { javaScriptEnabled, viewport: { width, height } }

    it('are read in tabs of their own, must be accepted, and lead to the bank', async () => {
      await using payer = await openPayer(awaitingPayin(), options)
      const { page, harness } = payer
      const referrers: (string | undefined)[] = []
      await page.context().route(/wompi\.example/, (route) => {
        referrers.push(route.request().headers().referer)
        return route.fulfill({ contentType: 'text/html', body: '<title>terms</title>' })
      })
      await page.goto(payer.url())
      for (const [name, { url }] of [
        ['Términos y condiciones de Wompi', TERMS.links[0]],
        ['Tratamiento de datos personales de Wompi', TERMS.links[1]],
      ] as const) {
        const [tab] = await Promise.all([
          page.context().waitForEvent('page'),
          page.getByRole('link', { name }).click(),
        ])
        await tab.waitForURL(url)
        if (javaScriptEnabled) assert.equal(await tab.evaluate('opener === null'), true, 'no way back')
        await tab.close()
      }
      assert.deepEqual(referrers, [undefined, undefined])

      await page.getByRole('button', { name: 'Continuar en Bancolombia' }).click()
      await page.getByRole('alert').waitFor()
      assert.equal(await focusedId(payer), 'terms')
      assert.equal(harness.asked.length, 0)
      if (javaScriptEnabled) {
        assert.equal(await sidewaysScroll(page, width), 0)
        assert.deepEqual(await axeViolations(page), [])
      }

      answering(payer, awaitingPayin({ payin: preparing }))
      await page.getByLabel(box).check()
      await page.getByRole('button', { name: 'Continuar en Bancolombia' }).click()
      await sees(payer, 'Conectando con Bancolombia')
      assert.equal(harness.asked[0]?.choice?.terms, TERMS.digest)
      if (javaScriptEnabled) while (harness.watching() === 0) await page.waitForTimeout(20)
      harness.become(awaitingPayin({ payin: psePayin() }))
      await page.waitForURL(BANK_URL)
      assert.deepEqual(payer.complaints, [])
    })

    it('a key that is being registered is shown when it can be paid, without a word from the payer', async () => {
      await using payer = await openPayer(link({ payin: brebPayin({ isReady: false }) }), options)
      const { page, harness } = payer
      await page.goto(payer.url())
      await sees(payer, 'Estamos registrando la llave')
      assert.equal(await page.getByText('@RC7K2M9QX4TB5N').count(), 0)
      if (javaScriptEnabled) while (harness.watching() === 0) await page.waitForTimeout(20)
      harness.become(link({ payin: brebPayin() }))
      await page.getByText('@RC7K2M9QX4TB5N').waitFor()
    })

    // What follows is the same without script, and so is what the server says to it.
    if (!javaScriptEnabled && !isDeep) return

    it('are part of PSE’s form of a link, and of nothing else', async () => {
      await using payer = await openPayer(link({ pse: WOMPI, customer: CUSTOMER }), options)
      const { page, harness } = payer
      await page.goto(payer.url())
      assert.equal(await page.getByLabel(box).isVisible(), false, 'Bre-B has none')
      await page.getByRole('radio', { name: /PSE/ }).check()
      assert.equal(await page.getByLabel(box).isVisible(), true)
      await page.getByLabel(box).check()
      await page.getByRole('button', { name: 'Continuar' }).click()
      await page.getByRole('alert').waitFor()
      assert.equal(await focusedId(payer), 'bank')
      assert.equal(await page.getByLabel(box).isChecked(), true, 'what was accepted stays so')
      await page.getByLabel('Tu banco', { exact: true }).selectOption('CO_DAVIVIENDA')
      answering(payer, link({ pse: WOMPI, payin: preparing }))
      await page.getByRole('button', { name: 'Continuar' }).click()
      await sees(payer, 'Conectando con Bancolombia')
      assert.deepEqual(harness.asked[0]?.choice, {
        rail: 'PSE',
        bank: 'CO_DAVIVIENDA',
        personType: 'INDIVIDUAL',
        customer: CUSTOMER,
        terms: TERMS.digest,
      })
    })

    it('that cannot be had can be tried again, and then are there', async () => {
      await using payer = await openPayer(awaitingPayin({ pse: AWAY }), options)
      const { page, harness } = payer
      await page.goto(payer.url())
      await sees(payer, 'La conexión con los bancos no está disponible')
      assert.equal(await sidewaysScroll(page, width), 0)
      harness.become(awaitingPayin())
      await page.getByRole('link', { name: 'Intentar de nuevo' }).click()
      await page.getByLabel(box).waitFor()
    })
  })

describe('a payer with a keyboard', () => {
  it('reaches the texts and the box, and accepts with the space bar', async () => {
    await using payer = await openPayer(awaitingPayin())
    const { page } = payer
    await page.goto(payer.url())
    const reached: string[] = []
    for (let press = 0; press < 3; press++) {
      await page.keyboard.press('Tab')
      const [outline, href, id] = await page.evaluate<[string, string | undefined, string]>(
        `[getComputedStyle(document.activeElement).outlineStyle, document.activeElement.href, document.activeElement.id]`,
      )
      assert.equal(outline, 'solid')
      reached.push(href ?? id)
    }
    assert.deepEqual(reached, [...TERMS.links.map(({ url }) => url), 'terms'])
    await page.keyboard.press('Space')
    assert.equal(await page.getByLabel(box).isChecked(), true)
    answering(payer, awaitingPayin({ payin: preparing }))
    await page.keyboard.press('Enter')
    await sees(payer, 'Conectando con Bancolombia')
  })
})
