// One payment of a network confirms one payin, whatever names the network gives it. Where it is said to be another's too, a person
// is told, and nobody spends it twice.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { railReference } from '../../../src/core/connections/reference.ts'
import { DAY_MS } from '../../../src/core/instant.ts'
import type { Payin } from '../../../src/core/payins/payin.ts'
import { settlePayin } from '../../../src/core/payins/settle.ts'
import { payinWrite, readPayinFacts } from '../../../src/flows/payins/write.ts'
import { openDb } from '../../../src/store/db.ts'
import { listSuspense } from '../../../src/store/ledger/suspense.ts'
import { migrate, readMigrations } from '../../../src/store/migrate.ts'
import { lockPayin } from '../../../src/store/payins/payins.ts'
import { writePayins } from '../../../src/store/payins/write.ts'
import { brebPayin, CUSTOMER, createDatabase, createWorld, psePayin, type World } from '../../world.ts'
import { notify } from '../connections/notify.ts'
import { alarmsOf, bookingsOf, read, SILENT } from './holding.ts'
import { passTimeSilently } from './reconciling.ts'

const UNPAID = { inlineCustomer: { ...CUSTOMER, idNumber: '1000000007' } }

type Merchant = Pick<World, 'organization' | 'client'>

async function newPayin(merchant: Merchant, body: Record<string, unknown>): Promise<string> {
  return (await merchant.client('POST', '/payins', body)).json.id
}

async function tell(world: World, payinId: string, paymentId: string, of: Merchant = world): Promise<void> {
  const reference = railReference('payin', of.organization.organizationId, payinId)
  assert.equal(await notify(world, { reference, paymentId, amount: '50000.00' }), 200)
}

const paymentOf = (world: World) => world.sandbox.log()[0]?.traceId as string

async function assertDeclinedFor(world: World, payinId: string, paymentId: string, ownerId: string) {
  const payin = await read(world, payinId)
  assert.deepEqual([payin.status, payin.errorCode], ['DECLINED', 'RAIL_ERROR'])
  assert.deepEqual(await bookingsOf(world, payinId), [])
  assert.deepEqual(await listSuspense(world.db, true), [])
  const [alarm, ...others] = await alarmsOf(world, payinId)
  assert.deepEqual(others, [])
  assert.match(alarm ?? '', new RegExp(`payment ${paymentId} .* it confirmed payin ${ownerId}`))
}

