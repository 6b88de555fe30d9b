// Runs everything that becomes due: payins to open, query, end and settle; payouts to reserve, send and query; refunds to give back;
// batches of payouts to check and send; links to expire; approvals to lapse; notices to apply; events to sequence and deliver; audit
// entries to chain; receipts, invitations and alarms to send by e-mail; money in suspense to look for elsewhere; days to close, and
// balances to watch; people to seal and index; words to search by; and what is old to leave.

import type { Logger } from 'pino'
import type { Organization } from '../core/organizations/organization.ts'
import { PAYIN_LEASE_MS } from '../core/payins/schedule.ts'
import type { PaymentLink } from '../core/payment-links/payment-link.ts'
import { lapseDueApprovals } from '../flows/approvals/lapse.ts'
import { applyNotice } from '../flows/connections/apply-notice.ts'
import type { Context, Needs, NoticeWorker, WorkKind } from '../flows/context.ts'
import { leaveEachInOnePlace } from '../flows/ledger/leave-one-place.ts'
import { advancePayin } from '../flows/payins/advance.ts'
import { expireDueLink } from '../flows/payment-links/expire.ts'
import { advanceBatch } from '../flows/payout-batches/advance.ts'
import { BATCH_LEASE_MS } from '../flows/payout-batches/check-keys.ts'
import { claimPayouts, type DispatchClaim, dispatchPayout } from '../flows/payouts/dispatch.ts'
import type { Mailing } from '../flows/receipts/mail.ts'
import { advanceRefund, claimRefunds } from '../flows/refunds/advance.ts'
import { claimDueNotices, type StoredNotice } from '../store/connections/notices.ts'
import { getOrganization } from '../store/organizations/organizations.ts'
import { claimDuePayins, type PayinClaim } from '../store/payins/payins.ts'
import { claimDueLinks } from '../store/payment-links/payment-links.ts'
import { type BatchClaim, claimDueBatches } from '../store/payout-batches/batches.ts'
import type { RefundClaimed } from '../store/refunds/refunds.ts'
import { createChatPost } from '../webhooks/chat.ts'
import { startAlarmMails } from './alarm-mails.ts'
import { chainAllDue, startAuditChain } from './audit-chain.ts'
import { startDailyCloses, startMinimumBalances } from './daily-closes.ts'
import { type DeliveryWorkerOptions, deliveryPump } from './deliveries.ts'
import { createSearches, type DueSearches } from './due-queues.ts'
import type { DueSearch } from './due-search.ts'
import { startInvitationMails } from './invitation-mails.ts'
import { type Loop, startLoop } from './loop.ts'
import { startPeople } from './people.ts'
import { createPump, type PumpOptions, startPump } from './pump.ts'
import { startReceiptMails } from './receipt-mails.ts'
import { startReconciliation } from './reconciliation.ts'
import { startRetention } from './retention.ts'
import { startSearch } from './search.ts'
import { sequenceAllDue, startSequencer } from './sequencer.ts'
import { traced } from './traced.ts'
import { kindsWithWork, startWatch } from './watch.ts'

// Polling finds all work. Signals only make it faster. A loop that is watched (watch.ts) polls by itself to sweep its queue.
const REST_MS = 250
const WATCHED_REST_MS = 5_000
const SUSPENSE_REST_MS = 60 * 60_000
// An approval lapses after days; a few seconds more are nothing.
const LAPSE_REST_MS = 5_000
const LINK_LEASE_MS = 10_000
const NOTICE_LEASE_MS = 30_000
const CAPACITY = { maxPerOrganization: 50, maxTotal: 500 }
// A batch is long work: few at once leave the connections to others.
const BATCH_CAPACITY = { maxPerOrganization: 2, maxTotal: 8 }
const NOTICE_CAPACITY = { maxPerOrganization: 200, maxTotal: 1_000 }

// Changed settings take effect within a second, even if their signal is lost.
const ORGANIZATION_CACHE_MS = 800

export type Workers = {
  wake: (kind: WorkKind) => void
  noticeWorker: () => NoticeWorker | undefined
  stop: () => Promise<void>
}

