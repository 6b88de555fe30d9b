// A payin has its outcome, and the network has not agreed yet: it is asked until it says ended or paid, and what it lists
// is compared with what we know.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import pino from 'pino'
import { railReference } from '../../../src/core/connections/reference.ts'
import type { Payin } from '../../../src/core/payins/payin.ts'
import { requestStatusCheck } from '../../../src/flows/payins/payer-actions.ts'
import type { PayinOrder } from '../../../src/rails/rail.ts'
import { listOpenAlarms, resolveAlarm } from '../../../src/store/ledger/alarms.ts'
import { listSuspense } from '../../../src/store/ledger/suspense.ts'
import { runAllDue } from '../../../src/workers/start.ts'
import { brebPayin, CUSTOMER, createWorld, eventually, psePayin, type World } from '../../world.ts'

const OPEN = { inlineCustomer: { ...CUSTOMER, idNumber: '1000000007' } }
const [MINUTE, HOUR] = [60_000, 60 * 60_000]
const DAY = 24 * HOUR
const silent = pino({ level: 'silent' })

describe('a payer who says that they have paid', () => {
  it('has the network asked at once while it holds the payin, and moves no other work of the payin', async () => {
    await using world = await createWorld()
    const { id } = (await world.client('POST', '/payins', brebPayin(OPEN))).json
    const { organizationId } = world.organization
    const dueAt = async () => {
      const { rows } = await world.db.query<{ due: number }>({ text: 'select due_at as due from payins' })
      return rows[0]?.due
    }
    const check = async () => {
      const payin = await world.ctx.batched.getPayin({ organizationId, payinId: id })
      await requestStatusCheck(world.ctx, payin as Payin)
    }
    await world.work()
    const isDue = async () => ((await dueAt()) ?? Infinity) <= world.ctx.clock.now()
    assert.equal(await isDue(), false)
    await check()
    assert.equal(await isDue(), true)
    await world.client('POST', `/sandbox/payins/${id}/simulate`, { outcome: 'confirmed' })
    await world.passTime(0)
    const settlesAt = await dueAt()
    assert.ok(settlesAt && settlesAt > world.ctx.clock.now())
    await check()
    assert.equal(await dueAt(), settlesAt, 'its money is settled when it was to be')
  })
})

