// A merchant connects its account at a provider. New payments go there from then on, as its uses and its place among the others say.

import type { Connection, Credentials } from '../../core/connections/connection.ts'
import { isRefusal, type Refusal, refuse } from '../../core/refusal.ts'
import { insertConnection, listConnections } from '../../store/connections/connections.ts'
import { lockOrganization } from '../../store/organizations/organizations.ts'
import { changeOnce } from '../change-once.ts'
import type { Idempotency, Needs } from '../context.ts'
import { recordAct } from '../record-act.ts'
import { sealCredentials } from './credentials.ts'
import { rewriteRoutes } from './rewrite-routes.ts'

// More than anyone needs, few enough that every payment can look at all of them.
export const MAX_CONNECTIONS = 20

export type NewConnection = Pick<
  Connection,
  'name' | 'provider' | 'environment' | 'uses' | 'priority' | 'minimumInCents' | 'maximumInCents' | 'enabled'
> & { readonly credentials: Credentials }

export async function createConnection(
  ctx: Needs<'actor' | 'clock' | 'ids' | 'db' | 'settings' | 'signals'>,
  organizationId: string,
  request: NewConnection,
  idempotency: Idempotency<Connection> | null,
): Promise<Connection | Refusal> {
  const now = ctx.clock.now()
  const connectionId = ctx.ids.next()
  const connection: Connection = {
    organizationId,
    connectionId,
    version: 1,
    ...request,
    credentials: sealCredentials(ctx, connectionId, request.credentials),
    previousCredentials: null,
    previousUntil: null,
    createdAt: now,
    updatedAt: now,
  }
  const outcome = await changeOnce(ctx, organizationId, idempotency, async (tx) => {
    // The organization is locked while we count: two concurrent requests cannot both add the last one.
    const organization = await lockOrganization(tx, organizationId)
    if (organization === undefined) return refuse('NOT_FOUND', 'The organization no longer exists.')
    if ((await listConnections(tx, organizationId)).length >= MAX_CONNECTIONS)
      return refuse('TOO_MANY_CONNECTIONS', `An organization has ${MAX_CONNECTIONS} connections at most.`)
    await insertConnection(tx, connection)
    await rewriteRoutes(ctx, tx, organization)
    const made = { act: 'connection.create', before: null, after: connection } as const
    await recordAct(ctx, tx, { ...made, organizationId, objectId: connectionId })
    return connection
  })
  // Committed: whoever keeps the old routes in memory drops them before we answer.
  if (!isRefusal(outcome)) ctx.signals.workAdded('settings', organizationId)
  return outcome
}
