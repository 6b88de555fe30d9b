// What is next for a refund, by where it is and what is answered: where it then is, how often it was tried, and in how long a worker looks
// at it again. The clock stands still for each.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import type { Instant } from '../../../src/core/instant.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/core/instant.ts'
import type { Refund } from '../../../src/core/refunds/refund.ts'
import { advanceRefund, claimRefunds } from '../../../src/flows/refunds/advance.ts'
import { dueAtOf } from '../../../src/flows/refunds/write.ts'
import type { PayinRail } from '../../../src/rails/rail.ts'
import { listOpenAlarms } from '../../../src/store/ledger/alarms.ts'
import { getRefund } from '../../../src/store/refunds/refunds.ts'
import { CUSTOMER, createWorld, type World } from '../../world.ts'
import { moveToProviders } from '../connections/funds.ts'
import { refunding } from './refunding.ts'

const SECOND_MS = 1_000
const OWN = '1020304050'

const ANSWERS = {
  silence: { outcome: 'unknown', kind: 'timeout', why: 'no answer' },
  'given back': { outcome: 'accepted', value: { traceId: 'T-1' } },
  refused: { outcome: 'rejected', reason: 'RAIL_ERROR', networkCode: 'NO-05' },
} as const satisfies Record<string, Awaited<ReturnType<NonNullable<PayinRail['returnPayment']>>>>

type Given = {
  body?: Record<string, unknown>
  // What its rail answered first. Without it, it is new.
  first?: keyof typeof ANSWERS
  // Columns as they stand then.
  stands?: string
  // Since it was last changed, or since the end of its payer's time.
  atMs?: number
  since?: 'claim'
  answers?: keyof typeof ANSWERS
}
// Status, stage and how often it was tried; when it is due again; and how many people are told.
type Row = readonly [string, Given, string, number | null, alarms?: number]

const KEY = { breb: { keyString: OWN } }
const CLAIM = { way: 'CLAIM' }

const ROWS: readonly Row[] = [
  ['new, and given back', { answers: 'given back' }, 'CONFIRMED DONE 0', null],
  ['new, and refused', { answers: 'refused' }, 'DECLINED DONE 0', null],
  ['new, and silent', { answers: 'silence' }, 'PROCESSING SENDING 1', SECOND_MS],
  [
    'new after it waited for money, and silent',
    { stands: `stage = 'AWAITING_FUNDS', attempts = 4`, answers: 'silence' },
    'PROCESSING SENDING 1',
    SECOND_MS,
  ],
  ['sent, and silent again', { first: 'silence', answers: 'silence' }, 'PROCESSING SENDING 2', 2 * SECOND_MS],
  [
    'sent, and silent for the sixth time',
    { first: 'silence', stands: 'attempts = 6', answers: 'silence' },
    'PROCESSING SENDING 7',
    5 * MINUTE_MS,
  ],
  ['sent, and given back', { first: 'silence', answers: 'given back' }, 'CONFIRMED DONE 0', null],
  ['sent, and refused', { first: 'silence', answers: 'refused' }, 'DECLINED DONE 0', null],
  [
    'sent nearly a day ago, and silent',
    { first: 'silence', stands: 'attempts = 9', atMs: DAY_MS - 1, answers: 'silence' },
    'PROCESSING SENDING 10',
    1,
  ],
  [
    'sent a day ago, and silent',
    { first: 'silence', stands: 'attempts = 9', atMs: DAY_MS, answers: 'silence' },
    'PROCESSING SENDING 10',
    6 * HOUR_MS,
    1,
  ],
  ['by payout, and new', { body: KEY }, 'PROCESSING PAYING 1', SECOND_MS],
  [
    'by payout, after it was tried before',
    { body: KEY, stands: 'attempts = 3' },
    'PROCESSING PAYING 1',
    SECOND_MS,
  ],
  [
    'by payout, and on its way',
    { body: KEY, first: 'silence', stands: 'attempts = 2' },
    'PROCESSING PAYING 3',
    5 * SECOND_MS,
  ],
  [
    'for its payer to claim',
    { body: CLAIM, atMs: MINUTE_MS },
    'PROCESSING AWAITING_CLAIM 1',
    30 * DAY_MS - MINUTE_MS,
  ],
  [
    'for its payer to claim, a moment before their time is over',
    { body: CLAIM, since: 'claim', atMs: -1 },
    'PROCESSING AWAITING_CLAIM 1',
    1,
  ],
  [
    'for its payer to claim, and their time is over',
    { body: CLAIM, since: 'claim' },
    'CANCELED DONE 0',
    null,
  ],
]

