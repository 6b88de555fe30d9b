// What follows when people have decided about a connection: it is made, changed or deleted as they have read it, or nothing is.

import { type Approval, documentOf } from '../../core/approvals/approval.ts'
import type { Connection } from '../../core/connections/connection.ts'
import type { Provider } from '../../core/connections/provider.ts'
import { isConnectionInUse, listConnections, lockConnection } from '../../store/connections/connections.ts'
import type { Queryable } from '../../store/db.ts'
import { lockOrganization } from '../../store/organizations/organizations.ts'
import type { ApprovalEffect, EffectContext } from '../approvals/effect.ts'
import { MAX_CONNECTIONS } from './create-connection.ts'
import { credentialsIn, payloadDigest, shown, stateOf } from './submit.ts'
import {
  type ConnectionChanges,
  type NewConnection,
  writeChangedConnection,
  writeDeletedConnection,
  writeNewConnection,
} from './write.ts'

type Stored<Settings> = Omit<Settings, 'minimumInCents' | 'maximumInCents'> & {
  readonly minimumInCents?: string | null
  readonly maximumInCents?: string | null
}
type Bound =
  | (Stored<NewConnection> & { readonly act: 'connection.create'; readonly credentials: object })
  | { readonly act: 'connection.change'; readonly changes: Stored<Omit<ConnectionChanges, 'credentials'>> }
  | { readonly act: 'connection.delete' }

const nothing = async (): Promise<void> => {}

export const connectionApproval: ApprovalEffect = {
  current: async (tx, approval, ctx) => {
    const bound = documentOf(approval) as Bound & { provider: Provider }
    const { organizationId, payload } = approval
    const credentials = credentialsIn(ctx, approval)
    // Sealed under a SECRETS_KEY that is gone: they must be given again.
    if (payload !== null && credentials === undefined) return undefined
    const sealed = {
      credentials: credentials === undefined ? null : shown(bound.provider, credentials),
      credentialsSha256: payloadDigest(payload),
    }
    await lockOrganization(tx, organizationId)
    if (bound.act === 'connection.create') {
      const isRoom = (await listConnections(tx, organizationId)).length < MAX_CONNECTIONS
      return isRoom ? { ...bound, ...sealed } : undefined
    }
    const connection = await lockNamed(tx, approval)
    if (connection === undefined) return undefined
    if (bound.act === 'connection.delete' && (await isConnectionInUse(tx, connection))) return undefined
    return { ...bound, ...stateOf(connection), ...sealed }
  },
  approved: act,
  refused: nothing,
  lapsed: nothing,
  stale: nothing,
  wakes: ['settings'],
}

async function act(ctx: EffectContext, tx: Queryable, approval: Approval): Promise<void> {
  const bound = documentOf(approval) as Bound
  const organization = await lockOrganization(tx, approval.organizationId)
  if (organization === undefined) return
  if (bound.act === 'connection.create') {
    const { name, provider, environment, uses, priority, enabled } = bound
    const { minimumInCents = null, maximumInCents = null } = amounts(bound)
    await writeNewConnection(ctx, tx, organization, {
      ...{ name, provider, environment, uses, priority, enabled, minimumInCents, maximumInCents },
      connectionId: approval.subjectId,
      sealed: Buffer.from(approval.payload ?? '', 'base64'),
    })
    return
  }
  const connection = await lockNamed(tx, approval)
  if (connection === undefined) return
  if (bound.act === 'connection.delete') return writeDeletedConnection(ctx, tx, organization, connection)
  const { minimumInCents: _, maximumInCents: __, ...changes } = bound.changes
  const credentials = credentialsIn(ctx, approval)
  await writeChangedConnection(ctx, tx, organization, connection, {
    ...changes,
    ...amounts(bound.changes),
    ...(credentials && { credentials }),
  })
}

function lockNamed(tx: Queryable, { organizationId, subjectId }: Approval): Promise<Connection | undefined> {
  return lockConnection(tx, { organizationId, connectionId: subjectId })
}

// Cents are text in what was approved.
function amounts(stored: Stored<object>): { minimumInCents?: bigint | null; maximumInCents?: bigint | null } {
  const { minimumInCents, maximumInCents } = stored
  return {
    ...(minimumInCents !== undefined && { minimumInCents: centsOf(minimumInCents) }),
    ...(maximumInCents !== undefined && { maximumInCents: centsOf(maximumInCents) }),
  }
}

function centsOf(text: string | null): bigint | null {
  return text === null ? null : BigInt(text)
}
