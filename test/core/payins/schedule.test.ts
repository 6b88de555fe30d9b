// When a payin is due, and what is done then: every status and stage, before and after the expiry; and that an open
// payin is never due later than its expiry.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { backoffMs } from '../../../src/core/backoff.ts'
import { RAILS, type Rail } from '../../../src/core/connections/rail.ts'
import { DAY_MS, HOUR_MS, type Instant, MINUTE_MS } from '../../../src/core/instant.ts'
import { newOrganization } from '../../../src/core/organizations/organization.ts'
import {
  newPayin,
  PAYIN_STATUSES,
  type Payin,
  type PayinStatus,
  type RailStage,
} from '../../../src/core/payins/payin.ts'
import {
  afterFailedAttempt,
  askAgainAt,
  dueWork,
  firstQueryAt,
  isPastGracePeriod,
  nextQueryAt,
  PAYIN_LEASE_MS,
  type PayinWork,
  retryAt,
  stageAfterOutcome,
  unresolvedAt,
  wasNeverOrdered,
  withStage,
} from '../../../src/core/payins/schedule.ts'

const ID = '0199a0b0-0000-7000-8000-000000000002'
const organization = newOrganization('0199a0b0-0000-7000-8000-000000000001', 'Café La Palma', 0)

function payinOf(rail: Rail, changes: Partial<Payin> = {}): Payin {
  const way =
    rail === 'BRE_B'
      ? ({ rail, keyType: 'SINGLE_USE' } as const)
      : ({ rail, bank: 'CO_BANCOLOMBIA', personType: 'INDIVIDUAL' } as const)
  const request = { amountInCents: 1n, reference: 'r', customer: CUSTOMER, callbackUrl: null, way }
  return { ...newPayin(organization, ID, request), ...changes }
}

const CUSTOMER = { name: 'Ana', idType: 'CO_CC', idNumber: '1', phone: '+573001234567', email: 'a@b.co' }

const STAGES: readonly RailStage[] = ['TO_OPEN', 'OPENING', 'OPEN', 'TO_CLOSE', 'TO_SETTLE', 'DONE']
type Row = Readonly<Record<RailStage, PayinWork>>

const OPEN: Row = {
  TO_OPEN: 'submit',
  OPENING: 'query',
  OPEN: 'query',
  TO_CLOSE: 'query',
  TO_SETTLE: 'query',
  DONE: 'query',
}
const EXPIRED: Row = {
  TO_OPEN: 'expire',
  OPENING: 'expire',
  OPEN: 'expire',
  TO_CLOSE: 'expire',
  TO_SETTLE: 'expire',
  DONE: 'expire',
}
const ENDED: Row = {
  TO_OPEN: 'nothing',
  OPENING: 'nothing',
  OPEN: 'nothing',
  TO_CLOSE: 'close',
  TO_SETTLE: 'settle',
  DONE: 'nothing',
}
// Due although it is done: the network is asked once more.
const WITHOUT_MONEY: Row = { ...ENDED, DONE: 'close' }
const WORK: Readonly<Record<PayinStatus, { before: Row; after: Row }>> = {
  PENDING: { before: OPEN, after: EXPIRED },
  PROCESSING: { before: OPEN, after: EXPIRED },
  CONFIRMED: { before: ENDED, after: ENDED },
  CANCELED: { before: WITHOUT_MONEY, after: WITHOUT_MONEY },
  DECLINED: { before: WITHOUT_MONEY, after: WITHOUT_MONEY },
}

describe('what is due about a payin', () => {
  for (const status of PAYIN_STATUSES) {
    for (const stage of STAGES) {
      const { before, after } = WORK[status]
      it(`${status} and ${stage}: ${before[stage]}, and from its expiry on ${after[stage]}`, () => {
        const payin = withStage(payinOf('PSE', { status }), stage)
        assert.equal(dueWork(payin, payin.expiresAt - 1), before[stage])
        assert.equal(dueWork(payin, payin.expiresAt), after[stage])
      })
    }
  }

  it('over a connection what was confirmed is looked at again, and what ended without money as elsewhere', () => {
    const connection = { connectionId: ID, provider: 'wompi' } as const
    for (const status of ['CONFIRMED', 'CANCELED', 'DECLINED'] as const)
      for (const stage of STAGES.filter((one) => one !== 'TO_SETTLE')) {
        const payin = withStage(payinOf('PSE', { status, connection }), stage)
        const expected = status === 'CONFIRMED' ? 'review' : WORK[status].after[stage]
        assert.equal(dueWork(payin, payin.expiresAt), expected, `${status} ${stage}`)
      }
  })

  it('PSE waits for its payer and expires without one; Bre-B needs none', () => {
    const unknown = payinOf('PSE', { customer: null })
    assert.equal(dueWork(unknown, unknown.expiresAt - 1), 'nothing')
    assert.equal(dueWork(unknown, unknown.expiresAt), 'expire')
    assert.equal(dueWork(payinOf('BRE_B', { customer: null }), unknown.expiresAt - 1), 'submit')
  })
})

