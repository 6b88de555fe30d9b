// The life of money: a payin from created over notified to booked, and a payout from created over reserved and sent to
// booked, each beside the plain design, which makes every step a transaction of its own for each payment. And whether one
// merchant's thousand payouts hold up another's one. Notices are settled directly: the worker's wake-up and claim are not in
// the figures of a life, only in that of the single payout.

import { setTimeout as delay } from 'node:timers/promises'
import pino from 'pino'
import { newPayin } from '../src/core/payin.ts'
import { newPayout } from '../src/core/payout.ts'
import { railReference } from '../src/core/rail-reference.ts'
import { claimPayouts, dispatchPayout } from '../src/flows/dispatch-payout.ts'
import { receiveNotice } from '../src/flows/receive-notice.ts'
import { settleNotice } from '../src/flows/settle-notice.ts'
import type { StoredNotice } from '../src/store/rail-notices.ts'
import { startWorkers } from '../src/workers/due.ts'
import { type Ground, inRounds } from './ground.ts'
import { type House, measureLives, openHouse } from './house.ts'
import { payinPlainly, payoutPlainly } from './plain-life.ts'
import { atLeast, atMost, type Row } from './report.ts'

const AT_ONCE = 64
const CUSTOMER = {
  name: 'Ana María Gómez',
  idType: 'CO_CC',
  idNumber: '1000000001',
  phone: '+573001234567',
  email: 'ana@example.com',
}
const PAYIN = {
  amountInCents: 5_000_000n,
  customer: CUSTOMER,
  callbackUrl: null,
  way: { rail: 'BRE_B', keyType: 'SINGLE_USE' },
} as const
const PAYOUT = {
  amountInCents: 100n,
  reference: 'bench',
  customer: CUSTOMER,
  keyString: '@ANAGOMEZ',
  keyType: 'ALPHANUMERIC',
} as const
const DUE_AT_ONCE = 1_000

export async function life(ground: Ground): Promise<Row[]> {
  await using house = await openHouse(ground, 20)
  let halfRate = 0
  const measured = await inRounds(ground, {
    payin: async () => {
      const leg = await measureLives((turn) => livePayin(house, turn), { atOnce: AT_ONCE })
      halfRate = leg.requestsPerSecond / 2
      return leg
    },
    payinPlain: () => measureLives((turn) => payinPlainly(house, turn, PAYIN), { atOnce: AT_ONCE }),
    visible: () => measureLives((turn) => livePayin(house, turn, true), { atOnce: 0, perSecond: halfRate }),
    payout: () => measureLives((turn) => livePayouts(house, turn), { atOnce: 4 }),
    payoutPlain: () => measureLives((turn) => payoutPlainly(house, turn, PAYOUT), { atOnce: AT_ONCE }),
  })
  const { payin, payinPlain, visible, payout, payoutPlain } = measured
  // A turn of payouts is a batch of them.
  const payouts = {
    ...payout,
    requestsPerSecond: payout.requestsPerSecond * BATCH,
    cpuMicrosPerRequest: payout.cpuMicrosPerRequest / BATCH,
  }
  const waitedMs = await singlePayoutBesideMany(house)
  return [
    {
      label: 'payin life: created, notified, booked',
      measured: payin,
      bars: [atLeast(payin.requestsPerSecond / payinPlain.requestsPerSecond, 2, '× plain')],
    },
    { label: '  plain design', measured: payinPlain, bars: [] },
    {
      label: '  notified to CONFIRMED, at half load',
      measured: visible,
      bars: [atMost(visible.p99Ms, 100, 'ms p99')],
    },
    {
      label: 'payout life: created, reserved, sent, booked',
      measured: payouts,
      bars: [
        atLeast(payouts.requestsPerSecond / payoutPlain.requestsPerSecond, 2, '× plain'),
        atMost(waitedMs, 250, `ms beside ${DUE_AT_ONCE} due`),
      ],
    },
    { label: '  plain design', measured: payoutPlain, bars: [] },
  ]
}

