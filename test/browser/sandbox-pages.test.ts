// The simulated bank and app in a real browser: no axe violation and no sideways scroll, light and dark; the whole flow
// without script, by keyboard too; and back to the merchant. SCREENSHOTS=1 leaves pictures in test/screenshots.

import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { emvPayload } from '../../src/core/emv-qr.ts'
import { isDeep } from '../depth.ts'
import { collection, type Harness, newReference, session, startHarness } from '../sandbox/harness.ts'
import { axeViolations, browser, closeBrowser, showsNewKinds, sidewaysScroll } from './payer.ts'

const SCREENSHOTS = join(import.meta.dirname, '../screenshots')
const NARROWEST_WIDTH = 320
const PHONE_WIDTH = 390
const MERCHANT = 'https://merchant.example/back'
const LONG = 'Cooperativa-de-Caficultores-y-Panaderos-Unidos-de-la-Sierra-Nevada '.repeat(2).trim()

type Visit = { harness: Harness; page: Page; complaints: string[]; requests: string[] } & AsyncDisposable

async function visit(options: BrowserContextOptions): Promise<Visit> {
  const harness = await startHarness()
  const context = await (await browser()).newContext({
    viewport: { width: PHONE_WIDTH, height: 780 },
    locale: 'es-CO',
    ...options,
  })
  const page = await context.newPage()
  const complaints: string[] = []
  const requests: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    // The browser reports a 404 or 422 page as an error, which is expected here.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      complaints.push(message.text())
  })
  page.on('request', (request) => requests.push(`${request.method()} ${request.url()}`))
  await page.route(/^https:\/\//, (route) =>
    route.fulfill({ contentType: 'text/html', body: '<title>merchant</title><h1>merchant</h1>' }),
  )
  return {
    harness,
    page,
    complaints,
    requests,
    [Symbol.asyncDispose]: async () => {
      await context.close()
      await harness[Symbol.asyncDispose]()
    },
  }
}

async function newSession({ harness }: Visit, changes: object = {}) {
  const reference = newReference()
  const order = session(null, { returnUrl: MERCHANT, ...changes })
  const { json } = await harness.pse('PUT', `/sessions/${reference}`, order)
  return {
    bankUrl: json.bankUrl as string,
    status: async () => (await harness.pse('GET', `/sessions/${reference}`)).json.status as string,
  }
}

async function newCollection({ harness }: Visit, changes: object = {}) {
  const reference = newReference()
  const { json } = await harness.breb('PUT', `/collections/${reference}`, collection('1000000007', changes))
  return {
    key: json.key as string,
    end: () => harness.breb('DELETE', `/collections/${reference}`),
    payments: async () => (await harness.breb('GET', `/collections/${reference}`)).json.payments.length,
  }
}

const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).click()
const heading = (page: Page) => page.getByRole('heading', { level: 1 }).innerText()

async function signIn(page: Page, bankUrl: string): Promise<void> {
  await page.goto(bankUrl)
  await press(page, 'Entrar')
  await press(page, 'Continuar')
}

after(closeBrowser)

