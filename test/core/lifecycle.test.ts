// Both lifecycles, written out again by hand: every state against every transition. Whatever is not in the table is
// impossible, and a final state stays final.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isFinal, type Lifecycle, nextState } from '../../src/core/lifecycle.ts'
import { PAYIN, PAYIN_STATUSES, type PayinStatus } from '../../src/core/payins/payin.ts'
import { PAYOUT, PAYOUT_STATUSES, type PayoutStatus } from '../../src/core/payouts/payout.ts'

const TRANSITIONS = ['prepare', 'confirm', 'decline', 'cancel'] as const
type Row = readonly (string | undefined)[]
const NEVER: Row = [undefined, undefined, undefined, undefined]

const PAYINS: Readonly<Record<PayinStatus, Row>> = {
  PENDING: ['PROCESSING', undefined, 'DECLINED', 'CANCELED'],
  PROCESSING: [undefined, 'CONFIRMED', 'DECLINED', 'CANCELED'],
  CONFIRMED: NEVER,
  CANCELED: NEVER,
  DECLINED: NEVER,
}
const PAYOUTS: Readonly<Record<PayoutStatus, Row>> = {
  PROCESSING: [undefined, 'CONFIRMED', 'DECLINED', 'CANCELED'],
  CONFIRMED: NEVER,
  CANCELED: NEVER,
  DECLINED: NEVER,
}

function checkLifecycle<State extends string>(
  what: string,
  lifecycle: Lifecycle<State>,
  states: readonly State[],
  table: Readonly<Record<State, Row>>,
): void {
  describe(what, () => {
    it('has every state of the table and no other', () => {
      assert.deepEqual([...states].sort(), Object.keys(table).sort())
      assert.deepEqual(Object.keys(lifecycle).sort(), Object.keys(table).sort())
    })

    for (const state of states) {
      for (const [index, transition] of TRANSITIONS.entries()) {
        const next = table[state][index]
        it(`${state}, ${transition}: ${next ?? 'not allowed'}`, () => {
          assert.equal(nextState(lifecycle, state, transition), next)
        })
      }

      it(`${state} has no other transition, not even a name that every object has`, () => {
        assert.ok(
          Object.keys(lifecycle[state]).every((name) => (TRANSITIONS as readonly string[]).includes(name)),
        )
        for (const name of ['', 'toString', 'constructor', '__proto__', 'CONFIRM'])
          assert.equal(nextState(lifecycle, state, name), undefined)
      })

      it(`${state} is ${table[state] === NEVER ? 'final' : 'not final'}`, () => {
        assert.equal(isFinal(lifecycle, state), table[state] === NEVER)
      })
    }
  })
}

checkLifecycle<PayinStatus>('the lifecycle of a payin', PAYIN, PAYIN_STATUSES, PAYINS)
checkLifecycle<PayoutStatus>('the lifecycle of a payout', PAYOUT, PAYOUT_STATUSES, PAYOUTS)
