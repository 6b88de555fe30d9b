// What is next for a payin, by where it is and what its provider answers: where it then is, how often it was tried in vain, and in how
// long a worker looks at it again. The clock stands still for each.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import type { Instant } from '../../../src/core/instant.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/core/instant.ts'
import type { Payin } from '../../../src/core/payins/payin.ts'
import { advancePayin } from '../../../src/flows/payins/advance.ts'
import type { RailPayinStatus } from '../../../src/rails/rail.ts'
import { listOpenAlarms } from '../../../src/store/ledger/alarms.ts'
import { brebPayin, createWorld, psePayin, type World } from '../../world.ts'
import {
  accepted,
  connect,
  notFound,
  openedPayin,
  type ScriptedProvider,
  silence,
} from '../connections/scripted-provider.ts'

const AMOUNT = 5_000_000n
const SECOND_MS = 1_000
const opening = { ...openedPayin({ isReady: false }), providerId: null }
const open: RailPayinStatus = { state: 'open' }
const declined: RailPayinStatus = {
  state: 'ended',
  how: 'declined',
  reason: 'BANK_DECLINED',
  networkCode: 'NO-05',
}
const ended: RailPayinStatus = { state: 'ended', how: 'canceled', reason: 'EXPIRED', networkCode: 'OVER' }

type Answer = RailPayinStatus | 'silence' | 'not-found' | 'paid'
type Given = {
  make?: () => Record<string, unknown>
  // What was answered before, which confirmed it.
  before?: Answer
  // Columns as they stand then.
  stands?: string
  // Since it was made, or since its time was over.
  atMs?: number
  since?: 'expiry'
  // What is answered to its order, and to a question about it or to its withdrawal.
  submitted?: 'ready' | 'not-ready' | 'silence'
  answers?: Answer
}
// Status, stage and how often it was tried in vain; when it is due again; what was asked; and how many people are told.
type Row = readonly [string, Given, string, number | null, string, alarms?: number]

const OPEN = `rail_stage = 'OPEN'`
const CANCELED = `status = 'CANCELED', error_code = 'CANCELED_BY_MERCHANT', result_at = created_at, rail_stage = 'TO_CLOSE'`