describe('a payment that is told of two payins of a merchant', () => {
  it('confirms the first, and not the second', async () => {
    await using world = await createWorld()
    const [first, second] = [
      await newPayin(world, brebPayin(UNPAID)),
      await newPayin(world, brebPayin(UNPAID)),
    ]
    await world.work()
    for (const id of [first, second]) {
      await tell(world, id, 'PAY-1')
      await passTimeSilently(world, 1_000)
    }
    assert.equal((await read(world, first)).status, 'CONFIRMED')
    await assertDeclinedFor(world, second, 'PAY-1', first)
  })

  it('at the same time confirms one of them', async () => {
    await using world = await createWorld()
    const ids = [await newPayin(world, brebPayin(UNPAID)), await newPayin(world, brebPayin(UNPAID))]
    await world.work()
    await Promise.all(ids.map((id) => tell(world, id, 'PAY-1')))
    await passTimeSilently(world, 1_000)
    const isConfirmed = await Promise.all(
      ids.map(async (id) => (await read(world, id)).status === 'CONFIRMED'),
    )
    const [first, second] = isConfirmed[0] ? ids : ids.toReversed()
    assert.deepEqual(isConfirmed.toSorted(), [false, true])
    await assertDeclinedFor(world, second as string, 'PAY-1', first as string)
  })

  it('by a notice, and by a question about the other, confirms the first', async () => {
    await using world = await createWorld()
    const paid = await newPayin(world, brebPayin(SILENT))
    const named = await newPayin(world, brebPayin(UNPAID))
    await passTimeSilently(world, 5_000)
    const paymentId = paymentOf(world)
    await tell(world, named, paymentId)
    await passTimeSilently(world, 1_000)
    assert.equal((await read(world, named)).status, 'CONFIRMED')
    await world.passTime(60_000)
    await assertDeclinedFor(world, paid, paymentId, named)
  })

  it('over PSE confirms only the one whose session has its id', async () => {
    await using world = await createWorld()
    const first = await newPayin(world, psePayin())
    await world.passTime(10_000)
    await world.passTime(DAY_MS)
    assert.equal((await read(world, first)).settlementStatus, 'SETTLED')
    const second = await newPayin(world, psePayin(UNPAID))
    await world.work()
    const reference = railReference('payin', world.organization.organizationId, second)
    await notify(world, { reference, cus: paymentOf(world), amount: '50000.00' }, 'pse')
    await world.passTime(2_000)
    await assertDeclinedFor(world, second, paymentOf(world), first)
  })

  it('in one statement, is counted once: the money is not put in suspense beside', async () => {
    await using world = await createWorld()
    const { ctx, db, organization } = world
    const [open, ended] = [await newPayin(world, brebPayin(UNPAID)), await newPayin(world, brebPayin(UNPAID))]
    await world.work()
    await world.client('POST', `/payins/${ended}/cancel`)
    await world.work()
    const paid = async (payinId: string) => {
      const payin = (await lockPayin(db, { ...organization, payinId }))?.payin as Payin
      const update = { kind: 'payin.paid', amountInCents: payin.amountInCents, paymentId: 'PAY-1' } as const
      const facts = await readPayinFacts(ctx, payin, organization, undefined, update)
      return payinWrite(ctx, payin, settlePayin(payin, update, facts, ctx.clock.now()), {}, 'keep')
    }
    const writes = [await paid(open), await paid(ended)]
    assert.ok(writes[0]?.payin.status === 'CONFIRMED' && writes[1]?.suspense, 'neither knows of the other')
    assert.deepEqual(await writePayins(db, writes, 1), [true, false])
    assert.deepEqual(await listSuspense(db, true), [])
  })

  it('does not go to suspense for one that has ended, once it has confirmed the other', async () => {
    await using world = await createWorld()
    const first = await newPayin(world, brebPayin())
    await world.passTime(5_000)
    await world.passTime(2 * DAY_MS)
    const ended = await newPayin(world, brebPayin(UNPAID))
    await world.client('POST', `/payins/${ended}/cancel`)
    await world.work()
    await tell(world, ended, paymentOf(world))
    await world.passTime(60_000)
    assert.deepEqual(await listSuspense(world.db, true), [])
    const [alarm] = await alarmsOf(world, ended)
    assert.match(alarm ?? '', new RegExp(`it confirmed payin ${first}`))
  })
})

describe('a payment that is told of payins of two merchants', () => {
  it('is settled only where the network lists it, and a person is told of the other', async () => {
    await using world = await createWorld()
    const other = await world.newMerchant()
    const paid = await newPayin(world, brebPayin())
    const named = await newPayin(other, brebPayin(UNPAID))
    await world.passTime(5_000)
    await tell(world, named, paymentOf(world), other)
    await world.passTime(1_000)
    await world.passTime(DAY_MS)
    await world.passTime(DAY_MS)
    assert.equal((await read(world, paid)).settlementStatus, 'SETTLED')
    const { json } = await other.client('GET', `/payins/${named}`)
    assert.deepEqual([json.status, json.settlementStatus], ['CONFIRMED', 'PENDING_SETTLEMENT'])
    const alarms = await alarmsOf(world, named)
    assert.equal(alarms.filter((detail) => detail.includes(`it confirmed payin ${paid}`)).length, 1)
  })

  it('does not go to suspense for a payin that has ended, once it has confirmed the other', async () => {
    await using world = await createWorld()
    const other = await world.newMerchant()
    const paid = await newPayin(world, brebPayin())
    const ended = await newPayin(other, brebPayin(UNPAID))
    await world.passTime(5_000)
    await other.client('POST', `/payins/${ended}/cancel`)
    await tell(world, ended, paymentOf(world), other)
    await world.passTime(1_000)
    assert.deepEqual(await listSuspense(world.db, true), [])
    const [alarm] = await alarmsOf(world, ended)
    assert.match(alarm ?? '', new RegExp(`it confirmed payin ${paid}`))
  })

  it('over PSE confirms only the one whose session has its id', async () => {
    await using world = await createWorld()
    const other = await world.newMerchant()
    const paid = await newPayin(world, psePayin())
    const named = await newPayin(other, psePayin(UNPAID))
    await world.passTime(10_000)
    const reference = railReference('payin', other.organization.organizationId, named)
    await notify(world, { reference, cus: paymentOf(world), amount: '50000.00' }, 'pse')
    await world.passTime(1_000)
    const { json } = await other.client('GET', `/payins/${named}`)
    assert.deepEqual([json.status, json.errorCode], ['DECLINED', 'RAIL_ERROR'])
    const [alarm] = await alarmsOf(world, named)
    assert.match(alarm ?? '', new RegExp(`it confirmed payin ${paid}`))
  })
})

