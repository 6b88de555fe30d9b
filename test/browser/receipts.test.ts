// Receipts and /verify in a real browser: a receipt is offered, shared and printed, and what is read by text, picture or camera
// is told genuine, altered, unknown or charged back, also without a network.

import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { PNG } from 'pngjs'
import { qrGrid } from '../../src/core/qr-code.ts'
import { brebPayin, CUSTOMER, createWorld, endPayin, type World } from '../world.ts'
import { launchChromium, launchWholeChromium } from './chromium.ts'
import { axeViolations, sidewaysScroll } from './payer.ts'

const PHONE = { viewport: { width: 390, height: 780 }, locale: 'es-CO' }

type Paid = { id: string; page: string; url: string; statement: string; qrText: string }

describe('a receipt in a browser', () => {
  const directory = mkdtempSync(join(tmpdir(), 'recaudo-receipts-'))
  let world: World
  let browser: Browser
  let receipt: Paid
  const complaints: string[] = []

  const pay = async (): Promise<Paid> => {
    const { json } = await world.client('POST', '/payins', brebPayin())
    await simulate(json.id, 'confirmed')
    const { json: made } = await world.client('GET', `/payins/${json.id}/receipt`)
    return { ...made, id: json.id, page: json.sourceData.checkoutUrl }
  }
  const simulate = (id: string, outcome: string) => endPayin(world, world.client, id, outcome)

  before(async () => {
    world = await createWorld()
    receipt = await pay()
    browser = await launchChromium()
  })
  after(async () => {
    await browser?.close()
    await world[Symbol.asyncDispose]()
    rmSync(directory, { recursive: true, force: true })
    assert.deepEqual(complaints, [])
  })

  const open = async (
    path: string,
    options: Record<string, unknown> = {},
    opened = browser,
  ): Promise<{ context: BrowserContext; page: Page } & AsyncDisposable> => {
    const context = await opened.newContext({ ...PHONE, ...options })
    const page = await context.newPage()
    page.on('pageerror', (error) => complaints.push(error.message))
    page.on('console', (message) => {
      const isNetwork = /Failed to load resource|net::ERR/.test(message.text())
      if (message.type() === 'error' && !isNetwork) complaints.push(message.text())
    })
    await page.goto(path.startsWith('http') ? path : world.baseUrl + path)
    return { context, page, [Symbol.asyncDispose]: () => context.close() }
  }
  const verdict = (page: Page, text: string | RegExp) =>
    page.locator('#result').getByRole('heading', { name: text }).waitFor()
  const paste = async (page: Page, text: string) => {
    await page.fill('#statement', text)
    await page.click('form button')
  }

  it('is offered where the payment ended, and holds nothing of the payer', async () => {
    await using visit = await open(receipt.page)
    const { page } = visit
    await page.getByRole('link', { name: 'Ver comprobante verificable' }).click()
    await page.getByRole('heading', { name: /^Pago recibido por/ }).waitFor()
    assert.equal(page.url(), receipt.url)
    const text = await page.locator('main').innerText()
    for (const secret of [CUSTOMER.name, CUSTOMER.idNumber, CUSTOMER.email]) assert.ok(!text.includes(secret))
    assert.deepEqual(await axeViolations(page), [])
    assert.equal(await sidewaysScroll(page, 320), 0)
    await page.evaluate('window.print = () => { document.title = "printed" }')
    await page.getByRole('button', { name: 'Imprimir' }).click()
    assert.equal(await page.title(), 'printed')
    await page.emulateMedia({ media: 'print' })
    assert.equal(await page.getByRole('button', { name: 'Imprimir' }).isVisible(), false)
    assert.ok(await page.locator('.qr').isVisible())
  })

  it('is shared and saved as a PNG, without a script as an SVG, and each is read', async () => {
    await using visit = await open(receipt.url)
    await using plain = await open(receipt.url, { javaScriptEnabled: false })
    await using check = await open('/verify')
    const pictures = new Set<string>()
    for (const { page, role, name, type } of [
      { page: visit.page, role: 'button', name: 'Compartir imagen', type: 'png' },
      { page: visit.page, role: 'link', name: 'Guardar imagen', type: 'png' },
      { page: plain.page, role: 'link', name: 'Guardar imagen', type: 'svg' },
    ] as const) {
      const download = page.waitForEvent('download')
      await page.getByRole(role, { name }).click()
      const saved = await download
      assert.equal(saved.suggestedFilename(), `recibo.${type}`)
      const path = join(directory, `shared.${type}`)
      await saved.saveAs(path)
      const picture = readFileSync(path, 'base64')
      if (pictures.has(picture)) continue
      pictures.add(picture)
      await check.page.reload()
      await check.page.setInputFiles('#picture', path)
      await verdict(check.page, 'Comprobante auténtico')
    }
  })

  it('is genuine by text, in the address and by picture', async () => {
    await using visit = await open('/verify')
    const { page } = visit
    assert.equal(await sidewaysScroll(page, 320), 0)
    await paste(page, receipt.statement)
    await verdict(page, 'Comprobante auténtico')
    await page.getByText('Verificado en línea: no se ha devuelto.').waitFor()
    assert.match(await page.locator('#result').innerText(), /50\.000/)
    assert.deepEqual(await axeViolations(page), [])

    await page.reload()
    await paste(page, receipt.url)
    await verdict(page, 'Comprobante auténtico')

    await using byAddress = await open(receipt.qrText)
    await verdict(byAddress.page, 'Comprobante auténtico')
    // Another receipt is opened in the same tab.
    await byAddress.page.evaluate('location.hash = "nobody signed this"')
    await verdict(byAddress.page, 'Comprobante desconocido')

    const picture = join(directory, 'qr.png')
    writeFileSync(picture, pngOf(receipt.qrText))
    await page.setInputFiles('#picture', picture)
    await verdict(page, 'Comprobante auténtico')
    assert.equal(await page.inputValue('#statement'), receipt.qrText)
    writeFileSync(picture, PNG.sync.write(new PNG({ width: 40, height: 40, colorType: 0 })))
    await page.setInputFiles('#picture', picture)
    await page.getByText(/No encontramos un QR legible/).waitFor()
  })

  it('is genuine by camera, and says what else helps when the camera is refused', async () => {
    const video = join(directory, 'camera.y4m')
    writeFileSync(video, videoOf(receipt.qrText))
    await using whole = await launchWholeChromium([
      '--use-fake-device-for-media-stream',
      `--use-file-for-fake-video-capture=${video}`,
    ])
    await using visit = await open('/verify', { permissions: [] }, whole)
    const { page, context } = visit
    await page.click('#camera')
    await page.getByText(/No pudimos usar la cámara/).waitFor()
    await context.grantPermissions(['camera'])
    await page.click('#camera')
    await verdict(page, 'Comprobante auténtico')
    await page.getByRole('button', { name: 'Escanear con la cámara' }).waitFor()
  })

  it('is altered by one character, unknown under another key, and charged back when it was', async () => {
    await using visit = await open('/verify', { locale: 'en' })
    const { page } = visit
    const at = receipt.statement.lastIndexOf('.') - 3
    const letter = receipt.statement[at] === 'x' ? 'y' : 'x'
    await paste(page, receipt.statement.slice(0, at) + letter + receipt.statement.slice(at + 1))
    await verdict(page, 'Altered receipt')
    await paste(page, receipt.statement.slice(0, 80))
    await verdict(page, 'Altered receipt')
    await paste(page, receipt.statement.replace(/(recaudo1\.).{8}/, '$100000000'))
    await verdict(page, 'Unknown receipt')
    const reversed = await pay()
    await simulate(reversed.id, 'chargeback')
    await paste(page, reversed.statement)
    await verdict(page, 'Genuine, but the payment was charged back')
  })

  it('is verified without a network once the page was opened', async () => {
    await using visit = await open('/verify')
    const { page, context } = visit
    await page.evaluate('navigator.serviceWorker.ready.then(() => 0)')
    await context.setOffline(true)
    await page.reload()
    await paste(page, receipt.statement)
    await verdict(page, 'Comprobante auténtico')
    await page.getByText(/Verificado sin conexión/).waitFor()
    await paste(page, `${receipt.statement.slice(0, -1)}${receipt.statement.endsWith('A') ? 'Q' : 'A'}`)
    await verdict(page, 'Comprobante alterado')
    const picture = join(directory, 'offline.png')
    writeFileSync(picture, pngOf(receipt.qrText))
    await page.setInputFiles('#picture', picture)
    await verdict(page, 'Comprobante auténtico')
  })

  it('without a script is verified by the form', async () => {
    await using visit = await open('/verify', { javaScriptEnabled: false })
    const { page } = visit
    assert.equal(await page.locator('#camera').isVisible(), false)
    await paste(page, receipt.statement)
    await verdict(page, 'Comprobante auténtico')
  })
})