describe('when a payin is due', () => {
  const created = payinOf('BRE_B').createdAt

  it('Bre-B is queried after 30 s without a notice and then every 2 minutes, PSE after 7 and then every 12 minutes', () => {
    assert.equal(firstQueryAt(payinOf('BRE_B'), created), created + 30_000)
    assert.equal(nextQueryAt(payinOf('BRE_B'), created), created + 2 * MINUTE_MS)
    assert.equal(firstQueryAt(payinOf('PSE'), created), created + 7 * MINUTE_MS)
    assert.equal(nextQueryAt(payinOf('PSE'), created), created + 12 * MINUTE_MS)
  })

  const anyOpen = fc.record({
    rail: fc.constantFrom(...RAILS),
    status: fc.constantFrom<PayinStatus[]>('PENDING', 'PROCESSING'),
    attempts: fc.nat(100),
    lifeMs: fc.integer({ min: 5 * MINUTE_MS, max: 24 * HOUR_MS }),
    sinceMs: fc.nat(24 * HOUR_MS),
  })
  type Seen = { rail: Rail; status: PayinStatus; attempts: number; lifeMs: number }
  const openPayin = ({ rail, status, attempts, lifeMs }: Seen): Payin => {
    const payin = payinOf(rail, { status, expiresAt: created + lifeMs })
    return { ...payin, progress: { ...payin.progress, attempts } }
  }

  it('an open payin is never due later than its expiry, nor before now', () => {
    fc.assert(
      fc.property(anyOpen, (seen) => {
        const payin = openPayin(seen)
        const now: Instant = created + Math.min(seen.sinceMs, seen.lifeMs - 1)
        for (const due of [firstQueryAt(payin, now), nextQueryAt(payin, now), retryAt(payin, now)]) {
          assert.ok(due <= payin.expiresAt)
          assert.ok(due > now)
        }
      }),
    )
  })

  it('past its expiry it is attempted again after the pause, and not at once', () => {
    fc.assert(
      fc.property(anyOpen, (seen) => {
        const payin = openPayin(seen)
        const now = payin.expiresAt + seen.sinceMs
        assert.equal(retryAt(payin, now), now + backoffMs(seen.attempts))
      }),
    )
  })

  it('the pause grows to a minute and stays there', () => {
    const pauses = Array.from({ length: 10 }, (_, attempts) => backoffMs(attempts))
    assert.deepEqual(pauses.slice(0, 6), [1_000, 2_000, 5_000, 10_000, 30_000, 60_000])
    assert.ok(pauses.slice(5).every((ms) => ms === MINUTE_MS))
    assert.equal(backoffMs(1_000_000), MINUTE_MS)
  })

  it('the merchant waits for the network for an hour after the expiry, and then no more', () => {
    const { expiresAt } = payinOf('PSE')
    assert.equal(isPastGracePeriod(payinOf('PSE'), expiresAt + HOUR_MS - 1), false)
    assert.equal(isPastGracePeriod(payinOf('PSE'), expiresAt + HOUR_MS), true)
  })

  it('entering a stage resets its attempts', () => {
    assert.equal(withStage(afterFailedAttempt(payinOf('PSE')), 'TO_CLOSE').progress.attempts, 0)
  })

  const endedAgo = (rail: Rail, ms: number): Payin =>
    withStage(payinOf(rail, { status: 'CANCELED', resultAt: created - ms }), 'TO_CLOSE')

  it('an ended payin is asked about for ever, after pauses that grow to a day', () => {
    let payin = endedAgo('BRE_B', 2 * DAY_MS)
    const pauses: number[] = []
    for (let tries = 0; tries < 100; tries += 1) {
      pauses.push(askAgainAt(payin, created, false, DAY_MS) - created)
      payin = afterFailedAttempt(payin)
    }
    const [minute, hour] = [MINUTE_MS, HOUR_MS]
    const growing = [1_000, 2_000, 5_000, 10_000, 30_000, minute, 5 * minute, 15 * minute, hour, 6 * hour]
    assert.deepEqual(pauses.slice(0, 10), growing)
    assert.ok(pauses.slice(10).every((pause) => pause === DAY_MS))
  })

  it('while the payer is at the bank, PSE is not asked sooner than it wants', () => {
    const payin = endedAgo('PSE', 0)
    assert.equal(askAgainAt(payin, created, true, DAY_MS), created + 12 * MINUTE_MS)
    assert.equal(askAgainAt(payin, created, false, DAY_MS), created + 1_000)
    assert.equal(askAgainAt(endedAgo('BRE_B', 0), created, true, DAY_MS), created + 1_000)
  })

  it('it is asked when the day is over after which a person is told, and settlement has its own day', () => {
    const patient = endedAgo('BRE_B', DAY_MS - MINUTE_MS)
    const payin = { ...patient, progress: { ...patient.progress, attempts: 50 } }
    assert.equal(askAgainAt(payin, created, false, DAY_MS), created + MINUTE_MS)
    assert.equal(unresolvedAt(payin, DAY_MS), created + MINUTE_MS)
    assert.equal(unresolvedAt(withStage(payin, 'TO_SETTLE'), HOUR_MS), created + MINUTE_MS + HOUR_MS)
  })

  it('confirmed money is settled after the delay; no other outcome has anything to settle', () => {
    const confirmed = payinOf('PSE', { status: 'CONFIRMED', settlementStatus: 'PENDING_SETTLEMENT' })
    for (const cause of ['answer', 'notice'] as const) {
      const { payin, dueAt } = stageAfterOutcome(confirmed, cause, HOUR_MS, created)
      assert.equal(payin.progress.stage, 'TO_SETTLE')
      assert.equal(dueAt, created + HOUR_MS)
    }
    const others: Partial<Payin>[] = [
      { status: 'CONFIRMED', settlementStatus: 'SETTLED' },
      { status: 'CONFIRMED', settlementStatus: 'REVERSED' },
      { status: 'DECLINED' },
      { status: 'CANCELED' },
    ]
    for (const other of others) {
      const { payin, dueAt } = stageAfterOutcome(payinOf('PSE', other), 'answer', HOUR_MS, created)
      assert.equal(payin.progress.stage, 'DONE')
      assert.equal(dueAt, null)
    }
  })

  it('one that a notice ended, or whose money is unwanted, is closed at once; one that an answer ended is not', () => {
    for (const status of ['DECLINED', 'CANCELED'] as const) {
      const ended = payinOf('BRE_B', { status })
      const { payin, dueAt } = stageAfterOutcome(ended, 'notice', HOUR_MS, created)
      assert.equal(payin.progress.stage, 'TO_CLOSE')
      assert.equal(dueAt, created)
      assert.equal(dueWork(payin, created), 'close')
      assert.equal(stageAfterOutcome(ended, 'answer', HOUR_MS, created).dueAt, null)
      const withMoney = { ...ended, progress: { ...ended.progress, paymentId: 'a-payment' } }
      for (const cause of ['answer', 'notice'] as const)
        assert.equal(stageAfterOutcome(withMoney, cause, HOUR_MS, created).payin.progress.stage, 'TO_CLOSE')
    }
    const reversed = payinOf('PSE', { status: 'CONFIRMED', settlementStatus: 'REVERSED' })
    assert.equal(stageAfterOutcome(reversed, 'notice', HOUR_MS, created).dueAt, null)
  })

  it('one whose order was refused is closed if an earlier order may have landed', () => {
    const refused = withStage(payinOf('BRE_B', { status: 'DECLINED', createdAt: created }), 'TO_OPEN')
    const again = { ...refused, progress: { ...refused.progress, attempts: 1 } }
    const stageOf = (payin: Payin, now: number) =>
      stageAfterOutcome(payin, 'answer', HOUR_MS, now).payin.progress.stage
    assert.equal(stageOf(refused, created + PAYIN_LEASE_MS / 2 - 1), 'DONE')
    assert.equal(stageOf(again, created), 'TO_CLOSE')
    // A worker may have sent it, and died.
    assert.equal(stageOf(refused, created + PAYIN_LEASE_MS / 2), 'TO_CLOSE')
    assert.equal(stageOf(withStage(refused, 'OPEN'), created + PAYIN_LEASE_MS), 'DONE')
  })
})

describe('a payin was never ordered', () => {
  const waiting = payinOf('PSE', { customer: null })
  const tried = (payin: Payin): Payin => ({ ...payin, progress: { ...payin.progress, attempts: 1 } })

  it('while it waits for its payer, unless it was tried before', () => {
    assert.equal(wasNeverOrdered(waiting), true)
    assert.equal(wasNeverOrdered(tried(waiting)), false)
    assert.equal(wasNeverOrdered(withStage(waiting, 'OPENING')), false)
  })

  it('and not where nobody is waited for: it may be on its way', () => {
    assert.equal(wasNeverOrdered(payinOf('PSE')), false)
    assert.equal(wasNeverOrdered(payinOf('BRE_B', { customer: null })), false)
  })
})
