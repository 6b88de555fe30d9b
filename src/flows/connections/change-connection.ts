// A merchant changes a connection, or gives it new credentials, or asks others to approve that. For a day the credentials before them still check what the provider
// sends, because it changes over at its own time. Payments keep the connection they were made with.

import type { Connection, Credentials } from '../../core/connections/connection.ts'
import { connectionProblems } from '../../core/connections/connection-problems.ts'
import { type FieldProblem, isRefusal, type Refusal, refuse, refuseFields } from '../../core/refusal.ts'
import { type ConnectionAddress, getConnection } from '../../store/connections/connections.ts'
import { lockOrganization } from '../../store/organizations/organizations.ts'
import type { Needs } from '../context.ts'
import { openCredentials } from './credentials.ts'
import { lockWaitingChange, submitChange } from './submit.ts'
import { type ConnectionChanges, writeChangedConnection } from './write.ts'

export async function changeConnection(
  ctx: Needs<'actor' | 'clock' | 'ids' | 'db' | 'settings' | 'signals'>,
  address: ConnectionAddress,
  changes: ConnectionChanges,
): Promise<Connection | Refusal> {
  const outcome = await ctx.db.inTransaction(async (tx) => {
    const waiting = await lockWaitingChange(tx, address)
    const organization = await lockOrganization(tx, address.organizationId)
    const connection = organization && (await getConnection(tx, address))
    if (organization === undefined || connection === undefined)
      return refuseUnknownConnection(address.connectionId)
    const problems = problemsOf(ctx, connection, changes)
    if (problems.length > 0) return refuseFields(problems)
    const asked = { act: 'connection.change', changes } as const
    const waits = await submitChange(ctx, tx, organization, connection, waiting, asked)
    return waits === undefined ? writeChangedConnection(ctx, tx, organization, connection, changes) : waits
  })
  if (outcome === null) return changeConnection(ctx, address, changes)
  if (!isRefusal(outcome)) ctx.signals.workAdded('settings', address.organizationId)
  ctx.signals.workAdded('events', address.organizationId)
  return outcome
}

// What would be wrong with the connection after the changes. Nothing is said of one that does not exist.
export async function changeProblems(
  ctx: Needs<'db' | 'settings'>,
  address: ConnectionAddress,
  changes: ConnectionChanges,
): Promise<FieldProblem[]> {
  const connection = await getConnection(ctx.db, address)
  return connection === undefined ? [] : problemsOf(ctx, connection, changes)
}

// What the changes do not touch is left alone: a connection can always be disabled.
function problemsOf(
  ctx: Needs<'settings'>,
  connection: Connection,
  { credentials, ...fields }: ConnectionChanges,
): FieldProblem[] {
  const { provider, environment } = connection
  const { uses, minimumInCents, maximumInCents } = { ...connection, ...fields }
  const touchesLimits = ['uses', 'minimumInCents', 'maximumInCents'].some((name) => name in fields)
  const touchesCredentials = credentials !== undefined || fields.uses !== undefined
  const wanted = {
    provider,
    environment,
    uses,
    ...(touchesLimits && { minimumInCents, maximumInCents }),
    // Of credentials that do not open nothing can be kept: all of them must be given.
    ...(touchesCredentials && { credentials: { ...credentialsOf(ctx, connection), ...credentials } }),
  }
  return connectionProblems(wanted, ctx.settings)
}

function credentialsOf(
  { settings }: Needs<'settings'>,
  { connectionId, credentials }: Connection,
): Credentials | undefined {
  return openCredentials(settings.keys, connectionId, credentials)
}

export function refuseUnknownConnection(connectionId: string): Refusal {
  return refuse('NOT_FOUND', `No connection has the id ${connectionId}.`)
}