const SCALE = 6

// 0 for dark.
function pixelsOf(text: string): { side: number; light: (x: number, y: number) => number } {
  const { side, modules } = qrGrid(text)
  const at = (x: number, y: number) => modules[Math.floor(y / SCALE) * (side + 1) + Math.floor(x / SCALE)]
  return { side: side * SCALE, light: (x, y) => (at(x, y) ? 0 : 255) }
}

function pngOf(text: string): Buffer {
  const { side, light } = pixelsOf(text)
  const png = new PNG({ width: side, height: side })
  for (let place = 0; place < side * side; place += 1)
    png.data.fill(light(place % side, Math.floor(place / side)), place * 4, place * 4 + 3)
  for (let place = 3; place < png.data.length; place += 4) png.data[place] = 255
  return PNG.sync.write(png)
}

// A film of one picture, which Chromium shows in place of a camera.
function videoOf(text: string): Buffer {
  const { side: inner, light } = pixelsOf(text)
  const side = inner + (inner % 2)
  const luma = Buffer.alloc(side * side, 255)
  for (let y = 0; y < inner; y += 1) for (let x = 0; x < inner; x += 1) luma[y * side + x] = light(x, y)
  const frame = Buffer.concat([Buffer.from('FRAME\n'), luma, Buffer.alloc((side * side) / 2, 128)])
  return Buffer.concat([Buffer.from(`YUV4MPEG2 W${side} H${side} F5:1 Ip A1:1 C420jpeg\n`), frame, frame])
}