describe('a refund is next', () => {
  let world: World
  let payinId: string
  before(async () => {
    world = await createWorld()
    payinId = await confirmed({ inlineCustomer: { ...CUSTOMER, idNumber: OWN } })
  })
  after(() => world[Symbol.asyncDispose]())
  const { asked, confirmed, settle } = refunding(() => world)

  const refundOf = async (refundId: string): Promise<Refund> => {
    const refund = await getRefund(world.db, { organizationId: world.organization.organizationId, refundId })
    assert.ok(refund !== undefined)
    return refund
  }
  const set = (refundId: string, columns: string) =>
    world.db.query({ text: `update refunds set ${columns} where refund_id = $1`, values: [refundId] })
  // Nothing but this one is due.
  const advance = async (refundId: string, now: Instant, answer: Given['answers']): Promise<void> => {
    await world.db.query({ text: 'update refunds set due_at = null' })
    await set(refundId, 'due_at = created_at')
    const { clock, networks } = world.ctx
    const returnPayment = async () => (answer === undefined ? assert.fail('nobody asks') : ANSWERS[answer])
    const payins = { ...networks.payins, BRE_B: { ...networks.payins.BRE_B, returnPayment } }
    const ctx = {
      ...world.ctx,
      clock: { ...clock, now: () => now },
      networks: { ...networks, payins },
    }
    const claims = await claimRefunds(ctx, world.organization.organizationId, 1)
    assert.equal(claims.length, 1)
    for (const claim of claims) await advanceRefund(ctx, claim, world.organization)
  }
  const standing = async (refundId: string, now: Instant) => {
    const { rows } = await world.db.query<{ due: number | null; attempts: number }>({
      text: 'select due_at as due, attempts from refunds where refund_id = $1',
      values: [refundId],
    })
    const { due, attempts } = rows[0] ?? assert.fail()
    const { status, stage } = await refundOf(refundId)
    return [`${status} ${stage} ${attempts}`, due === null ? null : due - now]
  }
  const alarmsOf = async (refundId: string) =>
    (await listOpenAlarms(world.db)).filter(({ subjectId }) => subjectId === refundId).length

  for (const [
    what,
    { body = {}, first, stands, atMs = 0, since, answers },
    next,
    dueInMs,
    alarms = 0,
  ] of ROWS)
    it(`${what}: ${next}`, async () => {
      const { id } = await asked(payinId, { amountInCents: 1, ...body })
      const { createdAt } = await refundOf(id)
      if (first !== undefined) await advance(id, createdAt, first)
      if (stands !== undefined) await set(id, stands)
      const { updatedAt, claimExpiresAt } = await refundOf(id)
      const now = (since === 'claim' ? (claimExpiresAt ?? 0) : updatedAt) + atMs
      await advance(id, now, answers)
      assert.deepEqual(await standing(id, now), [next, dueInMs])
      assert.equal(await alarmsOf(id), alarms)
    })

  it('nobody’s whose lease has passed to another: its rail is not asked', async () => {
    const { id } = await asked(payinId, { amountInCents: 1 })
    await world.db.query({ text: 'update refunds set due_at = null' })
    await set(id, 'due_at = created_at')
    const [claim] = await claimRefunds(world.ctx, world.organization.organizationId, 1)
    assert.ok(claim !== undefined)
    await set(id, `lease_token = '${randomUUID()}'`)
    let asks = 0
    const { networks } = world.ctx
    const returnPayment = async () => {
      asks += 1
      return ANSWERS.silence
    }
    const payins = { ...networks.payins, BRE_B: { ...networks.payins.BRE_B, returnPayment } }
    await advanceRefund({ ...world.ctx, networks: { ...networks, payins } }, claim, world.organization)
    assert.equal(asks, 0)
    assert.equal((await refundOf(id)).stage, 'READY')
  })

  it('without money to give back: it waits ever longer, for a minute at most, each time it looks in vain', async () => {
    await settle(payinId)
    await moveToProviders(world)
    const { id } = await asked(payinId, { amountInCents: 1 })
    const { createdAt } = await refundOf(id)
    const seen: unknown[] = []
    for (let looked = 0; looked < 7; looked += 1) {
      await advance(id, createdAt, undefined)
      seen.push((await standing(id, createdAt))[1])
    }
    assert.deepEqual(
      seen,
      [1, 2, 5, 10, 30, 60, 60].map((seconds) => seconds * SECOND_MS),
    )
    assert.equal((await standing(id, createdAt))[0], 'PROCESSING AWAITING_FUNDS 7')
    const byPayout = await asked(payinId, { amountInCents: 1, ...KEY })
    const now = (await refundOf(byPayout.id)).createdAt
    await set(byPayout.id, 'attempts = 3')
    await advance(byPayout.id, now, undefined)
    assert.deepEqual(await standing(byPayout.id, now), ['PROCESSING AWAITING_FUNDS 4', 10 * SECOND_MS])
    const claim = await asked(payinId, { amountInCents: 1, ...CLAIM })
    const waiting = await refundOf(claim.id)
    await set(claim.id, 'attempts = 3')
    await advance(claim.id, waiting.createdAt, undefined)
    assert.deepEqual(await standing(claim.id, waiting.createdAt), [
      'PROCESSING AWAITING_CLAIM 4',
      10 * SECOND_MS,
    ])
  })
})

describe('a refund is looked at', () => {
  const [UPDATED, CLAIM_ENDS] = [1_000, 2_000]
  const ROWS: readonly [stage: Refund['stage'], reservedInCents: bigint, dueAt: Instant | null][] = [
    ['READY', 5n, UPDATED],
    ['READY', 0n, UPDATED],
    ['AWAITING_CLAIM', 5n, CLAIM_ENDS],
    ['AWAITING_CLAIM', 0n, UPDATED],
    ['AWAITING_APPROVAL', 5n, null],
    ['AWAITING_APPROVAL', 0n, UPDATED],
    ['AWAITING_FUNDS', 0n, null],
    ['SENDING', 5n, null],
    ['PAYING', 0n, null],
    ['DONE', 0n, null],
  ]
  for (const [stage, reservedInCents, dueAt] of ROWS)
    it(`${stage}, with ${reservedInCents} cents set aside, ${dueAt === null ? 'when somebody else has acted' : `at ${dueAt}`}`, () => {
      const refund = { stage, reservedInCents, updatedAt: UPDATED, claimExpiresAt: CLAIM_ENDS }
      assert.equal(dueAtOf(refund as Refund), dueAt)
    })
})
