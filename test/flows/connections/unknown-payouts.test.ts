// Payouts that the network says it paid and that we do not know: each is said, with the network's id of it.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import { railReference } from '../../../src/core/connections/reference.ts'
import { HOUR_MS } from '../../../src/core/instant.ts'
import { listOpenAlarms, resolveAlarm } from '../../../src/store/ledger/alarms.ts'
import { createWorld, type World } from '../../world.ts'
import { notify } from './notify.ts'

// What a person is told of, and looks at.
async function told(world: World): Promise<string[]> {
  await world.passTime(HOUR_MS + 1_000)
  const alarms = await listOpenAlarms(world.db)
  for (const { alarmId } of alarms) await resolveAlarm(world.db, alarmId, world.ctx.clock.now())
  return alarms.map(({ detail }) => detail)
}

describe('a payout that we do not know', () => {
  it('raises an alarm for each transfer, whatever a person has looked at before', async () => {
    await using world = await createWorld()
    const reference = railReference('payout', world.organization.organizationId, randomUUID())
    for (const endToEndId of ['E2E-1', 'E2E-2']) {
      await notify(world, { type: 'transfer.completed', reference, endToEndId })
      const details = await told(world)
      assert.equal(details.length, 1)
      assert.match(details.join(), new RegExp(`payout.completed \\(transfer ${endToEndId}\\)`))
    }
    await notify(world, { type: 'transfer.completed', reference, endToEndId: 'E2E-1' })
    assert.deepEqual(await told(world), [], 'the first again is nothing new')
    await notify(world, { type: 'transfer.completed', reference, endToEndId: 'E2E-1', amount: '9.00' })
    assert.match((await told(world)).join(), /payout.completed \(900 cents, transfer E2E-1\)/)
  })

  it('and has no end-to-end id raises an alarm for each notice', async () => {
    await using world = await createWorld()
    const reference = railReference('payout', world.organization.organizationId, randomUUID())
    for (const _ of ['once', 'again']) {
      await notify(world, { type: 'transfer.completed', reference, endToEndId: null })
      const details = await told(world)
      assert.equal(details.length, 1)
      assert.match(details.join(), /payout.completed \(notice \S+\)/)
    }
  })

  it('nor its merchant is said at once, with its end-to-end id', async () => {
    await using world = await createWorld()
    const amount = '9.00'
    await notify(world, { type: 'transfer.completed', reference: 'GARBLED', endToEndId: 'E2E-1', amount })
    await world.work()
    const [alarm] = await listOpenAlarms(world.db)
    assert.match(alarm?.detail ?? '', /payout.completed \(900 cents, transfer E2E-1\) of GARBLED/)
  })
})
