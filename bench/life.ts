// Payment lifecycles: a payin that is created, notified and booked, and a payout that is created, reserved, sent and booked.
// Each is compared with the plain design, which runs every step of every payment in its own transaction. Also measures
// whether one merchant's thousand payouts delay another merchant's single one. The lifecycles apply notices directly. The
// time from a network's request to a CONFIRMED payin is measured on a whole server, with route, signature and workers.

import { setTimeout as delay } from 'node:timers/promises'
import pino from 'pino'
import { Pool } from 'undici'
import { railReference } from '../src/core/connections/reference.ts'
import { isoInstant } from '../src/core/instant.ts'
import { centsToDecimal } from '../src/core/money.ts'
import type { Organization } from '../src/core/organizations/organization.ts'
import { newPayin, type Payin } from '../src/core/payins/payin.ts'
import { newPayout } from '../src/core/payouts/payout.ts'
import { applyNotice } from '../src/flows/connections/apply-notice.ts'
import { receiveNotice } from '../src/flows/connections/receive-notice.ts'
import type { Context } from '../src/flows/context.ts'
import { claimPayouts, dispatchPayout } from '../src/flows/payouts/dispatch.ts'
import type { Notification } from '../src/rails/breb/wire.ts'
import { ID_HEADER, SIGNATURE_HEADER, signNotice, TIMESTAMP_HEADER } from '../src/rails/signature.ts'
import type { StoredNotice } from '../src/store/connections/notices.ts'
import type { Db } from '../src/store/db.ts'
import { startWorkers } from '../src/workers/start.ts'
import { type InProcessService, measureInProcess, openInProcess } from './in-process.ts'
import { runPlainPayin, runPlainPayout } from './plain-life.ts'
import { atLeast, atMost, type Row } from './report.ts'
import { inRounds, type Testbed } from './testbed.ts'

const CONCURRENCY = 64
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

