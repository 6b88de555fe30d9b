// A merchant deletes a connection, or asks others to approve that. A payment that may still need its provider holds it: without the
// credentials nobody could ask how the payment ended. Its row is locked before we look for such payments: whoever writes one holds
// the row, too.

import { isRefusal, type Refusal, refuse } from '../../core/refusal.ts'
import {
  type ConnectionAddress,
  isConnectionInUse,
  lockConnection,
} from '../../store/connections/connections.ts'
import { lockOrganization } from '../../store/organizations/organizations.ts'
import type { Needs } from '../context.ts'
import { refuseUnknownConnection } from './change-connection.ts'
import { lockWaitingChange, submitChange } from './submit.ts'
import { writeDeletedConnection } from './write.ts'

export async function deleteConnection(
  ctx: Needs<'actor' | 'clock' | 'ids' | 'db' | 'settings' | 'signals'>,
  address: ConnectionAddress,
): Promise<Refusal | undefined> {
  const { organizationId, connectionId } = address
  const refused = await ctx.db.inTransaction(async (tx) => {
    const waiting = await lockWaitingChange(tx, address)
    const organization = await lockOrganization(tx, organizationId)
    const connection = organization && (await lockConnection(tx, address))
    if (organization === undefined || connection === undefined) return refuseUnknownConnection(connectionId)
    if (await isConnectionInUse(tx, address))
      return refuse('CONNECTION_IN_USE', `Payments of the connection ${connectionId} have not ended.`)
    const asked = { act: 'connection.delete' } as const
    const waits = await submitChange(ctx, tx, organization, connection, waiting, asked)
    if (waits !== undefined) return waits
    await writeDeletedConnection(ctx, tx, organization, connection)
    return undefined
  })
  if (refused === null) return deleteConnection(ctx, address)
  if (!isRefusal(refused)) ctx.signals.workAdded('settings', organizationId)
  ctx.signals.workAdded('events', organizationId)
  return refused
}
