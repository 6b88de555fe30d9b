// The webhook portal in a real browser: in a frame of a page that may frame it, and of one that may not. Both are on this machine.

import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'
import type { BrowserContextOptions, Frame, Page } from 'playwright-core'
import { type Receiver, startReceiver } from '../api/webhooks/receiver.ts'
import { isDeep } from '../depth.ts'
import { brebPayin, createWorld, endPayin, type World } from '../world.ts'
import { axeViolations, browser, closeBrowser, showsNewKinds, sidewaysScroll } from './payer.ts'
import { pictures, WIDTHS } from './staff.ts'

// A page of the merchant, with the portal in a frame.
type Host = AsyncDisposable & { readonly port: number; framed: string }

async function startHost(): Promise<Host> {
  const host = { framed: '' }
  const server = createServer((_request, response) => {
    const frame = `<iframe src="${host.framed}" title="Webhooks" width="700" height="900"></iframe>`
    response.writeHead(200, { 'content-type': 'text/html' })
    response.end(`<!doctype html><html lang="es"><title>Tienda</title><h1>Mi tienda</h1>${frame}`)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return Object.assign(host, {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  })
}

let world: World
let receiver: Receiver
let endpointId: string
before(async () => {
  world = await createWorld()
  receiver = await startReceiver()
  receiver.answerWith(500, '{"error":"no encuentro el pedido"}')
  const made = await world.client('POST', '/webhook-endpoints', {
    url: receiver.url,
    description: 'Pedidos de la sede norte',
  })
  endpointId = made.json.id
  for (const outcome of ['confirmed', 'declined']) {
    const { json: payin } = await world.client(
      'POST',
      '/payins',
      brebPayin({ reference: `pedido-${outcome}` }),
    )
    await endPayin(world, world.client, payin.id, outcome)
  }
  await world.work()
  receiver.answerWith(200, 'ok')
  await world.passTime(60_000)
  await world.client('POST', '/webhook-endpoints', { url: 'http://127.0.0.1:9/otros' })
})
after(async () => {
  await closeBrowser()
  await receiver[Symbol.asyncDispose]()
  await world[Symbol.asyncDispose]()
})

async function create(changes: object = {}): Promise<string> {
  const body = { endpointIds: [endpointId], ...changes }
  const { status, json, text } = await world.client('POST', '/webhook-portal-links', body)
  assert.equal(status, 201, text)
  return world.baseUrl + new URL(json.url).pathname
}

type Visitor = AsyncDisposable & {
  readonly page: Page
  readonly complaints: string[]
  readonly referrers: Set<string>
}

async function openVisitor(options: BrowserContextOptions = {}): Promise<Visitor> {
  const context = await (await browser()).newContext({
    viewport: { width: 1280, height: 900 },
    locale: 'es-CO',
    reducedMotion: 'reduce',
    ...options,
  })
  const page = await context.newPage()
  const complaints: string[] = []
  const referrers = new Set<string>()
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    // The browser reports a page with a refusal as an error, which is expected here.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      complaints.push(message.text())
  })
  page.on('request', (request) => {
    const { referer } = request.headers()
    if (referer !== undefined) referrers.add(referer)
  })
  return { page, complaints, referrers, [Symbol.asyncDispose]: () => context.close() }
}

async function frameIn(page: Page): Promise<Frame> {
  const element = await page.waitForSelector('iframe')
  const frame = await element.contentFrame()
  if (frame === null) assert.fail('there is no frame')
  return frame
}