export async function life(testbed: Testbed): Promise<Row[]> {
  await using service = await openInProcess(testbed, 20)
  const measured = await inRounds(testbed, {
    payin: () => measureInProcess((iteration) => runPayin(service, iteration), { concurrency: CONCURRENCY }),
    payinPlain: () =>
      measureInProcess((iteration) => runPlainPayin(service, iteration, PAYIN), { concurrency: CONCURRENCY }),
    payout: () => measureInProcess((iteration) => runPayoutBatch(service, iteration), { concurrency: 4 }),
    payoutPlain: () =>
      measureInProcess((iteration) => runPlainPayout(service, iteration, PAYOUT), {
        concurrency: CONCURRENCY,
      }),
  })
  const { payin, payinPlain, payout, payoutPlain } = measured
  // One iteration runs a whole batch of payouts.
  const payouts = {
    ...payout,
    requestsPerSecond: payout.requestsPerSecond * BATCH,
    cpuMicrosPerRequest: payout.cpuMicrosPerRequest / BATCH,
  }
  await clearDueWork(testbed)
  const waitedMs = await timeSinglePayoutBesideMany(service)
  const { notified, visible } = await measureNotifications(testbed, service)
  return [
    {
      label: 'payin life: created, notified, booked',
      measured: payin,
      bars: [atLeast(payin.requestsPerSecond / payinPlain.requestsPerSecond, 2, '× plain')],
    },
    { label: '  plain design', measured: payinPlain, bars: [] },
    { label: 'notification to CONFIRMED, 64 at once', measured: notified, bars: [] },
    {
      label: '  the same at half load',
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

// Workers process whatever is due, and must not find work left by earlier measurements.
async function clearDueWork(testbed: Testbed): Promise<void> {
  for (const table of ['payins', 'payouts', 'rail_notices'])
    await testbed.db.query({ text: `update ${table} set due_at = null where due_at is not null` })
}

// The lives before ran without workers. The whole server numbers their events first, as one that was away for a while.
async function untilNumbered({ db }: Testbed): Promise<void> {
  for (;;) {
    const { rowCount } = await db.query({ text: 'select from events where sequence is null limit 1' })
    if (rowCount === 0) return
    await delay(100)
  }
}

async function measureNotifications(testbed: Testbed, service: InProcessService) {
  await clearDueWork(testbed)
  await using sender = await openNoticeSender(testbed)
  await untilNumbered(testbed)
  let halfRate = 0
  return await inRounds(testbed, {
    notified: async () => {
      const leg = await measureInProcess((iteration) => confirmByNotice(service, sender, iteration), {
        concurrency: CONCURRENCY,
      })
      halfRate = leg.requestsPerSecond / 2
      return leg
    },
    visible: () =>
      measureInProcess((iteration) => confirmByNotice(service, sender, iteration), {
        concurrency: 0,
        perSecond: halfRate,
      }),
  })
}

type NoticeSender = AsyncDisposable & {
  send: (notification: Notification) => Promise<void>
  waitUntilConfirmed: (payin: Payin) => Promise<void>
}

// Sends signed notifications to the whole server, as the network does.
async function openNoticeSender(testbed: Testbed): Promise<NoticeSender> {
  const { port } = await testbed.server('whole')
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: CONCURRENCY })
  const poller = pollConfirmed(testbed.db)
  return {
    waitUntilConfirmed: poller.waitUntilConfirmed,
    send: async (notification) => {
      const body = JSON.stringify(notification)
      const seconds = Math.floor(Date.now() / 1_000)
      const { statusCode, body: answer } = await pool.request({
        method: 'POST',
        path: '/notifications/breb',
        headers: {
          'content-type': 'application/json',
          [ID_HEADER]: notification.id,
          [TIMESTAMP_HEADER]: String(seconds),
          [SIGNATURE_HEADER]: signNotice(testbed.notificationKey, notification.id, seconds, body),
        },
        body,
      })
      await answer.dump()
      if (statusCode !== 200) throw new Error(`a notification was answered ${statusCode}`)
    },
    [Symbol.asyncDispose]: async () => {
      poller.stop()
      await pool.close()
    },
  }
}

// The time from the network's request until the payin is CONFIRMED.
async function confirmByNotice(
  { ctx, organizations }: InProcessService,
  sender: NoticeSender,
  iteration: number,
): Promise<number> {
  const payin = await insertPayin(ctx, organizations, iteration)
  const { organizationId, payinId } = payin
  const sentAtMs = performance.now()
  await sender.send({
    id: `n-${payinId}`,
    type: 'collection.paid',
    reference: railReference('payin', organizationId, payinId),
    occurredAt: isoInstant(ctx.clock.now()),
    paymentId: payinId,
    amount: centsToDecimal(payin.amountInCents),
    endToEndId: null,
    reasonCode: null,
  })
  await sender.waitUntilConfirmed(payin)
  return performance.now() - sentAtMs
}

// One poll serves all waiting payins, so that polling does not distort the measurement.
const POLL_INTERVAL_MS = 4

function pollConfirmed(db: Db): {
  waitUntilConfirmed: (payin: Payin) => Promise<void>
  stop: () => void
} {
  const waiting = new Map<string, { organizationId: string; resolve: () => void }>()
  let stopped = false
  const poll = async (): Promise<void> => {
    while (!stopped) {
      if (waiting.size > 0) {
        const { rows } = await db.query<{ payin_id: string }>({
          name: 'which-are-confirmed',
          text: `select payin_id from payins where (organization_id, payin_id) in (select * from unnest($1::uuid[], $2::uuid[])) and status = 'CONFIRMED'`,
          values: [[...waiting.values()].map(({ organizationId }) => organizationId), [...waiting.keys()]],
        })
        for (const { payin_id } of rows) {
          waiting.get(payin_id)?.resolve()
          waiting.delete(payin_id)
        }
      }
      await delay(POLL_INTERVAL_MS)
    }
  }
  void poll()
  return {
    waitUntilConfirmed: ({ organizationId, payinId }) =>
      new Promise((resolve) => waiting.set(payinId, { organizationId, resolve })),
    stop: () => {
      stopped = true
    },
  }
}

async function insertPayin(
  ctx: Context,
  organizations: readonly Organization[],
  iteration: number,
): Promise<Payin> {
  const organization = organizations[iteration % organizations.length]
  if (organization === undefined) throw new Error('no organization')
  const payin = newPayin(organization, ctx.ids.next(), { ...PAYIN, reference: `life-${ctx.ids.next()}` })
  await ctx.batched.insertPayin({ payin, record: null })
  return payin
}

async function runPayin({ ctx, organizations }: InProcessService, iteration: number): Promise<undefined> {
  const organization = organizations[iteration % organizations.length]
  if (organization === undefined) throw new Error('no organization')
  const payin = await insertPayin(ctx, organizations, iteration)
  const { organizationId, payinId } = payin
  const noticeId = `n-${payinId}`
  const update = { kind: 'payin.paid', amountInCents: payin.amountInCents, paymentId: payinId } as const
  const occurredAt = ctx.clock.now()
  await receiveNotice(ctx, {
    rail: 'BRE_B',
    noticeId,
    reference: railReference('payin', organizationId, payinId),
    update,
    networkCode: '',
    occurredAt,
  })
  const notice: StoredNotice = {
    organizationId,
    rail: 'BRE_B',
    noticeId,
    subjectKind: 'payin',
    subjectId: payinId,
    update,
    networkCode: '',
    occurredAt,
    receivedAt: occurredAt,
  }
  await applyNotice(ctx, notice, organization)
}

const BATCH = 50

// Like the worker: reserves a batch of one organization's payouts, then sends and settles them concurrently.
async function runPayoutBatch(
  { ctx, organizations }: InProcessService,
  iteration: number,
): Promise<undefined> {
  const organization = organizations[iteration % organizations.length]
  if (organization === undefined) throw new Error('no organization')
  const { organizationId } = organization
  await Promise.all(
    Array.from({ length: BATCH }, () =>
      ctx.batched.insertPayout({
        payout: newPayout(organizationId, ctx.ids.next(), PAYOUT),
        record: null,
        credentialId: 'bench',
      }),
    ),
  )
  const claims = await claimPayouts(ctx, organizationId, BATCH)
  await Promise.all(
    claims.map(async (claim) => {
      await dispatchPayout(ctx, claim)
      const { payoutId } = claim.payout
      const noticeId = `n-${payoutId}`
      const now = ctx.clock.now()
      const update = { kind: 'payout.completed', traceId: null } as const
      await receiveNotice(ctx, {
        rail: 'BRE_B',
        noticeId,
        reference: railReference('payout', organizationId, payoutId),
        update,
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
      await applyNotice(
        ctx,
        { ...notice, update, networkCode: '', occurredAt: now, receivedAt: now },
        organization,
      )
    }),
  )
}

// With the real workers, a thousand payouts of one merchant become due, then one of another merchant. Returns the time
// until that one is sent.
async function timeSinglePayoutBesideMany({ ctx, organizations }: InProcessService): Promise<number> {
  const [many, single] = organizations
  if (many === undefined || single === undefined) throw new Error('no organization')
  const sender = { send: async () => Promise.reject(new Error('nothing to send')), close: async () => {} }
  const workers = startWorkers(ctx, pino({ level: 'silent' }), {
    sender,
    settings: { schedule: [], perEndpoint: 1 },
  })
  ctx.signals.onWork(workers.wake)
  try {
    const insert = (organizationId: string) =>
      ctx.batched.insertPayout({
        payout: newPayout(organizationId, ctx.ids.next(), PAYOUT),
        record: null,
        credentialId: 'bench',
      })
    await Promise.all(Array.from({ length: DUE_AT_ONCE }, () => insert(many.organizationId)))
    ctx.signals.workAdded('payouts')
    const payout = newPayout(single.organizationId, ctx.ids.next(), PAYOUT)
    const startedAtMs = performance.now()
    await ctx.batched.insertPayout({ payout, record: null, credentialId: 'bench' })
    ctx.signals.workAdded('payouts')
    while ((await ctx.batched.getPayout(payout))?.stage !== 'SENT') await delay(2)
    return performance.now() - startedAtMs
  } finally {
    await workers.stop()
  }
}
