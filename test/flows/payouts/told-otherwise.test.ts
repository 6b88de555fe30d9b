// What a network says of a payout when it is asked, and in its statement, counts as what it says in a notice.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import pino from 'pino'
import { railReference } from '../../../src/core/connections/reference.ts'
import { brebPayouts } from '../../../src/rails/breb/payouts.ts'
import type { Call, Gateway } from '../../../src/rails/gateway.ts'
import { LIMITS } from '../../../src/rails/limits.ts'
import { listOpenAlarms } from '../../../src/store/ledger/alarms.ts'
import { runAllDue } from '../../../src/workers/start.ts'
import { newPayout } from '../../api/http/calls.ts'
import { CUSTOMER, createWorld, type World } from '../../world.ts'
import { notify } from '../connections/notify.ts'
import { compareNow, endDay, findings, lineOf, listing, openDay } from '../ledger/reconciling.ts'

describe('a payout that the network, when asked, says it paid', () => {
  for (const [what, changes, alarms] of [
    ['with another amount raises an alarm', { amount: '9.00' }, 1],
    ['with its own amount raises none', {}, 0],
  ] as const)
    it(what, async () => {
      await using world = await createWorld()
      const open = { inlineCustomer: { ...CUSTOMER, idNumber: '1000000007' } }
      const { json } = await world.client('POST', '/payouts', newPayout(open))
      await world.work()
      const transfer = {
        status: 'COMPLETED',
        amount: `${json.amount}.00`,
        endToEndId: 'E2E-1',
        reasonCode: null,
      }
      const answer = ({ id }: Call) => ({ ...transfer, reference: id, ...changes })
      const gateway: Gateway = {
        ask: async (call) => ({ outcome: 'answered', httpStatus: 200, body: answer(call) }),
        isAway: () => false,
      }
      const networks = { ...world.ctx.networks, payouts: brebPayouts(gateway, LIMITS) }
      world.advance(60_000)
      await runAllDue({ ...world.ctx, networks }, pino({ level: 'silent' }))
      assert.equal((await world.client('GET', `/payouts/${json.id}`)).json.status, 'CONFIRMED')
      const details = (await listOpenAlarms(world.db))
        .filter(({ kind, subjectId }) => kind === 'payout-contradiction' && subjectId === json.id)
        .map(({ detail }) => detail)
      assert.equal(details.length, alarms)
      for (const detail of details)
        assert.match(detail, /^the network says that it paid 900 cents of a payout of \d+$/)
      // So that the network's own log agrees with ours in the end.
      await world.client('POST', `/sandbox/payouts/${json.id}/simulate`, { outcome: 'confirmed' })
    })
})

describe('a payout that was confirmed by a notice without an end-to-end id', () => {
  // The payout is confirmed, and the network's own log has its line.
  async function confirmed() {
    const world = await openDay()
    const silent = { inlineCustomer: { ...CUSTOMER, idNumber: '1000000015' } }
    const { json } = await world.client('POST', '/payouts', newPayout(silent))
    await world.work()
    const reference = railReference('payout', world.organization.organizationId, json.id)
    await notify(world, { type: 'transfer.completed', reference, endToEndId: null })
    await world.work()
    await world.passTime(10_000)
    return { world, line: lineOf(world.sandbox.log()[0]), day: await endDay(world) }
  }
  const traceOf = async ({ db }: World) =>
    (await db.query<{ trace_id: string | null }>({ text: 'select trace_id from payouts' })).rows[0]?.trace_id

  it('gets it from the statement', async () => {
    const { line, day, ...opened } = await confirmed()
    await using world = opened.world
    assert.equal(await traceOf(world), null)
    for (const _ of ['once', 'again']) {
      await compareNow(world, day)
      await world.work()
      assert.equal(await traceOf(world), line.networkId)
    }
    assert.deepEqual(await findings(world), [])
    assert.deepEqual(await listOpenAlarms(world.db), [])
  })

  it('and is listed under two ids is said, and gets neither', async () => {
    const { line, day, ...opened } = await confirmed()
    await using world = opened.world
    await compareNow(world, day, 'BRE_B', listing([line, { ...line, networkId: 'E2E-OTHER' }]))
    await world.work()
    assert.equal(await traceOf(world), null)
    assert.deepEqual(
      (await findings(world)).map(({ kind }) => kind),
      ['DOUBLED'],
    )
  })
})