describe('every page of the simulated bank and app has no violation and no sideways scroll', () => {
  let guest: Visit
  before(async () => {
    mkdirSync(SCREENSHOTS, { recursive: true })
    guest = await visit({})
  })
  after(async () => {
    await guest[Symbol.asyncDispose]()
  })

  const seen = new Set<string>()
  const inspect = async (name: string) => {
    const { page, complaints } = guest
    if ((await showsNewKinds(page, seen)) || isDeep) {
      assert.deepEqual(await axeViolations(page), [])
      await page.emulateMedia({ colorScheme: 'dark' })
      assert.deepEqual(await axeViolations(page, 'colours'), [], 'dark')
    }
    for (const width of [NARROWEST_WIDTH, PHONE_WIDTH]) {
      assert.equal(await sidewaysScroll(page, width), 0)
      if (process.env.SCREENSHOTS) await pictures(name, width)
    }
    await page.emulateMedia({ colorScheme: 'light' })
    assert.deepEqual(complaints, [])
  }

  const pictures = async (name: string, width: number) => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await guest.page.emulateMedia({ colorScheme })
      const path = join(SCREENSHOTS, `sandbox-${name}-${colorScheme}-${width}.png`)
      await guest.page.screenshot({ path, fullPage: true })
    }
  }

  it('the bank, from sign-in to the end', async () => {
    const { page } = guest
    const { bankUrl } = await newSession(guest, { bank: 'CO_BANCOLOMBIA', achCode: '1007' })
    await page.goto(bankUrl)
    await inspect('bank-sign-in')
    await page.getByLabel('Usuario inventado').fill('')
    await press(page, 'Entrar')
    await page.locator('#user:focus').waitFor()
    await inspect('bank-sign-in-error')
    await page.getByLabel('Usuario inventado').fill('ana')
    await press(page, 'Entrar')
    await inspect('bank-account')
    await press(page, 'Continuar')
    await inspect('bank-decision')
    await press(page, 'Dejar abierto')
    await inspect('bank-left-open')
    await signIn(page, bankUrl)
    await press(page, 'Aprobar después de vencer')
    await inspect('bank-will-be-late')
    await signIn(page, bankUrl)
    await page.getByLabel('Causa del rechazo').selectOption('00002')
    await press(page, 'Rechazar el pago')
    await inspect('bank-declined')
    await page.goto(bankUrl)
    await inspect('bank-over')
  })

  it('the bank, with the longest texts, and for an unknown token', async () => {
    const { page } = guest
    const { bankUrl } = await newSession(guest, { description: LONG, amount: '99999999999.99' })
    await signIn(page, bankUrl)
    await inspect('bank-decision-long')
    await page.goto(`${guest.harness.sandbox.url}/bank/nothing`)
    await inspect('bank-not-found')
  })

  it('the app, from key to payment', async () => {
    const { page, harness } = guest
    const { key } = await newCollection(guest, { merchantName: LONG })
    await page.goto(harness.sandbox.appUrl)
    await inspect('app-key')
    await page.getByLabel('Llave o contenido del QR').fill('esto no es')
    await press(page, 'Ver a quién le pago')
    await page.locator('#llave:focus').waitFor()
    await inspect('app-key-error')
    await page.getByLabel('Llave o contenido del QR').fill(key)
    await press(page, 'Ver a quién le pago')
    await inspect('app-open')
    await page.getByLabel('Otro valor, en pesos').fill('mil')
    await press(page, 'Pagar otro monto')
    await inspect('app-amount-error')
    await press(page, 'Pagar dos veces')
    await inspect('app-paid')
  })

  it('the app, for a key that has ended', async () => {
    const { page, harness } = guest
    const { key, end } = await newCollection(guest)
    await end()
    await page.goto(`${harness.sandbox.appUrl}?llave=${encodeURIComponent(key)}`)
    await press(page, 'Ver a quién le pago')
    await inspect('app-ended')
  })
})

describe('without script', () => {
  it('a payer gets through the bank and back to the merchant, and no other host is called', async () => {
    await using guest = await visit({ javaScriptEnabled: false })
    const { page, requests, complaints } = guest
    const { bankUrl, status } = await newSession(guest)
    await signIn(page, bankUrl)
    await press(page, 'Aprobar el pago')
    assert.equal(await heading(page), 'Pago aprobado')
    assert.equal(await status(), 'OK')
    const [request] = await Promise.all([
      page.waitForRequest(MERCHANT),
      page.getByRole('link', { name: 'Volver al comercio' }).click(),
    ])
    assert.equal(request.headers().referer, undefined)
    await page.getByRole('heading', { name: 'merchant' }).waitFor()
    assert.deepEqual(requests, [
      `GET ${bankUrl}`,
      `POST ${bankUrl}`,
      `POST ${bankUrl}`,
      `POST ${bankUrl}`,
      `GET ${MERCHANT}`,
    ])
    assert.deepEqual(await page.context().cookies(), [])
    assert.deepEqual(complaints, [])
  })

  it('a payer pays from the text of a QR code by keyboard alone', async () => {
    await using guest = await visit({ javaScriptEnabled: false })
    const { page, harness } = guest
    const { key, payments } = await newCollection(guest)
    const payload = emvPayload({
      key,
      amountInCents: 5_000_000n,
      merchantName: 'Café La Palma',
      merchantCity: 'Bogotá',
      transactionId: 'TRX1',
    })
    await page.goto(harness.sandbox.appUrl)
    await page.keyboard.press('Tab')
    await page.keyboard.insertText(payload)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Revisa y paga' }).waitFor()
    await page.keyboard.press('Tab')
    assert.match(await page.locator(':focus').innerText(), /^Pagar \$\s50\.000$/)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Pago hecho' }).waitFor()
    assert.equal(await payments(), 1)
    // Reloading the page sends the form again.
    await page.reload()
    assert.equal(await heading(page), 'Esta llave ya está pagada')
    assert.equal(await payments(), 1)
  })

  it('Enter in the other amount pays that amount', async () => {
    await using guest = await visit({ javaScriptEnabled: false })
    const { page, harness } = guest
    const { key } = await newCollection(guest)
    await page.goto(`${harness.sandbox.appUrl}?llave=${encodeURIComponent(key)}`)
    await press(page, 'Ver a quién le pago')
    await page.getByLabel('Otro valor, en pesos').fill('20.000')
    await page.keyboard.press('Enter')
    await page.getByText(/^\$\s20\.000, comprobante PAY/).waitFor()
    assert.deepEqual(
      harness.sandbox.log().map(({ amountInCents }) => amountInCents),
      [2_000_000n],
    )
  })
})
