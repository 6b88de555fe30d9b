// A payment that is told of twice at once, with two amounts, goes to suspense with one of them, and a person is told of the other.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import pino from 'pino'
import { railReference } from '../../../src/core/connections/reference.ts'
import type { Context } from '../../../src/flows/context.ts'
import type { Queryable } from '../../../src/store/db.ts'
import { listOpenAlarms } from '../../../src/store/ledger/alarms.ts'
import { listSuspense, type PaymentAddress } from '../../../src/store/ledger/suspense.ts'
import { runAllDue } from '../../../src/workers/start.ts'
import { brebPayin, CUSTOMER, createWorld, type World } from '../../world.ts'
import { notify } from '../connections/notify.ts'

const UNPAID = { inlineCustomer: { ...CUSTOMER, idNumber: '1000000007' } }

async function endedPayins(world: World): Promise<string[]> {
  const ids: string[] = []
  for (const _ of [1, 2]) ids.push((await world.client('POST', '/payins', brebPayin(UNPAID))).json.id)
  await world.work()
  for (const id of ids) await world.client('POST', `/payins/${id}/cancel`)
  await world.work()
  return ids
}

async function tell(world: World, payinId: string, amount: string): Promise<void> {
  const reference = railReference('payin', world.organization.organizationId, payinId)
  await notify(world, { reference, paymentId: 'PAY-1', amount })
}

async function assertToldOfOtherAmount(world: World): Promise<void> {
  const [item, ...others] = await listSuspense(world.db, true)
  assert.deepEqual(others, [])
  const [alarm, ...more] = (await listOpenAlarms(world.db)).map(({ detail }) => detail)
  assert.deepEqual(more, [])
  assert.match(alarm ?? '', item?.amountInCents === 5_000_000n ? /7000000 cents/ : /5000000 cents/)
}

// Another process, whose first look for the payment came a moment too early.
function lookingTooEarly(world: World): Context {
  const { batched, db } = world.ctx
  const looks = { suspense: 0, everywhere: 0 }
  const suspenseOfPayment = Object.assign(async (address: PaymentAddress) => {
    looks.suspense += 1
    return looks.suspense === 1 ? [] : batched.suspenseOfPayment(address)
  }, batched.suspenseOfPayment)
  const query: Queryable['query'] = async (config) => {
    const result = await db.query(config)
    if (!config.text.includes("'payin' as kind")) return result as never
    looks.everywhere += 1
    return looks.everywhere === 1 ? { ...result, rows: [] } : (result as never)
  }
  return { ...world.ctx, batched: { ...batched, suspenseOfPayment }, db: { ...db, query } }
}

describe('a late payment that is told with two amounts', () => {
  it('to one process raises an alarm', async () => {
    await using world = await createWorld()
    const [first = '', second = ''] = await endedPayins(world)
    await tell(world, first, '50000.00')
    await tell(world, second, '70000.00')
    await world.work()
    await assertToldOfOtherAmount(world)
  })

  it('to two processes raises an alarm', async () => {
    await using world = await createWorld()
    const [first = '', second = ''] = await endedPayins(world)
    await tell(world, first, '50000.00')
    await world.work()
    await tell(world, second, '70000.00')
    await runAllDue(lookingTooEarly(world), pino({ level: 'silent' }))
    await assertToldOfOtherAmount(world)
  })
})
