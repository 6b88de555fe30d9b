// Pages that wait, in a real browser, when something does not go as it should: a stream that breaks, a reload, time that runs out.

import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { brebPayin, EVERY_STATE, link, NOW, psePayin } from '../checkout/subjects.ts'
import { closeBrowser, openPayer, type Payer } from './payer.ts'

after(closeBrowser)

const paid = link({ status: 'COMPLETED', payin: psePayin({ status: 'CONFIRMED', resultAt: NOW }) })

async function sees({ page }: Payer, heading: string): Promise<void> {
  await page.getByRole('heading', { name: heading }).waitFor()
}

describe('a waiting page', () => {
  it('polls when its stream breaks after it was open', async () => {
    await using payer = await openPayer(link({ payin: brebPayin() }))
    const { page, harness } = payer
    let streams = 0
    await page.route(/\/stream/, (route) => {
      streams += 1
      return streams === 1 ? route.continue() : route.abort()
    })
    await page.goto(payer.url())
    while (harness.watching() === 0) await page.waitForTimeout(20)
    // Nothing tells the page: its connection is gone, and no other comes about.
    harness.app.server.closeAllConnections()
    while (harness.watching() > 0) await page.waitForTimeout(20)
    harness.subjects.set(harness.subjects.keys().next().value as string, paid)
    await sees(payer, 'Pago aprobado')
  })

  it('asks the network once when the payer comes back from the bank, and not again when it is loaded again', async () => {
    await using payer = await openPayer(link({ payin: psePayin() }))
    const { page, harness } = payer
    const asked = () => harness.asked.filter(({ call }) => call === 'recheck').length
    await page.goto(payer.url('?step=back'))
    while (asked() === 0) await page.waitForTimeout(20)
    await page.reload()
    // The script has run to its end by the time the stream is open.
    while (harness.watching() === 0) await page.waitForTimeout(20)
    assert.equal(asked(), 1)
  })

  it('that is a form is shown anew when the time to pay is over', async () => {
    await using payer = await openPayer(link({ expiresAt: NOW + 1_000 }))
    await payer.page.goto(payer.url())
    payer.harness.setNow(NOW + 1_000)
    await sees(payer, 'Este cobro venció')
  })
})

describe('the countdown on the way back to the merchant', () => {
  it('stands still while nobody looks at the page', async () => {
    await using payer = await openPayer(paid)
    const { page } = payer
    await page.clock.install()
    await page.addInitScript(
      'window.isAway = true; Object.defineProperty(document, "hidden", { get: () => window.isAway })',
    )
    await page.goto(payer.url())
    const countdown = page.locator('[data-return]')
    await countdown.waitFor()
    await page.clock.runFor(60_000)
    assert.match(await countdown.innerText(), /en 20\ss/)
    await page.evaluate('window.isAway = false')
    await page.clock.runFor(5_000)
    assert.match(await countdown.innerText(), /en 15\ss/)
  })
})

describe('a button to print', () => {
  it('prints', async () => {
    const { subject } = EVERY_STATE['approved-pse'] ?? assert.fail('it is there')
    await using payer = await openPayer(subject)
    await payer.page.addInitScript('window.print = () => { document.title = "printed" }')
    await payer.page.goto(payer.url())
    await payer.page.getByRole('button', { name: 'Imprimir comprobante' }).click()
    assert.equal(await payer.page.title(), 'printed')
  })
})
