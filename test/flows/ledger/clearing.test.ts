// What comes of money in suspense that somebody returns or attaches, by what it was before and what the network answers: what it is then,
// why nothing was done, and in which words that is said.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { attachSuspense, type Clearing, returnSuspense } from '../../../src/flows/ledger/clear-suspense.ts'
import { suspendUnknownPayment } from '../../../src/flows/ledger/suspend-unknown-payment.ts'
import type { PayinRail } from '../../../src/rails/rail.ts'
import { listSuspense, type SuspenseItem } from '../../../src/store/ledger/suspense.ts'
import { brebPayin, createWorld, type World } from '../../world.ts'

const ANSWERS = {
  returned: async () => ({ outcome: 'accepted', value: { traceId: null } }),
  refused: async () => ({ outcome: 'rejected', reason: 'RAIL_ERROR', networkCode: 'B106' }),
  silent: async () => ({ outcome: 'unknown', kind: 'timeout', why: 'no answer' }),
  unable: null,
} as const satisfies Record<string, PayinRail['returnPayment']>

type Step = keyof typeof ANSWERS | 'attached' | 'attached to nothing'
// What was done before, what is done now, what it then is, why nothing was done, and what is said.
type Row = readonly [before: Step[], Step, string, string | null, string | null]

const REFUSED = 'the network refused to return the money (B106)'
const SILENT = 'the network did not say whether it returned the money (no answer); run the command again'
const UNABLE =
  'the provider cannot send money back: pay the payer yourself and release the item by hand, or attach it (the item is OPEN)'

const ROWS: readonly Row[] = [
  [[], 'returned', 'RETURNED', null, null],
  [[], 'refused', 'OPEN', 'NOT_RETURNED', REFUSED],
  [[], 'silent', 'RETURNING', 'UNANSWERED', SILENT],
  [[], 'unable', 'OPEN', 'CANNOT_RETURN', UNABLE],
  [[], 'attached', 'ATTACHED', null, null],
  [[], 'attached to nothing', 'OPEN', 'NO_SUCH_PAYIN', 'the organization has no payin S'],
  [['silent'], 'returned', 'RETURNED', null, null],
  [['silent'], 'refused', 'OPEN', 'NOT_RETURNED', REFUSED],
  [['silent'], 'silent', 'RETURNING', 'UNANSWERED', SILENT],
  [['silent'], 'unable', 'OPEN', 'CANNOT_RETURN', UNABLE],
  [['silent'], 'attached', 'RETURNING', 'DECIDED', 'the item is RETURNING'],
  [['refused'], 'returned', 'RETURNED', null, null],
  [['returned'], 'returned', 'RETURNED', 'DECIDED', 'the item is RETURNED already'],
  [['returned'], 'attached', 'RETURNED', 'DECIDED', 'the item is RETURNED'],
  [['attached'], 'returned', 'ATTACHED', 'DECIDED', 'the item is ATTACHED already'],
  [['attached'], 'attached', 'ATTACHED', 'DECIDED', 'the item is ATTACHED'],
]

describe('money in suspense', () => {
  let world: World
  let payinId: string
  before(async () => {
    world = await createWorld()
    payinId = (await world.client('POST', '/payins', brebPayin())).json.id
  })
  after(() => world[Symbol.asyncDispose]())

  const suspend = async (): Promise<SuspenseItem> => {
    const [noticeId, subjectId, now] = [world.ctx.ids.next(), world.ctx.ids.next(), world.ctx.clock.now()]
    const payment = { amountInCents: 700n, paymentId: `P-${noticeId}` }
    await suspendUnknownPayment(
      world.ctx,
      {
        ...{ organizationId: world.organization.organizationId, rail: 'BRE_B', noticeId, subjectId },
        ...{ subjectKind: 'payin', update: { kind: 'payin.paid', ...payment }, networkCode: '' },
        ...{ occurredAt: now, receivedAt: now, reference: null },
      },
      payment,
    )
    return itemOf(payment.paymentId)
  }
  const itemOf = async (paymentId: string): Promise<SuspenseItem> => {
    const item = (await listSuspense(world.db, true)).find((one) => one.paymentId === paymentId)
    return item ?? assert.fail()
  }
  const take = (step: Step, { suspenseId }: SuspenseItem): Promise<Clearing> => {
    if (step === 'attached') return attachSuspense(world.ctx, suspenseId, payinId)
    if (step === 'attached to nothing') return attachSuspense(world.ctx, suspenseId, suspenseId)
    const { networks } = world.ctx
    const payins = { ...networks.payins, BRE_B: { ...networks.payins.BRE_B, returnPayment: ANSWERS[step] } }
    return returnSuspense({ ...world.ctx, networks: { ...networks, payins } }, suspenseId)
  }
  const bookingsOf = async ({ suspenseId }: SuspenseItem): Promise<string[]> => {
    const { json } = await world.client('GET', `/ledger/transfers?subjectId=${suspenseId}`)
    return json.data.map(({ booking }: { booking: string }) => booking).reverse()
  }

  for (const [earlier, step, state, why, words] of ROWS)
    it(`${[...earlier, step].join(', then ')}: ${state}`, async () => {
      const item = await suspend()
      for (const one of earlier) await take(one, item)
      const done = await take(step, item)
      const { state: now, attachedTo } = await itemOf(item.paymentId)
      const said = 'problem' in done ? done.problem.replaceAll(item.suspenseId, 'S') : null
      assert.deepEqual([now, 'why' in done ? done.why : null, said], [state, why, words])
      assert.equal(done.item?.state, state)
      assert.equal(attachedTo, state === 'ATTACHED' ? payinId : null)
      const booked = { RETURNED: ['suspense returned'], ATTACHED: ['suspense attached'] }[state] ?? []
      assert.deepEqual((await bookingsOf(item)).slice(1), booked)
    })
})
