// A webhook whose receiver fails and is mended, in a real browser: what it answered and the next try are there to read, what it
// missed is sent to it and nothing else is, and a link to the portal is made for somebody without an account.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { HOUR_MS } from '../../src/core/instant.ts'
import { type Receiver, startReceiver } from '../api/webhooks/receiver.ts'
import { type Person, signIn } from '../console/person.ts'
import { brebPayin, createWorld, endPayin, type World } from '../world.ts'
import { axeViolations, closeBrowser, sidewaysScroll } from './payer.ts'
import { openStaff, pictures, type Staff, WIDTHS } from './staff.ts'

let world: World
let owner: Person
let receiver: Receiver
let endpointId: string
before(async () => {
  world = await createWorld()
  owner = await signIn(world, 'owner')
  receiver = await startReceiver()
  endpointId = (await world.client('POST', '/webhook-endpoints', { url: receiver.url })).json.id
})
after(async () => {
  await closeBrowser()
  await receiver[Symbol.asyncDispose]()
  await world[Symbol.asyncDispose]()
})

// Of each request, the event and what it is about.
const got = () =>
  receiver.got.splice(0).map(({ body }) => {
    const { event, data } = JSON.parse(body)
    return `${event} ${data.reference}`
  })

async function confirm(reference: string): Promise<void> {
  const { json } = await world.client('POST', '/payins', brebPayin({ reference }))
  await endPayin(world, world.client, json.id, 'confirmed')
  await world.work()
}

describe('a webhook', () => {
  let staff: Staff
  before(async () => {
    staff = await openStaff(world, owner)
  })
  after(() => staff.close())

  it('that fails shows the answer and the next try', async () => {
    const { page } = staff
    await confirm('llegó')
    assert.ok(got().includes('payin.confirmed llegó'))
    receiver.answerWith(500, '{"error":"no encuentro el pedido"}')
    await confirm('se perdió')
    assert.ok(got().length > 0)
    await staff.open(`/webhooks/${endpointId}?show=failed`)
    const rows = page.locator('#attempts > li')
    const failed = await rows.count()
    assert.ok(failed > 0)
    assert.match(await rows.first().innerText(), /500[\s\S]*otro intento \d/)
    await rows.first().locator('summary').click()
    assert.match(await rows.first().innerText(), /no encuentro el pedido/)
    assert.match(await page.innerText('#sentence'), /Todos los intentos fallan/)
  })

  it('that was mended gets what it missed and nothing else, and its failures say that they were delivered later', async () => {
    const { page } = staff
    // Until nothing is tried again, and before the endpoint is switched off for failing.
    for (const hours of [0.02, 0.02, 0.05, 0.25, 0.6, 3, 6, 12, 16, 23, 28])
      await world.passTime(hours * HOUR_MS)
    receiver.answerWith(200, 'gracias')
    got()
    await staff.open(`/webhooks/${endpointId}`)
    const rows = page.locator('#attempts > li')
    assert.match(await rows.first().innerText(), /ya no se reintenta solo/)
    await page.locator('summary', { hasText: 'Recuperar lo perdido' }).click()
    await page.getByLabel('Desde').selectOption({ label: 'Hace treinta días' })
    await page.getByRole('button', { name: 'Recuperar lo perdido' }).click()
    await page.waitForURL(/done=/)
    await world.work()
    const sent = got()
    assert.ok(sent.length > 0)
    assert.deepEqual(
      sent.filter((event) => !event.endsWith('se perdió')),
      [],
      'only what was not delivered',
    )
    await staff.open(`/webhooks/${endpointId}?show=failed`)
    const texts = await rows.allInnerTexts()
    assert.ok(texts.length > 0)
    for (const text of texts) assert.match(text, /se entregó después/)
    // A second time there is nothing left to send.
    await page.locator('summary', { hasText: 'Recuperar lo perdido' }).click()
    await page.getByLabel('Desde').selectOption({ label: 'Hace treinta días' })
    await page.getByRole('button', { name: 'Recuperar lo perdido' }).click()
    await page.waitForURL(/done=/)
    await world.work()
    assert.deepEqual(got(), [])
    assert.deepEqual(staff.complaints, [])
  })

  it('is shown to somebody else by a link that can be copied', async () => {
    const { page } = staff
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await staff.open(`/webhooks/${endpointId}`)
    await page.getByRole('link', { name: 'Compartir' }).click()
    await page.getByLabel('Mirar y reenviar').check()
    await page.getByLabel('Páginas que la pueden enmarcar').fill('https://app.tienda.example')
    await page.getByRole('button', { name: 'Crear la dirección' }).click()
    await page.getByRole('heading', { name: 'La dirección está lista' }).waitFor()
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      for (const width of WIDTHS) assert.equal(await sidewaysScroll(page, width), 0, `${width}`)
      assert.deepEqual(await axeViolations(page, colorScheme === 'light' ? 'all' : 'colours'), [])
      await pictures(page, `portal-link-${colorScheme}`)
    }
    await page.locator('.secret [data-copy]').click()
    const address = await page.evaluate<string>('navigator.clipboard.readText()')
    assert.equal(address, await page.innerText('.secret code'))
    const portal = await fetch(world.baseUrl + new URL(address).pathname)
    assert.equal(portal.status, 200)
    assert.ok((await portal.text()).includes('se entregó después'))
    assert.deepEqual(staff.complaints, [])
  })
})
