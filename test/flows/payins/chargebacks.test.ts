// Chargebacks of payins: each is booked once, however often and by whatever way the network tells of it, up to what is left of
// the payin. What goes beyond that is shown to a person, with its amount.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { listOpenAlarms } from '../../../src/store/ledger/alarms.ts'
import { brebPayin, createWorld, eventually, type World } from '../../world.ts'

const SETTLEMENT = 24 * 60 * 60_000
const [PART, OTHER_PART, ALL] = [1_000_000n, 1_500_000n, 5_000_000n]

describe('a chargeback', () => {
  let world: World
  before(async () => {
    world = await createWorld()
  })
  after(() => world[Symbol.asyncDispose]())

  type Confirmed = { id: string; paymentId: string }
  type Told = { amountInCents: bigint; chargebackId?: string; noticeId?: string; networkCode?: string }

  const read = async ({ id }: Confirmed) => (await world.client('GET', `/payins/${id}`)).json
  const worked = <Value>(readIt: () => Promise<Value>, holds: (value: Value) => boolean) =>
    eventually(async () => {
      await world.work()
      return readIt()
    }, holds)
  const confirmed = async (): Promise<Confirmed> => {
    const { id } = (await world.client('POST', '/payins', brebPayin())).json
    await world.passTime(1_000)
    const rowOf = async () => {
      const { rows } = await world.db.query<{ status: string; payment_id: string }>({
        text: 'select status, payment_id from payins where payin_id = $1',
        values: [id],
      })
      return rows[0]
    }
    const row = await worked(rowOf, (seen) => seen?.status === 'CONFIRMED')
    return { id, paymentId: row?.payment_id as string }
  }
  const settled = async (payin: Confirmed) => {
    await world.passTime(SETTLEMENT)
    await worked(
      () => read(payin),
      ({ settlementStatus }) => settlementStatus === 'SETTLED',
    )
  }
  const store = (
    { id, paymentId }: Confirmed,
    { noticeId = randomUUID(), networkCode = '', ...told }: Told,
  ) =>
    world.ctx.batched.insertNotice({
      organizationId: world.organization.organizationId,
      rail: 'BRE_B',
      noticeId,
      subjectKind: 'payin',
      subjectId: id,
      update: { kind: 'payin.chargeback', paymentId, ...told },
      networkCode,
      occurredAt: world.ctx.clock.now(),
      receivedAt: world.ctx.clock.now(),
    })
  const tell = async (payin: Confirmed, told: Told) => {
    await store(payin, told)
    await world.work()
  }
  const byNotice = (payin: Confirmed, amountInCents: bigint) => tell(payin, { amountInCents })
  // As a comparison with the network's statement tells it.
  const byStatement = (payin: Confirmed, amountInCents: bigint, day = '2026-11-15') =>
    tell(payin, { amountInCents, noticeId: `statement:${day}:chargeback:${payin.paymentId}` })
  const bookedOf = async ({ id }: Confirmed): Promise<[string, number][]> => {
    const { json } = await world.client('GET', `/ledger/transfers?subjectId=${id}`)
    return json.data
      .map((one: { booking: string; amountInCents: number }) => [one.booking, one.amountInCents])
      .filter(([booking]: [string]) => booking.includes('charged back'))
      .reverse()
  }
  const alarmsOf = async ({ id }: Confirmed): Promise<string[]> =>
    (await listOpenAlarms(world.db)).filter(({ subjectId }) => subjectId === id).map(({ detail }) => detail)
  const noted = async () => {
    const { rows } = await world.db.query({ text: `select 1 from rail_notices where state <> 'DONE'` })
    assert.deepEqual(rows, [], 'every notice is applied')
  }
  const BEFORE = 'payin charged back before settlement'
  const AFTER = 'payin charged back after settlement'

  it('that names another payin, or none of ours, is booked for the payin that its payment confirmed', async () => {
    const [paidOne, other] = [await confirmed(), await confirmed()]
    const { paymentId } = paidOne
    await tell({ id: other.id, paymentId }, { amountInCents: PART, chargebackId: 'CB-other' })
    await tell({ id: randomUUID(), paymentId }, { amountInCents: OTHER_PART, chargebackId: 'CB-none' })
    assert.equal((await bookedOf(paidOne)).length, 2)
    assert.deepEqual(await bookedOf(other), [])
    assert.equal((await read(paidOne)).chargebackAmountInCents, Number(PART + OTHER_PART))
    const waiting = await world.db.query({ text: `select 1 from rail_notices where state = 'WAITING'` })
    assert.equal(waiting.rowCount, 0)
  })

  it('of a part is told to the merchant, and so is the next, with what was taken so far', async () => {
    const payin = await confirmed()
    await tell(payin, { amountInCents: PART, chargebackId: 'CB-told-1' })
    await tell(payin, { amountInCents: OTHER_PART, chargebackId: 'CB-told-2' })
    const { json } = await world.client('GET', `/events?objectId=${payin.id}&type=payin.chargeback`)
    assert.deepEqual(
      json.data.map(({ data }: { data: Record<string, unknown> }) => [
        data.settlementStatus,
        data.chargebackAmountInCents,
      ]),
      [
        ['PENDING_SETTLEMENT', Number(PART)],
        ['PENDING_SETTLEMENT', Number(PART + OTHER_PART)],
      ],
    )
  })

  it('of all leaves the network’s code for it on the payin, and one of a part leaves what there was', async () => {
    const payin = await confirmed()
    const codeOf = async () => {
      const text = 'select network_code from payins where payin_id = $1'
      return (await world.db.query<{ network_code: string }>({ text, values: [payin.id] })).rows[0]
        ?.network_code
    }
    const paid = await codeOf()
    await tell(payin, { amountInCents: PART, chargebackId: 'CB-code-1', networkCode: 'CB-51' })
    assert.equal(await codeOf(), paid)
    await tell(payin, { amountInCents: ALL - PART, chargebackId: 'CB-code-2', networkCode: 'CB-52' })
    assert.equal((await read(payin)).settlementStatus, 'REVERSED')
    assert.equal(await codeOf(), 'CB-52')
  })

  it('of another amount, after the payin is reversed, ends in an alarm that names its amount', async () => {
    const payin = await confirmed()
    await byNotice(payin, ALL)
    assert.equal((await read(payin)).settlementStatus, 'REVERSED')
    assert.deepEqual(await alarmsOf(payin), [])
    await byNotice(payin, 123_456n)
    await byNotice(payin, 123_456n)
    const alarms = await alarmsOf(payin)
    assert.equal(alarms.length, 2, 'each has its own')
    for (const alarm of alarms) assert.match(alarm, /123456 cents/)
    assert.deepEqual(await bookedOf(payin), [[BEFORE, Number(ALL)]])
    await noted()
  })

  for (const [first, second] of [
    ['statement', 'notice'],
    ['notice', 'statement'],
  ] as const) {
    const by = { statement: byStatement, notice: byNotice }
    for (const when of ['before settlement', 'after settlement', 'before and after settlement'] as const) {
      it(`of a part that the ${first} tells, and then the ${second}, ${when}, is booked once`, async () => {
        const payin = await confirmed()
        if (when === 'after settlement') await settled(payin)
        await by[first](payin, PART)
        if (when === 'before and after settlement') await settled(payin)
        const before = await read(payin)
        const alarms = await alarmsOf(payin)
        await by[second](payin, PART)
        assert.deepEqual(await read(payin), before)
        assert.equal(before.chargebackAmountInCents, Number(PART))
        assert.deepEqual(await bookedOf(payin), [
          [when === 'after settlement' ? AFTER : BEFORE, Number(PART)],
        ])
        assert.deepEqual(await alarmsOf(payin), alarms, 'the same one is nothing new')
        await noted()
      })
    }
  }

  it('that differs is booked too, up to what is left, and what goes beyond is shown', async () => {
    const payin = await confirmed()
    await byStatement(payin, PART)
    await byNotice(payin, OTHER_PART)
    await settled(payin)
    await byNotice(payin, PART)
    await byNotice(payin, 2_000_000n)
    assert.deepEqual(await bookedOf(payin), [
      [BEFORE, Number(PART)],
      [BEFORE, Number(OTHER_PART)],
      [AFTER, 2_000_000],
    ])
    await byNotice(payin, 777_777n)
    assert.deepEqual((await bookedOf(payin)).at(-1), [AFTER, 500_000])
    assert.equal((await read(payin)).settlementStatus, 'REVERSED')
    await byNotice(payin, 888_888n)
    const alarms = (await alarmsOf(payin)).join('\n')
    for (const cents of [777_777, 888_888]) assert.match(alarms, new RegExp(`${cents} cents`))
    assert.equal((await bookedOf(payin)).length, 4)
    await noted()
  })

  it('without an id, told by two notices, is booked once, and a person is asked whether it is one', async () => {
    const payin = await confirmed()
    await byNotice(payin, PART)
    await byStatement(payin, PART)
    const before = await alarmsOf(payin)
    await byNotice(payin, PART)
    await byStatement(payin, PART, '2026-11-16')
    const alarms = (await alarmsOf(payin)).slice(before.length)
    assert.equal(alarms.length, 2)
    for (const alarm of alarms) assert.match(alarm, /1000000 cents.*not booked/)
    assert.deepEqual(await bookedOf(payin), [[BEFORE, Number(PART)]])
    await noted()
  })

  it('is known by the network’s own id of it, whatever the notice', async () => {
    const payin = await confirmed()
    for (const chargebackId of ['CB-1', 'CB-1', 'CB-2', 'CB-1', 'CB-2'])
      await tell(payin, { amountInCents: PART, chargebackId })
    assert.deepEqual(await bookedOf(payin), [
      [BEFORE, Number(PART)],
      [BEFORE, Number(PART)],
    ])
    const before = await alarmsOf(payin)
    await byStatement(payin, PART)
    await byStatement(payin, PART, '2026-11-16')
    assert.deepEqual(await alarmsOf(payin), before)
    await tell(payin, { amountInCents: 3n, chargebackId: 'CB-2' })
    assert.match((await alarmsOf(payin)).slice(before.length).join(), /3 cents.*CB-2.*another amount/)
    assert.equal((await bookedOf(payin)).length, 2)
    await noted()
  })

  it('that the statement told without its id is one of those that notices tell with ids, and not both', async () => {
    const payin = await confirmed()
    await byStatement(payin, PART)
    // Two workers at once must not both find their own in what the statement told.
    for (const chargebackId of ['CB-3', 'CB-4']) await store(payin, { amountInCents: PART, chargebackId })
    await Promise.all([world.work(), world.work()])
    await world.work()
    assert.deepEqual(await bookedOf(payin), [
      [BEFORE, Number(PART)],
      [BEFORE, Number(PART)],
    ])
    assert.equal((await read(payin)).chargebackAmountInCents, 2 * Number(PART))
    await noted()
  })
})
