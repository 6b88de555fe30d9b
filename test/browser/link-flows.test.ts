// A payer's way through a payment link in a real browser, against the real service and the simulated bank: the five
// flows of the contract with their final webhook, and what else payers do.

import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'
import pino from 'pino'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { createDeliveryWorkerOptions, startWorkers } from '../../src/service.ts'
import type { Workers } from '../../src/workers/start.ts'
import { CUSTOMER, createWorld, eventually, type World } from '../world.ts'
import { launchChromium } from './chromium.ts'

// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects and fails where it is not there
type Loose = any

const PHONE = { viewport: { width: 390, height: 780 }, locale: 'es-CO' }
let count = 0

describe('a payment link in a browser', () => {
  let world: World
  let workers: Workers
  let browser: Browser
  let shop: { url: string; events: Record<string, Loose>[]; close: () => void }

  before(async () => {
    world = await createWorld({ sandbox: { delayMs: 3_600_000 } })
    workers = startWorkers(world.ctx, pino({ level: 'silent' }), createDeliveryWorkerOptions(world.config))
    world.ctx.signals.onWork(workers.wake)
    browser = await launchChromium()
    shop = await openShop()
    await world.client('POST', '/webhook-endpoints', { url: `${shop.url}/events` })
  })
  after(async () => {
    await browser?.close()
    await workers?.stop()
    shop?.close()
    await world[Symbol.asyncDispose]()
  })

  const createLink = async (changes: Record<string, unknown> = {}) => {
    count += 1
    const body = {
      amountType: 'FIXED',
      amountInCents: 5_000_000,
      reference: `flow-${count}`,
      callbackUrl: `${shop.url}/back`,
      ...changes,
    }
    const { json } = await world.client('POST', '/payment-links', body)
    return { id: json.paymentLinkId as string, path: new URL(json.paymentLinkUrl).pathname }
  }
  const open = async (path: string, options: Record<string, unknown> = {}) => {
    const context = await browser.newContext({ ...PHONE, ...options })
    const page = await context.newPage()
    await page.goto(world.baseUrl + path)
    return { context, page }
  }
  const fillPayer = async (page: Page, idNumber = CUSTOMER.idNumber) => {
    await page.fill('[name=name]', CUSTOMER.name)
    await page.selectOption('[name=idType]', 'CO_CC')
    await page.fill('[name=idNumber]', idNumber)
    await page.fill('[name=phone]', '300 123 4567')
    await page.fill('[name=email]', CUSTOMER.email)
  }
  const submit = (page: Page) => page.click('main form button[data-wait] >> nth=0')
  const heading = (page: Page, text: string | RegExp) =>
    page.getByRole('heading', { level: 1, name: text }).waitFor()
  const latestPayin = async (linkId: string) =>
    eventually(
      async () => (await world.client('GET', `/payins?paymentLinkId=${linkId}`)).json.data[0],
      (payin) => payin !== undefined,
    )
  // The attempt must reach the simulated network before it can be decided there.
  const simulate = async (linkId: string, body: unknown) => {
    const payin = await latestPayin(linkId)
    await eventually(
      () => world.client('POST', `/sandbox/payins/${payin.id}/simulate`, body),
      (answer) => answer.status === 200,
    )
  }
  const eventsFor = (linkId: string, type: string) =>
    eventually(
      async () => shop.events.filter((event) => event.data.paymentLinkId === linkId),
      (events) => events.some((event) => event.event === type),
    )
  const isPaid = async (page: Page, linkId: string) => {
    await heading(page, 'Pago aprobado')
    const events = await eventsFor(linkId, 'paymentlink.completed')
    assert.equal(events.length, 1)
    assert.equal(events[0]?.data.status, 'COMPLETED')
  }
  const toBank = async (page: Page) => {
    await page.waitForURL(/\/bank\//)
    const user = page.locator('form input:not([type=hidden]):not([type=radio])')
    if ((await user.count()) > 0) {
      for (const input of await user.all()) await input.fill('demo')
      await page.click('form button')
    }
    const account = page.locator('form input[type=radio]')
    if (
      (await account.count()) > 0 &&
      !(await page
        .getByRole('button', { name: /aprobar/i })
        .first()
        .isVisible())
    ) {
      await account.first().check()
      await page.click('form button')
    }
  }
  const backFromBank = async (page: Page) => {
    const back = page.getByRole('link', { name: /volver/i })
    await Promise.race([page.waitForURL(/\/pay\//), back.waitFor().then(() => back.click())])
    await page.waitForURL(/\/pay\//)
  }
  const approve = async (page: Page) => {
    await toBank(page)
    await page
      .getByRole('button', { name: /^aprobar/i })
      .first()
      .click()
    await backFromBank(page)
  }
  // By the network, without a word to the bank's pages.
  const paidAtBank = async (page: Page, { id, path }: { id: string; path: string }) => {
    await page.waitForURL(/\/bank\//)
    await simulate(id, { outcome: 'confirmed' })
    await page.goto(world.baseUrl + path)
  }
  const closeAll = async (...contexts: BrowserContext[]) => {
    for (const context of contexts) await context.close()
  }

  it('open checkout: the payer chooses Bre-B, sees key, QR and amount, pays, and goes back to the shop', async () => {
    const link = await createLink()
    const { context, page } = await open(link.path)
    await page.check('#BRE_B')
    await submit(page)
    await page.locator('.qr svg').waitFor()
    const { sourceData } = await latestPayin(link.id)
    await page.getByText(sourceData.keyString).first().waitFor()
    await page.getByText('50.000').first().waitFor()
    await simulate(link.id, { outcome: 'confirmed' })
    await isPaid(page, link.id)
    await page.locator('a[href$="/back"]').first().click()
    await page.waitForURL(`${shop.url}/back`)
    // Back in history the page shows the outcome and offers no second payment.
    await page.goBack()
    await heading(page, /pago aprobado|ya está pagado/i)
    assert.equal(await page.locator('main form button[data-wait]').count(), 0)
    await closeAll(context)
  })

  it('restricted method: Bre-B shows key and QR at once, and asks for nothing', async () => {
    const link = await createLink({ rail: 'BRE_B' })
    const { context, page } = await open(link.path)
    assert.equal(await page.locator('input, select').count(), 0)
    await page.locator('.qr svg').waitFor()
    await page.getByText((await latestPayin(link.id)).sourceData.keyString).waitFor()
    await simulate(link.id, { outcome: 'confirmed' })
    await isPaid(page, link.id)
    await closeAll(context)
  })

  it('PSE with the bank chosen: straight to the bank, approved there, and back', async () => {
    const link = await createLink({ rail: 'PSE', pse: { bank: 'CO_BANCOLOMBIA' } })
    const { context, page } = await open(link.path)
    assert.equal(await page.locator('select[name=bank]').count(), 0)
    await fillPayer(page)
    await submit(page)
    await approve(page)
    await isPaid(page, link.id)
    await closeAll(context)
  })

  it('pre-filled customer: only the method and the bank are asked', async () => {
    const link = await createLink({ inlineCustomer: CUSTOMER })
    const { context, page } = await open(link.path)
    assert.equal(await page.locator('[name=name]').count(), 0)
    await page.check('#PSE')
    await page.selectOption('select[name=bank]', 'CO_NEQUI')
    await submit(page)
    await paidAtBank(page, link)
    await isPaid(page, link.id)
    await closeAll(context)
  })

  it('restricted and pre-filled: a declined attempt says so and offers another', async () => {
    const link = await createLink({ rail: 'PSE', inlineCustomer: CUSTOMER, pse: { bank: 'CO_DAVIVIENDA' } })
    const { context, page } = await open(link.path)
    await submit(page)
    await page.waitForURL(/\/bank\//)
    await simulate(link.id, { outcome: 'declined', errorCode: 'INSUFFICIENT_FUNDS' })
    await page.goto(world.baseUrl + link.path)
    await page
      .getByText(/fondos|saldo/i)
      .first()
      .waitFor()
    assert.equal((await world.client('GET', `/payment-links/${link.id}`)).json.status, 'PENDING')
    await page.getByRole('link', { name: 'Intentar de nuevo' }).click()
    await submit(page)
    await paidAtBank(page, link)
    await isPaid(page, link.id)
    await closeAll(context)
  })

  it('a link is opened again: in two tabs at once, tab closed, on another device, by “back”, on a bad line, without script', async () => {
    const link = await createLink({ rail: 'BRE_B' })
    const [first, second] = await Promise.all([open(link.path), open(link.path)])
    const key = (await first.page.locator('.key dd').first().innerText()).trim()
    assert.match(key, /^@[A-Z0-9]{5,20}$/)
    const showsKey = (page: Page) => page.locator('.key dd').first().getByText(key, { exact: true }).waitFor()
    await showsKey(second.page)
    await first.page.close()
    const again = await first.context.newPage()
    await again.goto(world.baseUrl + link.path)
    await showsKey(again)
    await again.goto(`${shop.url}/elsewhere`)
    await again.goBack()
    await showsKey(again)

    const slow = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en-US' })
    const other = await slow.newPage()
    const devtools = await slow.newCDPSession(other)
    const line = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 }
    await devtools.send('Network.emulateNetworkConditions', line)
    await other.goto(world.baseUrl + link.path)
    await showsKey(other)
    await heading(other, 'Pay with Bre-B')
    const plain = await open(link.path, { javaScriptEnabled: false })
    await showsKey(plain.page)

    assert.equal((await world.client('GET', `/payins?paymentLinkId=${link.id}`)).json.data.length, 1)
    await simulate(link.id, { outcome: 'confirmed' })
    await isPaid(again, link.id)
    await heading(second.page, /pago aprobado|pagado/i)
    await heading(other, 'Payment approved')
    await plain.page.reload()
    await heading(plain.page, 'Pago aprobado')
    await closeAll(first.context, second.context, slow, plain.context)
  })

  it('a payment at the bank is found again: tab closed, by “back”, in a second tab, on another device', async () => {
    const link = await createLink({ rail: 'PSE', inlineCustomer: CUSTOMER, pse: { bank: 'CO_NEQUI' } })
    const { context, page } = await open(link.path)
    await submit(page)
    await page.waitForURL(/\/bank\//)
    const bankUrl = page.url()
    await page.goBack()
    await heading(page, 'Tienes un pago abierto con PSE')
    await page.close()
    const tabs = [await context.newPage(), await context.newPage()]
    for (const tab of tabs) {
      await tab.goto(world.baseUrl + link.path)
      await heading(tab, 'Tienes un pago abierto con PSE')
    }
    const device = await open(link.path, { javaScriptEnabled: false })
    const onward = device.page.getByRole('link', { name: 'Continuar en Nequi' })
    assert.equal(await onward.getAttribute('href'), bankUrl)
    await onward.click()
    await approve(device.page)
    for (const tab of tabs) await isPaid(tab, link.id)
    await closeAll(context, device.context)
  })

  it('an expired link says so, names no way to pay, and leads back to the shop', async () => {
    const link = await createLink()
    await world.passTime(3_601_000)
    const { context, page } = await open(link.path)
    await heading(page, /venció/)
    assert.equal(await page.locator('main form button[data-wait]').count(), 0)
    assert.ok((await page.locator('a[href$="/back"]').count()) > 0)
    await eventsFor(link.id, 'paymentlink.expired')
    await closeAll(context)
  })
})

// The merchant's side: a return page and a webhook address.
async function openShop() {
  const events: Record<string, Loose>[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      if (request.method === 'POST') events.push(JSON.parse(Buffer.concat(chunks).toString()))
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end('<!doctype html><title>Tienda</title><h1>Tienda</h1>')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    events,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