// Answers, where asked, how long the notice took to become the payin's state.
async function livePayin(
  { ctx, organizations }: House,
  turn: number,
  fromNotice = false,
): Promise<number | undefined> {
  const organization = organizations[turn % organizations.length]
  if (organization === undefined) throw new Error('no organization')
  const payin = newPayin(organization, ctx.nextId(), { ...PAYIN, reference: `life-${ctx.nextId()}` })
  await ctx.together.insertPayin({ payin, record: null })
  const noticedAtMs = performance.now()
  const { organizationId, payinId } = payin
  const noticeId = `n-${payinId}`
  const happening = { kind: 'payin.paid', amountInCents: payin.amountInCents, paymentId: payinId } as const
  const occurredAt = ctx.now()
  await receiveNotice(ctx, {
    rail: 'BRE_B',
    noticeId,
    reference: railReference('payin', organizationId, payinId),
    happening,
    networkCode: '',
    occurredAt,
  })
  const notice: StoredNotice = {
    organizationId,
    rail: 'BRE_B',
    noticeId,
    subjectKind: 'payin',
    subjectId: payinId,
    happening,
    networkCode: '',
    occurredAt,
    receivedAt: occurredAt,
  }
  await settleNotice(ctx, notice, organization)
  return fromNotice ? performance.now() - noticedAtMs : undefined
}

const BATCH = 50

// As the worker does: many of one organization are reserved together, then sent and settled side by side.
async function livePayouts({ ctx, organizations }: House, turn: number): Promise<undefined> {
  const organization = organizations[turn % organizations.length]
  if (organization === undefined) throw new Error('no organization')
  const { organizationId } = organization
  await Promise.all(
    Array.from({ length: BATCH }, () =>
      ctx.together.insertPayout({ payout: newPayout(organizationId, ctx.nextId(), PAYOUT), record: null }),
    ),
  )
  const claims = await claimPayouts(ctx, organizationId, BATCH)
  await Promise.all(
    claims.map(async (claim) => {
      await dispatchPayout(ctx, claim)
      const { payoutId } = claim.payout
      const noticeId = `n-${payoutId}`
      const now = ctx.now()
      const happening = { kind: 'payout.completed', traceId: null } as const
      await receiveNotice(ctx, {
        rail: 'BRE_B',
        noticeId,
        reference: railReference('payout', organizationId, payoutId),
        happening,
        networkCode: '',
        occurredAt: now,
      })
      const notice = {
        organizationId,
        rail: 'BRE_B',
        noticeId,
        subjectKind: 'payout',
        subjectId: payoutId,
      } as const
      await settleNotice(
        ctx,
        { ...notice, happening, networkCode: '', occurredAt: now, receivedAt: now },
        organization,
      )
    }),
  )
}

// With the real workers: a thousand payouts of one merchant fall due, then one of another; how long until that is sent.
async function singlePayoutBesideMany({ ctx, organizations }: House): Promise<number> {
  const [many, single] = organizations
  if (many === undefined || single === undefined) throw new Error('no organization')
  const sender = { send: async () => Promise.reject(new Error('nothing to send')), close: async () => {} }
  const workers = startWorkers(ctx, pino({ level: 'silent' }), {
    sender,
    settings: { schedule: [], perEndpoint: 1 },
  })
  ctx.onHint(workers.wake)
  try {
    const insert = (organizationId: string) =>
      ctx.together.insertPayout({ payout: newPayout(organizationId, ctx.nextId(), PAYOUT), record: null })
    await Promise.all(Array.from({ length: DUE_AT_ONCE }, () => insert(many.organizationId)))
    ctx.hint('payouts')
    const payout = newPayout(single.organizationId, ctx.nextId(), PAYOUT)
    const startedAtMs = performance.now()
    await ctx.together.insertPayout({ payout, record: null })
    ctx.hint('payouts')
    while ((await ctx.together.getPayout(payout))?.stage !== 'SENT') await delay(2)
    return performance.now() - startedAtMs
  } finally {
    await workers.stop()
  }
}
