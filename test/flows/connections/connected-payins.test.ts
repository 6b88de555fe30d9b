// Payins over a connection: the provider has its own ids, answers late, may take an order twice, and only hints at what happened.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { railReference } from '../../../src/core/connections/reference.ts'
import { receiveHint } from '../../../src/flows/connections/receive-hint.ts'
import { listOpenAlarms } from '../../../src/store/ledger/alarms.ts'
import { CUSTOMER, createWorld, eventually, type World } from '../../world.ts'
import {
  accepted,
  connect,
  notFound,
  openedPayin,
  type ScriptedProvider,
  silence,
} from './scripted-provider.ts'

let count = 0

describe('payins over a connection', () => {
  let world: World
  let provider: ScriptedProvider
  before(async () => {
    world = await createWorld()
    provider = await connect(world)
  })
  after(() => world[Symbol.asyncDispose]())

  const create = async (changes: Record<string, unknown> = {}) => {
    count += 1
    provider.calls.length = 0
    provider.orders.length = 0
    provider.submitPayin = () => accepted(openedPayin())
    provider.payin = () => accepted({ state: 'open', opened: openedPayin() })
    const { json } = await world.client('POST', '/payins', {
      amountInCents: 5_000_000,
      currency: 'COP',
      rail: 'BRE_B',
      reference: `connected-${count}`,
      inlineCustomer: CUSTOMER,
      breb: { keyType: 'SINGLE_USE' },
      ...changes,
    })
    return json
  }
  const read = async (id: string) => (await world.client('GET', `/payins/${id}`)).json
  const referenceOf = (id: string) => railReference('payin', world.organization.organizationId, id)
  const row = async (id: string) => {
    const { rows } = await world.db.query<Record<string, unknown>>({
      text: 'select connection_id, provider, provider_id, rail_stage, due_at, network_code from payins where payin_id = $1',
      values: [id],
    })
    return rows[0] as Record<string, unknown>
  }
  const hint = (id: string) =>
    receiveHint(
      world.ctx,
      { organizationId: world.organization.organizationId, connectionId: provider.connectionId },
      { ask: [{ kind: 'payin', reference: referenceOf(id) }], kind: 'test' },
    )
  const paid = (paymentId: string, amountInCents = 5_000_000n) =>
    accepted({ state: 'paid', payments: [{ paymentId, amountInCents }], networkCode: 'PAID' } as const)

  it('goes to the connection, keeps its id there, and a hint makes us ask', async () => {
    const payin = await create()
    assert.equal(payin.status, 'PROCESSING')
    await world.work()
    assert.deepEqual(provider.calls, ['submit payin'])
    const stored = await row(payin.id)
    assert.equal(stored.connection_id, provider.connectionId)
    assert.equal(stored.provider_id, 'P-1')
    let asked: unknown
    provider.payin = (handle) => {
      asked = handle
      return paid('mono:1')
    }
    assert.equal(await hint(payin.id), 1)
    await world.work()
    assert.deepEqual(asked, {
      reference: referenceOf(payin.id),
      providerId: 'P-1',
      amountInCents: 5_000_000n,
    })
    assert.equal((await read(payin.id)).status, 'CONFIRMED')
  })

  it('an order without an answer is searched for before it is sent again', async () => {
    const payin = await create()
    provider.submitPayin = () => silence
    provider.payin = () => notFound
    await world.work()
    assert.deepEqual(provider.calls, ['submit payin'])
    provider.submitPayin = () => accepted(openedPayin({}, 'P-2'))
    await world.passTime(5_000)
    assert.deepEqual(provider.calls, ['submit payin', 'query payin', 'submit payin'])
    assert.equal((await row(payin.id)).provider_id, 'P-2')
  })

  it('an order that arrived although its answer was lost is not sent again', async () => {
    const payin = await create()
    provider.submitPayin = () => silence
    provider.payin = () => accepted({ state: 'open', opened: openedPayin({}, 'P-3') })
    await world.work()
    await world.passTime(5_000)
    assert.deepEqual(provider.calls, ['submit payin', 'query payin'])
    assert.deepEqual(await row(payin.id).then((stored) => [stored.provider_id, stored.rail_stage]), [
      'P-3',
      'OPEN',
    ])
  })

  it('while nobody can say whether the order arrived, it is not sent again', async () => {
    const payin = await create()
    provider.submitPayin = () => silence
    provider.payin = () => silence
    await world.work()
    await world.passTime(60_000)
    assert.equal(provider.calls.filter((call) => call === 'submit payin').length, 1)
    assert.equal((await read(payin.id)).status, 'PROCESSING')
  })

  it('an order that was paid although its answer was lost confirms the payin', async () => {
    const payin = await create()
    provider.submitPayin = () => silence
    provider.payin = ({ reference }) => (reference === referenceOf(payin.id) ? paid('mono:lost') : silence)
    await world.work()
    await world.passTime(5_000)
    assert.equal((await read(payin.id)).status, 'CONFIRMED')
  })

  it('a payin whose key is being registered is asked about soon, and is open when it is', async () => {
    const payin = await create()
    provider.submitPayin = () => accepted(openedPayin({ isReady: false }))
    provider.payin = () => accepted({ state: 'open', opened: openedPayin({ isReady: false }) })
    await world.work()
    assert.equal((await row(payin.id)).rail_stage, 'OPENING')
    await world.passTime(600)
    assert.equal((await row(payin.id)).rail_stage, 'OPENING')
    // A slow machine may ask more often meanwhile.
    assert.deepEqual(provider.calls.slice(0, 2), ['submit payin', 'query payin'])
    provider.payin = () => accepted({ state: 'open', opened: openedPayin() })
    await world.passTime(2_000)
    assert.equal((await row(payin.id)).rail_stage, 'OPEN')
  })

  it('a payin whose provider names another key than payers were told waits until it names that one', async () => {
    const payin = await create()
    const { keyString } = payin.sourceData
    const opened = (key: string) =>
      accepted({ state: 'open', opened: openedPayin({ keyString: key }) } as const)
    provider.submitPayin = () => accepted(openedPayin({ keyString: '@SOMEBODY' }))
    provider.payin = () => opened('@SOMEBODY')
    await world.work()
    await world.passTime(5_000)
    assert.notEqual((await row(payin.id)).rail_stage, 'OPEN')
    // Keys are the same in small letters.
    provider.payin = () => opened(keyString.toLowerCase())
    await world.passTime(60_000)
    assert.equal((await row(payin.id)).rail_stage, 'OPEN')
    assert.equal((await read(payin.id)).sourceData.keyString, keyString)
  })

  it('a hint that comes while a worker has the payin is not lost', async () => {
    const payin = await create()
    await world.work()
    // Payins of the tests before may be due meanwhile, and are not paid by it.
    provider.payin = ({ reference }) => (reference === referenceOf(payin.id) ? paid('mono:busy') : silence)
    await world.db.query({
      text: 'update payins set lease_token = $2 where payin_id = $1',
      values: [payin.id, world.ctx.ids.next()],
    })
    await hint(payin.id)
    await world.work()
    assert.equal(
      (await read(payin.id)).status,
      'PROCESSING',
      'whoever asked for it would know that it is paid',
    )
    await world.db.query({
      text: 'update payins set lease_token = null where payin_id = $1',
      values: [payin.id],
    })
    await world.passTime(1_000)
    assert.equal((await read(payin.id)).status, 'CONFIRMED')
  })

  it('a payment after the expiry goes to suspense, and the payin stays canceled', async () => {
    const payin = await create()
    await world.work()
    provider.payin = () =>
      accepted({ state: 'ended', how: 'expired', reason: 'EXPIRED', networkCode: 'EXPIRED' })
    await world.passTime(16 * 60_000)
    assert.equal((await read(payin.id)).status, 'CANCELED')
    provider.payin = () => paid('mono:late')
    await hint(payin.id)
    await world.work()
    assert.equal((await read(payin.id)).status, 'CANCELED')
    const { rows } = await world.db.query({
      text: `select amount_cents from suspense_items where payin_id = $1 and payment_id = 'mono:late'`,
      values: [payin.id],
    })
    assert.equal(rows.length, 1)
  })

  it('a chargeback that the provider tells of is booked once', async () => {
    const payin = await create()
    await world.work()
    provider.payin = () => paid('mono:back')
    await hint(payin.id)
    await world.work()
    const chargeback = { paymentId: 'mono:back', amountInCents: 5_000_000n, chargebackId: 'back:REVERSED' }
    provider.payin = () =>
      accepted({
        state: 'paid',
        payments: [{ paymentId: 'mono:back', amountInCents: 5_000_000n }],
        networkCode: 'REVERSED',
        chargebacks: [chargeback],
      })
    // Settled first: from then on nobody asks by himself.
    await world.passTime(25 * 60 * 60_000)
    for (let times = 0; times < 2; times += 1) {
      await hint(payin.id)
      await world.work()
    }
    const { rows } = await world.db.query<{ n: bigint }>({
      text: `select count(*) as n from ledger_transfers where subject_id = $1 and booking like 'payin charged back%'`,
      values: [payin.id],
    })
    assert.equal(Number(rows[0]?.n), 1)
    assert.equal((await read(payin.id)).settlementStatus, 'REVERSED')
    assert.equal((await row(payin.id)).network_code, 'REVERSED')
  })

  it('a chargeback before settlement is heard when the provider hints at it, not a day later', async () => {
    const payin = await create()
    await world.work()
    const payment = { paymentId: 'mono:early', amountInCents: 5_000_000n }
    const told = (changes: object) =>
      accepted({ state: 'paid', payments: [payment], networkCode: 'paid', ...changes } as const)
    provider.payin = ({ reference }) => (reference === referenceOf(payin.id) ? told({}) : silence)
    await hint(payin.id)
    await world.work()
    assert.equal((await read(payin.id)).settlementStatus, 'PENDING_SETTLEMENT')
    const settlesAt = (await row(payin.id)).due_at
    await hint(payin.id)
    await world.work()
    assert.equal((await row(payin.id)).due_at, settlesAt)
    const chargebacks = [{ ...payment, chargebackId: 'early:REVERSED' }]
    provider.payin = ({ reference }) =>
      reference === referenceOf(payin.id) ? told({ chargebacks }) : silence
    await hint(payin.id)
    await world.work()
    assert.equal((await read(payin.id)).settlementStatus, 'REVERSED')
  })

  it('a hint about a payin of another connection changes nothing, and an alarm says what came', async () => {
    const payin = await create()
    await world.work()
    const other = await connect(world, { uses: [] })
    await receiveHint(
      world.ctx,
      { organizationId: world.organization.organizationId, connectionId: other.connectionId },
      { ask: [{ kind: 'payin', reference: referenceOf(payin.id) }], kind: 'transaction.updated' },
    )
    provider.payin = () => paid('mono:foreign')
    await world.work()
    assert.equal((await read(payin.id)).status, 'PROCESSING')
    const alarms = (await listOpenAlarms(world.db)).filter(
      ({ subjectId }) => subjectId === other.connectionId,
    )
    assert.match(alarms[0]?.detail ?? '', /transaction\.updated of payin P/)
  })

  it('an approval that somebody else owns never reaches a payin: the amount of another payment declines it', async () => {
    const payin = await create()
    await world.work()
    provider.payin = () => paid('mono:other-amount', 1n)
    await hint(payin.id)
    await world.work()
    assert.deepEqual(
      [(await read(payin.id)).status, (await read(payin.id)).errorCode],
      ['DECLINED', 'AMOUNT_MISMATCH'],
    )
  })
})

