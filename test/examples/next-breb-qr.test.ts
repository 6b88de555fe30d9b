// The Next example, built and started as its package says, and used by a customer with a browser.

import assert from 'node:assert/strict'
import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import jsqr from 'jsqr'
import type { Browser, Page } from 'playwright-core'
import { PNG } from 'pngjs'
import { readEmvPayload } from '../../src/core/emv-qr.ts'
import { launchChromium } from '../browser/chromium.ts'
import { FRAMEWORKS, frameworksProblem } from '../frameworks/frameworks.ts'
import { freePort } from '../free-port.ts'
import { eventually, type World } from '../world.ts'
import {
  createWorldWithWorkers,
  makeWorkspace,
  type Program,
  startProgram,
  type Workspace,
} from './workspace.ts'

const NEXT = join(FRAMEWORKS, 'node_modules/next/dist/bin/next')
const CONFIG = `import example from './example.config.js'
export default {
  ...example,
  experimental: { turbopackFileSystemCacheForBuild: false, turbopackMinify: false, turbopackSourceMaps: false },
}
`
const problem = await frameworksProblem()

describe('examples/next-breb-qr', { skip: problem ?? false }, () => {
  let world: World
  let place: Workspace
  let shop: Program
  let browser: Browser
  let shopUrl: string
  // Every address that a page of the shop requested.
  const asked = new Set<string>()

  before(async () => {
    browser = await launchChromium()
    world = await createWorldWithWorkers(3_600_000)
    place = await makeWorkspace('example-next', 'examples/next-breb-qr', FRAMEWORKS)
    // As the example is built, but for what only a second build or a browser's developer would use.
    renameSync(join(place.directory, 'next.config.js'), join(place.directory, 'example.config.js'))
    writeFileSync(join(place.directory, 'next.config.js'), CONFIG)
    const port = String(await freePort())
    shopUrl = `http://127.0.0.1:${port}`
    const { json } = await world.client('POST', '/webhook-endpoints', { url: `${shopUrl}/webhooks` })
    const settings = { cwd: place.directory, env: { NEXT_TELEMETRY_DISABLED: '1' } }
    // Without a key, as when an image is built.
    const build = startProgram(process.execPath, [NEXT, 'build'], settings)
    assert.equal(await build.exit, 0, build.output())
    shop = startProgram(process.execPath, [NEXT, 'start', '--hostname', '127.0.0.1', '--port', port], {
      ...settings,
      env: {
        ...settings.env,
        RECAUDO_API_KEY: world.apiKey,
        RECAUDO_BASE_URL: world.baseUrl,
        RECAUDO_WEBHOOK_SECRET: json.secret,
      },
    })
    await shop.said(/Ready in/)
  })
  after(async () => {
    await browser?.close()
    await shop?.stop()
    await world?.[Symbol.asyncDispose]()
    await place?.[Symbol.asyncDispose]()
  })

  const buy = async (): Promise<{ page: Page; payinId: string }> => {
    const page = await browser.newPage()
    page.on('request', (request) => asked.add(new URL(request.url()).origin))
    await page.goto(shopUrl)
    await page.getByRole('button', { name: 'Buy with Bre-B' }).click()
    await page.getByRole('status').waitFor()
    const reference = new URL(page.url()).pathname.split('/').at(-1)
    const { json } = await world.client('GET', `/payins?reference=${reference}`)
    return { page, payinId: json.data[0].id }
  }
  // The payin must reach the simulated network before it can be decided there.
  const simulate = async (payinId: string, outcome: string) => {
    await eventually(
      () => world.client('POST', `/sandbox/payins/${payinId}/simulate`, { outcome }),
      ({ status }) => status === 200,
    )
  }

  it('the page shows a QR that a bank’s app reads, and changes to paid by itself', async () => {
    const { page, payinId } = await buy()
    const payin = (await world.client('GET', `/payins/${payinId}`)).json
    await page.getByText(payin.sourceData.keyString).waitFor()
    const image = (await page.getByRole('img').getAttribute('src')) ?? ''
    const { data, width, height } = PNG.sync.read(Buffer.from(image.split(',')[1] ?? '', 'base64'))
    const read = readEmvPayload(jsqr.default(new Uint8ClampedArray(data), width, height)?.data ?? '')
    assert.ok(read.ok)
    assert.equal(read.fields.key, payin.sourceData.keyString)
    assert.equal(read.fields.amountInCents, 3_800_000n)
    await simulate(payinId, 'confirmed')
    await page.getByRole('heading', { name: 'Thank you' }).waitFor()
  })

  it('a declined payment is shown as declined, with a way to try again', async () => {
    const { page, payinId } = await buy()
    await simulate(payinId, 'declined')
    await page.getByText('DECLINED').waitFor()
    await page.getByRole('link', { name: 'Try again' }).click()
    await page.getByRole('button', { name: 'Buy with Bre-B' }).waitFor()
  })

  it('an altered event changes nothing', async () => {
    const answer = await fetch(`${shopUrl}/webhooks`, { method: 'POST', body: '{}' })
    assert.deepEqual([answer.status, await answer.text()], [400, 'HEADERS_MISSING'])
  })

  it('no page requests any address but the shop’s own', () => {
    assert.deepEqual([...asked], [shopUrl])
  })
})