describe('a PSE payin', () => {
  it('that is paid under another id than its session’s is shown, and not settled before the network lists that', async () => {
    await using world = await createWorld()
    const payinId = await newPayin(world, psePayin(UNPAID))
    await world.work()
    const reference = railReference('payin', world.organization.organizationId, payinId)
    await notify(world, { reference, cus: 'CUS-OTHER', amount: '50000.00' }, 'pse')
    await world.passTime(1_000)
    assert.equal((await read(world, payinId)).status, 'CONFIRMED')
    const [alarm, ...others] = await alarmsOf(world, payinId)
    assert.match(alarm ?? '', /reported payment CUS-OTHER, and had opened this payin's session as/)
    assert.deepEqual(others, [])
    await world.passTime(DAY_MS)
    await world.passTime(DAY_MS)
    assert.equal((await read(world, payinId)).settlementStatus, 'PENDING_SETTLEMENT')
  })
})

it('the migration leaves a payment to the first payin that it confirmed, and tells of the others', async () => {
  const database = await createDatabase(null)
  const db = openDb({ url: database.url, poolSize: 2 })
  try {
    const migrations = readMigrations()
    await migrate(
      db,
      migrations.filter(({ version }) => version < 24),
    )
    const [organization, other] = [crypto.randomUUID(), crypto.randomUUID()]
    const [later, first, declined, foreign] = Array.from({ length: 4 }, () => crypto.randomUUID())
    for (const [organizationId, payinId, status, resultAt] of [
      [organization, later, 'CONFIRMED', '2026-11-02'],
      [organization, first, 'CONFIRMED', '2026-11-01'],
      [organization, declined, 'DECLINED', '2026-11-03'],
      [other, foreign, 'CONFIRMED', '2026-11-04'],
    ])
      await db.query({
        text: `insert into payins (organization_id, payin_id, version, status, rail, amount_cents, confirmed_amount_cents, currency,
                                   reference, key_string, created_at, updated_at, expires_at, result_at, payment_id)
               values ($1, $2, 1, $3, 'BRE_B', 1000, case when $3 = 'CONFIRMED' then 1000 end, 'COP', gen_random_uuid(), '@RC',
                       now(), now(), now(), $4, 'PAY-1')`,
        values: [organizationId, payinId, status, resultAt],
      })
    await migrate(db, migrations)
    const { rows } = await db.query<{ payin_id: string; payment_id: string }>({
      text: `select payin_id, payment_id from payins where payment_id <> 'PAY-1'`,
    })
    assert.deepEqual(rows, [{ payin_id: later, payment_id: `PAY-1 again for ${later}` }])
    const { rows: alarms } = await db.query<{ subject_id: string; detail: string }>({
      text: 'select subject_id, detail from alarms',
    })
    const detail = `payment PAY-1 confirmed this payin, and payin ${first} before it`
    assert.deepEqual(alarms, [{ subject_id: later, detail }])
  } finally {
    await db.close()
    await database.drop()
  }
})
