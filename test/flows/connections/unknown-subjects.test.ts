// What a network says about nothing we know, at an impossible time, or too early: it is stored, money in it is booked, and
// a person is told.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import pino from 'pino'
import type { PayinUpdate } from '../../../src/core/connections/notice.ts'
import { railReference } from '../../../src/core/connections/reference.ts'
import { UNATTRIBUTED_ORGANIZATION } from '../../../src/core/organizations/organization.ts'
import { listOpenAlarms } from '../../../src/store/ledger/alarms.ts'
import { listSuspense } from '../../../src/store/ledger/suspense.ts'
import { readBalances } from '../../../src/store/ledger/transfers.ts'
import { applyRetention } from '../../../src/workers/retention.ts'
import { brebPayin, CUSTOMER, createWorld, eventually, type World } from '../../world.ts'
import { notify as notifyOver } from './notify.ts'

const HOUR = 60 * 60_000
const OPEN = { inlineCustomer: { ...CUSTOMER, idNumber: '1000000007' } }

describe('a notice about nothing we know', () => {
  let world: World
  before(async () => {
    world = await createWorld()
  })
  after(() => world[Symbol.asyncDispose]())

  const notify = async (fields: Record<string, unknown>) => assert.equal(await notifyOver(world, fields), 200)
  const itemsOf = async (paymentId: string) =>
    (await listSuspense(world.db, true)).filter((item) => item.paymentId === paymentId)
  const alarmsAbout = async (text: string) =>
    (await listOpenAlarms(world.db)).filter(({ detail }) => detail.includes(text))
  const suspenseOf = async (organizationId: string) => (await readBalances(world.db, organizationId)).SUSPENSE

  for (const [what, reference] of Object.entries({
    'an organization that does not exist': railReference('payin', randomUUID(), randomUUID()),
    'a name that is none of ours': 'INVOICE-77',
  })) {
    it(`money for ${what} is in suspense after an hour, once, and a person is told`, async () => {
      const paymentId = `PAY-${randomUUID()}`
      const held = await suspenseOf(UNATTRIBUTED_ORGANIZATION)
      await notify({ reference, paymentId, amount: '1000.00' })
      await notify({ reference, paymentId, amount: '1000.00' })
      await world.passTime(HOUR - 60_000)
      assert.deepEqual(await itemsOf(paymentId), [])
      world.advance(60_000)
      await Promise.all([world.work(), world.work()])
      const items = await itemsOf(paymentId)
      assert.deepEqual(
        items.map(({ organizationId, payinId, reason, amountInCents }) => [
          organizationId,
          payinId,
          reason,
          amountInCents,
        ]),
        [[UNATTRIBUTED_ORGANIZATION, null, 'UNATTRIBUTED', 100_000n]],
      )
      assert.equal((await suspenseOf(UNATTRIBUTED_ORGANIZATION)) - held, 100_000n)
      assert.equal((await alarmsAbout(paymentId)).length, 1)
      assert.equal((await alarmsAbout(reference)).length, 1)
      await notify({ type: 'collection.chargeback', reference, paymentId, amount: '1000.00' })
      await world.work()
      assert.equal((await itemsOf(paymentId))[0]?.state, 'CHARGED_BACK')
      assert.equal(await suspenseOf(UNATTRIBUTED_ORGANIZATION), held)
    })
  }

  for (const [what, reference] of Object.entries({
    'no reference': undefined,
    'an empty reference': '',
    'a reference that is null': null,
    'what its payer typed': 'FACTURA 123/é',
    'a number': 123,
    'a text that is too long': 'X'.repeat(65),
    'a text that no database holds': `${'X'.repeat(63)}\u{1F4B8}\0\ud800`,
  })) {
    it(`money under ${what} is in suspense of nobody after an hour, and a person is told`, async () => {
      const paymentId = `PAY-${randomUUID()}`
      await notify({ reference, paymentId, amount: '70000.00' })
      await world.passTime(HOUR)
      assert.deepEqual(
        (await itemsOf(paymentId)).map((item) => [item.organizationId, item.reason, item.amountInCents]),
        [[UNATTRIBUTED_ORGANIZATION, 'UNATTRIBUTED', 7_000_000n]],
      )
      assert.equal((await alarmsAbout(paymentId)).length, 1)
    })
  }

  it('money of nobody is in suspense an hour after it was paid, however late we hear of it', async () => {
    const paymentId = `PAY-${randomUUID()}`
    const occurredAt = new Date(world.ctx.clock.now() - HOUR).toISOString()
    await notify({ reference: 'INVOICE-78', paymentId, amount: '1000.00', occurredAt })
    await world.work()
    assert.equal((await itemsOf(paymentId)).length, 1)
  })

  it('a notice without money for an organization that does not exist is shown, and does not wait', async () => {
    const reference = railReference('payin', randomUUID(), randomUUID())
    await notify({ type: 'collection.canceled', reference })
    await world.work()
    assert.equal((await alarmsAbout(reference)).length, 1)
    const { rows } = await world.db.query<{ state: string; due_at: number | null }>({
      text: 'select state, due_at from rail_notices where reference = $1',
      values: [reference],
    })
    assert.deepEqual(rows, [{ state: 'ORPHAN', due_at: null }])
  })

  it('money for a payin that does not exist is in suspense of its organization after an hour, once', async () => {
    const { organizationId } = world.organization
    const reference = railReference('payin', organizationId, randomUUID())
    const paymentId = `PAY-${randomUUID()}`
    const before = (await world.client('GET', '/balance')).json
    await notify({ reference, paymentId, amount: '500.00' })
    await world.passTime(HOUR - 60_000)
    assert.deepEqual(await itemsOf(paymentId), [])
    await world.passTime(60_000)
    await Promise.all([world.work(), world.work()])
    await notify({ reference, paymentId, amount: '500.00' })
    await world.passTime(HOUR)
    assert.deepEqual(
      (await itemsOf(paymentId)).map((item) => [item.organizationId, item.reason, item.amountInCents]),
      [[organizationId, 'UNKNOWN_PAYIN', 50_000n]],
    )
    assert.equal((await alarmsAbout(paymentId)).length, 1)
    assert.equal((await world.client('GET', '/balance')).json.availableInCents, before.availableInCents)
  })

  it('a signed notice that cannot be read is refused, and what came is shown once', async () => {
    const named = railReference('payin', world.organization.organizationId, randomUUID())
    for (const fields of [
      { reference: named, paymentId: 'UNREADABLE-1', amount: null },
      { reference: 'INVOICE-77', paymentId: 'UNREADABLE-2', amount: '1e2' },
      { reference: named, paymentId: 'UNREADABLE-3', amount: 100, more: 'x'.repeat(5_000) },
    ]) {
      const id = `ntf_${randomUUID()}`
      const occurredAt = new Date(world.ctx.clock.now()).toISOString()
      assert.equal(await notifyOver(world, { id, occurredAt, ...fields }), 400)
      assert.equal(await notifyOver(world, { id, occurredAt, ...fields }), 400)
      const [alarm, ...more] = await alarmsAbout(id)
      assert.deepEqual(more, [])
      assert.equal(alarm?.organizationId, UNATTRIBUTED_ORGANIZATION)
      assert.match(alarm?.detail ?? '', new RegExp(fields.paymentId))
      assert.ok((alarm?.detail.length ?? 0) < 1_200)
    }
  })

  it('each chargeback of money that we do not know has an alarm of its own, which names its amount', async () => {
    const { organizationId } = world.organization
    for (const reference of ['INVOICE-78', railReference('payin', organizationId, randomUUID())]) {
      const paymentId = `PAY-${randomUUID()}`
      for (const amount of ['10.00', '20.00', '20.00'])
        await notify({ type: 'collection.chargeback', reference, paymentId, amount })
      for (let hours = 0; hours < 3; hours += 1) await world.passTime(HOUR)
      const details = (await alarmsAbout(paymentId)).map(({ detail }) => detail)
      assert.equal(details.length, 3)
      assert.equal(details.filter((detail) => detail.includes('1000 cents')).length, 1)
      assert.equal(details.filter((detail) => detail.includes('2000 cents')).length, 2)
    }
  })

  it('a payout that does not exist is shown after an hour', async () => {
    const { organizationId } = world.organization
    const payoutId = randomUUID()
    const reference = railReference('payout', organizationId, payoutId)
    await notify({ type: 'transfer.completed', reference, endToEndId: 'E2E-NOBODY' })
    await world.passTime(HOUR)
    const alarms = (await listOpenAlarms(world.db)).filter(({ subjectId }) => subjectId === payoutId)
    assert.equal(alarms.length, 1)
  })

  it('notices of impossible times are stored and applied', async () => {
    const times = [
      '0000-01-01T00:00:00Z',
      '9999-12-31T23:59:59-05:00',
      '1970-01-01T00:00:00Z',
      '2050-01-01T00:00:00Z',
    ]
    for (const occurredAt of times) {
      const { id, amount } = (await world.client('POST', '/payins', brebPayin(OPEN))).json
      await world.work()
      const reference = railReference('payin', world.organization.organizationId, id)
      const paymentId = `PAY-${randomUUID()}`
      await notify({ reference, paymentId, amount: `${amount}.00`, occurredAt })
      await world.work()
      assert.equal((await world.client('GET', `/payins/${id}`)).json.status, 'CONFIRMED', occurredAt)
    }
  })

  it('exchanges that belong to no organization are deleted after their week too', async () => {
    const kept = async () => {
      const { rows } = await world.db.query<{ count: bigint }>({
        text: 'select count(*) as count from rail_exchanges where organization_id = $1',
        values: [UNATTRIBUTED_ORGANIZATION],
      })
      return Number(rows[0]?.count)
    }
    await world.client('GET', '/breb/keys/%40ANAGOMEZ')
    await eventually(kept, (count) => count > 0)
    world.advance(8 * 24 * HOUR)
    while ((await applyRetention(world.ctx, pino({ level: 'silent' }))) > 0) {}
    assert.equal(await kept(), 0)
  })
})

