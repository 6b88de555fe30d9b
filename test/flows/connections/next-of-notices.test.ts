// What becomes of a notice about something that we do not know, by what it tells and how old it is: when it is looked at again, and in
// which words a person is told. The clock stands still for each.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { RailNotice } from '../../../src/core/connections/notice.ts'
import { railReference } from '../../../src/core/connections/reference.ts'
import type { Instant } from '../../../src/core/instant.ts'
import { HOUR_MS, MINUTE_MS } from '../../../src/core/instant.ts'
import { UNATTRIBUTED_ORGANIZATION } from '../../../src/core/organizations/organization.ts'
import { applyNotice } from '../../../src/flows/connections/apply-notice.ts'
import { receiveNotice } from '../../../src/flows/connections/receive-notice.ts'
import type { StoredNotice } from '../../../src/store/connections/notices.ts'
import { listOpenAlarms } from '../../../src/store/ledger/alarms.ts'
import { createWorld, type World } from '../../world.ts'

const SECOND_MS = 1_000
const PAYMENT = { amountInCents: 700n, paymentId: 'P-1' }

type Given = Pick<StoredNotice, 'update'> &
  Partial<Pick<StoredNotice, 'reference'>> & {
    atMs?: number
    // Before we heard of it.
    occurredMs?: number
    ofNobody?: true
  }
// Its state; when it is looked at again; and what a person is told, where N is the notice and S what it is about.
type Row = readonly [string, Given, string, number | null, string | null]

const paid = { kind: 'payin.paid', ...PAYMENT } as const
const declined = { kind: 'payin.declined', reason: 'BANK_DECLINED' } as const
const chargeback = { kind: 'payin.chargeback', ...PAYMENT } as const
const completed = { kind: 'payout.completed', traceId: 'T-1' } as const
const rejected = { kind: 'payout.rejected', reason: 'RAIL_ERROR' } as const