describe('a payin whose network has not agreed yet', () => {
  let world: World
  before(async () => {
    world = await createWorld()
  })
  after(() => world[Symbol.asyncDispose]())

  const create = async (body: Record<string, unknown>) => (await world.client('POST', '/payins', body)).json
  const read = async (id: string) => (await world.client('GET', `/payins/${id}`)).json
  const reference = (id: string) => railReference('payin', world.organization.organizationId, id)
  const faults = async (plan: unknown) => {
    const answer = await fetch(`${world.sandbox.controlUrl}/faults`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${world.config.breb.clientSecret}` },
      body: JSON.stringify({ plan }),
    })
    assert.equal(answer.status, 200)
  }
  const simulate = (id: string, body: unknown) => world.client('POST', `/sandbox/payins/${id}/simulate`, body)
  const pay = (fields: Record<string, string>) =>
    fetch(world.sandbox.appUrl, { method: 'POST', body: new URLSearchParams(fields) })
  const itemsOf = async (id: string) =>
    (await listSuspense(world.db, true)).filter((item) => item.payinId === id)
  const alarmsOf = async (id: string) =>
    (await listOpenAlarms(world.db)).filter((alarm) => alarm.subjectId === id)
  const stageOf = async (id: string) => {
    const { rows } = await world.db.query<{ rail_stage: string; due: string | null }>({
      text: 'select rail_stage, due_at::text as due from payins where payin_id = $1',
      values: [id],
    })
    return rows[0]
  }
  const worked = <Value>(readIt: () => Promise<Value>, holds: (value: Value) => boolean) =>
    eventually(async () => {
      await world.work()
      return readIt()
    }, holds)
  // Steps short enough that whatever is asked again is asked again.
  const passLong = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += ms / 12) await world.passTime(ms / 12)
  }

  it('PSE: a payer who approves long after the merchant canceled is found, though the notice is lost', async () => {
    const payin = await create(psePayin(OPEN))
    await world.work()
    assert.equal(world.sandbox.openedByPayer(reference(payin.id)), true)
    await world.client('POST', `/payins/${payin.id}/cancel`)
    await passLong(6 * MINUTE)
    for (let tries = 0; tries < 25; tries += 1) {
      await world.db.query({
        text: 'update payins set due_at = created_at where payin_id = $1 and due_at is not null',
        values: [payin.id],
      })
      await world.work()
    }
    assert.equal((await stageOf(payin.id))?.rail_stage, 'TO_CLOSE')
    await faults({ noticeLost: 1 })
    assert.equal((await simulate(payin.id, { outcome: 'confirmed' })).status, 200)
    await faults('none')
    await world.passTime(2 * DAY)
    const [item] = await worked(
      () => itemsOf(payin.id),
      (items) => items.length === 1,
    )
    assert.equal(item?.reason, 'LATE')
    assert.equal((await read(payin.id)).errorCode, 'CANCELED_BY_MERCHANT')
    assert.deepEqual(await stageOf(payin.id), { rail_stage: 'DONE', due: null })
  })

  it('a merchant cancels while a worker hands the payin over, which then dies: the key is closed after its lease', async () => {
    const payin = await create(brebPayin(OPEN))
    const { payins } = world.ctx.networks
    const submit = async (order: PayinOrder) => {
      assert.equal((await world.client('POST', `/payins/${payin.id}/cancel`)).status, 200)
      // Another worker is too early: the network does not know the key yet.
      await world.work()
      assert.equal((await stageOf(payin.id))?.rail_stage, 'TO_CLOSE')
      await payins.BRE_B.submit(order)
      throw new Error('the process died')
    }
    const dying = { ...payins, BRE_B: { ...payins.BRE_B, submit } }
    await runAllDue({ ...world.ctx, networks: { ...world.ctx.networks, payins: dying } }, silent)
    const state = async () => {
      const answer = await payins.BRE_B.query({
        reference: reference(payin.id),
        providerId: null,
        amountInCents: 1n,
      })
      return answer.outcome === 'accepted' ? answer.value.state : answer.outcome
    }
    assert.equal(await state(), 'open')
    await world.passTime(MINUTE)
    assert.equal(await state(), 'ended')
    assert.deepEqual(await stageOf(payin.id), { rail_stage: 'DONE', due: null })
  })

  it('a payin that is canceled before a worker had it is over: its network is not asked', async () => {
    const payin = await create(brebPayin(OPEN))
    await world.client('POST', `/payins/${payin.id}/cancel`)
    assert.deepEqual(await stageOf(payin.id), { rail_stage: 'DONE', due: null })
  })

  it('a network that is silent past the grace period is asked on, with one alarm after a day', async () => {
    const payin = await create(brebPayin(OPEN))
    await world.work()
    await faults({ unavailable: 1, noticeLost: 1 })
    await passLong(3 * HOUR)
    await worked(
      () => read(payin.id),
      ({ status }) => status === 'CANCELED',
    )
    assert.equal((await read(payin.id)).errorCode, 'EXPIRED')
    assert.equal((await stageOf(payin.id))?.rail_stage, 'TO_CLOSE')
    assert.deepEqual(await alarmsOf(payin.id), [])
    await passLong(5 * DAY)
    const alarms = await alarmsOf(payin.id)
    assert.deepEqual(
      alarms.map(({ kind }) => kind),
      ['payin-unresolved'],
    )
    await resolveAlarm(world.db, alarms[0]?.alarmId as string, world.ctx.clock.now())
    await passLong(3 * DAY)
    assert.equal((await alarmsOf(payin.id)).length, 1, 'it is still so, days after a person looked at it')
    assert.equal((await simulate(payin.id, { outcome: 'confirmed' })).status, 200)
    await faults('none')
    await world.passTime(2 * DAY)
    await worked(
      () => itemsOf(payin.id),
      (items) => items.length === 1,
    )
  })

  it('BRE_B: money is not settled while the network does not say that it came', async () => {
    const payin = await create(brebPayin())
    await world.passTime(1_000)
    await worked(
      () => read(payin.id),
      ({ status }) => status === 'CONFIRMED',
    )
    await faults({ unavailable: 1 })
    await passLong(DAY + HOUR)
    assert.equal((await read(payin.id)).settlementStatus, 'PENDING_SETTLEMENT')
    assert.deepEqual(await alarmsOf(payin.id), [])
    await passLong(3 * DAY)
    assert.equal((await read(payin.id)).settlementStatus, 'PENDING_SETTLEMENT')
    assert.equal((await alarmsOf(payin.id)).length, 1)
    await faults('none')
    await world.passTime(2 * DAY)
    await worked(
      () => read(payin.id),
      ({ settlementStatus }) => settlementStatus === 'SETTLED',
    )
  })

  it('BRE_B: a payment that comes first in the list, and was never reported, is found before settlement', async () => {
    const payin = await create(brebPayin(OPEN))
    await world.work()
    await faults({ noticeLost: 1 })
    await pay({ llave: payin.sourceData.keyString, act: 'pay' })
    await faults('none')
    await pay({ llave: payin.sourceData.keyString, act: 'pay-anyway', seen: '1' })
    const confirmed = await worked(
      () => read(payin.id),
      ({ status }) => status === 'CONFIRMED',
    )
    assert.equal(confirmed.confirmedAmountInCents, payin.amountInCents)
    assert.equal((await itemsOf(payin.id)).length, 0)
    await world.passTime(DAY)
    const [item] = await worked(
      () => itemsOf(payin.id),
      (items) => items.length === 1,
    )
    assert.equal(item?.reason, 'SECOND_PAYMENT')
    await worked(
      () => read(payin.id),
      ({ settlementStatus }) => settlementStatus === 'SETTLED',
    )
  })

  it('BRE_B: a payin declined for its amount is closed at its network, and a second payment is found there', async () => {
    const payin = await create(brebPayin(OPEN))
    await world.work()
    await faults({ unavailable: 1 })
    await simulate(payin.id, { outcome: 'confirmed', amountInCents: 100_000 })
    await worked(
      () => read(payin.id),
      ({ status }) => status === 'DECLINED',
    )
    assert.equal((await stageOf(payin.id))?.rail_stage, 'TO_CLOSE')
    await faults({ noticeLost: 1 })
    await pay({ llave: payin.sourceData.keyString, act: 'pay-anyway', seen: '1' })
    await faults('none')
    await world.passTime(DAY)
    const items = await worked(
      () => itemsOf(payin.id),
      (found) => found.length === 2,
    )
    assert.deepEqual(items.map(({ reason }) => reason).sort(), ['AMOUNT_MISMATCH', 'LATE'])
    assert.equal((await stageOf(payin.id))?.rail_stage, 'DONE')
  })

  it('a payment that is told again with another amount raises one alarm, and changes nothing', async () => {
    const payin = await create(brebPayin())
    await world.passTime(1_000)
    const confirmed = await worked(
      () => read(payin.id),
      ({ status }) => status === 'CONFIRMED',
    )
    const { rows } = await world.db.query<{ payment_id: string }>({
      text: 'select payment_id from payins where payin_id = $1',
      values: [payin.id],
    })
    const paymentId = rows[0]?.payment_id as string
    for (const noticeId of ['again-1', 'again-2'])
      await world.ctx.batched.insertNotice({
        organizationId: world.organization.organizationId,
        rail: 'BRE_B',
        noticeId,
        subjectKind: 'payin',
        subjectId: payin.id,
        update: { kind: 'payin.paid', amountInCents: 1n, paymentId },
        networkCode: '',
        occurredAt: world.ctx.clock.now(),
        receivedAt: world.ctx.clock.now(),
      })
    const alarms = await worked(
      () => alarmsOf(payin.id),
      (found) => found.length > 0,
    )
    await world.work()
    assert.deepEqual(
      alarms.map(({ kind }) => kind),
      ['payin-contradiction'],
    )
    assert.equal((await alarmsOf(payin.id)).length, 1)
    assert.deepEqual(await read(payin.id), confirmed)
    assert.deepEqual(await itemsOf(payin.id), [])
  })
})
