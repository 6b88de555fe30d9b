// A merchant deletes a connection. A payment that may still need its provider holds it: without the credentials nobody could ask how
// the payment ended. Its row is locked before we look for such payments: whoever writes one holds the row, too.

import { isRefusal, type Refusal, refuse } from '../../core/refusal.ts'
import {
  type ConnectionAddress,
  deleteConnection as deleteRow,
  isConnectionInUse,
  lockConnection,
} from '../../store/connections/connections.ts'
import { lockOrganization } from '../../store/organizations/organizations.ts'
import type { Needs } from '../context.ts'
import { recordAct } from '../record-act.ts'
import { refuseUnknownConnection } from './change-connection.ts'
import { rewriteRoutes } from './rewrite-routes.ts'

export async function deleteConnection(
  ctx: Needs<'actor' | 'clock' | 'ids' | 'db' | 'settings' | 'signals'>,
  address: ConnectionAddress,
): Promise<Refusal | undefined> {
  const { organizationId, connectionId } = address
  const refused = await ctx.db.inTransaction(async (tx) => {
    const organization = await lockOrganization(tx, organizationId)
    const connection = organization && (await lockConnection(tx, address))
    if (organization === undefined || connection === undefined) return refuseUnknownConnection(connectionId)
    if (await isConnectionInUse(tx, address))
      return refuse('CONNECTION_IN_USE', `Payments of the connection ${connectionId} have not ended.`)
    await deleteRow(tx, address)
    await rewriteRoutes(ctx, tx, organization)
    const act = { act: 'connection.delete', before: connection, after: null } as const
    await recordAct(ctx, tx, { ...act, organizationId, objectId: connectionId })
    return undefined
  })
  if (!isRefusal(refused)) ctx.signals.workAdded('settings', organizationId)
  return refused
}
