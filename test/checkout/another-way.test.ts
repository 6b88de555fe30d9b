// "Pay another way" on the real service, as a browser does it: one attempt at a time, whatever the payer presses.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { railReference } from '../../src/core/connections/reference.ts'
import { NO_FAULTS } from '../../src/sandbox/faults.ts'
import { brebPayin, createWorld, type World } from '../world.ts'

// This payer pays nothing until somebody says so.
const PAYER = {
  name: 'Ana María Gómez',
  idType: 'CO_CC',
  idNumber: '1000000007',
  phone: '3001234567',
  email: 'ana@example.com',
}
const BY_PSE = { ...PAYER, rail: 'PSE', bank: 'CO_BANCOLOMBIA' }
const BY_BREB = { ...PAYER, rail: 'BRE_B' }

type Attempt = { payin_id: string; rail: string; status: string }

describe('a payer who wants to pay another way', () => {
  let world: World
  before(async () => {
    world = await createWorld()
  })
  after(() => world[Symbol.asyncDispose]())

  const newPage = async (): Promise<Page> => {
    const { json } = await world.client('POST', '/payment-links', {
      amountType: 'FIXED',
      amountInCents: 5_000_000,
      reference: 'order',
      callbackUrl: 'https://shop.example/return',
    })
    return pageOf(world, json.paymentLinkId, new URL(json.paymentLinkUrl).pathname)
  }

  it('gets the form while nobody is at the bank, and the next attempt is the only open one', async () => {
    const page = await newPage()
    await page.send('', BY_PSE)
    await world.work()
    assert.equal(await page.send('/leave'), `${page.path}?step=retry`)
    assert.match(await page.read('?step=retry'), /name="rail"/)
    await page.send('', BY_BREB)
    assert.deepEqual(await page.attempts(), ['PSE CANCELED', 'BRE_B PROCESSING'])
    assert.match(await page.read(), /Bre-B/)
  })

  it('of a payin that the merchant created has none: the payin stays as it is', async () => {
    const inlineCustomer = { ...PAYER, phone: '+573001234567' }
    const { json } = await world.client('POST', '/payins', brebPayin({ inlineCustomer }))
    await world.work()
    const page = pageOf(world, '', new URL(json.sourceData.checkoutUrl).pathname)
    assert.equal(await page.send('/leave'), `${page.path}?step=late`)
    await world.work()
    assert.equal((await world.client('GET', `/payins/${json.id}`)).json.status, 'PROCESSING')
  })

  it('while at the bank is told that it is too late, and no second attempt is opened', async () => {
    const page = await newPage()
    await page.send('', BY_PSE)
    await world.work()
    const [attempt] = await page.rows()
    const { organizationId } = world.organization
    assert.ok(
      world.sandbox.openedByPayer(railReference('payin', organizationId, attempt?.payin_id as string)),
    )
    const late = await page.send('/leave')
    assert.equal(late, `${page.path}?step=late`)
    assert.match(await page.read('?step=late'), /sigue en curso/)
    // Not even with the form of another tab.
    assert.doesNotMatch(await page.read('?step=retry'), /name="rail"/)
    await page.send('', BY_BREB)
    await world.work()
    assert.deepEqual(await page.attempts(), ['PSE PROCESSING'])
  })

  it('from an attempt that the merchant canceled while they are at the bank: waits until it has ended there', async () => {
    const page = await newPage()
    await page.send('', BY_PSE)
    await world.work()
    const payinId = (await page.rows())[0]?.payin_id as string
    assert.ok(world.sandbox.openedByPayer(railReference('payin', world.organization.organizationId, payinId)))
    await world.client('POST', `/payins/${payinId}/cancel`)
    await world.work()
    const version = async () => {
      const answer = await fetch(`${world.baseUrl}${page.path}/status`)
      return ((await answer.json()) as { version: string }).version
    }
    const waiting = await version()
    for (const query of ['', '?step=retry', '?step=late']) {
      const text = await page.read(query)
      assert.match(text, /El banco aún no ha cerrado este intento/)
      assert.match(text, /verificar si el débito fue realizado/)
      assert.match(text, new RegExp(`data-version="${waiting}"`))
      assert.doesNotMatch(text, /name="rail"|Intentar de nuevo/)
    }
    await page.send('', BY_BREB)
    assert.equal(await page.send('/leave'), `${page.path}?step=late`)
    assert.deepEqual(await page.attempts(), ['PSE CANCELED'])
    await world.client('POST', `/sandbox/payins/${payinId}/simulate`, { outcome: 'declined' })
    await world.passTime(12 * 60_000)
    assert.notEqual(await version(), waiting)
    assert.match(await page.read('?step=retry'), /name="rail"/)
    await page.send('', BY_BREB)
    assert.deepEqual(await page.attempts(), ['PSE CANCELED', 'BRE_B PROCESSING'])
  })

  it('leaves nothing while the network cannot be asked', async () => {
    const page = await newPage()
    await page.send('', BY_BREB)
    await world.work()
    await setFaults(world, { ...NO_FAULTS, unavailable: 1 })
    assert.equal(await page.send('/leave'), `${page.path}?step=late`)
    assert.match(await page.read('?step=late'), /sigue en curso/)
    await page.send('', BY_PSE)
    assert.deepEqual(await page.attempts(), ['BRE_B PROCESSING'])
    await setFaults(world, NO_FAULTS)
  })
})

type Page = {
  path: string
  read: (query?: string) => Promise<string>
  // Sends a form, and returns where the browser is sent.
  send: (below: string, fields?: Record<string, string>) => Promise<string | null>
  rows: () => Promise<Attempt[]>
  attempts: () => Promise<string[]>
}

function pageOf(world: World, paymentLinkId: string, path: string): Page {
  const rows = async () => {
    const text = 'select payin_id, rail, status from payins where payment_link_id = $1 order by created_at'
    return (await world.db.query<Attempt>({ text, values: [paymentLinkId] })).rows
  }
  return {
    path,
    rows,
    attempts: async () => (await rows()).map(({ rail, status }) => `${rail} ${status}`),
    read: async (query = '') =>
      (await fetch(world.baseUrl + path + query, { headers: { 'accept-language': 'es' } })).text(),
    send: async (below, fields = {}) => {
      const body = new URLSearchParams(fields)
      const answer = await fetch(world.baseUrl + path + below, { method: 'POST', body, redirect: 'manual' })
      assert.equal(answer.status, 303, await answer.text())
      return answer.headers.get('location')
    },
  }
}

async function setFaults({ sandbox, config }: World, plan: typeof NO_FAULTS): Promise<void> {
  const response = await fetch(`${sandbox.controlUrl}/faults`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${config.breb.clientSecret}` },
    body: JSON.stringify({ plan }),
  })
  assert.equal(response.status, 200, await response.text())
}
