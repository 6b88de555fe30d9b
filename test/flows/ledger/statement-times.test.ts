// Lines of a statement at times that are impossible: before the networks existed, or at the end of time. They are stored, and
// said.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { brebStatement } from '../../../src/rails/breb/statement.ts'
import type { Gateway } from '../../../src/rails/gateway.ts'
import { LIMITS } from '../../../src/rails/limits.ts'
import { brebPayin } from '../../world.ts'
import { alarms, compareNow, endDay, findings, lineOf, openDay } from './reconciling.ts'

describe('a statement with a line at an impossible time', () => {
  for (const occurredAt of [
    '9999-12-31T23:59:59-05:00',
    '9999-12-31T23:59:59Z',
    '0000-01-01T00:00:00Z',
    '1999-12-31T23:59:59Z',
  ])
    it(`as ${occurredAt} is compared, and the line is kept and said`, async () => {
      await using world = await openDay()
      await world.client('POST', '/payins', brebPayin())
      await world.passTime(2_000)
      const { reference, networkId, occurredAt: paidAt } = lineOf(world.sandbox.log()[0])
      const day = await endDay(world)
      const entry = { type: 'CREDIT', endToEndId: null, currency: 'COP' }
      const entries = [
        { ...entry, reference: 'NOBODY', paymentId: 'PAY-LOST', amount: '70000.00', occurredAt },
        {
          ...entry,
          reference,
          paymentId: networkId,
          amount: '50000.00',
          occurredAt: new Date(paidAt).toISOString(),
        },
      ]
      const body = { count: 2, entries, nextCursor: null, complete: true }
      const gateway = { ask: async () => ({ outcome: 'answered', body }) } as unknown as Gateway
      const { matched } = await compareNow(world, day, 'BRE_B', brebStatement(gateway, LIMITS))
      assert.equal(matched, 1, 'the other line counts')
      assert.deepEqual(
        (await findings(world)).map(({ kind, state }) => [kind, state]),
        [['UNREADABLE', 'OPEN']],
      )
      assert.equal((await alarms(world)).length, 1)
      const { rows } = await world.db.query<{ raw: string }>({
        text: 'select raw from statement_lines where raw is not null',
      })
      assert.match(rows[0]?.raw ?? '', /^the time cannot be read: .*PAY-LOST.*70000\.00/)
    })
})
