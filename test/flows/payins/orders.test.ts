// What the network is told about a payin: nothing before the payer is known, and every time the same. A network refuses
// a reference that comes again with other content.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import type { Payin } from '../../../src/core/payins/payin.ts'
import { advancePayin } from '../../../src/flows/payins/advance.ts'
import { referenceOf } from '../../../src/flows/payins/apply-rail-status.ts'
import { listExchanges } from '../../../src/store/connections/exchanges.ts'
import { brebPayin, CUSTOMER, createWorld, endPayin, eventually, psePayin, type World } from '../../world.ts'

const MINUTE_MS = 60_000

describe('orders to the network', () => {
  let world: World
  before(async () => {
    world = await createWorld({ env: { SECRETS_KEY: 'b'.repeat(64) } })
  })
  after(() => world[Symbol.asyncDispose]())

  const create = async (body: Record<string, unknown>) => (await world.client('POST', '/payins', body)).json
  const read = async (id: string) => (await world.client('GET', `/payins/${id}`)).json
  const setFaults = (plan: object | 'none') =>
    fetch(`${world.sandbox.controlUrl}/faults`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${world.config.breb.clientSecret}` },
      body: JSON.stringify({ plan }),
    })
  const stored = async (payinId: string): Promise<Payin> => {
    const { organizationId } = world.organization
    const payin = await world.ctx.batched.getPayin({ organizationId, payinId })
    assert.ok(payin)
    return payin
  }
  const callsAbout = async (payinId: string): Promise<string[]> => {
    const payin = await stored(payinId)
    const exchanges = await listExchanges(world.db, payin.organizationId, referenceOf(payin))
    return exchanges.map(({ operation }) => operation)
  }
  const fillIn = (pageUrl: string, customer: Record<string, string>) =>
    fetch(`${world.baseUrl}${new URL(pageUrl).pathname}`, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(customer),
    })

  for (const [rail, payinOf] of Object.entries({ BRE_B: brebPayin, PSE: psePayin })) {
    it(`${rail}: a retry after a lost answer is the first order again, whatever changed since`, async () => {
      const payin = await create(payinOf({ inlineCustomer: { ...CUSTOMER, idNumber: '1000000007' } }))
      await setFaults({ errorAfterAcceptance: 1 })
      await world.work()
      await setFaults('none')
      const renamed = await world.client('PATCH', '/organization', { name: `Renamed after ${rail}` })
      assert.equal(renamed.status, 200, renamed.text)
      const { settings } = world.ctx
      const moved = { ...settings, checkoutUrl: 'https://elsewhere.example' }
      Object.assign(world.ctx, { settings: moved })
      try {
        await world.passTime(MINUTE_MS)
        await world.work()
      } finally {
        Object.assign(world.ctx, { settings })
      }
      assert.equal((await stored(payin.id)).progress.stage, 'OPEN')
    })
  }

  it('PSE without a customer: the network hears of it when the payer has filled in the page', async () => {
    const payin = await create(psePayin({ inlineCustomer: undefined }))
    await world.work()
    await world.passTime(MINUTE_MS)
    await world.work()
    assert.equal((await read(payin.id)).status, 'PENDING')
    const answer = await fillIn(payin.sourceData.pseUrl, { ...CUSTOMER, idNumber: '1000000003' })
    assert.equal(answer.status, 303)
    await world.work()
    assert.equal((await read(payin.id)).status, 'PROCESSING')
    assert.equal((await read(payin.id)).inlineCustomer.idNumber, '1000000003')
    await world.passTime(1_000)
    // Only the payer's document makes this network decline.
    const declined = await eventually(
      async () => {
        await world.work()
        return read(payin.id)
      },
      ({ status }) => status !== 'PROCESSING',
    )
    assert.equal(declined.status, 'DECLINED')
  })

  it('a worker whose lease has passed to another withdraws nothing that is open', async () => {
    const { id } = await create(brebPayin({ inlineCustomer: { ...CUSTOMER, idNumber: '1000000007' } }))
    const payin = await stored(id)
    await advancePayin(world.ctx, { payin, leaseToken: randomUUID() }, world.organization)
    assert.equal((await stored(id)).progress.stage, 'TO_OPEN')
    await world.work()
    assert.equal((await stored(id)).progress.stage, 'OPEN')
  })

  it('a worker whose lease has passed to another leaves a payin that was paid meanwhile to be settled', async () => {
    const { id } = await create(brebPayin({ inlineCustomer: { ...CUSTOMER, idNumber: '1000000007' } }))
    const payin = await stored(id)
    await endPayin(world, world.client, id, 'confirmed')
    await advancePayin(world.ctx, { payin, leaseToken: randomUUID() }, world.organization)
    assert.equal((await stored(id)).progress.stage, 'TO_SETTLE')
    await world.passTime(24 * 60 * MINUTE_MS)
    assert.equal((await read(id)).settlementStatus, 'SETTLED')
  })

  it('a payin that is canceled while a worker has it is withdrawn from the network, and another is not', async () => {
    const stageOf = async (leaseToken: string | null) => {
      const { id } = await create(brebPayin())
      await world.db.query({
        text: 'update payins set lease_token = $2 where payin_id = $1',
        values: [id, leaseToken],
      })
      assert.equal((await world.client('POST', `/payins/${id}/cancel`)).status, 200)
      return (await stored(id)).progress.stage
    }
    assert.equal(await stageOf(null), 'DONE')
    assert.equal(await stageOf(randomUUID()), 'TO_CLOSE')
  })

  it('PSE whose payer never comes is asked of nobody, and ends at its time', async () => {
    const payin = await create(psePayin({ inlineCustomer: undefined }))
    for (let minute = 0; minute < 14; minute += 1) {
      await world.work()
      await world.passTime(MINUTE_MS)
    }
    await world.work()
    assert.equal((await read(payin.id)).status, 'PENDING')
    await world.passTime(2 * MINUTE_MS)
    await world.work()
    const expired = await read(payin.id)
    assert.deepEqual([expired.status, expired.errorCode], ['CANCELED', 'EXPIRED'])
    // Exchanges are recorded in the background. When that of a later payin is there, an earlier one would be, too.
    const later = await create(psePayin())
    await world.work()
    await eventually(
      () => callsAbout(later.id),
      ({ length }) => length > 0,
    )
    assert.deepEqual(await callsAbout(payin.id), [])
  })

  it('a simulated end waits until the network has the payin, and is refused if it never will', async () => {
    const simulate = (id: string) =>
      world.client('POST', `/sandbox/payins/${id}/simulate`, { outcome: 'declined', errorCode: 'RAIL_ERROR' })
    for (const payinOf of [brebPayin, psePayin]) {
      const payin = await create(payinOf({ inlineCustomer: { ...CUSTOMER, idNumber: '1000000007' } }))
      const pending = simulate(payin.id)
      // The request is there before any worker is.
      await read(payin.id)
      await world.work()
      assert.equal((await pending).status, 200, (await pending).text)
      const declined = await eventually(
        async () => {
          await world.work()
          return read(payin.id)
        },
        ({ status }) => status === 'DECLINED',
      )
      assert.equal(declined.errorCode, 'RAIL_ERROR')
    }
    const unknownPayer = await create(psePayin({ inlineCustomer: undefined }))
    const canceled = await create(brebPayin())
    await world.client('POST', `/payins/${canceled.id}/cancel`)
    for (const { id } of [unknownPayer, canceled]) {
      const { status, json } = await simulate(id)
      assert.deepEqual([status, json.code], [409, 'SIMULATION_REFUSED'])
    }
  })

  it('payin.processing tells once that the bank session exists, and nothing tells of a link’s payins', async () => {
    const told = async (payinId: string): Promise<string[]> =>
      (await world.client('GET', `/events?objectId=${payinId}`)).json.data.map(
        ({ event, version, data }: { event: string; version: number; data: { status: string } }) =>
          `${event} ${version} ${data.status}`,
      )
    const inlineCustomer = { ...CUSTOMER, idNumber: '1000000007' }
    const breb = await create(brebPayin({ inlineCustomer }))
    const pse = await create(psePayin({ inlineCustomer }))
    const unknownPayer = await create(psePayin({ inlineCustomer: undefined }))
    const link = {
      amountType: 'FIXED',
      amountInCents: 100_000,
      reference: 'a link’s',
      callbackUrl: 'https://shop.example/return',
      rail: 'PSE',
      pse: { bank: 'CO_BANCOLOMBIA' },
      inlineCustomer,
    }
    const { json: made } = await world.client('POST', '/payment-links', link)
    assert.equal((await fillIn(made.paymentLinkUrl, {})).status, 303)
    assert.deepEqual(await told(breb.id), [])
    await world.passTime(MINUTE_MS)
    assert.deepEqual(await told(breb.id), [], 'PROCESSING from the start')
    assert.deepEqual(await told(pse.id), ['payin.processing 2 PROCESSING'])
    assert.deepEqual(await told(unknownPayer.id), [])
    const { json } = await world.client('GET', `/payins?paymentLinkId=${made.paymentLinkId}`)
    assert.equal(json.data[0].status, 'PROCESSING')
    assert.deepEqual(await told(json.data[0].id), [])
  })

  it('a payer who comes after the end changes nothing', async () => {
    const payin = await create(psePayin({ inlineCustomer: undefined }))
    await world.client('POST', `/payins/${payin.id}/cancel`)
    await world.work()
    await fillIn(payin.sourceData.pseUrl, CUSTOMER)
    await world.work()
    const canceled = await read(payin.id)
    assert.equal(canceled.status, 'CANCELED')
    assert.equal(canceled.inlineCustomer, null)
  })
})