describe('in a frame', () => {
  let host: Host
  before(async () => {
    host = await startHost()
  })
  after(() => host[Symbol.asyncDispose]())

  it('of an allowed page, the portal shows its deliveries and sends one again, without cookies', async () => {
    await using visitor = await openVisitor()
    const { page, complaints, referrers } = visitor
    // Another site than ours, as the merchant's is.
    const origin = `http://localhost:${host.port}`
    host.framed = await create({ readOnly: false, frameAncestors: [origin] })
    await page.goto(origin)
    const frame = await frameIn(page)
    await frame.waitForSelector('#attempts')
    await frame.click('#attempts li:first-child summary')
    assert.match(await frame.innerText('#attempts li:first-child'), /pedido-declined/)
    receiver.got.length = 0
    await frame.click('#attempts li:first-child button')
    await frame.waitForURL(/done=resend/)
    assert.match(await frame.innerText('[role=status]'), /va en camino otra vez/)
    await world.work()
    assert.equal(receiver.got.length, 1)
    await frame.click('text=Recuperar lo perdido')
    await frame.click('.drop-panel button')
    await frame.waitForURL(/done=recover/)
    await frame.click('text=Fallidos')
    await frame.waitForURL(/show=failed/)
    assert.deepEqual(await page.context().cookies(), [])
    assert.deepEqual(complaints, [])
    // Nobody learns the address, not even we.
    assert.ok(![...referrers].some((referrer) => referrer.includes('/portal/')), [...referrers].join())
  })

  it('of a page that is not allowed, the portal shows nothing', async () => {
    await using visitor = await openVisitor()
    const { page, complaints } = visitor
    for (const [origin, allowed] of [
      [`http://127.0.0.1:${host.port}`, [`http://localhost:${host.port}`]],
      [`http://localhost:${host.port}`, ['https://app.shop.example']],
      [`http://localhost:${host.port}`, []],
    ] as const) {
      host.framed = await create({ frameAncestors: allowed })
      complaints.length = 0
      const refused = page.waitForEvent('console', (message) =>
        /frame-ancestors|X-Frame-Options/i.test(message.text()),
      )
      await page.goto(origin)
      await refused
      const frame = await frameIn(page)
      assert.ok(!frame.url().includes('/portal/') || (await frame.$('main')) === null, frame.url())
      assert.match(complaints.join(), /frame/i)
    }
  })

  it('that has ended says so in its place', async () => {
    await using visitor = await openVisitor()
    const origin = `http://localhost:${host.port}`
    const { json } = await world.client('POST', '/webhook-endpoints', { url: 'http://127.0.0.1:9/e' })
    host.framed = await create({ endpointIds: [json.id], frameAncestors: [origin] })
    await world.client('DELETE', `/webhook-endpoints/${json.id}`)
    await visitor.page.goto(origin)
    const frame = await frameIn(visitor.page)
    await frame.waitForSelector('.problem')
    assert.match(await frame.innerText('main'), /Esta dirección no sirve/)
  })
})

describe('by itself', () => {
  let visitor: Visitor
  before(async () => {
    visitor = await openVisitor({ colorScheme: 'light' })
  })
  after(() => visitor[Symbol.asyncDispose]())

  const addresses: Readonly<Record<string, () => Promise<string>>> = {
    one: () => create({ readOnly: false }),
    look: () => create({ language: 'en' }),
    several: async () => {
      const { json } = await world.client('GET', '/webhook-endpoints')
      return create({ endpointIds: json.data.map(({ id }: { id: string }) => id) })
    },
    ended: async () => `${world.baseUrl}/console/portal/AAAA`,
  }
  const seen = new Set<string>()
  for (const [name, addressOf] of Object.entries(addresses))
    it(`is readable and fits: ${name}`, async () => {
      const { page, complaints } = visitor
      await page.goto(await addressOf())
      for (const part of ['#attempts summary', '.drop summary']) await (await page.$(part))?.click()
      if ((await showsNewKinds(page, seen)) || isDeep) {
        assert.deepEqual(await axeViolations(page), [])
        await page.emulateMedia({ colorScheme: 'dark' })
        assert.deepEqual(await axeViolations(page, 'colours'), [], 'dark')
        await pictures(page, `portal-${name}-dark`)
        await page.emulateMedia({ colorScheme: 'light' })
      }
      for (const width of WIDTHS) assert.equal(await sidewaysScroll(page, width), 0, `${width}`)
      await pictures(page, `portal-${name}-light`)
      assert.deepEqual(complaints, [])
    })
})

it('works without a script', async () => {
  await using visitor = await openVisitor({ javaScriptEnabled: false })
  const { page } = visitor
  await page.goto(await create({ readOnly: false }))
  await page.click('text=Enviar prueba')
  await page.waitForURL(/done=test/)
  assert.match(await page.innerText('[role=status]'), /La prueba va en camino/)
})
