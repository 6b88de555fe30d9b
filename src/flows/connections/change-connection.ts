// A merchant changes a connection, or gives it new credentials. For a day the credentials before them still check what the provider
// sends, because it changes over at its own time. Payments keep the connection they were made with.

import type { Connection, Credentials } from '../../core/connections/connection.ts'
import { connectionProblems } from '../../core/connections/connection-problems.ts'
import { DAY_MS, type Instant } from '../../core/instant.ts'
import { type FieldProblem, isRefusal, type Refusal, refuse, refuseFields } from '../../core/refusal.ts'
import {
  type ConnectionAddress,
  getConnection,
  updateConnection,
} from '../../store/connections/connections.ts'
import { lockOrganization } from '../../store/organizations/organizations.ts'
import type { Needs } from '../context.ts'
import { recordAct } from '../record-act.ts'
import { openCredentials, sealCredentials } from './credentials.ts'
import { rewriteRoutes } from './rewrite-routes.ts'

export const OVERLAP_MS = DAY_MS

// The credentials that are given replace those of the same names. The others stay.
export type ConnectionChanges = Partial<
  Pick<Connection, 'name' | 'uses' | 'priority' | 'minimumInCents' | 'maximumInCents' | 'enabled'> & {
    readonly credentials: Credentials
  }
>

export async function changeConnection(
  ctx: Needs<'actor' | 'clock' | 'ids' | 'db' | 'settings' | 'signals'>,
  address: ConnectionAddress,
  changes: ConnectionChanges,
): Promise<Connection | Refusal> {
  const outcome = await ctx.db.inTransaction(async (tx) => {
    const organization = await lockOrganization(tx, address.organizationId)
    const connection = organization && (await getConnection(tx, address))
    if (organization === undefined || connection === undefined)
      return refuseUnknownConnection(address.connectionId)
    const problems = problemsOf(ctx, connection, changes)
    if (problems.length > 0) return refuseFields(problems)
    const changed = changedConnection(ctx, connection, changes)
    await updateConnection(tx, changed)
    await rewriteRoutes(ctx, tx, organization)
    const { organizationId, connectionId: objectId } = address
    const act = { act: 'connection.change', before: connection, after: changed } as const
    await recordAct(ctx, tx, { ...act, organizationId, objectId })
    return changed
  })
  if (!isRefusal(outcome)) ctx.signals.workAdded('settings', address.organizationId)
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

function changedConnection(
  ctx: Needs<'clock' | 'ids' | 'settings'>,
  connection: Connection,
  { credentials, ...fields }: ConnectionChanges,
): Connection {
  const { version } = connection
  return {
    ...connection,
    ...(isOverlapOver(connection, ctx.clock.now()) && NO_PREVIOUS),
    ...fields,
    ...(credentials && rotated(ctx, connection, credentials)),
    version: version + 1,
    updatedAt: ctx.clock.now(),
  }
}

// Retention erases them within the hour, and a change must not write them back.
function isOverlapOver({ previousUntil }: Connection, now: Instant): boolean {
  return previousUntil !== null && previousUntil <= now
}

const NO_PREVIOUS = { previousCredentials: null, previousUntil: null }

// Whoever sends the same again, because the answer was lost, must not lose the credentials before them.
function rotated(
  ctx: Needs<'clock' | 'ids' | 'settings'>,
  connection: Connection,
  given: Credentials,
): Partial<Connection> {
  const kept = credentialsOf(ctx, connection)
  if (kept !== undefined && Object.entries(given).every(([name, value]) => kept[name] === value)) return {}
  return {
    credentials: sealCredentials(ctx, connection.connectionId, { ...kept, ...given }),
    ...(kept === undefined
      ? NO_PREVIOUS
      : { previousCredentials: connection.credentials, previousUntil: ctx.clock.now() + OVERLAP_MS }),
  }
}

export function refuseUnknownConnection(connectionId: string): Refusal {
  return refuse('NOT_FOUND', `No connection has the id ${connectionId}.`)
}
