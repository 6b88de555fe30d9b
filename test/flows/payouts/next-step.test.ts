// What is next for a payout, by where it is and what its provider answers: where it then is, how often it was asked about, and in how long
// a worker looks at it again. The clock stands still for each.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Instant } from '../../../src/core/instant.ts'
import { DAY_MS, MINUTE_MS } from '../../../src/core/instant.ts'
import type { Payout } from '../../../src/core/payouts/payout.ts'
import { claimPayouts, dispatchPayout } from '../../../src/flows/payouts/dispatch.ts'
import type { Directory, RailAnswer, RailPayoutStatus } from '../../../src/rails/rail.ts'
import { listOpenAlarms } from '../../../src/store/ledger/alarms.ts'
import { newPayout } from '../../api/http/calls.ts'
import { createWorld, type World } from '../../world.ts'
import { moveToProviders } from '../connections/funds.ts'
import { accepted, connect, type ScriptedProvider, silence } from '../connections/scripted-provider.ts'

const SECOND_MS = 1_000
const RESEND_AFTER_MS = 2 * MINUTE_MS

type Answer = RailAnswer<RailPayoutStatus, 'RAIL_ERROR'>
const processing = accepted({ state: 'processing' } as const)
const completed = accepted({ state: 'completed', traceId: 'T-1' } as const)
const absent = accepted({ state: 'absent' } as const)
const refused = { reason: 'RAIL_ERROR', networkCode: 'NO-05' } as const
const rejected = { outcome: 'rejected', ...refused } as const
const called = accepted({ state: 'rejected', ...refused } as const)
const canceled = accepted({ state: 'canceled', ...refused } as const)
const returned = accepted({ state: 'returned', traceId: 'T-1', networkCode: 'BACK' } as const)
const DIRECTORIES = {
  away: { lookUp: async () => silence },
  'without it': {
    lookUp: async () => ({ outcome: 'rejected', reason: 'KEY_NOT_FOUND', networkCode: 'B404' }),
  },
} as const satisfies Record<string, Directory>

type Given = {
  // What its first order was answered. Without it, it is new.
  first?: Answer
  // Columns as they stand then.
  stands?: string
  // Since it was last changed.
  atMs?: number
  // What is answered to its order, and to a question about it.
  submitted?: Answer
  answers?: Answer
  directory?: keyof typeof DIRECTORIES
}
// Status, stage and how often it was asked about; when it is due again; what was asked; and how many people are told.
type Row = readonly [string, Given, string, number | null, string, alarms?: number]

const ROWS: readonly Row[] = [
  ['new, and taken', { submitted: processing }, 'PROCESSING SENT 1', 20 * SECOND_MS, 'submit'],
  ['new, and nobody answers', { submitted: silence }, 'PROCESSING SENDING 1', SECOND_MS, 'submit'],
  ['new, and rejected', { submitted: rejected }, 'DECLINED DONE 0', null, 'submit'],
  ['new, and paid at once', { submitted: completed }, 'CONFIRMED DONE 0', null, 'submit'],
  ['new, while the directory is away', { directory: 'away' }, 'PROCESSING RESERVED 1', SECOND_MS, ''],
  ['new, to a key that is gone', { directory: 'without it' }, 'DECLINED DONE 0', null, ''],
  [
    'handed over, and silent',
    { first: silence, answers: silence },
    'PROCESSING SENDING 2',
    2 * SECOND_MS,
    'query',
  ],
  [
    'handed over, and unknown a moment before it may come twice',
    { first: silence, atMs: RESEND_AFTER_MS - 1, answers: absent },
    'PROCESSING SENDING 2',
    1,
    'query',
  ],
  [
    'handed over, and unknown when it may come twice',
    { first: silence, atMs: RESEND_AFTER_MS, answers: absent, submitted: processing },
    'PROCESSING SENT 1',
    20 * SECOND_MS,
    'query, submit',
  ],
  [
    'handed over, unknown, and nobody answers',
    { first: silence, atMs: RESEND_AFTER_MS, answers: absent, submitted: silence },
    'PROCESSING SENDING 2',
    2 * SECOND_MS,
    'query, submit',
  ],
  [
    'handed over, and unknown while the directory is away',
    { first: silence, atMs: RESEND_AFTER_MS, answers: absent, directory: 'away' },
    'PROCESSING SENDING 2',
    2 * SECOND_MS,
    'query',
  ],
  [
    'handed over, and unknown, to a key that is gone',
    {
      first: silence,
      atMs: RESEND_AFTER_MS,
      answers: absent,
      submitted: processing,
      directory: 'without it',
    },
    'PROCESSING SENT 1',
    20 * SECOND_MS,
    'query, submit',
  ],
  [
    'handed over, and taken',
    { first: silence, answers: processing },
    'PROCESSING SENT 1',
    20 * SECOND_MS,
    'query',
  ],
  ['handed over, and paid', { first: silence, answers: completed }, 'CONFIRMED DONE 0', null, 'query'],
  ['handed over, and rejected', { first: silence, answers: called }, 'DECLINED DONE 0', null, 'query'],
  ['handed over, and called off', { first: silence, answers: canceled }, 'CANCELED DONE 0', null, 'query'],
  [
    'handed over, and paid and returned',
    { first: silence, answers: returned },
    'CONFIRMED DONE 0',
    0,
    'query',
  ],
  [
    'handed over for nearly a day, and silent',
    { first: silence, stands: 'attempts = 10', atMs: DAY_MS - 1, answers: silence },
    'PROCESSING SENDING 11',
    1,
    'query',
  ],
  [
    'handed over for a day, and silent',
    { first: silence, stands: 'attempts = 10', atMs: DAY_MS, answers: silence },
    'PROCESSING SENDING 11',
    DAY_MS,
    'query',
    1,
  ],
  [
    'taken, and not decided',
    { first: processing, answers: processing },
    'PROCESSING SENT 2',
    20 * SECOND_MS,
    'query',
  ],
  [
    'taken, and not decided for long',
    { first: processing, stands: 'attempts = 6', answers: processing },
    'PROCESSING SENT 7',
    5 * MINUTE_MS,
    'query',
  ],
  [
    'taken, and silent',
    { first: processing, stands: 'attempts = 2', answers: silence },
    'PROCESSING SENT 3',
    5 * SECOND_MS,
    'query',
  ],
  ['taken, and paid', { first: processing, answers: completed }, 'CONFIRMED DONE 0', null, 'query'],
  ['taken, and rejected', { first: processing, answers: rejected }, 'DECLINED DONE 0', null, 'query'],
  [
    'taken for a day, and not decided',
    { first: processing, atMs: DAY_MS, answers: processing },
    'PROCESSING SENT 2',
    20 * SECOND_MS,
    'query',
    1,
  ],
  ['paid, and told of again', { first: completed, answers: completed }, 'CONFIRMED DONE 0', null, 'query'],
  ['paid, and silent', { first: completed, answers: silence }, 'CONFIRMED DONE 1', SECOND_MS, 'query'],
  ['paid, and not decided', { first: completed, answers: processing }, 'CONFIRMED DONE 0', null, 'query'],
  ['paid, and come back', { first: completed, answers: returned }, 'CONFIRMED DONE 0', null, 'query'],
  ['paid, and rejected', { first: completed, answers: called }, 'CONFIRMED DONE 0', null, 'query', 1],
  [
    'declined, and paid after all',
    { first: rejected, answers: completed },
    'DECLINED STOPPED 0',
    null,
    'query',
    1,
  ],
]

