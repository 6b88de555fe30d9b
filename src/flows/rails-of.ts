// The network or provider of a payment: that of its connection, or the installation's own. A connection whose credentials cannot be
// had answers like a provider that is away, so that its payments wait and none is lost.

import type { Use } from '../core/connections/provider.ts'
import type { Rail } from '../core/connections/rail.ts'
import type { Payin, PaymentConnection } from '../core/payins/payin.ts'
import type { Payout } from '../core/payouts/payout.ts'
import type { Directory, PayinRail, PayoutRail, ProviderRails, Rails, Unknown } from '../rails/rail.ts'
import type { Needs } from './context.ts'

export type AnyRails = Rails | ProviderRails

export async function railsOf(
  ctx: Needs<'networks'>,
  organizationId: string,
  connection: PaymentConnection | null,
): Promise<AnyRails | undefined> {
  if (connection === null) return ctx.networks
  return ctx.networks.connected({ organizationId, connectionId: connection.connectionId })
}

export async function payinRailOf(ctx: Needs<'networks'>, payin: Payin): Promise<PayinRail> {
  const rails = await railsOf(ctx, payin.organizationId, payin.connection)
  return rails?.payins[payin.source.rail] ?? AWAY_PAYINS
}

export async function payoutRailOf(ctx: Needs<'networks'>, payout: Payout): Promise<PayoutRail> {
  return (await railsOf(ctx, payout.organizationId, payout.connection))?.payouts ?? AWAY_PAYOUTS
}

// Null: the provider has no directory, and says itself whether the key is right.
export async function directoryOf(
  ctx: Needs<'networks'>,
  organizationId: string,
  connection: PaymentConnection | null,
): Promise<Directory | null> {
  const rails = await railsOf(ctx, organizationId, connection)
  return rails === undefined ? AWAY_DIRECTORY : rails.directory
}

// Whether new payments should go elsewhere for the moment. A connection that was not used yet is not away.
export function isAway(ctx: Needs<'networks'>, organizationId: string, use: Use) {
  return ({ connectionId }: { connectionId: string }): boolean =>
    ctx.networks.isConnectionAway({ organizationId, connectionId }, use)
}

const away = async (): Promise<Unknown> => ({
  outcome: 'unknown',
  kind: 'unavailable',
  why: 'the connection is gone, or its credentials cannot be read',
})
const AWAY_PAYINS: PayinRail = { submit: away, query: away, cancel: away, returnPayment: null }
const AWAY_PAYOUTS: PayoutRail = { submit: away, query: away }
const AWAY_DIRECTORY: Directory = { lookUp: away }

export function railOfUse(use: Use): Rail {
  return use === 'PSE_IN' ? 'PSE' : 'BRE_B'
}