const ROWS: readonly Row[] = [
  ['a payment, at once', { update: paid }, 'WAITING', SECOND_MS, null],
  ['a payment, after ten minutes', { update: paid, atMs: 10 * MINUTE_MS }, 'WAITING', 10 * MINUTE_MS, null],
  ['a payment, after forty minutes', { update: paid, atMs: 40 * MINUTE_MS }, 'WAITING', 20 * MINUTE_MS, null],
  ['a payment, a moment before an hour', { update: paid, atMs: HOUR_MS - 1 }, 'WAITING', 1, null],
  [
    'a payment, after an hour',
    { update: paid, atMs: HOUR_MS },
    'WAITING',
    MINUTE_MS,
    'BRE_B reported payment P-N of 700 cents for payin S, which we do not know',
  ],
  [
    'a payment with a name, after an hour',
    { update: paid, atMs: HOUR_MS, reference: 'X-9' },
    'WAITING',
    MINUTE_MS,
    'BRE_B reported payment P-N of 700 cents for X-9, which we do not know',
  ],
  [
    'a payment without a name, after an hour',
    { update: paid, atMs: HOUR_MS, reference: '' },
    'WAITING',
    MINUTE_MS,
    'BRE_B reported payment P-N of 700 cents without a reference',
  ],
  [
    'a payment of nobody, half an hour old',
    { update: paid, ofNobody: true, occurredMs: 30 * MINUTE_MS },
    'WAITING',
    SECOND_MS,
    null,
  ],
  [
    'a payment of nobody, an hour old',
    { update: paid, ofNobody: true, occurredMs: HOUR_MS },
    'WAITING',
    MINUTE_MS,
    'BRE_B reported payment P-N of 700 cents for payin S, which we do not know',
  ],
  [
    'a payment of nobody, of the future',
    { update: paid, ofNobody: true, occurredMs: -HOUR_MS, atMs: HOUR_MS - 1 },
    'WAITING',
    1,
    null,
  ],
  ['a refusal, at once', { update: declined }, 'WAITING', SECOND_MS, null],
  [
    'a refusal, after an hour',
    { update: declined, atMs: HOUR_MS },
    'ORPHAN',
    null,
    'BRE_B reported payin.declined of a payin that does not exist or was never paid',
  ],
  [
    'a refusal with a name, after an hour',
    { update: declined, atMs: HOUR_MS, reference: 'X-9' },
    'ORPHAN',
    null,
    'BRE_B reported payin.declined of X-9 that does not exist or was never paid',
  ],
  [
    'a refusal of nobody, at once',
    { update: declined, ofNobody: true },
    'ORPHAN',
    null,
    'BRE_B reported payin.declined of a payin that does not exist or was never paid',
  ],
  [
    'a chargeback, after an hour',
    { update: chargeback, atMs: HOUR_MS },
    'WAITING',
    HOUR_MS,
    'BRE_B reported payin.chargeback (700 cents, payment P-N, notice N) of a payin that does not exist or was never paid',
  ],
  [
    'a chargeback, after three hours',
    { update: chargeback, atMs: 3 * HOUR_MS },
    'WAITING',
    HOUR_MS,
    'BRE_B reported payin.chargeback (700 cents, payment P-N, notice N) of a payin that does not exist or was never paid',
  ],
  [
    'a payout that was paid, after an hour',
    { update: completed, atMs: HOUR_MS },
    'ORPHAN',
    null,
    'BRE_B reported payout.completed (transfer T-1) of a payout that does not exist or was never paid',
  ],
  [
    'a payout of an amount that was paid, after an hour',
    { update: { ...completed, amountInCents: 900n }, atMs: HOUR_MS },
    'ORPHAN',
    null,
    'BRE_B reported payout.completed (900 cents, transfer T-1) of a payout that does not exist or was never paid',
  ],
  [
    'a payout that was paid without an id, after an hour',
    { update: { ...completed, traceId: null }, atMs: HOUR_MS },
    'ORPHAN',
    null,
    'BRE_B reported payout.completed (notice N) of a payout that does not exist or was never paid',
  ],
  [
    'a payout that was rejected, a moment before an hour',
    { update: rejected, atMs: HOUR_MS - 1 },
    'WAITING',
    1,
    null,
  ],
  [
    'a payout that was rejected, after an hour',
    { update: rejected, atMs: HOUR_MS },
    'ORPHAN',
    null,
    'BRE_B reported payout.rejected of a payout that does not exist or was never paid',
  ],
]

describe('a notice about something unknown', () => {
  let world: World
  before(async () => {
    world = await createWorld()
  })
  after(() => world[Symbol.asyncDispose]())

  const store = async ({
    update,
    reference = null,
    occurredMs = 0,
    ofNobody,
  }: Given): Promise<StoredNotice> => {
    const receivedAt = world.ctx.clock.now()
    const [subjectId, noticeId] = [world.ctx.ids.next(), world.ctx.ids.next()]
    const notice: StoredNotice = {
      organizationId: ofNobody ? UNATTRIBUTED_ORGANIZATION : world.organization.organizationId,
      ...{ rail: 'BRE_B', noticeId, subjectId, reference, networkCode: '', receivedAt },
      subjectKind: update.kind.startsWith('payout') ? 'payout' : 'payin',
      update: 'paymentId' in update ? { ...update, paymentId: `P-${noticeId}` } : update,
      occurredAt: receivedAt - occurredMs,
    }
    assert.equal(await world.ctx.batched.insertNotice({ ...notice, dueAt: receivedAt }), true)
    return notice
  }
  const apply = (notice: StoredNotice, now: Instant, changes: object = {}) => {
    const ctx = { ...world.ctx, clock: { ...world.ctx.clock, now: () => now }, ...changes }
    return applyNotice(ctx, notice, world.organization)
  }
  const standing = async ({ noticeId }: StoredNotice, now: Instant) => {
    const { rows } = await world.db.query<{ state: string; due: number | null }>({
      text: 'select state, due_at as due from rail_notices where notice_id = $1',
      values: [noticeId],
    })
    const { state, due } = rows[0] ?? assert.fail()
    return [state, due === null ? null : due - now]
  }
  const told = async ({ subjectId, noticeId }: StoredNotice): Promise<string | null> => {
    const alarms = (await listOpenAlarms(world.db)).filter((one) => one.subjectId === subjectId)
    return alarms.length === 0
      ? null
      : alarms.map(({ detail }) => detail.replaceAll(noticeId, 'N').replaceAll(subjectId, 'S')).join()
  }

  for (const [what, given, state, dueInMs, words] of ROWS)
    it(`${what}: ${state}`, async () => {
      const notice = await store(given)
      const now = notice.receivedAt + (given.atMs ?? 0)
      await apply(notice, now)
      assert.deepEqual(await standing(notice, now), [state, dueInMs])
      assert.equal(await told(notice), words)
    })

  it('that cannot be applied for an hour is told of when the hour is over, and not before', async () => {
    const notice = await store({ update: declined })
    const batched = Object.assign(Object.create(world.ctx.batched), {
      getPayin: async () => {
        throw new Error('a fault of ours')
      },
    })
    const told = () =>
      listOpenAlarms(world.db).then((all) => all.filter((one) => one.subjectId === notice.subjectId))
    await assert.rejects(apply(notice, notice.receivedAt + HOUR_MS - 1, { batched }), /a fault of ours/)
    assert.deepEqual(await told(), [])
    await assert.rejects(apply(notice, notice.receivedAt + HOUR_MS, { batched }), /a fault of ours/)
    const [alarm] = await told()
    assert.equal(alarm?.kind, 'payin-unresolved')
    assert.equal(
      alarm?.detail,
      `BRE_B sent notice ${notice.noticeId} (payin.declined), and applying it fails each time`,
    )
  })
})

