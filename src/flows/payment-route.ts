// Which connection a new payment takes. Its rail, its amount and the merchant's order of preference decide, and a provider that is away
// is passed over. An organization without a connection for it uses the installation's own networks, if there are any.

import { type AmountRange, mergedRanges } from '../core/connections/amount-range.ts'
import { chooseRoute, type Route, servedRanges } from '../core/connections/connection.ts'
import { payinUse, type Use } from '../core/connections/provider.ts'
import { maximumInCents, type Rail } from '../core/connections/rail.ts'
import { centsToDecimal } from '../core/money.ts'
import type { Organization } from '../core/organizations/organization.ts'
import { type Refusal, refuse } from '../core/refusal.ts'
import { getOrganization } from '../store/organizations/organizations.ts'
import type { Needs } from './context.ts'
import { isAway, railOfUse } from './rails-of.ts'

// Null: the installation's own networks.
export function routePayin(
  ctx: Needs<'clock' | 'networks' | 'settings'>,
  organization: Organization,
  rail: Rail,
  amountInCents: bigint,
): Route | null | Refusal {
  return routePayment(ctx, organization, payinUse(rail), amountInCents)
}

export function routePayment(
  ctx: Needs<'clock' | 'networks' | 'settings'>,
  { organizationId, routes }: Organization,
  use: Use,
  amountInCents: bigint,
): Route | null | Refusal {
  const chosen = chooseRoute(routes, use, amountInCents, isAway(ctx, organizationId, use))
  if (chosen.kind === 'connection') return chosen.route
  if (chosen.kind === 'installation')
    return ctx.settings.installationRails.includes(railOfUse(use)) ? null : refuseUnconnected(use)
  return refuseAmount(rangesOf(ctx, routes, use), '/amountInCents')
}

// What payers can pay, over this rail or over any that is enabled. Merged, in order; none if nothing can be paid.
export function payableRanges(
  ctx: Needs<'clock' | 'settings'>,
  { rails, routes }: Organization,
  rail: Rail | null,
): AmountRange[] {
  const offered = rails.filter((one) => rail === null || one === rail)
  return mergedRanges(offered.flatMap((one) => rangesOf(ctx, routes, payinUse(one))))
}

// Why nobody could pay any of the wanted amounts. Undefined: somebody can. `path` is the field at fault, if it is the amount.
export function refuseUnpayable(
  ctx: Needs<'clock' | 'settings'>,
  organization: Organization,
  rail: Rail | null,
  isWanted: (ranges: readonly AmountRange[]) => boolean,
  path: (ranges: readonly AmountRange[]) => string = () => '/amountInCents',
): Refusal | undefined {
  const ranges = payableRanges(ctx, organization, rail)
  if (isWanted(ranges)) return undefined
  if (ranges.length > 0) return refuseAmount(ranges, path(ranges))
  return refuseUnconnected(rail === null ? 'PSE_IN or BRE_B_IN' : payinUse(rail))
}

function rangesOf(
  { clock, settings }: Needs<'clock' | 'settings'>,
  routes: readonly Route[],
  use: Use,
): AmountRange[] {
  const rail = railOfUse(use)
  const mostInCents = maximumInCents(rail, clock.now(), settings.pseMaximumInCents)
  const installed = settings.installationRails.includes(rail) ? [{ leastInCents: 1n, mostInCents }] : []
  return servedRanges(routes, use, mostInCents) ?? installed
}

function refuseAmount(ranges: readonly AmountRange[], path: string): Refusal {
  const words = mergedRanges(ranges).map(
    ({ leastInCents, mostInCents }) =>
      `from ${centsToDecimal(leastInCents)} to ${centsToDecimal(mostInCents)} pesos`,
  )
  const detail =
    words.length === 0
      ? 'Your connections take no amount that this rail carries.'
      : `Your connections take payments ${words.join(' and ')} here.`
  return refuse('AMOUNT_NOT_CONNECTED', detail, {
    errors: [{ path, code: 'NOT_ALLOWED', message: detail }],
  })
}

// A key is looked up where a payout would go.
export function routeLookup(
  ctx: Needs<'networks' | 'settings'>,
  { organizationId, routes }: Organization,
): Route | null | Refusal {
  const serving = routes.filter(({ uses }) => uses.includes('BRE_B_OUT'))
  const away = isAway(ctx, organizationId, 'BRE_B_OUT')
  const route = serving.find((each) => !away(each)) ?? serving[0]
  if (route !== undefined) return route
  return ctx.settings.installationRails.includes('BRE_B') ? null : refuseUnconnected('BRE_B_OUT')
}

function refuseUnconnected(use: string): Refusal {
  return refuse(
    'RAIL_NOT_CONNECTED',
    `No connection of this organization is enabled for ${use}, and this installation has no network of its own for it.`,
  )
}

// The organization was changed before the payment was written, which it was not.
class OrganizationChanged extends Error {}

// The connection of the chosen route was deleted.
export class ConnectionGone extends OrganizationChanged {
  override name = 'ConnectionGone'
}

// Other approval rules hold than those by which the payment was made.
export class RulesReplaced extends OrganizationChanged {
  override name = 'RulesReplaced'
}

// A request knows the organization as it was when it was authenticated. If the connection it chose is gone, or the approval rules are
// others, it is made again by those that are there now.
export async function withPresentRoutes<Result>(
  ctx: Needs<'db'>,
  organization: Organization,
  create: (organization: Organization) => Promise<Result>,
): Promise<Result | Refusal> {
  let known = organization
  for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
    try {
      return await create(known)
    } catch (error) {
      if (!(error instanceof OrganizationChanged)) throw error
    }
    known = (await getOrganization(ctx.db, organization.organizationId)) ?? known
  }
  return refuse(
    'OVERLOADED',
    'The connections or the approval rules of this organization are being changed.',
    {
      retryAfterSeconds: 1,
    },
  )
}

// Each one means that yet another change was made in this moment.
const MAX_TRIES = 5

// What a payment remembers of its route.
export function connectionOf(route: Route | null) {
  return route && { connectionId: route.connectionId, provider: route.provider }
}