export function startWorkers(
  ctx: Context,
  log: Logger,
  delivering: DeliveryWorkerOptions,
  mailing?: Mailing,
): Workers {
  const organizationOf = cachedOrganizations(ctx)
  const searches = createSearches(ctx)
  const restMs = WATCHED_REST_MS
  const notices = startPump({ ...noticePump(ctx, log, searches, organizationOf), restMs })
  const pumps: Partial<Record<WorkKind, Loop>> = {
    payins: startPump({ ...payinPump(ctx, log, searches, organizationOf), restMs }),
    links: startPump({ ...linkPump(ctx, log, searches), restMs }),
    payouts: startPump({ ...payoutPump(ctx, log, searches), restMs }),
    refunds: startPump({ ...refundPump(ctx, log, searches, organizationOf), restMs }),
    batches: startPump({ ...batchPump(ctx, log, searches, organizationOf), restMs }),
    notices,
    events: startSequencer(ctx, log, searches.events, restMs),
    deliveries: startPump({ ...deliveryPump(ctx, delivering, log, searches), restMs }),
    audit: startAuditChain(ctx, log, searches.audit_unchained, restMs),
    retention: startRetention(ctx, log),
  }
  const wake = (kind: WorkKind): void => pumps[kind]?.wake()
  const watch = startWatch(ctx, log, searches, wake)
  const suspense = startLoop({
    name: 'suspense',
    restMs: SUSPENSE_REST_MS,
    turn: () => leaveEachInOnePlace(ctx),
    log,
  })
  const approvals = startLoop({
    name: 'approvals',
    restMs: LAPSE_REST_MS,
    turn: () => lapseDueApprovals(ctx),
    log,
  })
  const people = startPeople(ctx, log)
  const search = startSearch(ctx, log)
  const reconciliation = startReconciliation(ctx, log)
  const closing = [startDailyCloses(ctx, log), startMinimumBalances(ctx, log)]
  const mails = [
    startAlarmMails(ctx, log, { send: mailing?.send, post: createChatPost(delivering.sender) }),
    ...(mailing === undefined
      ? []
      : [startReceiptMails(ctx, log, mailing), startInvitationMails(ctx, log, mailing.send)]),
  ]
  return {
    wake,
    noticeWorker: () =>
      notices.hasCapacity()
        ? {
            until: ctx.clock.now() + NOTICE_LEASE_MS,
            take: (work) =>
              notices.take(async () => {
                const organization = await organizationOf(work.organizationId)
                return organization && { work, organization }
              }, work.organizationId),
          }
        : undefined,
    stop: async () => {
      await Promise.all(
        [
          ...Object.values(pumps),
          watch,
          suspense,
          approvals,
          people,
          search,
          reconciliation,
          ...closing,
          ...mails,
        ].map((loop) => loop.stop()),
      )
    },
  }
}

function dueIn(search: DueSearch): Pick<PumpOptions<never>, 'dueOrganizations' | 'onAllClaimed'> {
  return { dueOrganizations: search.look, onAllClaimed: search.forget }
}

type Claimed<Work> = { work: Work; organization: Organization }
type OrganizationOf = (organizationId: string) => Promise<Organization | undefined>

function payinPump(
  ctx: Context,
  log: Logger,
  searches: DueSearches,
  organizationOf: OrganizationOf,
): PumpOptions<Claimed<PayinClaim>> {
  return {
    name: 'payins',
    restMs: REST_MS,
    log,
    ...CAPACITY,
    ...dueIn(searches.payins),
    claim: (organizationId, limit) =>
      claimWithOrganization(organizationOf, organizationId, () => {
        const now = ctx.clock.now()
        const lease = { token: ctx.ids.next(), until: now + PAYIN_LEASE_MS }
        return claimDuePayins(ctx.db, organizationId, now, lease, limit)
      }),
    act: ({ work, organization }) =>
      traced(ctx, 'work payin', work.payin.payinId, () => advancePayin(ctx, work, organization)),
  }
}

function linkPump(ctx: Context, log: Logger, searches: DueSearches): PumpOptions<PaymentLink> {
  return {
    name: 'links',
    restMs: REST_MS,
    log,
    ...CAPACITY,
    ...dueIn(searches.payment_links),
    claim: (organizationId, limit) => {
      const now = ctx.clock.now()
      return claimDueLinks(ctx.db, organizationId, now, now + LINK_LEASE_MS, limit)
    },
    act: (link) => traced(ctx, 'work payment link', link.paymentLinkId, () => expireDueLink(ctx, link)),
  }
}

function payoutPump(ctx: Context, log: Logger, searches: DueSearches): PumpOptions<DispatchClaim> {
  return {
    name: 'payouts',
    restMs: REST_MS,
    log,
    ...CAPACITY,
    ...dueIn(searches.payouts),
    claim: (organizationId, limit) => claimPayouts(ctx, organizationId, limit),
    act: (claim) => traced(ctx, 'work payout', claim.payout.payoutId, () => dispatchPayout(ctx, claim)),
  }
}

function refundPump(
  ctx: Context,
  log: Logger,
  searches: DueSearches,
  organizationOf: OrganizationOf,
): PumpOptions<Claimed<RefundClaimed>> {
  return {
    name: 'refunds',
    restMs: REST_MS,
    log,
    ...CAPACITY,
    ...dueIn(searches.refunds),
    claim: (organizationId, limit) =>
      claimWithOrganization(organizationOf, organizationId, () => claimRefunds(ctx, organizationId, limit)),
    act: ({ work, organization }) =>
      traced(ctx, 'work refund', work.refund.refundId, () => advanceRefund(ctx, work, organization)),
  }
}

