// A credit of a statement without a reference, or with one that no network of ours would give: it names nobody, and it is money all
// the same.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { HOUR_MS } from '../../../src/core/instant.ts'
import { UNATTRIBUTED_ORGANIZATION } from '../../../src/core/organizations/organization.ts'
import { brebStatement } from '../../../src/rails/breb/statement.ts'
import type { Gateway } from '../../../src/rails/gateway.ts'
import { LIMITS } from '../../../src/rails/limits.ts'
import { listSuspense } from '../../../src/store/ledger/suspense.ts'
import { brebPayin } from '../../world.ts'
import { alarms, compareNow, endDay, findings, openDay } from './reconciling.ts'

describe('a credit in a statement', () => {
  for (const reference of ['', null, undefined, 'FACTURA 123', 'a\u0000b', 7])
    it(`whose reference is ${JSON.stringify(reference)} goes to suspense of nobody, with an alarm`, async () => {
      await using world = await openDay()
      await world.client('POST', '/payins', brebPayin())
      await world.passTime(2_000)
      const occurredAt = new Date(world.ctx.clock.now()).toISOString()
      const day = await endDay(world)
      const payment = { reference, paymentId: 'PAY-1', endToEndId: null, amount: '70000.00' }
      const entry = { type: 'CREDIT', currency: 'COP', occurredAt, ...payment }
      const body = { count: 1, entries: [entry], nextCursor: null, complete: true }
      const gateway = { ask: async () => ({ outcome: 'answered', body }) } as unknown as Gateway
      await compareNow(world, day, 'BRE_B', brebStatement(gateway, LIMITS))
      await world.passTime(HOUR_MS)
      const items = await listSuspense(world.db, true)
      assert.deepEqual(
        items.map(({ organizationId, paymentId, amountInCents }) => [
          organizationId,
          paymentId,
          amountInCents,
        ]),
        [[UNATTRIBUTED_ORGANIZATION, 'PAY-1', 7_000_000n]],
      )
      const ofNobody = (await findings(world)).filter(
        ({ organization_id }) => organization_id === UNATTRIBUTED_ORGANIZATION,
      )
      assert.deepEqual(
        ofNobody.map(({ kind }) => kind),
        ['NETWORK_ONLY'],
      )
      assert.match((await alarms(world)).join(), /credit PAY-1: the network has 7000000 cents/)
    })
})
