// A network's answer that comes a moment after its notice, and says more or something else.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import pino from 'pino'
import { railReference } from '../../../src/core/connections/reference.ts'
import type { PayoutRail } from '../../../src/rails/rail.ts'
import { listOpenAlarms } from '../../../src/store/ledger/alarms.ts'
import { runAllDue } from '../../../src/workers/start.ts'
import { newPayout } from '../../api/http/calls.ts'
import { CUSTOMER, createWorld } from '../../world.ts'
import { notify } from '../connections/notify.ts'

type Answer = Awaited<ReturnType<PayoutRail['query']>>

const accepted = (value: Extract<Answer, { outcome: 'accepted' }>['value']): Answer => ({
  outcome: 'accepted',
  value,
})
const COMPLETED = { state: 'completed', traceId: 'E2E-2' } as const
const REJECTED = { reason: 'RAIL_ERROR', networkCode: 'B103' } as const

describe('a payout that is confirmed by a notice while the network is asked', () => {
  const CASES: [string, { told: string | null; answer: Answer; kept: string; alarm?: RegExp }][] = [
    [
      'keeps the id of the answer if the notice had none',
      { told: null, answer: accepted(COMPLETED), kept: 'E2E-2' },
    ],
    [
      'is left alone if the answer says the same',
      { told: 'E2E-2', answer: accepted(COMPLETED), kept: 'E2E-2' },
    ],
    [
      'raises an alarm if the answer names another transfer',
      { told: 'E2E-1', answer: accepted(COMPLETED), kept: 'E2E-1', alarm: /as E2E-1, and again as E2E-2$/ },
    ],
    [
      'raises an alarm if the answer names another amount',
      {
        told: 'E2E-2',
        answer: accepted({ ...COMPLETED, amountInCents: 900n }),
        kept: 'E2E-2',
        alarm: /it paid 900 cents of/,
      },
    ],
    [
      'raises an alarm if the answer rejects it',
      {
        told: 'E2E-1',
        answer: accepted({ state: 'rejected', ...REJECTED }),
        kept: 'E2E-1',
        alarm: /rejected \(B103\) a payout it had paid$/,
      },
    ],
    [
      'raises an alarm if the answer cancels it',
      {
        told: 'E2E-1',
        answer: accepted({ state: 'canceled', ...REJECTED }),
        kept: 'E2E-1',
        alarm: /rejected \(B103\) a payout it had paid$/,
      },
    ],
    [
      'is left alone if the answer decides nothing',
      { told: 'E2E-1', answer: accepted({ state: 'processing' }), kept: 'E2E-1' },
    ],
  ]
  for (const [what, { told, answer, kept, alarm }] of CASES)
    it(what, async () => {
      await using world = await createWorld()
      const open = { inlineCustomer: { ...CUSTOMER, idNumber: '1000000007' } }
      const { json } = await world.client('POST', '/payouts', newPayout(open))
      await world.work()
      const reference = railReference('payout', world.organization.organizationId, json.id)
      const query = async () => {
        await notify(world, { type: 'transfer.completed', reference, endToEndId: told })
        await world.work()
        return answer
      }
      const networks = { ...world.ctx.networks, payouts: { ...world.ctx.networks.payouts, query } }
      world.advance(60_000)
      await runAllDue({ ...world.ctx, networks }, pino({ level: 'silent' }))
      const { rows } = await world.db.query<Record<string, unknown>>({
        text: 'select status, trace_id, due_at, lease_token from payouts',
      })
      assert.deepEqual(rows, [{ status: 'CONFIRMED', trace_id: kept, due_at: null, lease_token: null }])
      const details = (await listOpenAlarms(world.db)).map(({ detail }) => detail)
      assert.equal(details.length, alarm === undefined ? 0 : 1, details.join())
      if (alarm !== undefined) assert.match(details.join(), alarm)
      const { rows: booked } = await world.db.query({
        text: `select booking from ledger_transfers where subject_id = $1 and booking <> 'payout reserved'`,
        values: [json.id],
      })
      assert.deepEqual(booked, [{ booking: 'payout confirmed' }])
      await world.client('POST', `/sandbox/payouts/${json.id}/simulate`, { outcome: 'confirmed' })
    })
})