function batchPump(
  ctx: Context,
  log: Logger,
  searches: DueSearches,
  organizationOf: OrganizationOf,
): PumpOptions<Claimed<BatchClaim>> {
  return {
    name: 'batches',
    restMs: REST_MS,
    log,
    ...BATCH_CAPACITY,
    ...dueIn(searches.payout_batches),
    claim: (organizationId, limit) =>
      claimWithOrganization(organizationOf, organizationId, () => {
        const now = ctx.clock.now()
        const lease = { token: ctx.ids.next(), until: now + BATCH_LEASE_MS }
        return claimDueBatches(ctx.db, organizationId, now, lease, limit)
      }),
    act: ({ work, organization }) => advanceBatch(ctx, work, organization),
  }
}

function noticePump(
  ctx: Context,
  log: Logger,
  searches: DueSearches,
  organizationOf: OrganizationOf,
): PumpOptions<Claimed<StoredNotice>> {
  return {
    name: 'notices',
    restMs: REST_MS,
    log,
    ...NOTICE_CAPACITY,
    ...dueIn(searches.rail_notices),
    claim: (organizationId, limit) =>
      claimWithOrganization(organizationOf, organizationId, () => {
        const now = ctx.clock.now()
        return claimDueNotices(ctx.db, organizationId, now, now + NOTICE_LEASE_MS, limit)
      }),
    act: ({ work, organization }) =>
      traced(ctx, 'work notice', work.subjectId, () => applyNotice(ctx, work, organization)),
  }
}

// Pairs each claimed piece of work with its organization's settings.
async function claimWithOrganization<Work>(
  organizationOf: OrganizationOf,
  organizationId: string,
  claim: () => Promise<Work[]>,
): Promise<Claimed<Work>[]> {
  const organization = await organizationOf(organizationId)
  return organization === undefined ? [] : (await claim()).map((work) => ({ work, organization }))
}

// An organization's work often comes in bursts, so its settings are cached for a moment, or until they change.
export function cachedOrganizations(ctx: Needs<'db' | 'signals'>): OrganizationOf {
  const cached = new Map<string, Promise<Organization | undefined>>()
  ctx.signals.onWork((kind, organizationId) => {
    if (kind !== 'settings') return
    if (organizationId === undefined) cached.clear()
    else cached.delete(organizationId)
  })
  return (organizationId) => {
    const read = cached.get(organizationId) ?? getOrganization(ctx.db, organizationId)
    if (!cached.has(organizationId)) {
      cached.set(organizationId, read)
      setTimeout(() => cached.delete(organizationId), ORGANIZATION_CACHE_MS).unref()
    }
    return read
  }
}

type Turns = { readonly turn: () => Promise<number>; readonly drained: () => Promise<void> }

// Runs all due work and waits for it, turn after turn, until none is left. For tests and for the operator.
export async function runAllDue(
  ctx: Context,
  log: Logger,
  delivering?: DeliveryWorkerOptions,
): Promise<void> {
  const organizationOf: OrganizationOf = (organizationId) => getOrganization(ctx.db, organizationId)
  const searches = createSearches(ctx)
  const pumps: Partial<Record<WorkKind, Turns>> = {
    payins: createPump(payinPump(ctx, log, searches, organizationOf)),
    links: createPump(linkPump(ctx, log, searches)),
    payouts: createPump(payoutPump(ctx, log, searches)),
    refunds: createPump(refundPump(ctx, log, searches, organizationOf)),
    batches: createPump(batchPump(ctx, log, searches, organizationOf)),
    notices: createPump(noticePump(ctx, log, searches, organizationOf)),
    events: { turn: async () => (await sequenceAllDue(ctx, log, searches.events)).events, drained },
    audit: { turn: () => chainAllDue(ctx, log, searches.audit_unchained), drained },
    ...(delivering && { deliveries: createPump(deliveryPump(ctx, delivering, log, searches)) }),
  }
  // One statement looks at all queues, and only where something is due they are searched.
  let due = await kindsWithWork(ctx, () => 0)
  for (let done = 1; done > 0; ) {
    done = await lapseDueApprovals(ctx)
    if (done > 0) due = await kindsWithWork(ctx, () => 0)
    for (const [kind, pump] of Object.entries(pumps) as [WorkKind, Turns][]) {
      if (!due.has(kind)) continue
      const worked = await pump.turn()
      await pump.drained()
      if (worked > 0) due = await kindsWithWork(ctx, () => 0)
      done += worked
    }
  }
}

const drained = async (): Promise<void> => {}
