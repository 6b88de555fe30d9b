// Which connection a new payment takes. Its rail, its amount and the merchant's order of preference decide, and a provider that is away
// is passed over. An organization without a connection for it uses the installation's own networks, if there are any.

import { chooseRoute, type Route } from '../core/connections/connection.ts'
import { payinUse, type Use } from '../core/connections/provider.ts'
import type { Rail } from '../core/connections/rail.ts'
import { centsToDecimal } from '../core/money.ts'
import type { Organization } from '../core/organizations/organization.ts'
import { type Refusal, refuse } from '../core/refusal.ts'
import { getOrganization } from '../store/organizations/organizations.ts'
import type { Needs } from './context.ts'
import { isAway, railOfUse } from './rails-of.ts'

// Null: the installation's own networks.
export function routePayin(
  ctx: Needs<'networks' | 'settings'>,
  organization: Organization,
  rail: Rail,
  amountInCents: bigint,
): Route | null | Refusal {
  return routePayment(ctx, organization, payinUse(rail), amountInCents)
}

export function routePayment(
  ctx: Needs<'networks' | 'settings'>,
  { organizationId, routes }: Organization,
  use: Use,
  amountInCents: bigint,
): Route | null | Refusal {
  const chosen = chooseRoute(routes, use, amountInCents, isAway(ctx, organizationId, use))
  if (chosen.kind === 'connection') return chosen.route
  if (chosen.kind === 'installation')
    return ctx.settings.installationRails.includes(railOfUse(use)) ? null : refuseUnconnected(use)
  const { minimumInCents, maximumInCents } = chosen
  const upTo = maximumInCents === null ? '' : ` up to ${centsToDecimal(maximumInCents)}`
  const detail = `Your connections take payments from ${centsToDecimal(minimumInCents)}${upTo} pesos here.`
  return refuse('AMOUNT_NOT_CONNECTED', detail, {
    errors: [{ path: '/amountInCents', code: 'NOT_ALLOWED', message: detail }],
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

function refuseUnconnected(use: Use): Refusal {
  return refuse(
    'RAIL_NOT_CONNECTED',
    `No connection of this organization is enabled for ${use}, and this installation has no network of its own for it.`,
  )
}

// The connection of the chosen route was deleted before the payment was written, which it was not.
export class ConnectionGone extends Error {
  override name = 'ConnectionGone'
}

// A request knows the connections as they were when it was authenticated. If the one it chose is gone, it chooses among those that are
// there now.
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
      if (!(error instanceof ConnectionGone)) throw error
    }
    known = (await getOrganization(ctx.db, organization.organizationId)) ?? known
  }
  return refuse('OVERLOADED', 'The connections of this organization are being changed.', {
    retryAfterSeconds: 1,
  })
}

// Each one means that yet another connection was deleted in this moment.
const MAX_TRIES = 5

// What a payment remembers of its route.
export function connectionOf(route: Route | null) {
  return route && { connectionId: route.connectionId, provider: route.provider }
}
