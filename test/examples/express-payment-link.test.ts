// The Express example, run as its README says and used by a customer with a browser.

import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { launchChromium } from '../browser/chromium.ts'
import { freePort } from '../free-port.ts'
import { eventually, type World } from '../world.ts'
import {
  createWorldWithWorkers,
  makeWorkspace,
  type Program,
  startProgram,
  type Workspace,
} from './workspace.ts'

describe('examples/express-payment-link', () => {
  let world: World
  let place: Workspace
  let shop: Program
  let browser: Browser
  let shopUrl: string
  let start: () => Promise<Program>

  before(async () => {
    browser = await launchChromium()
    // With a delay of an hour, only the customer decides.
    world = await createWorldWithWorkers(3_600_000)
    place = await makeWorkspace('example-express', 'examples/express-payment-link')
    const port = String(await freePort())
    shopUrl = `http://127.0.0.1:${port}`
    const { json } = await world.client('POST', '/webhook-endpoints', { url: `${shopUrl}/webhooks` })
    const env = {
      PORT: port,
      RECAUDO_API_KEY: world.apiKey,
      RECAUDO_BASE_URL: world.baseUrl,
      RECAUDO_WEBHOOK_SECRET: json.secret,
    }
    start = async () => {
      const program = startProgram(process.execPath, [join(place.directory, 'shop.js')], { cwd: '/', env })
      await program.said(/The shop is open/)
      return program
    }
    shop = await start()
  })
  after(async () => {
    await browser?.close()
    await shop?.stop()
    await world?.[Symbol.asyncDispose]()
    await place?.[Symbol.asyncDispose]()
  })

  const buy = async (): Promise<Page> => {
    const page = await browser.newPage({ locale: 'es-CO' })
    await page.goto(shopUrl)
    await page.getByRole('button', { name: 'Buy' }).click()
    await page.waitForURL(/\/pay\//)
    return page
  }
  const chooseBreb = async (page: Page) => {
    await page.check('#BRE_B', { force: true })
    await page.click('main form button[data-wait] >> nth=0')
  }
  const latestLink = async () => (await world.client('GET', '/payment-links?pageSize=1')).json.data[0]

  it('a customer who pays the link sees the order paid, also after the shop restarts', async () => {
    const page = await buy()
    const link = await latestLink()
    await chooseBreb(page)
    const key =
      (await page
        .getByText(/^@RC[0-9A-Z]+$/)
        .first()
        .textContent()) ?? ''
    // The simulated payer's app, as the customer would use it on a phone.
    const app = await browser.newPage()
    await app.goto(`http://127.0.0.1:${world.config.sandbox?.port}/app?llave=${encodeURIComponent(key)}`)
    await app.getByRole('button', { name: 'Ver a quién le pago' }).click()
    await app
      .getByRole('button', { name: /^Pagar \$/ })
      .first()
      .click()
    await shop.said(new RegExp(`Order ${link.reference} is paid`))
    // The page changes to its result by itself. Leaving at that very moment would cut the navigation short.
    await page
      .getByText(/Pago aprobado|Payment approved/)
      .first()
      .waitFor()
    await page.goto(link.callbackUrl)
    await page.getByText('paid', { exact: true }).waitFor()

    await shop.stop()
    shop = await start()
    await page.reload()
    await page.getByText('paid', { exact: true }).waitFor()
    assert.equal((await latestLink()).status, 'COMPLETED')
  })

  it('a customer who comes back unpaid sees so, whatever an unsigned event says, and pays the same link until it expires', async () => {
    const page = await buy()
    const first = await latestLink()
    const { reference, paymentLinkId } = first
    const forged = JSON.stringify({
      event: 'paymentlink.completed',
      resource: 'paymentlink',
      data: { reference, paymentLinkId, status: 'COMPLETED' },
    })
    const headers = {
      'content-type': 'application/json',
      'webhook-id': 'forged',
      'webhook-timestamp': String(Math.floor(Date.now() / 1_000)),
      'webhook-signature': `v1,${Buffer.alloc(32).toString('base64')}`,
    }
    const answer = await fetch(`${shopUrl}/webhooks`, { method: 'POST', headers, body: forged })
    assert.deepEqual([answer.status, await answer.text()], [400, 'SIGNATURE_MISMATCH'])
    await page.goto(first.callbackUrl)
    await page.getByText('not paid yet').waitFor()
    const pay = async () => {
      await page.getByRole('button', { name: 'Pay' }).click()
      await page.waitForURL(/\/pay\//)
      return latestLink()
    }
    assert.equal((await pay()).paymentLinkId, paymentLinkId)
    assert.equal(page.url(), first.paymentLinkUrl)

    await world.client('POST', `/payment-links/${paymentLinkId}/expire`)
    const next = await eventually(
      async () => {
        await page.goto(`${shopUrl}/orders/${reference}`)
        return pay()
      },
      (link) => link.paymentLinkId !== paymentLinkId,
    )
    assert.deepEqual([next.reference, next.status], [reference, 'PENDING'])
  })
})
