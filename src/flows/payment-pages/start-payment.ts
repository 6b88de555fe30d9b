// Somebody who opened a page goes on, and gets a payment link of their own. Under the page's lock, so that what is left is given once.
// The link holds it until it ends. A link on which nobody is paying yields after ten minutes to whoever comes: a stranger who opens
// link after link keeps nothing for long.

import { createHash } from 'node:crypto'
import { isInRanges } from '../../core/connections/amount-range.ts'
import { firstIdAt } from '../../core/ids.ts'
import type { Organization } from '../../core/organizations/organization.ts'
import { endLink, newPaymentLink, type PaymentLink } from '../../core/payment-links/payment-link.ts'
import {
  holdPieces,
  IDLE_LINK_MS,
  type NotPayableReason,
  type PaymentPage,
  pageUrl,
  paymentPageEnd,
  releasePieces,
  stopOf,
} from '../../core/payment-pages/payment-page.ts'
import type { Queryable } from '../../store/db.ts'
import { unendedAttempt } from '../../store/payins/attempts.ts'
import {
  deferLink,
  endPaymentLink,
  getLinkByToken,
  insertLinks,
  lockIdleLink,
} from '../../store/payment-links/payment-links.ts'
import { lockPage, updatePage } from '../../store/payment-pages/payment-pages.ts'
import type { Needs } from '../context.ts'
import { linkEvent } from '../payins/write.ts'
import { payableRanges } from '../payment-route.ts'
import { sealNote } from '../people/vault.ts'

const TOKEN_BYTES = 16

export type PayerChoice = {
  // Of all pieces together, typed by the payer. Null where the page has an amount.
  readonly amountInCents: bigint | null
  readonly pieces: number
  // Names the form that was sent. Sent again, it leads to the same payment for as long as that is open.
  readonly form?: string
}

// 'amount': outside of what the page takes, or nothing that a payer could pay over its rails.
export type StartedPayment = { readonly link: PaymentLink } | { readonly stop: NotPayableReason | 'amount' }

export async function startPagePayment(
  ctx: Needs<'clock' | 'ids' | 'db' | 'signals' | 'settings' | 'vault'>,
  organization: Organization,
  paymentPageId: string,
  choice: PayerChoice,
): Promise<StartedPayment> {
  const { organizationId } = organization
  const linkId = ctx.ids.next()
  const ofForm = choice.form === undefined ? undefined : tokenOfForm(paymentPageId, choice, choice.form)
  const vault = await ctx.vault(organizationId)
  const started = await ctx.db.inTransaction(async (tx): Promise<StartedPayment> => {
    const locked = await lockPage(tx, organizationId, paymentPageId)
    if (locked === undefined) return { stop: 'closed' }
    const earlier = ofForm && (await getLinkByToken(tx, organizationId, ofForm))
    if (earlier?.status === 'PENDING') return { link: earlier }
    const token = earlier === undefined && ofForm ? ofForm : ctx.ids.randomBytes(TOKEN_BYTES)
    const end = paymentPageEnd(locked, ctx.clock.now())
    if (end !== null) return { stop: end }
    const amountInCents = amountOf(locked, choice)
    const payable = payableRanges(ctx, organization, locked.rail)
    if (amountInCents === null || !isInRanges(payable, amountInCents)) return { stop: 'amount' }
    const page = await makeRoom(ctx, tx, locked, choice.pieces)
    const stop = stopOf(page, choice.pieces, ctx.clock.now())
    if (stop !== null) {
      // Somebody who is refused writes nothing, unless others had to make room in vain.
      if (page !== locked) await updatePage(tx, page, [])
      return { stop }
    }
    const description = choice.pieces === 1 ? page.name : `${choice.pieces} × ${page.name}`
    const link = newPaymentLink(organizationId, linkId, token, {
      amountInCents,
      reference: page.reference,
      callbackUrl: page.callbackUrl ?? pageUrl(ctx.settings.checkoutUrl, page),
      rail: page.rail,
      customer: null,
      bank: null,
      note: sealNote(vault, linkId, { description, metadata: page.metadata }),
      paymentPageId,
      pieces: choice.pieces,
    })
    await insertLinks(tx, [{ link, record: null }])
    await updatePage(tx, holdPieces(page, choice.pieces), [])
    return { link }
  })
  ctx.signals.workAdded('events', organizationId)
  return started
}

// Nobody else knows the form's name, so nobody else knows the token.
function tokenOfForm(paymentPageId: string, { amountInCents, pieces }: PayerChoice, form: string): Buffer {
  const choice = [paymentPageId, form, pieces, amountInCents].join(' ')
  return createHash('sha256').update(choice).digest().subarray(0, TOKEN_BYTES)
}

function amountOf(page: PaymentPage, { amountInCents: typed, pieces }: PayerChoice): bigint | null {
  if (page.amountInCents !== null) return page.amountInCents * BigInt(pieces)
  if (typed === null || typed < (page.minAmountInCents ?? 1n)) return null
  return page.maxAmountInCents !== null && typed > page.maxAmountInCents ? null : typed
}

// Ends idle links, the oldest first, until there is enough or none is left. Of links that somebody else has locked it waits for none:
// who counts a link has locked it, and waits for the page.
async function makeRoom(
  ctx: Needs<'clock' | 'ids'>,
  tx: Queryable,
  locked: PaymentPage,
  pieces: number,
): Promise<PaymentPage> {
  const now = ctx.clock.now()
  let page = locked
  while (stopOf(page, pieces, now) === 'held') {
    const { organizationId, paymentPageId } = page
    const idle = await lockIdleLink(tx, organizationId, paymentPageId, firstIdAt(now - IDLE_LINK_MS))
    if (idle === undefined) return page
    // Somebody may have begun between the look and the lock.
    if ((await unendedAttempt(tx, organizationId, idle.paymentLinkId)) !== undefined) return page
    const ended = endLink(idle, 'expire', now) as PaymentLink
    await endPaymentLink(tx, ended, idle.version, linkEvent(ctx, ended))
    await deferLink(tx, ended, null)
    page = releasePieces(page, idle.pieces ?? 1)
  }
  return page
}