describe('a notice as it came', () => {
  let world: World
  before(async () => {
    world = await createWorld()
  })
  after(() => world[Symbol.asyncDispose]())

  const TIME = 'is dated at an impossible time, and is kept under the time it came'
  const ID = 'is called B-1 in its body, and is kept under its signed id'
  const DOUBTS: readonly [Pick<RailNotice, 'timeIsImpossible' | 'idInBody'>, string | null][] = [
    [{}, null],
    [{ timeIsImpossible: true }, TIME],
    [{ idInBody: 'B-1' }, ID],
    [{ timeIsImpossible: true, idInBody: 'B-1' }, `${TIME}; it ${ID}`],
  ]

  for (const [kind, update, other] of [
    ['payin', { kind: 'payin.declined', reason: 'BANK_DECLINED' }, { kind: 'payin.paid', ...PAYMENT }],
    ['payout', { kind: 'payout.completed', traceId: 'T-1' }, { kind: 'payout.completed', traceId: 'T-2' }],
  ] as const)
    for (const [doubt, words] of DOUBTS)
      it(`of a ${kind}, which ${words ?? 'says nothing odd'}, and which comes again with another content`, async () => {
        const [noticeId, subjectId] = [world.ctx.ids.next(), world.ctx.ids.next()]
        const reference = railReference(kind, world.organization.organizationId, subjectId)
        const occurredAt = world.ctx.clock.now()
        const notice = { rail: 'BRE_B', noticeId, reference, networkCode: '', occurredAt } as const
        const told = async () =>
          (await listOpenAlarms(world.db))
            .filter((one) => one.subjectId === subjectId)
            .map((one) => `${one.kind}: ${one.detail.replaceAll(noticeId, 'N')}`)
        assert.equal(await receiveNotice(world.ctx, { ...notice, ...doubt, update }), true)
        const odd = words === null ? [] : [`${kind}-contradiction: notice N of BRE_B ${words}`]
        assert.deepEqual(await told(), odd)
        assert.equal(await receiveNotice(world.ctx, { ...notice, update }), false)
        assert.deepEqual(await told(), odd)
        assert.equal(await receiveNotice(world.ctx, { ...notice, update: other }), false)
        const content = Object.entries(other).map(([name, value]) => `${name} ${value}`)
        const again = `BRE_B sent notice N again with another content, which is not applied: ${content.join(', ')}`
        assert.deepEqual((await told()).sort(), [...odd, `${kind}-contradiction: ${again}`].sort())
      })
})
