// The routes are kept with the organization, so that no payment has to read connections. Whoever changes a connection writes them
// anew, in the same transaction and under the organization's lock.

import type { Connection } from '../../core/connections/connection.ts'
import { routesOf } from '../../core/connections/routes.ts'
import type { Organization } from '../../core/organizations/organization.ts'
import { listConnections } from '../../store/connections/connections.ts'
import type { Queryable } from '../../store/db.ts'
import { updateRoutes } from '../../store/organizations/organizations.ts'
import type { Needs } from '../context.ts'
import { openCredentials, withDefaults } from './credentials.ts'

export async function rewriteRoutes(
  ctx: Needs<'settings'>,
  tx: Queryable,
  organization: Organization,
): Promise<void> {
  const { organizationId } = organization
  const connections = await listConnections(tx, organizationId)
  const routed = connections.map((connection) => ({
    connection,
    namesKeys: namesKeys(ctx, connection, organization),
  }))
  await updateRoutes(tx, organizationId, routesOf(routed))
}

// Of credentials that do not open we know what was known before.
function namesKeys(
  { settings }: Needs<'settings'>,
  connection: Connection,
  { routes }: Organization,
): boolean {
  const { connectionId } = connection
  const given = openCredentials(settings.keys, connectionId, connection.credentials)
  if (given !== undefined) return withDefaults(connection, given).keys === 'theirs'
  return routes.some((route) => route.connectionId === connectionId && route.namesKeys)
}
