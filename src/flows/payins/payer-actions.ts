// What a payer's page may do with a payin: fill in the payer, if the merchant did not know, record that the payer was there, where
// a provider wants that, and have the network queried now instead of later.

import type { Payin } from '../../core/payins/payin.ts'
import type { Customer } from '../../core/people/customer.ts'
import { customerFields } from '../../core/people/sealed.ts'
import { traitsOf } from '../../core/people/search.ts'
import type { PayerLanguage } from '../../core/receipts/mail.ts'
import type { PayerDevice } from '../../rails/rail.ts'
import type { Queryable } from '../../store/db.ts'
import { makePayinDue, setPayinCustomer, setPayinPresence } from '../../store/payins/payins.ts'
import { insertDigests, type PersonDigest } from '../../store/people/digests.ts'
import type { Needs } from '../context.ts'
import type { Vault } from '../people/vault.ts'
import { rememberLanguage } from '../receipts/mail.ts'

export type { PayerDevice }

// The payer was on our page. An address that nobody names is empty.
export type PayerPresence = {
  // Links to the provider's terms, as we got them from it. None where it has no terms.
  readonly acceptedTerms: readonly string[]
  readonly device: PayerDevice
}

// The payer says "I have paid", so the worker queries at once. A payin that a worker already holds is left alone.
export async function requestStatusCheck(
  ctx: Needs<'clock' | 'db' | 'signals'>,
  payin: Payin,
): Promise<void> {
  if (payin.progress.stage !== 'OPEN') return
  await makePayinDue(ctx.db, payin, ctx.clock.now())
  ctx.signals.workAdded('payins', payin.organizationId)
}

// A PSE payin whose payer the merchant did not know waits for this: now the network can have it.
export async function setPayer(
  ctx: Needs<'clock' | 'db' | 'settings' | 'signals' | 'vault'>,
  payin: Payin,
  customer: Customer,
  language: PayerLanguage = 'es',
): Promise<void> {
  const { organizationId, payinId } = payin
  const vault = await ctx.vault(organizationId)
  const sealed = vault.seal(payinId, customerFields(customer))
  const digests = digestsOf(vault, payin, customer)
  // The payin may be too old for whoever writes the digests of new ones: without them the payer would never be found.
  await ctx.db.inTransaction(async (tx) => {
    await setPayinCustomer(tx, payin, sealed, ctx.clock.now())
    await insertDigests(tx, organizationId, 'payin', digests)
    await rememberLanguage(ctx, tx, payin, language)
  })
  ctx.signals.workAdded('payins', organizationId)
}

// A PSE payin whose provider wants the payer on our page waits for this. `customer` counts if the merchant did not know the payer.
export async function confirmPayer(
  ctx: Needs<'clock' | 'db' | 'settings' | 'signals' | 'vault'>,
  payin: Payin,
  customer: Customer | null,
  presence: PayerPresence,
  language: PayerLanguage = 'es',
): Promise<void> {
  const { organizationId } = payin
  const vault = await ctx.vault(organizationId)
  const typed = payin.customer === null ? customer : null
  await ctx.db.inTransaction(async (tx) => {
    const isFirst = await recordPresence(ctx, tx, vault, payin, presence, typed)
    if (!isFirst) return
    if (typed !== null) await insertDigests(tx, organizationId, 'payin', digestsOf(vault, payin, typed))
    await rememberLanguage(ctx, tx, payin, language)
  })
  ctx.signals.workAdded('payins', organizationId)
}

// In the caller's transaction. False if it was recorded before.
export function recordPresence(
  ctx: Needs<'clock'>,
  tx: Queryable,
  vault: Vault,
  payin: Payin,
  { acceptedTerms, device }: PayerPresence,
  typed: Customer | null = null,
): Promise<boolean> {
  const { payinId } = payin
  const presence = {
    customer: typed && vault.seal(payinId, customerFields(typed)),
    acceptedTerms,
    device: vault.seal(payinId, [device.ipAddress, device.userAgent]),
  }
  return setPayinPresence(tx, payin, presence, ctx.clock.now())
}

function digestsOf(vault: Vault, { payinId }: Payin, customer: Customer): PersonDigest[] {
  return traitsOf(customer).map((trait) => ({ digest: vault.digest(trait), objectId: payinId }))
}
