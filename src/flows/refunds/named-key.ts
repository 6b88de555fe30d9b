// Somebody names a key that a refund is to be paid to. Its holder is looked up within the organization's budget, and compared with the payer.

import { type BrebKey, parseBrebKey } from '../../core/directory/breb-key.ts'
import type { Organization } from '../../core/organizations/organization.ts'
import type { Payin } from '../../core/payins/payin.ts'
import type { Customer } from '../../core/people/customer.ts'
import { compareDocuments } from '../../core/refunds/compare.ts'
import type { NamedKey, RefundClaim } from '../../core/refunds/refund.ts'
import { isRefusal, type Refusal, refuse } from '../../core/refusal.ts'
import type { KeyHolder } from '../../rails/rail.ts'
import type { Needs } from '../context.ts'
import { masked, resolveKey } from '../directory/look-up-key.ts'
import { connectionOf, routeLookup } from '../payment-route.ts'
import { openCustomer, sealReceiver } from '../people/vault.ts'
import { directoryOf } from '../rails-of.ts'

export type KeyNaming = Needs<'clock' | 'db' | 'networks' | 'settings' | 'vault'>

export type FoundKey = { readonly key: BrebKey; readonly claim: RefundClaim }

// `payer`: as the payin has them. Without one, nothing can be compared.
export async function findNamedKey(
  ctx: KeyNaming,
  organization: Organization,
  payer: Customer | null,
  text: string,
): Promise<FoundKey | Refusal> {
  const found = await holderOf(ctx, organization, text)
  if (isRefusal(found)) return found
  const { key, holder } = found
  const shown = holder && masked(holder)
  const document = holder === null || holder.isMasked ? null : holder.holder
  const claim = {
    match: compareDocuments(payer, document),
    holderName: shown?.holder.name ?? '',
    participant: shown?.participant.name ?? '',
    lastFour: shown?.account?.lastFour ?? null,
    claimedAt: ctx.clock.now(),
  }
  return { key, claim }
}

// Null: the provider that pays out has no directory, and says itself whether the key is right.
async function holderOf(
  ctx: KeyNaming,
  organization: Organization,
  text: string,
): Promise<{ key: BrebKey; holder: KeyHolder | null } | Refusal> {
  const route = routeLookup(ctx, organization)
  if (isRefusal(route)) return route
  const directory = await directoryOf(ctx, organization.organizationId, connectionOf(route))
  if (directory !== null) return (await resolveKey(ctx, organization, text)).result
  const key = parseBrebKey(text)
  return key === undefined
    ? refuse('KEY_INVALID', 'This is not a Bre-B key of any form.')
    : { key, holder: null }
}

// The payer of a payin, if somebody said who it is and nobody has erased that.
export async function payerOf(ctx: Needs<'vault'>, payin: Payin): Promise<Customer | null> {
  const customer = openCustomer(await ctx.vault(payin.organizationId), payin.payinId, payin.customer)
  return typeof customer === 'string' ? null : customer
}

export async function namedKey(
  ctx: Needs<'vault'>,
  address: { organizationId: string; refundId: string },
  { key, claim }: FoundKey,
  customer: Customer,
  typed: string,
): Promise<NamedKey> {
  const vault = await ctx.vault(address.organizationId)
  const receiver = { customer, keyString: key.keyString, keyStringSent: typed }
  return { receiver: sealReceiver(vault, address.refundId, receiver), keyType: key.keyType, claim }
}
