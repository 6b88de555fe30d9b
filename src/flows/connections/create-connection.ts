// A merchant connects its account at a provider. New payments go there from then on, as its uses and its place among the others say.
// Where the rules say so, that waits until other people have approved it.

import type { Connection, Credentials } from '../../core/connections/connection.ts'
import { isRefusal, type Refusal, refuse } from '../../core/refusal.ts'
import { listConnections } from '../../store/connections/connections.ts'
import { lockOrganization } from '../../store/organizations/organizations.ts'
import { changeOnce } from '../change-once.ts'
import type { Idempotency, Needs } from '../context.ts'
import { sealCredentials } from './credentials.ts'
import { submitNewConnection } from './submit.ts'
import { type NewConnection as Wanted, writeNewConnection } from './write.ts'

// More than anyone needs, few enough that every payment can look at all of them.
export const MAX_CONNECTIONS = 20

export type NewConnection = Wanted & { readonly credentials: Credentials }

export async function createConnection(
  ctx: Needs<'actor' | 'clock' | 'ids' | 'db' | 'settings' | 'signals'>,
  organizationId: string,
  { credentials, ...wanted }: NewConnection,
  idempotency: Idempotency<Connection> | null,
): Promise<Connection | Refusal> {
  const connectionId = ctx.ids.next()
  const sealed = sealCredentials(ctx, connectionId, credentials)
  const outcome = await changeOnce(ctx, organizationId, idempotency, async (tx) => {
    // The organization is locked while we count: two concurrent requests cannot both add the last one.
    const organization = await lockOrganization(tx, organizationId)
    if (organization === undefined) return refuse('NOT_FOUND', 'The organization no longer exists.')
    if ((await listConnections(tx, organizationId)).length >= MAX_CONNECTIONS)
      return refuse('TOO_MANY_CONNECTIONS', `An organization has ${MAX_CONNECTIONS} connections at most.`)
    const asked = { connectionId, wanted, credentials, sealed }
    const waits = await submitNewConnection(ctx, tx, organization, asked)
    return waits ?? writeNewConnection(ctx, tx, organization, { ...wanted, connectionId, sealed })
  })
  // Committed: whoever keeps the old routes in memory drops them before we answer.
  ctx.signals.workAdded(isRefusal(outcome) ? 'events' : 'settings', organizationId)
  return outcome
}
