// Writes a connection that is new, changed or to be deleted, with the routes that follow from it. Under the organization's lock.

import type { Connection, Credentials } from '../../core/connections/connection.ts'
import { DAY_MS, type Instant } from '../../core/instant.ts'
import type { Organization } from '../../core/organizations/organization.ts'
import { deleteConnection, insertConnection, updateConnection } from '../../store/connections/connections.ts'
import type { Queryable } from '../../store/db.ts'
import type { Needs } from '../context.ts'
import { recordAct } from '../record-act.ts'
import { openCredentials, sealCredentials } from './credentials.ts'
import { rewriteRoutes } from './rewrite-routes.ts'

export const OVERLAP_MS = DAY_MS

type Writing = Needs<'actor' | 'clock' | 'ids' | 'settings'>

export type NewConnection = Pick<
  Connection,
  'name' | 'provider' | 'environment' | 'uses' | 'priority' | 'minimumInCents' | 'maximumInCents' | 'enabled'
>

// The credentials that are given replace those of the same names. The others stay.
export type ConnectionChanges = Partial<
  Pick<Connection, 'name' | 'uses' | 'priority' | 'minimumInCents' | 'maximumInCents' | 'enabled'> & {
    readonly credentials: Credentials
  }
>

// `sealed` are its credentials, under its id.
export async function writeNewConnection(
  ctx: Writing,
  tx: Queryable,
  organization: Organization,
  { connectionId, sealed, ...wanted }: NewConnection & { connectionId: string; sealed: Buffer },
): Promise<Connection> {
  const now = ctx.clock.now()
  const { organizationId } = organization
  const connection: Connection = {
    organizationId,
    connectionId,
    version: 1,
    ...wanted,
    credentials: sealed,
    previousCredentials: null,
    previousUntil: null,
    createdAt: now,
    updatedAt: now,
  }
  await insertConnection(tx, connection)
  await rewriteRoutes(ctx, tx, organization)
  const act = { act: 'connection.create', before: null, after: connection } as const
  await recordAct(ctx, tx, { ...act, organizationId, objectId: connectionId })
  return connection
}

export async function writeChangedConnection(
  ctx: Writing,
  tx: Queryable,
  organization: Organization,
  connection: Connection,
  changes: ConnectionChanges,
): Promise<Connection> {
  const changed = changedConnection(ctx, connection, changes)
  await updateConnection(tx, changed)
  await rewriteRoutes(ctx, tx, organization)
  const { organizationId, connectionId: objectId } = connection
  const act = { act: 'connection.change', before: connection, after: changed } as const
  await recordAct(ctx, tx, { ...act, organizationId, objectId })
  return changed
}

export async function writeDeletedConnection(
  ctx: Writing,
  tx: Queryable,
  organization: Organization,
  connection: Connection,
): Promise<void> {
  await deleteConnection(tx, connection)
  await rewriteRoutes(ctx, tx, organization)
  const { organizationId, connectionId: objectId } = connection
  const act = { act: 'connection.delete', before: connection, after: null } as const
  await recordAct(ctx, tx, { ...act, organizationId, objectId })
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
  const { connectionId } = connection
  const kept = openCredentials(ctx.settings.keys, connectionId, connection.credentials)
  if (kept !== undefined && Object.entries(given).every(([name, value]) => kept[name] === value)) return {}
  return {
    credentials: sealCredentials(ctx, connectionId, { ...kept, ...given }),
    ...(kept === undefined
      ? NO_PREVIOUS
      : { previousCredentials: connection.credentials, previousUntil: ctx.clock.now() + OVERLAP_MS }),
  }
}