describe('a payout is next', () => {
  let world: World
  let provider: ScriptedProvider
  before(async () => {
    world = await createWorld()
    provider = await connect(world, { uses: ['BRE_B_OUT'] })
    provider.resendAfterMs = RESEND_AFTER_MS
    await moveToProviders(world)
  })
  after(() => world[Symbol.asyncDispose]())

  const payoutOf = async (payoutId: string): Promise<Payout> => {
    const { organizationId } = world.organization
    const payout = await world.ctx.batched.getPayout({ organizationId, payoutId })
    assert.ok(payout !== undefined)
    return payout
  }
  const set = (payoutId: string, columns: string) =>
    world.db.query({ text: `update payouts set ${columns} where payout_id = $1`, values: [payoutId] })
  const script = ({ submitted, answers, directory }: Omit<Given, 'first'>) => {
    provider.submitPayout = () => submitted ?? assert.fail('nothing is ordered')
    provider.payout = () => answers ?? assert.fail('nobody asks')
    provider.directory = directory === undefined ? null : DIRECTORIES[directory]
    provider.calls.length = 0
  }
  // Nothing but this one is due.
  const dispatch = async (payoutId: string, now: Instant): Promise<void> => {
    await world.db.query({ text: 'update payouts set due_at = null' })
    await set(payoutId, 'due_at = created_at')
    const ctx = { ...world.ctx, clock: { ...world.ctx.clock, now: () => now } }
    const claims = await claimPayouts(ctx, world.organization.organizationId, 1)
    assert.equal(claims.length, 1)
    for (const claim of claims) await dispatchPayout(ctx, claim)
  }
  const standing = async (payoutId: string, now: Instant) => {
    const { rows } = await world.db.query<{ due: number | null; attempts: number }>({
      text: 'select due_at as due, attempts from payouts where payout_id = $1',
      values: [payoutId],
    })
    const { due, attempts } = rows[0] ?? assert.fail()
    const { status, stage } = await payoutOf(payoutId)
    return [`${status} ${stage} ${attempts}`, due === null ? null : due - now]
  }
  const alarmsOf = async (payoutId: string) =>
    (await listOpenAlarms(world.db)).filter(({ subjectId }) => subjectId === payoutId).length
  const create = async (): Promise<string> =>
    (await world.client('POST', '/payouts', newPayout({ reference: world.ctx.ids.next() }))).json.id

  for (const [what, { first, stands, atMs = 0, ...answers }, next, dueInMs, calls, alarms = 0] of ROWS)
    it(`${what}: ${next}`, async () => {
      const id = await create()
      if (first !== undefined) {
        script({ submitted: first })
        await dispatch(id, (await payoutOf(id)).createdAt)
      }
      if (stands !== undefined) await set(id, stands)
      const now = (await payoutOf(id)).updatedAt + atMs
      script(answers)
      await dispatch(id, now)
      assert.deepEqual(await standing(id, now), [next, dueInMs])
      assert.equal(provider.calls.join(', ').replaceAll(' payout', ''), calls)
      assert.equal(await alarmsOf(id), alarms)
    })

  it('tried in vain by us: a person is told a day after it was handed over, and not before', async () => {
    const id = await create()
    script({ submitted: silence })
    await dispatch(id, (await payoutOf(id)).createdAt)
    const { updatedAt } = await payoutOf(id)
    provider.payout = () => {
      throw new Error('a fault of ours')
    }
    await assert.rejects(dispatch(id, updatedAt + DAY_MS - 1), /a fault of ours/)
    assert.equal(await alarmsOf(id), 0)
    await assert.rejects(dispatch(id, updatedAt + DAY_MS), /a fault of ours/)
    assert.equal(await alarmsOf(id), 1)
  })
})
