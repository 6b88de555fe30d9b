// What a payer's page may do with a payin: fill in the payer, if the merchant did not know, and have the network
// queried now instead of later.

import type { Payin } from '../../core/payins/payin.ts'
import type { Customer } from '../../core/people/customer.ts'
import { customerFields } from '../../core/people/sealed.ts'
import { traitsOf } from '../../core/people/search.ts'
import type { PayerLanguage } from '../../core/receipts/mail.ts'
import { makePayinDue, setPayinCustomer } from '../../store/payins/payins.ts'
import { insertDigests } from '../../store/people/digests.ts'
import type { Needs } from '../context.ts'
import { rememberLanguage } from '../receipts/mail.ts'

// The payer says "I have paid", so the worker queries at once. A payin that a worker already holds is left alone.
export async function requestStatusCheck(
  ctx: Needs<'clock' | 'db' | 'signals'>,
  payin: Payin,
): Promise<void> {
  if (payin.progress.stage !== 'OPEN') return
  await makePayinDue(ctx.db, payin, ctx.clock.now())
  ctx.signals.workAdded('payins')
}

// A PSE payin whose payer the merchant did not know waits for this: now the network can have it.
export async function setPayer(
  ctx: Needs<'clock' | 'db' | 'settings' | 'signals' | 'vault'>,
  payin: Payin,
  customer: Customer,
  language: PayerLanguage = 'es',
): Promise<void> {
  const { organizationId, payinId: objectId } = payin
  const vault = await ctx.vault(organizationId)
  const sealed = vault.seal(objectId, customerFields(customer))
  const digests = traitsOf(customer).map((trait) => ({ digest: vault.digest(trait), objectId }))
  // The payin may be too old for whoever writes the digests of new ones: without them the payer would never be found.
  await ctx.db.inTransaction(async (tx) => {
    await setPayinCustomer(tx, payin, sealed, ctx.clock.now())
    await insertDigests(tx, organizationId, 'payin', digests)
    await rememberLanguage(ctx, tx, payin, language)
  })
  ctx.signals.workAdded('payins')
}
