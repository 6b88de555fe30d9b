// A payin whose first order got no answer, and whose second was refused: the network has it, and its key can be paid.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import pino from 'pino'
import { DAY_MS } from '../../../src/core/instant.ts'
import { type PayinRail, unknown } from '../../../src/rails/rail.ts'
import { listSuspense } from '../../../src/store/ledger/suspense.ts'
import { runAllDue } from '../../../src/workers/start.ts'
import { brebPayin, CUSTOMER, createWorld } from '../../world.ts'

describe('a payin that the network refused after an order without an answer', () => {
  it('is withdrawn there, and money that came for it is in suspense', async () => {
    await using world = await createWorld()
    const { BRE_B } = world.ctx.networks.payins
    // The network is silent about this payer's payment. A query finds it.
    const silent = { inlineCustomer: { ...CUSTOMER, idNumber: '1000000015' } }
    const { json } = await world.client('POST', '/payins', brebPayin(silent))
    let orders = 0
    const submit: PayinRail['submit'] = async (order) => {
      orders += 1
      if (orders > 1) return { outcome: 'rejected', reason: 'BANK_UNAVAILABLE', networkCode: 'U122' }
      await BRE_B.submit(order)
      return unknown('timeout', 'no answer')
    }
    const payins = { ...world.ctx.networks.payins, BRE_B: { ...BRE_B, submit } }
    const ctx = { ...world.ctx, networks: { ...world.ctx.networks, payins } }
    const log = pino({ level: 'silent' })
    for (const ms of [0, 2_000, 5_000, 60_000, 3_600_000, DAY_MS, DAY_MS]) {
      world.advance(ms)
      await world.sandbox.advance(ms)
      await runAllDue(ctx, log)
    }
    assert.equal(orders, 2)
    assert.equal((await world.client('GET', `/payins/${json.id}`)).json.status, 'DECLINED')
    const credits = world.sandbox.log().filter(({ movement }) => movement === 'credit')
    const items = await listSuspense(world.db, true)
    assert.deepEqual(
      items.map(({ payinId, reason, paymentId }) => [payinId, reason, paymentId]),
      [[json.id, 'LATE', credits[0]?.traceId]],
    )
  })
})
