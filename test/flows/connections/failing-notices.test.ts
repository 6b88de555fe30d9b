// A notice that cannot be applied, because of a fault of ours: it is tried again, and after an hour a person is told.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import pino from 'pino'
import { railReference } from '../../../src/core/connections/reference.ts'
import { HOUR_MS } from '../../../src/core/instant.ts'
import { listOpenAlarms } from '../../../src/store/ledger/alarms.ts'
import { runAllDue } from '../../../src/workers/start.ts'
import { newPayout } from '../../api/http/calls.ts'
import { CUSTOMER, createWorld } from '../../world.ts'
import { notify } from './notify.ts'

describe('a notice that fails each time it is applied', () => {
  it('raises one alarm after an hour, and is applied when that is possible', async () => {
    await using world = await createWorld()
    const open = { inlineCustomer: { ...CUSTOMER, idNumber: '1000000007' } }
    const { json } = await world.client('POST', '/payouts', newPayout(open))
    await world.work()
    const { waiting } = world.ctx.batched.getPayout
    const refuse = () => Promise.reject(new Error('a row that nobody expected'))
    const getPayout = Object.assign(refuse, { waiting })
    const failing = { ...world.ctx, batched: { ...world.ctx.batched, getPayout } }
    const alarms = async () =>
      (await listOpenAlarms(world.db))
        .filter(({ kind, subjectId }) => kind === 'payout-unresolved' && subjectId === json.id)
        .map(({ detail }) => detail)
    const reference = railReference('payout', world.organization.organizationId, json.id)
    await notify(world, { type: 'transfer.completed', reference, endToEndId: 'E2E-1' })
    for (const minutes of [0, 58]) {
      world.advance(minutes * 60_000)
      await runAllDue(failing, pino({ level: 'silent' }))
      assert.deepEqual(await alarms(), [])
    }
    for (const _ of ['an hour', 'more']) {
      world.advance(HOUR_MS)
      await runAllDue(failing, pino({ level: 'silent' }))
      assert.match(
        (await alarms()).join('; '),
        /^BRE_B sent notice [^;]+ \(payout.completed\), and applying it fails each time$/,
      )
    }
    await world.passTime(HOUR_MS)
    assert.equal((await world.client('GET', `/payouts/${json.id}`)).json.status, 'CONFIRMED')
    await world.client('POST', `/sandbox/payouts/${json.id}/simulate`, { outcome: 'confirmed' })
  })
})