describe('chargebacks', () => {
  let world: World
  before(async () => {
    world = await createWorld()
    await world.client('PATCH', '/organization', { payinExpiryMinutes: 1_440 })
    await eventually(
      async () => (await world.client('GET', '/organization')).json.payinExpiryMinutes,
      (minutes) => minutes === 1_440,
    )
  })
  after(() => world[Symbol.asyncDispose]())

  const read = async (id: string) => (await world.client('GET', `/payins/${id}`)).json
  const told = async (payinId: string, update: PayinUpdate) => {
    await world.ctx.batched.insertNotice({
      organizationId: world.organization.organizationId,
      rail: 'BRE_B',
      noticeId: randomUUID(),
      subjectKind: 'payin',
      subjectId: payinId,
      update,
      networkCode: '',
      occurredAt: world.ctx.clock.now(),
      receivedAt: world.ctx.clock.now(),
    })
    await world.work()
  }
  const chargeback = (paymentId: string, amountInCents: bigint): PayinUpdate => ({
    kind: 'payin.chargeback',
    amountInCents,
    paymentId,
  })
  const alarmsOf = async (id: string) =>
    (await listOpenAlarms(world.db)).filter(({ subjectId }) => subjectId === id)
  const bookingsOf = async (id: string): Promise<unknown[]> => {
    const { json } = await world.client('GET', `/ledger/transfers?subjectId=${id}`)
    return json.data
      .map((entry: { booking: string; amountInCents: number }) => [entry.booking, entry.amountInCents])
      .reverse()
  }
  const confirmed = async () => {
    const { id } = (await world.client('POST', '/payins', brebPayin())).json
    await world.passTime(1_000)
    await eventually(
      async () => {
        await world.work()
        return read(id)
      },
      ({ status }) => status === 'CONFIRMED',
    )
    const { rows } = await world.db.query<{ payment_id: string }>({
      text: 'select payment_id from payins where payin_id = $1',
      values: [id],
    })
    return { id: id as string, paymentId: rows[0]?.payment_id as string }
  }

  it('one that comes hours before its payment is not forgotten', async () => {
    const { id, amountInCents } = (await world.client('POST', '/payins', brebPayin(OPEN))).json
    await world.work()
    const paymentId = `PAY-${randomUUID()}`
    await told(id, chargeback(paymentId, BigInt(amountInCents)))
    for (let hours = 0; hours < 5; hours += 1) await world.passTime(HOUR)
    assert.equal((await alarmsOf(id)).length, 1)
    await told(id, { kind: 'payin.paid', amountInCents: BigInt(amountInCents), paymentId })
    assert.equal((await read(id)).settlementStatus, 'PENDING_SETTLEMENT')
    await world.passTime(HOUR)
    assert.equal((await read(id)).settlementStatus, 'REVERSED')
    assert.equal((await alarmsOf(id)).length, 1)
  })

  it('a part is booked as a part, the rest is settled when it was due, and the last part reverses it', async () => {
    const { id, paymentId } = await confirmed()
    await world.passTime(20 * HOUR)
    await told(id, chargeback(paymentId, 1_000_000n))
    const partly = await read(id)
    assert.equal(partly.settlementStatus, 'PENDING_SETTLEMENT')
    assert.equal(partly.chargebackAmountInCents, 1_000_000)
    assert.ok(partly.chargebackAt)
    const { json: events } = await world.client('GET', `/events?objectId=${id}`)
    const types = events.data.map(({ event }: { event: string }) => event)
    assert.deepEqual(types, ['payin.confirmed', 'payin.chargeback'])
    assert.equal((await alarmsOf(id)).length, 1)

    await world.passTime(4 * HOUR)
    assert.equal((await read(id)).settlementStatus, 'SETTLED')
    await told(id, chargeback(paymentId, 4_000_000n))
    const reversed = await read(id)
    assert.equal(reversed.settlementStatus, 'REVERSED')
    assert.equal(reversed.chargebackAmountInCents, 5_000_000)
    assert.deepEqual(await bookingsOf(id), [
      ['payin confirmed', 5_000_000],
      ['payin charged back before settlement', 1_000_000],
      ['payin settled', 4_000_000],
      ['payin charged back after settlement', 4_000_000],
    ])
    assert.equal((await alarmsOf(id)).length, 1)
  })
})
