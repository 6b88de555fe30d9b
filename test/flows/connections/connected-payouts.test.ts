// Payouts over a connection, whose provider may pay an order twice if it comes twice, and may take money back after it was paid.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { railReference } from '../../../src/core/connections/reference.ts'
import { receiveHint } from '../../../src/flows/connections/receive-hint.ts'
import { verifyLedger } from '../../../src/store/ledger/verify.ts'
import { CUSTOMER, createWorld, type World } from '../../world.ts'
import { moveToProviders } from './funds.ts'
import { accepted, connect, type ScriptedProvider, silence } from './scripted-provider.ts'

const RESEND_AFTER_MS = 120_000
let count = 0

describe('payouts over a connection', () => {
  let world: World
  let provider: ScriptedProvider
  before(async () => {
    world = await createWorld()
    provider = await connect(world, { uses: ['BRE_B_OUT'] })
    provider.resendAfterMs = RESEND_AFTER_MS
    await moveToProviders(world)
  })
  after(() => world[Symbol.asyncDispose]())

  const create = async () => {
    count += 1
    provider.calls.length = 0
    const { json } = await world.client('POST', '/payouts', {
      amountInCents: 1_000_000,
      currency: 'COP',
      rail: 'BRE_B',
      reference: `connected-payout-${count}`,
      inlineCustomer: CUSTOMER,
      breb: { keyString: '@ANAGOMEZ' },
    })
    return json
  }
  const read = async (id: string) => (await world.client('GET', `/payouts/${id}`)).json
  const deposited = async () => (await world.client('GET', '/balance')).json.depositedInCents
  const hint = async (by: { reference: string } | { providerId: string }) => {
    const address = { organizationId: world.organization.organizationId, connectionId: provider.connectionId }
    const found = await receiveHint(world.ctx, address, { ask: [{ kind: 'payout', ...by }], kind: 'test' })
    await world.work()
    return found
  }
  const referenceOf = (id: string) => railReference('payout', world.organization.organizationId, id)
  const submissions = () => provider.calls.filter((call) => call === 'submit payout').length

  it('is sent once, and a hint by the provider’s own id makes us ask', async () => {
    provider.submitPayout = () => accepted({ state: 'processing', providerId: 'B-1' })
    const payout = await create()
    await world.work()
    let asked: unknown
    provider.payout = (handle) => {
      asked = handle.providerId
      return accepted({ state: 'completed', traceId: 'wompi:T-1' })
    }
    assert.equal(await hint({ providerId: 'B-1' }), 1)
    assert.equal(asked, 'B-1')
    assert.equal((await read(payout.id)).status, 'CONFIRMED')
    assert.equal(submissions(), 1)
    assert.equal(await hint({ providerId: 'B-unknown' }), 0)
  })

  it('an id that the provider names only when it is asked is kept', async () => {
    provider.submitPayout = () => accepted({ state: 'processing' })
    provider.payout = () => accepted({ state: 'processing', providerId: 'B-late' })
    const payout = await create()
    await world.work()
    await world.passTime(60_000)
    provider.payout = ({ providerId }) =>
      providerId === 'B-late' ? accepted({ state: 'completed', traceId: 'wompi:T-late' }) : silence
    assert.equal(await hint({ providerId: 'B-late' }), 1)
    assert.equal((await read(payout.id)).status, 'CONFIRMED')
  })

  it('that is not paid keeps the code that the provider gave it, whichever way it said so', async () => {
    const codeOf = async (id: string) => {
      const { rows } = await world.db.query<{ code: string | null; status: string }>({
        text: 'select network_code as code, status from payouts where payout_id = $1',
        values: [id],
      })
      return [rows[0]?.status, rows[0]?.code]
    }
    const why = (networkCode: string) => ({ reason: 'RAIL_ERROR', networkCode }) as const
    provider.submitPayout = () => ({ outcome: 'rejected', ...why('N-1') })
    const refused = await create()
    await world.work()
    assert.deepEqual(await codeOf(refused.id), ['DECLINED', 'N-1'])
    for (const [state, status] of [
      ['rejected', 'DECLINED'],
      ['canceled', 'CANCELED'],
    ] as const) {
      provider.submitPayout = () => accepted({ state, ...why(`N-${state}`) })
      const ended = await create()
      await world.work()
      assert.deepEqual(await codeOf(ended.id), [status, `N-${state}`])
    }
    provider.submitPayout = () => accepted({ state: 'completed', traceId: 'wompi:T-back' })
    const paid = await create()
    await world.work()
    provider.payout = () => accepted({ state: 'returned', traceId: 'wompi:T-back', networkCode: 'N-back' })
    await hint({ reference: referenceOf(paid.id) })
    assert.deepEqual(await codeOf(paid.id), ['CONFIRMED', 'N-back'])
  })

  it('the first id that the provider names is kept, whatever it names later', async () => {
    provider.submitPayout = () => accepted({ state: 'processing', providerId: 'B-6' })
    provider.payout = () => accepted({ state: 'completed', traceId: 'wompi:T-6', providerId: 'B-7' })
    const payout = await create()
    await world.work()
    assert.equal(await hint({ providerId: 'B-6' }), 1)
    assert.equal((await read(payout.id)).status, 'CONFIRMED')
    assert.deepEqual([await hint({ providerId: 'B-7' }), await hint({ providerId: 'B-6' })], [0, 1])
  })

  it('a payout that has ended is asked about again if the provider hints at something and then is silent', async () => {
    provider.submitPayout = () => accepted({ state: 'completed', traceId: 'wompi:T-8' })
    const payout = await create()
    await world.work()
    provider.payout = () => silence
    await hint({ reference: referenceOf(payout.id) })
    assert.equal((await read(payout.id)).returnedAt, null)
    provider.payout = () => accepted({ state: 'returned', traceId: 'wompi:T-8', networkCode: 'reversed' })
    await world.passTime(60 * 60_000)
    const { resultAt, returnedAt } = await read(payout.id)
    assert.ok(Date.parse(returnedAt) - Date.parse(resultAt) >= 60 * 60_000, returnedAt)
  })

  it('an order without an answer is sent again only after its time, and only if a search finds nothing', async () => {
    provider.submitPayout = () => silence
    provider.payout = () => accepted({ state: 'absent' })
    const payout = await create()
    await world.work()
    assert.equal(submissions(), 1)
    await world.passTime(RESEND_AFTER_MS - 10_000)
    assert.equal(submissions(), 1)
    provider.submitPayout = () => silence
    await world.passTime(15_000)
    assert.equal(submissions(), 2)
    // The second order gets its own time.
    await world.passTime(RESEND_AFTER_MS - 20_000)
    assert.equal(submissions(), 2)
    provider.payout = () => accepted({ state: 'completed', traceId: 'wompi:T-2' })
    await world.passTime(60 * 60_000)
    assert.equal(submissions(), 2)
    assert.equal((await read(payout.id)).status, 'CONFIRMED')
  })

  it('while the provider cannot say whether it has the order, it is never sent again', async () => {
    provider.submitPayout = () => silence
    provider.payout = () => silence
    const payout = await create()
    await world.work()
    await world.passTime(12 * 60 * 60_000)
    assert.equal(submissions(), 1)
    assert.equal((await read(payout.id)).status, 'PROCESSING')
    provider.payout = () => accepted({ state: 'rejected', reason: 'RAIL_ERROR', networkCode: 'X' })
    await world.passTime(24 * 60 * 60_000)
    assert.equal((await read(payout.id)).status, 'DECLINED')
  })

  it('a payout that was paid after its rejection has its hints, too, and no hint waits without end', async () => {
    provider.submitPayout = () => accepted({ state: 'rejected', reason: 'RAIL_ERROR', networkCode: 'X' })
    const payout = await create()
    await world.work()
    assert.equal((await read(payout.id)).status, 'DECLINED')
    const before = await deposited()
    provider.payout = () => accepted({ state: 'completed', traceId: 'wompi:T-5' })
    // The second one comes when a person has to look at it.
    for (let times = 0; times < 2; times += 1) {
      provider.calls.length = 0
      await hint({ reference: referenceOf(payout.id) })
      assert.deepEqual(provider.calls, ['query payout'])
    }
    const { rows } = await world.db.query({
      text: `select stage from payouts where payout_id = $1`,
      values: [payout.id],
    })
    assert.deepEqual(rows, [{ stage: 'STOPPED' }])
    // It has left the merchant's account at the provider, and nobody else's.
    assert.equal(await deposited(), before - 1_000_000)
    const waiting = await world.db.query({ text: `select 1 from rail_notices where state = 'WAITING'` })
    assert.equal(waiting.rowCount, 0)
    assert.deepEqual(await verifyLedger(world.db), [])
  })

  it('money that comes back after success can be paid out again, once, and an event tells', async () => {
    provider.submitPayout = () => accepted({ state: 'completed', traceId: 'wompi:T-3', providerId: 'B-3' })
    const payout = await create()
    await world.work()
    const paidOut = await deposited()
    assert.deepEqual(
      [(await read(payout.id)).status, (await read(payout.id)).returnedAt],
      ['CONFIRMED', null],
    )
    provider.payout = () => accepted({ state: 'returned', traceId: 'wompi:T-3', networkCode: 'reversed' })
    for (let times = 0; times < 2; times += 1) await hint({ reference: referenceOf(payout.id) })
    const returned = await read(payout.id)
    assert.equal(returned.status, 'CONFIRMED')
    assert.ok(returned.returnedAt !== null)
    assert.equal(await deposited(), paidOut + 1_000_000)
    const { rows } = await world.db.query<{ type: string }>({
      text: 'select type from events where object_id = $1 order by event_id',
      values: [payout.id],
    })
    assert.deepEqual(
      rows.map(({ type }) => type),
      ['payout.confirmed', 'payout.returned'],
    )
    assert.deepEqual(await verifyLedger(world.db), [])
  })

  it('a payout that was paid and returned before we asked is confirmed and returned', async () => {
    provider.submitPayout = () => accepted({ state: 'processing' })
    provider.payout = () => accepted({ state: 'returned', traceId: 'wompi:T-4', networkCode: 'reversed' })
    const before = await deposited()
    const payout = await create()
    await world.work()
    await world.passTime(60_000)
    const now = await read(payout.id)
    assert.equal(now.status, 'CONFIRMED')
    assert.ok(now.returnedAt !== null)
    assert.equal(await deposited(), before)
    assert.deepEqual(await verifyLedger(world.db), [])
  })
})