const ROWS: readonly Row[] = [
  ['new', { submitted: 'ready' }, 'PROCESSING OPEN 0', 30 * SECOND_MS, 'submit'],
  ['new, and not ready yet', { submitted: 'not-ready' }, 'PROCESSING OPENING 0', 500, 'submit'],
  [
    'new, over PSE, and not ready yet',
    { make: psePayin, submitted: 'not-ready' },
    'PENDING OPENING 0',
    500,
    'submit',
  ],
  ['new, over PSE', { make: psePayin, submitted: 'ready' }, 'PROCESSING OPEN 0', 7 * MINUTE_MS, 'submit'],
  ['new, and nobody answers', { submitted: 'silence' }, 'PROCESSING TO_OPEN 1', SECOND_MS, 'submit'],
  [
    'new for half a minute, and nobody answers',
    { atMs: 30 * SECOND_MS, answers: 'silence' },
    'PROCESSING TO_OPEN 1',
    SECOND_MS,
    'query',
  ],
  [
    'tried once, and unknown there',
    { stands: 'attempts = 1', submitted: 'ready', answers: 'not-found' },
    'PROCESSING OPEN 0',
    30 * SECOND_MS,
    'query, submit',
  ],
  [
    'tried twice, and silent',
    { stands: 'attempts = 2', answers: 'silence' },
    'PROCESSING TO_OPEN 3',
    5 * SECOND_MS,
    'query',
  ],
  [
    'tried once, and open there without a word on how to pay',
    { stands: 'attempts = 1', answers: open },
    'PROCESSING TO_OPEN 2',
    2 * SECOND_MS,
    'query',
  ],
  [
    'tried once, and open there',
    { stands: 'attempts = 1', answers: { state: 'open', opened: openedPayin() } },
    'PROCESSING OPEN 0',
    30 * SECOND_MS,
    'query',
  ],
  [
    'tried once, and declined there',
    { stands: 'attempts = 1', answers: declined },
    'DECLINED TO_CLOSE 0',
    0,
    'query',
  ],
  [
    'tried once, and paid there',
    { stands: 'attempts = 1', answers: 'paid' },
    'CONFIRMED TO_SETTLE 0',
    DAY_MS,
    'query',
  ],
  [
    'opening, and not ready',
    { stands: `rail_stage = 'OPENING', attempts = 2`, answers: { state: 'open', opened: opening } },
    'PROCESSING OPENING 3',
    4 * SECOND_MS,
    'query',
  ],
  [
    'opening, and ready',
    { stands: `rail_stage = 'OPENING', attempts = 2`, answers: { state: 'open', opened: openedPayin() } },
    'PROCESSING OPEN 0',
    30 * SECOND_MS,
    'query',
  ],
  [
    'opening, and open without a word on how to pay',
    { stands: `rail_stage = 'OPENING'`, answers: open },
    'PROCESSING OPENING 0',
    2 * MINUTE_MS,
    'query',
  ],
  [
    'opening, and not found',
    { stands: `rail_stage = 'OPENING'`, answers: 'not-found' },
    'PROCESSING OPENING 1',
    SECOND_MS,
    'query',
  ],
  ['open, and still open', { stands: OPEN, answers: open }, 'PROCESSING OPEN 0', 2 * MINUTE_MS, 'query'],
  [
    'open, over PSE, and still open',
    { make: psePayin, stands: OPEN, answers: open },
    'PENDING OPEN 0',
    12 * MINUTE_MS,
    'query',
  ],
  [
    'open, and silent',
    { stands: `rail_stage = 'OPEN', attempts = 3`, answers: 'silence' },
    'PROCESSING OPEN 4',
    10 * SECOND_MS,
    'query',
  ],
  ['open, and not found', { stands: OPEN, answers: 'not-found' }, 'PROCESSING OPEN 1', SECOND_MS, 'query'],
  ['open, and declined', { stands: OPEN, answers: declined }, 'DECLINED DONE 0', null, 'query'],
  ['open, and paid', { stands: OPEN, answers: 'paid' }, 'CONFIRMED TO_SETTLE 0', DAY_MS, 'query'],
  [
    'over, and silent',
    { stands: OPEN, since: 'expiry', answers: 'silence' },
    'PROCESSING OPEN 1',
    SECOND_MS,
    'cancel',
  ],
  ['over, and ended', { stands: OPEN, since: 'expiry', answers: ended }, 'CANCELED DONE 0', null, 'cancel'],
  [
    'over, and declined',
    { stands: OPEN, since: 'expiry', answers: declined },
    'DECLINED DONE 0',
    null,
    'cancel',
  ],
  [
    'over, and paid',
    { stands: OPEN, since: 'expiry', answers: 'paid' },
    'CONFIRMED TO_SETTLE 0',
    DAY_MS,
    'cancel',
  ],
  [
    'over, and still open',
    { stands: OPEN, since: 'expiry', answers: open },
    'PROCESSING OPEN 1',
    SECOND_MS,
    'cancel',
  ],
  [
    'over for an hour, and still open',
    { stands: OPEN, since: 'expiry', atMs: HOUR_MS, answers: open },
    'CANCELED TO_CLOSE 0',
    SECOND_MS,
    'cancel',
  ],
  [
    'over for an hour, over PSE, and still open',
    { make: psePayin, stands: OPEN, since: 'expiry', atMs: HOUR_MS, answers: open },
    'CANCELED TO_CLOSE 0',
    12 * MINUTE_MS,
    'cancel',
  ],
  [
    'over for an hour, and silent',
    { stands: OPEN, since: 'expiry', atMs: HOUR_MS, answers: 'silence' },
    'CANCELED TO_CLOSE 0',
    SECOND_MS,
    'cancel',
  ],
  [
    'over for nearly an hour, and silent',
    { stands: OPEN, since: 'expiry', atMs: HOUR_MS - 1, answers: 'silence' },
    'PROCESSING OPEN 1',
    SECOND_MS,
    'cancel',
  ],
  [
    'canceled, and ended',
    { stands: CANCELED, atMs: MINUTE_MS, answers: ended },
    'CANCELED DONE 0',
    null,
    'cancel',
  ],
  [
    'canceled, and unknown while its order may be on its way',
    { stands: CANCELED, atMs: MINUTE_MS - 1, answers: 'not-found' },
    'CANCELED TO_CLOSE 0',
    MINUTE_MS,
    'cancel',
  ],
  [
    'canceled, and unknown',
    { stands: CANCELED, atMs: MINUTE_MS, answers: 'not-found' },
    'CANCELED DONE 0',
    null,
    'cancel',
  ],
  [
    'canceled, and silent',
    { stands: CANCELED, answers: 'silence' },
    'CANCELED TO_CLOSE 1',
    SECOND_MS,
    'cancel',
  ],
  ['canceled, and open', { stands: CANCELED, answers: open }, 'CANCELED TO_CLOSE 1', SECOND_MS, 'cancel'],
  [
    'canceled, over PSE, and open',
    { make: psePayin, stands: CANCELED, answers: open },
    'CANCELED TO_CLOSE 1',
    12 * MINUTE_MS,
    'cancel',
  ],
  ['canceled, and paid', { stands: CANCELED, answers: 'paid' }, 'CANCELED DONE 0', null, 'cancel'],
  [
    'canceled for nearly a day, and silent',
    { stands: CANCELED, atMs: DAY_MS - 1, answers: 'silence' },
    'CANCELED TO_CLOSE 1',
    1,
    'cancel',
  ],
  [
    'canceled for a day, and silent',
    { stands: CANCELED, atMs: DAY_MS, answers: 'silence' },
    'CANCELED TO_CLOSE 1',
    SECOND_MS,
    'cancel',
    1,
  ],
  [
    'done, not paid, and open again',
    { stands: CANCELED.replace('TO_CLOSE', 'DONE'), answers: open },
    'CANCELED TO_CLOSE 1',
    SECOND_MS,
    'cancel',
  ],
  [
    'confirmed, told of before its settlement, and paid',
    { before: 'paid', atMs: HOUR_MS, answers: 'paid' },
    'CONFIRMED TO_SETTLE 0',
    DAY_MS - HOUR_MS,
    'query',
  ],
  [
    'confirmed, told of before its settlement, and silent',
    { before: 'paid', atMs: HOUR_MS, answers: 'silence' },
    'CONFIRMED TO_SETTLE 1',
    SECOND_MS,
    'query',
  ],
  [
    'confirmed over PSE, told of before its settlement, and silent',
    { make: psePayin, before: 'paid', atMs: HOUR_MS, answers: 'silence' },
    'CONFIRMED TO_SETTLE 1',
    SECOND_MS,
    'query',
  ],
  [
    'confirmed, nearly to be settled, and paid',
    { before: 'paid', atMs: DAY_MS - 1, answers: 'paid' },
    'CONFIRMED TO_SETTLE 0',
    1,
    'query',
  ],
  [
    'confirmed, to be settled, and paid',
    { before: 'paid', atMs: DAY_MS, answers: 'paid' },
    'CONFIRMED DONE 0',
    null,
    'query',
  ],
  [
    'confirmed, to be settled, and silent',
    { before: 'paid', atMs: DAY_MS, answers: 'silence' },
    'CONFIRMED TO_SETTLE 1',
    SECOND_MS,
    'query',
  ],
  [
    'confirmed, to be settled, and open',
    { before: 'paid', atMs: DAY_MS, answers: open },
    'CONFIRMED TO_SETTLE 1',
    SECOND_MS,
    'query',
  ],
  [
    'confirmed, to be settled since nearly a day, and silent',
    { before: 'paid', atMs: 2 * DAY_MS - 1, answers: 'silence' },
    'CONFIRMED TO_SETTLE 1',
    1,
    'query',
  ],
  [
    'confirmed, to be settled since a day, and silent',
    { before: 'paid', atMs: 2 * DAY_MS, answers: 'silence' },
    'CONFIRMED TO_SETTLE 1',
    SECOND_MS,
    'query',
    1,
  ],
  [
    'open, and waits for its payer',
    { make: () => psePayin({ inlineCustomer: undefined }) },
    'PENDING TO_OPEN 0',
    15 * MINUTE_MS,
    '',
  ],
  [
    'over, and its payer never came',
    { make: () => psePayin({ inlineCustomer: undefined }), since: 'expiry' },
    'CANCELED DONE 0',
    null,
    '',
  ],
  [
    'canceled, and there is nothing left to do',
    { stands: CANCELED.replace('TO_CLOSE', 'OPEN') },
    'CANCELED OPEN 0',
    null,
    '',
  ],
]

