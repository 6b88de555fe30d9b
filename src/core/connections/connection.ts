// An organization's account at a provider, and the rules that choose one for a payment. A payment keeps the connection it was
// made with: only new ones go elsewhere.

import type { Instant } from '../instant.ts'
import { type AmountRange, rangesWithin } from './amount-range.ts'
import type { Provider, ProviderEnvironment, Use } from './provider.ts'

export type Connection = {
  readonly organizationId: string
  readonly connectionId: string
  readonly version: number
  readonly name: string
  readonly provider: Provider
  readonly environment: ProviderEnvironment
  readonly uses: readonly Use[]
  // Among the connections that can serve a payment, the lowest comes first.
  readonly priority: number
  readonly minimumInCents: bigint | null
  readonly maximumInCents: bigint | null
  readonly enabled: boolean
  // Sealed. Opened only to call the provider and to check what it sends.
  readonly credentials: Buffer
  // Those before them still check notices until then.
  readonly previousCredentials: Buffer | null
  readonly previousUntil: Instant | null
  readonly createdAt: Instant
  readonly updatedAt: Instant
}

export type Credentials = Readonly<Record<string, string>>

// Where the provider sends what it has to tell.
export function notificationUrl(
  publicUrl: string,
  { organizationId, connectionId }: Pick<Connection, 'organizationId' | 'connectionId'>,
): string {
  return `${publicUrl}/notifications/${organizationId}/${connectionId}`
}

// What a payment needs to know of a connection to be routed, in the order of preference. Kept with the organization.
export type Route = {
  readonly connectionId: string
  readonly provider: Provider
  readonly uses: readonly Use[]
  readonly minimumInCents: bigint
  readonly maximumInCents: bigint | null
  // The provider names the keys of Bre-B payins, and we learn them from it.
  readonly namesKeys: boolean
}

// A payment of an organization without connections for this use goes over the installation's own networks.
export type Routing =
  | { readonly kind: 'installation' }
  | { readonly kind: 'connection'; readonly route: Route }
  // Connections serve this use, but none of them this amount.
  | { readonly kind: 'none' }

// Whether new payments of this use go over a connection, whichever it is. Payouts are then paid from what lies at providers.
export function isConnectedFor(routes: readonly Route[], use: Use): boolean {
  return routes.some(({ uses }) => uses.includes(use))
}

// A provider that is away is passed over. If all are, the first takes the payment: it waits there, as it would without a second.
export function chooseRoute(
  routes: readonly Route[],
  use: Use,
  amountInCents: bigint,
  isAway: (route: Route) => boolean,
): Routing {
  const serving = routes.filter(({ uses }) => uses.includes(use))
  if (serving.length === 0) return { kind: 'installation' }
  const fitting = serving.filter(
    ({ minimumInCents, maximumInCents }) =>
      amountInCents >= minimumInCents && (maximumInCents === null || amountInCents <= maximumInCents),
  )
  const route = fitting.find((each) => !isAway(each)) ?? fitting[0]
  return route === undefined ? { kind: 'none' } : { kind: 'connection', route }
}

// What the connections take for this use, of what its rail carries. Undefined: none serves it.
export function servedRanges(
  routes: readonly Route[],
  use: Use,
  capInCents: bigint,
): AmountRange[] | undefined {
  const serving = routes.filter(({ uses }) => uses.includes(use))
  if (serving.length === 0) return undefined
  return serving.flatMap(({ minimumInCents, maximumInCents }) =>
    rangesWithin([{ leastInCents: 1n, mostInCents: capInCents }], minimumInCents, maximumInCents),
  )
}