describe('the choice of a connection', () => {
  let world: World
  before(async () => {
    world = await createWorld()
  })
  after(() => world[Symbol.asyncDispose]())
  const create = async (amountInCents: number) => {
    count += 1
    return world.client('POST', '/payins', {
      amountInCents,
      currency: 'COP',
      rail: 'BRE_B',
      reference: `routed-${count}`,
      breb: { keyType: 'SINGLE_USE' },
    })
  }
  const connectionOf = async (id: string) => {
    const { rows } = await world.db.query<{ connection_id: string | null }>({
      text: 'select connection_id from payins where payin_id = $1',
      values: [id],
    })
    return rows[0]?.connection_id
  }

  it('an organization without connections uses the installation’s networks', async () => {
    assert.equal(await connectionOf((await create(100_000)).json.id), null)
  })

  it('the first that takes the amount is chosen; one that is away is passed over; a payment stays where it is', async () => {
    const small = await connect(world, { uses: ['BRE_B_IN'], maximumInCents: 200_000n })
    const large = await connect(world, {
      uses: ['BRE_B_IN'],
      minimumInCents: 100_000n,
      maximumInCents: 900_000n,
    })
    const first = (await create(200_000)).json
    assert.equal(await connectionOf(first.id), small.connectionId)
    assert.equal(await connectionOf((await create(200_001)).json.id), large.connectionId)
    small.isAway = true
    assert.equal(await connectionOf((await create(200_000)).json.id), large.connectionId)
    assert.equal(await connectionOf((await create(99_999)).json.id), small.connectionId)
    await world.work()
    assert.equal(await connectionOf(first.id), small.connectionId)
    assert.ok(
      small.orders.some(
        ({ reference }) => reference === railReference('payin', world.organization.organizationId, first.id),
      ),
    )
    const refused = await create(900_001)
    assert.deepEqual([refused.status, refused.json.code], [400, 'AMOUNT_NOT_CONNECTED'])
    assert.match(refused.json.detail, /from 0\.01 to 9000\.00 pesos/)
  })
})

