// What payments must know of an organization's connections. It is made anew whenever one of them changes.

import type { Connection, Route } from './connection.ts'
import { minimumOf } from './provider.ts'

// `namesKeys`: its credentials say that the provider names the keys of Bre-B payins.
export type RoutedConnection = { readonly connection: Connection; readonly namesKeys: boolean }

// In the order of preference.
export function routesOf(connections: readonly RoutedConnection[]): Route[] {
  return connections
    .filter(({ connection }) => connection.enabled)
    .sort((a, b) => inOrderOfPreference(a.connection, b.connection))
    .flatMap(routesOfConnection)
}

function inOrderOfPreference(a: Connection, b: Connection): number {
  return a.priority - b.priority || (a.connectionId < b.connectionId ? -1 : 1)
}

// One for each minimum that the provider has: what it asks of a payin does not keep a small payout away.
function routesOfConnection({ connection, namesKeys }: RoutedConnection): Route[] {
  const { connectionId, provider, uses, minimumInCents: own, maximumInCents } = connection
  const minimums = new Set(uses.map((use) => minimumOf(provider, use)))
  return [...minimums].map((minimum) => ({
    connectionId,
    provider,
    uses: uses.filter((use) => minimumOf(provider, use) === minimum),
    minimumInCents: own !== null && own > minimum ? own : minimum,
    maximumInCents,
    namesKeys,
  }))
}
