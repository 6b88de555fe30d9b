// A payer chooses how to pay on a link's page. This starts an attempt, which is a payin of its own. Under the link's
// lock only one attempt can be open, so that two tabs, two phones or two rails cannot both be at the bank. An index
// refuses a second one, whoever forgets the lock.

import type { Route } from '../../core/connections/connection.ts'
import type { Organization } from '../../core/organizations/organization.ts'
import { newPayin, type Payin, type PayinRequest } from '../../core/payins/payin.ts'
import type { PaymentLink } from '../../core/payment-links/payment-link.ts'
import type { PayerLanguage } from '../../core/receipts/mail.ts'
import { type Queryable, sqlState, UNIQUE_VIOLATION } from '../../store/db.ts'
import { unendedAttempt } from '../../store/payins/attempts.ts'
import { insertPayins } from '../../store/payins/payins.ts'
import { lockLink } from '../../store/payment-links/payment-links.ts'
import type { Needs } from '../context.ts'
import { type PayerPresence, recordPresence } from '../payins/payer-actions.ts'
import { withReturnUrl } from '../payins/return-url.ts'
import { ConnectionGone } from '../payment-route.ts'
import { openNote, sealCustomer, sealNote } from '../people/vault.ts'
import { rememberLanguage } from '../receipts/mail.ts'

export type StartedAttempt = { payin: Payin; isNew: boolean }

// Each refusal means that another attempt was begun and has ended since, and that cannot go on forever.
const MAX_REFUSALS = 5

// `presence`: the payer is on the link's page, and the provider wants to know. It is recorded with the attempt, so that none is left
// waiting for a payer who has done their part.
export type AttemptRequest = Pick<PayinRequest, 'customer' | 'way'> & {
  readonly presence?: PayerPresence | null
}

// Undefined if the link no longer accepts a payment. Throws ConnectionGone if the route's connection was deleted meanwhile.
export async function startAttempt(
  ctx: Needs<'clock' | 'ids' | 'db' | 'signals' | 'settings' | 'vault'>,
  organization: Organization,
  link: PaymentLink,
  { presence = null, ...request }: AttemptRequest,
  language: PayerLanguage = 'es',
  route: Route | null = null,
): Promise<StartedAttempt | undefined> {
  const vault = await ctx.vault(link.organizationId)
  const started = await againIfRefused(ctx, async (tx) => {
    const locked = await lockLink(tx, link.organizationId, link.paymentLinkId)
    if (locked === undefined || locked.status !== 'PENDING' || ctx.clock.now() >= locked.expiresAt)
      return undefined
    const earlier = await unendedAttempt(tx, locked.organizationId, locked.paymentLinkId)
    // A second submit of the same form, or another tab: the payer continues with the open attempt. One that the merchant
    // has canceled may still be paid at the bank, and until it has ended there no other begins.
    if (earlier !== undefined) return { payin: earlier, isNew: false }
    const { amountInCents, reference, callbackUrl, paymentLinkId, expiresAt } = locked
    const payinId = ctx.ids.next()
    const customer = sealCustomer(vault, payinId, request.customer)
    // A sealed text is one object's own.
    const note = sealNote(vault, payinId, openNote(vault, paymentLinkId, locked.note))
    const made = newPayin(
      organization,
      payinId,
      { ...request, customer, note, amountInCents, reference, callbackUrl },
      { paymentLinkId, linkExpiresAt: expiresAt },
      route,
    )
    const payin = withReturnUrl(ctx, made, locked)
    const [written] = await insertPayins(tx, [{ payin, record: null }])
    if (written?.isConnectionGone) throw new ConnectionGone()
    if (presence !== null) await recordPresence(ctx, tx, vault, payin, presence)
    await rememberLanguage(ctx, tx, payin, language)
    return { payin, isNew: true }
  })
  if (started?.isNew === true) ctx.signals.workAdded('payins', organization.organizationId)
  return started
}

// An attempt that was begun without the link's lock is seen only when ours is refused. The next look finds it.
async function againIfRefused<Result>(
  ctx: Needs<'db'>,
  begin: (tx: Queryable) => Promise<Result>,
): Promise<Result> {
  for (let refusals = 1; ; refusals += 1) {
    try {
      return await ctx.db.inTransaction(begin)
    } catch (error) {
      if (refusals >= MAX_REFUSALS || sqlState(error) !== UNIQUE_VIOLATION) throw error
    }
  }
}