describe('a provider that names the keys', () => {
  let world: World
  let provider: ScriptedProvider
  before(async () => {
    world = await createWorld({ env: { KEY_WAIT_MS: '3000' } })
    provider = await connect(world, { uses: ['BRE_B_IN'], namesKeys: true })
  })
  after(() => world[Symbol.asyncDispose]())
  const body = (reference: string, keyType = 'QR_CODE') => ({
    amountInCents: 5_000_000,
    currency: 'COP',
    rail: 'BRE_B',
    reference,
    breb: { keyType },
  })

  it('the answer waits for the key, and is repeated as it was', async () => {
    provider.submitPayin = () => accepted(openedPayin({ keyString: '@MONOABC123' }))
    const answering = world.client('POST', '/payins', body('named-1'), { 'idempotency-key': 'named-1' })
    const working = setInterval(() => void world.work(), 20)
    const first = await answering
    clearInterval(working)
    assert.deepEqual(
      [first.status, first.json.status, first.json.sourceData.keyString],
      [201, 'PROCESSING', '@MONOABC123'],
    )
    assert.match(first.json.sourceData.qrString, /^data:image\/png/)
    const again = await world.client('POST', '/payins', body('named-1'), { 'idempotency-key': 'named-1' })
    assert.deepEqual([again.status, again.text], [201, first.text])
  })

  it('beyond our patience the payin is PENDING without a key, and an event tells when it is there', async () => {
    provider.submitPayin = () => accepted(openedPayin({ isReady: false }))
    provider.payin = () => accepted({ state: 'open', opened: openedPayin({ keyString: '@MONOXYZ789' }) })
    const { json } = await world.client('POST', '/payins', body('named-2', 'SINGLE_USE'))
    assert.deepEqual([json.status, json.sourceData.keyString], ['PENDING', null])
    const now = await eventually(
      async () => {
        await world.passTime(1_000)
        return (await world.client('GET', `/payins/${json.id}`)).json
      },
      ({ status }) => status === 'PROCESSING',
    )
    assert.equal(now.sourceData.keyString, '@MONOXYZ789')
    const { rows } = await world.db.query<{ type: string }>({
      text: 'select type from events where object_id = $1',
      values: [json.id],
    })
    assert.deepEqual(
      rows.map(({ type }) => type),
      ['payin.processing'],
    )
  })
})
