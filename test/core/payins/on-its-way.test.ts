// Whether a network may have a payin, how soon it is asked, and when its money may be spent.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { instantOfId } from '../../../src/core/ids.ts'
import { MINUTE_MS } from '../../../src/core/instant.ts'
import { newOrganization } from '../../../src/core/organizations/organization.ts'
import { newPayin, type Payin } from '../../../src/core/payins/payin.ts'
import {
  afterFailedAttempt,
  askWhetherReadyAt,
  isUnknownToNetwork,
  mayBeOnItsWay,
  mayHaveLanded,
  PAYIN_LEASE_MS,
  queryPauseMs,
  settlementAt,
  stageAfterOutcome,
  withStage,
} from '../../../src/core/payins/schedule.ts'
import { changedFieldsOf } from '../changed-fields.ts'

const ID = '0199a0b0-0000-7000-8000-000000000002'
const CREATED = instantOfId(ID)
const organization = newOrganization('0199a0b0-0000-7000-8000-000000000001', 'Café', CREATED)
const fresh = newPayin(organization, ID, {
  ...{ amountInCents: 1n, reference: 'r', customer: null, callbackUrl: null },
  way: { rail: 'BRE_B', keyType: 'SINGLE_USE' },
})
const at = (changes: Partial<Payin['progress']>, more: Partial<Payin> = {}): Payin => ({
  ...fresh,
  ...more,
  progress: { ...fresh.progress, ...changes },
})

describe('a payin', () => {
  it('is unknown to its network until a worker has had it', () => {
    assert.equal(isUnknownToNetwork(fresh, false), true)
    assert.equal(isUnknownToNetwork(fresh, true), false)
    assert.equal(isUnknownToNetwork(at({ attempts: 1 }), false), false)
    assert.equal(isUnknownToNetwork(at({ stage: 'OPEN' }), false), false)
  })

  it('that ended a moment ago may still be handed over, as long as a lease lasts', () => {
    assert.equal(PAYIN_LEASE_MS, MINUTE_MS)
    const ended = { ...fresh, resultAt: CREATED }
    assert.equal(mayBeOnItsWay(ended, CREATED + MINUTE_MS - 1), true)
    assert.equal(mayBeOnItsWay(ended, CREATED + MINUTE_MS), false)
    assert.equal(mayBeOnItsWay(fresh, CREATED), false)
  })

  it('may have landed if it was tried, or once half a lease is over', () => {
    const half = CREATED + MINUTE_MS / 2
    assert.deepEqual([mayHaveLanded(fresh, half - 1), mayHaveLanded(fresh, half)], [false, true])
    assert.equal(mayHaveLanded(at({ attempts: 1 }), CREATED), true)
    assert.equal(mayHaveLanded(at({ stage: 'OPEN', attempts: 1 }), half), false)
  })

  it('is asked about once in two minutes, or in twelve over PSE, however often its payer asks', () => {
    assert.deepEqual([queryPauseMs('BRE_B'), queryPauseMs('PSE')], [2 * MINUTE_MS, 12 * MINUTE_MS])
  })

  it('that somebody waits for is asked about after half a second, and then half as often each time', () => {
    const waits = [0, 1, 5, 6, 7, 50].map(
      (attempts) => askWhetherReadyAt(at({ attempts }), CREATED) - CREATED,
    )
    assert.deepEqual(waits, [500, 1_000, 16_000, 32_000, 32_000, 32_000])
    const late = fresh.expiresAt - 400
    assert.equal(askWhetherReadyAt(fresh, late), fresh.expiresAt)
  })

  it('counts its failed attempts by stage', () => {
    const failed = afterFailedAttempt(at({ attempts: 2 }))
    assert.deepEqual(changedFieldsOf(at({ attempts: 2 }), failed), {
      progress: { ...fresh.progress, attempts: 3 },
    })
    const progress = { ...fresh.progress, stage: 'OPEN', attempts: 0 }
    assert.deepEqual(changedFieldsOf<Payin>(failed, withStage(failed, 'OPEN')), { progress })
  })

  it('that is paid may be spent after the delay, counted from its outcome', () => {
    const paid = { ...fresh, status: 'CONFIRMED', settlementStatus: 'PENDING_SETTLEMENT' } as const
    assert.equal(settlementAt({ ...paid, resultAt: 100, updatedAt: 200 }, 5), 105)
    assert.equal(settlementAt({ ...paid, resultAt: null, updatedAt: 200 }, 5), 205)
    const outcome = stageAfterOutcome({ ...paid, resultAt: 100 }, 'notice', 5, 102)
    assert.deepEqual([outcome.payin.progress.stage, outcome.dueAt], ['TO_SETTLE', 105])
  })

  it('that has ended is closed at its network if a payment came, a notice ended it, or it may have landed', () => {
    const after = (payin: Payin, cause: 'answer' | 'notice', now = CREATED) => {
      const { payin: next, dueAt } = stageAfterOutcome({ ...payin, status: 'DECLINED' }, cause, 5, now)
      return [next.progress.stage, dueAt]
    }
    assert.deepEqual(after(at({ stage: 'OPEN' }), 'answer'), ['DONE', null])
    assert.deepEqual(after(at({ stage: 'OPEN' }), 'notice', 7), ['TO_CLOSE', 7])
    assert.deepEqual(after(at({ stage: 'OPEN', paymentId: 'one' }), 'answer', 7), ['TO_CLOSE', 7])
    assert.deepEqual(after(at({ attempts: 1 }), 'answer', 7), ['TO_CLOSE', 7])
    assert.deepEqual(after(fresh, 'answer'), ['DONE', null])
    const settled = { ...at({ paymentId: 'one' }), status: 'CONFIRMED', settlementStatus: 'SETTLED' } as const
    const { payin, dueAt } = stageAfterOutcome(settled, 'notice', 5, CREATED)
    assert.deepEqual([payin.progress.stage, dueAt], ['DONE', null])
  })
})