describe('a payin is next', () => {
  let world: World
  let provider: ScriptedProvider
  before(async () => {
    world = await createWorld()
    provider = await connect(world)
  })
  after(() => world[Symbol.asyncDispose]())

  const payinOf = async (payinId: string): Promise<Payin> => {
    const { organizationId } = world.organization
    const payin = await world.ctx.batched.getPayin({ organizationId, payinId })
    assert.ok(payin !== undefined)
    return payin
  }
  const set = async (payinId: string, columns: string) =>
    world.db.query({ text: `update payins set ${columns} where payin_id = $1`, values: [payinId] })
  const script = (payinId: string, answer: Answer | undefined, submitted: Given['submitted']) => {
    const paid: RailPayinStatus = {
      state: 'paid',
      payments: [{ paymentId: payinId, amountInCents: AMOUNT }],
      networkCode: 'PAID',
    }
    provider.payin = () => {
      if (answer === undefined) assert.fail('nobody asks')
      if (answer === 'silence') return silence
      if (answer === 'not-found') return notFound
      return accepted(answer === 'paid' ? paid : answer)
    }
    provider.submitPayin = () => {
      if (submitted === undefined) assert.fail('nothing is ordered')
      if (submitted === 'silence') return silence
      return accepted(submitted === 'ready' ? openedPayin() : openedPayin({ isReady: false }))
    }
  }
  const advance = async (payinId: string, now: Instant) => {
    const leaseToken = randomUUID()
    await set(payinId, `lease_token = '${leaseToken}'`)
    const ctx = { ...world.ctx, clock: { ...world.ctx.clock, now: () => now } }
    await advancePayin(ctx, { payin: await payinOf(payinId), leaseToken }, world.organization)
  }
  const standing = async (payinId: string, now: Instant) => {
    const { rows } = await world.db.query<{ due: number | null }>({
      text: 'select due_at as due from payins where payin_id = $1',
      values: [payinId],
    })
    const { status, progress } = await payinOf(payinId)
    const due = rows[0]?.due ?? null
    return [`${status} ${progress.stage} ${progress.attempts}`, due === null ? null : due - now]
  }
  const alarmsOf = async (payinId: string) =>
    (await listOpenAlarms(world.db)).filter(({ subjectId }) => subjectId === payinId).length

  for (const [what, given, next, dueInMs, calls, alarms = 0] of ROWS)
    it(`${what}: ${next}`, async () => {
      const { id } = (await world.client('POST', '/payins', (given.make ?? brebPayin)())).json
      if (given.before !== undefined) {
        await set(id, OPEN)
        script(id, given.before, undefined)
        await advance(id, (await payinOf(id)).createdAt)
      }
      if (given.stands !== undefined) await set(id, given.stands)
      const { createdAt, expiresAt } = await payinOf(id)
      const now = (given.since === 'expiry' ? expiresAt : createdAt) + (given.atMs ?? 0)
      script(id, given.answers, given.submitted)
      provider.calls.length = 0
      await advance(id, now)
      assert.deepEqual(await standing(id, now), [next, dueInMs])
      assert.equal(provider.calls.join(', ').replaceAll(' payin', ''), calls)
      assert.equal(await alarmsOf(id), alarms)
    })

  it('tried in vain by us: a person is told a day after it was to be over, and not before', async () => {
    const { id } = (await world.client('POST', '/payins', brebPayin())).json
    await set(id, OPEN)
    const { expiresAt } = await payinOf(id)
    provider.payin = () => {
      throw new Error('a fault of ours')
    }
    await assert.rejects(advance(id, expiresAt + DAY_MS - 1), /a fault of ours/)
    assert.equal(await alarmsOf(id), 0)
    await assert.rejects(advance(id, expiresAt + DAY_MS), /a fault of ours/)
    assert.equal(await alarmsOf(id), 1)
  })
})
