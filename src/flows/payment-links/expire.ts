// Ends a payment link that nobody paid: because its hour is over, or because the merchant ends it. Both decide under the
// link's lock, so that no payer can begin meanwhile. A link of a payment page is due once more when it has ended, for its page. At the hour we wait for an attempt that is open: it has its own
// expiry, and the network decides whether it was paid in time. The merchant's word cancels it.

import { setTimeout as delay } from 'node:timers/promises'
import type { Payin } from '../../core/payins/payin.ts'
import { endLink, type PaymentLink } from '../../core/payment-links/payment-link.ts'
import { isRefusal, type Refusal, refuse } from '../../core/refusal.ts'
import { type Queryable, sqlState, UNIQUE_VIOLATION } from '../../store/db.ts'
import { insertRecord } from '../../store/idempotency.ts'
import { lockAttemptIfFree, openAttempt } from '../../store/payins/attempts.ts'
import { deferLink, endPaymentLink, isLinkDue, lockLink } from '../../store/payment-links/payment-links.ts'
import { AnsweredBefore, type Idempotency, idempotencyRecordOf, type Needs } from '../context.ts'
import { linkEvent } from '../payins/write.ts'
import { countEndedLink } from '../payment-pages/count-link.ts'
import { recordAct } from '../record-act.ts'
import { cancelAttempt } from './abandon-attempt.ts'

const OPEN_ATTEMPT_POLL_MS = 1_000
// Whoever holds an attempt is about to write it, which takes milliseconds.
const MAX_TRIES = 20
const PAUSE_MS = 20

export async function expireDueLink(
  ctx: Needs<'clock' | 'ids' | 'db' | 'signals' | 'settings'>,
  { organizationId, paymentLinkId }: PaymentLink,
): Promise<void> {
  const told = await ctx.db.inTransaction(async (tx) => {
    const { link, open } = await lockLinkAndLook(tx, organizationId, paymentLinkId)
    if (link === undefined) return false
    if (link.status !== 'PENDING') return leaveEnded(ctx, tx, link)
    if (open === undefined) await end(ctx, tx, link)
    else await deferLink(tx, link, ctx.clock.now() + OPEN_ATTEMPT_POLL_MS)
    return open === undefined
  })
  if (!told) return
  ctx.signals.workAdded('events', organizationId)
  ctx.signals.workAdded('links', organizationId)
}

// Its lock shows whether it is still due: somebody else may have counted it since it was claimed.
async function leaveEnded(
  ctx: Needs<'clock' | 'ids' | 'settings'>,
  tx: Queryable,
  link: PaymentLink,
): Promise<boolean> {
  const { paymentPageId } = link
  if (paymentPageId === null || !(await isLinkDue(tx, link))) {
    await deferLink(tx, link, null)
    return false
  }
  await countEndedLink(ctx, tx, { ...link, paymentPageId })
  return true
}

export async function expireLinkEarly(
  ctx: Needs<'actor' | 'clock' | 'ids' | 'db' | 'signals' | 'settings'>,
  organizationId: string,
  paymentLinkId: string,
  idempotency: Idempotency<PaymentLink> | null,
): Promise<PaymentLink | Refusal> {
  const once = () =>
    ctx.db.inTransaction((tx) => endEarly(ctx, tx, organizationId, paymentLinkId, idempotency))
  try {
    let outcome = await once()
    for (let tries = 1; outcome === 'busy' && tries < MAX_TRIES; tries += 1) {
      await delay(PAUSE_MS * (1 + ctx.ids.random()))
      outcome = await once()
    }
    if (outcome === 'busy')
      return refuse('OVERLOADED', 'An attempt on the link is being written.', { retryAfterSeconds: 1 })
    if (!isRefusal(outcome)) {
      ctx.signals.workAdded('payins', organizationId)
      ctx.signals.workAdded('events', organizationId)
    }
    return outcome
  } catch (error) {
    if (idempotency !== null && sqlState(error) === UNIQUE_VIOLATION) throw new AnsweredBefore()
    throw error
  }
}

async function endEarly(
  ctx: Needs<'actor' | 'clock' | 'ids' | 'settings'>,
  tx: Queryable,
  organizationId: string,
  paymentLinkId: string,
  idempotency: Idempotency<PaymentLink> | null,
): Promise<PaymentLink | Refusal | 'busy'> {
  const { link, open } = await lockLinkAndLook(tx, organizationId, paymentLinkId)
  if (link === undefined) return refuse('NOT_FOUND', `No payment link has the id ${paymentLinkId}.`)
  if (link.status !== 'PENDING')
    return refuse('LINK_ALREADY_FINAL', `The payment link is ${link.status} and stays so.`)
  if (open !== undefined) {
    // A confirmation locks the payin and then its link. We hold the link, so waiting here could be a deadlock: we let go
    // and come back.
    const attempt = await lockAttemptIfFree(tx, open)
    if (attempt === undefined) return 'busy'
    await cancelAttempt(ctx, tx, attempt, 'CANCELED_BY_MERCHANT')
  }
  const expired = await end(ctx, tx, link)
  const act = { act: 'paymentlink.expire', before: link, after: expired } as const
  await recordAct(ctx, tx, { ...act, organizationId, objectId: paymentLinkId })
  if (idempotency !== null)
    await insertRecord(tx, organizationId, idempotencyRecordOf(idempotency, expired), ctx.clock.now())
  return expired
}

// Both ways to end a link take its lock here. A payer starts an attempt under the same lock: one that was started before is
// seen here, and after the link has ended none can start.
async function lockLinkAndLook(
  tx: Queryable,
  organizationId: string,
  paymentLinkId: string,
): Promise<{ link: PaymentLink | undefined; open: Payin | undefined }> {
  const link = await lockLink(tx, organizationId, paymentLinkId)
  return { link, open: link && (await openAttempt(tx, organizationId, paymentLinkId)) }
}

async function end(ctx: Needs<'clock' | 'ids'>, tx: Queryable, link: PaymentLink): Promise<PaymentLink> {
  const expired = endLink(link, 'expire', ctx.clock.now()) as PaymentLink
  await endPaymentLink(tx, expired, link.version, linkEvent(ctx, expired))
  return expired
}
