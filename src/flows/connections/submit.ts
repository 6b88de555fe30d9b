// Puts a new, changed or removed connection before other people, where the rules say so. It happens when they have approved it, because
// nobody types a provider's secrets twice. Until then the credentials are kept as connections keep them, sealed under the connection's
// id, and what is approved has the digest of that sealed text. Switching a connection off never waits.

import { hash } from 'node:crypto'
import { type Approval, canonicalJson, documentOf } from '../../core/approvals/approval.ts'
import { approversFor } from '../../core/approvals/rule.ts'
import type { Connection, Credentials } from '../../core/connections/connection.ts'
import { PROVIDER_DESCRIPTIONS, type Provider } from '../../core/connections/provider.ts'
import type { Organization } from '../../core/organizations/organization.ts'
import type { Refusal } from '../../core/refusal.ts'
import {
  approvalList,
  getWaitingApproval,
  lockWaitingApproval,
  type SubjectAddress,
} from '../../store/approvals/approvals.ts'
import type { ConnectionAddress } from '../../store/connections/connections.ts'
import type { Queryable } from '../../store/db.ts'
import { refuseUntilApproved, submitForApproval, voidLocked } from '../approvals/submit.ts'
import type { Needs } from '../context.ts'
import { openCredentials, sealCredentials } from './credentials.ts'
import type { ConnectionChanges, NewConnection } from './write.ts'

type Submitting = Needs<'actor' | 'clock' | 'ids' | 'settings'>
type Document = Readonly<Record<string, unknown>>

// Undefined: nobody is asked.
export async function submitNewConnection(
  ctx: Submitting,
  tx: Queryable,
  organization: Organization,
  asked: { connectionId: string; wanted: NewConnection; credentials: Credentials; sealed: Buffer },
): Promise<Refusal | undefined> {
  if (!isAsked(organization)) return undefined
  const { connectionId: subjectId, wanted, credentials, sealed } = asked
  const document = { act: 'connection.create', ...wanted, credentials: shown(wanted.provider, credentials) }
  // Whoever sends it again, because the answer was lost, has not asked for a second one.
  const filters = { status: 'WAITING', kind: 'connection' } as const
  const list = approvalList(tx, organization.organizationId, filters)
  const waiting = await list.seek({ direction: 'newer', from: null }, MAX_COMPARED)
  const same = waiting.find((one) => isSame(ctx, one, document, credentials))
  return refuseUntilApproved(same ?? (await submit(ctx, tx, organization, subjectId, document, sealed)))
}

// More than ever wait.
const MAX_COMPARED = 100

// What waits for this connection, locked before the organization is: whoever decides locks in that order too.
export function lockWaitingChange(tx: Queryable, address: ConnectionAddress): Promise<Approval | undefined> {
  return lockWaitingApproval(tx, subjectOf(address))
}

// Undefined: go on, nobody is asked. What waited is void then, and so it is if something else is asked for now. Null: somebody else has
// submitted a change since `waiting` was locked, and nothing is written yet.
export async function submitChange(
  ctx: Submitting,
  tx: Queryable,
  organization: Organization,
  connection: Connection,
  waiting: Approval | undefined,
  asked: { act: 'connection.change'; changes: ConnectionChanges } | { act: 'connection.delete' },
): Promise<Refusal | null | undefined> {
  const present = await getWaitingApproval(tx, subjectOf(connection))
  if (present?.approvalId !== waiting?.approvalId) return null
  const { credentials = null, ...changes } = asked.act === 'connection.change' ? asked.changes : {}
  const { connectionId, provider } = connection
  const document = {
    act: asked.act,
    ...stateOf(connection),
    changes,
    credentials: credentials && shown(provider, credentials),
  }
  const isImmediate = canonicalJson({ ...changes, credentials }) === ONLY_OFF
  const isToWait = isAsked(organization) && !isImmediate
  if (isToWait && waiting && isSame(ctx, waiting, document, credentials)) return refuseUntilApproved(waiting)
  if (waiting !== undefined) await voidLocked(ctx, tx, waiting)
  if (!isToWait) return undefined
  const sealed = credentials && sealCredentials(ctx, connectionId, credentials)
  return refuseUntilApproved(await submit(ctx, tx, organization, connectionId, document, sealed))
}

// Whoever sees that a provider misbehaves must be able to stop using it.
const ONLY_OFF = canonicalJson({ enabled: false, credentials: null })

function isAsked({ approvalRules }: Organization): boolean {
  return approversFor(approvalRules, 'connection', null) > 0
}

async function submit(
  ctx: Submitting,
  tx: Queryable,
  organization: Organization,
  subjectId: string,
  document: Document,
  sealed: Buffer | null,
): Promise<Approval> {
  const payload = sealed?.toString('base64') ?? null
  const approval = await submitForApproval(ctx, tx, {
    ...{ organization, kind: 'connection', subjectId, amountInCents: null, payload },
    document: { ...document, credentialsSha256: payloadDigest(payload) },
  })
  if (approval === null) throw new Error('the rules have changed under the lock of their organization')
  return approval
}

function subjectOf({ organizationId, connectionId }: ConnectionAddress): SubjectAddress {
  return { organizationId, kind: 'connection', subjectId: connectionId }
}

// A change is of the connection as it is now: its version tells.
export function stateOf({ version, name, provider, environment }: Connection): Document {
  return { version, name, provider, environment }
}

// What is no secret, such as the address that we call, is for everybody to see who decides. Of the others it is the name.
export function shown(provider: Provider, credentials: Credentials): Document {
  const { fields } = PROVIDER_DESCRIPTIONS[provider]
  const isOpen = (name: string) => fields.some((field) => field.name === name && !field.isSecret)
  return Object.fromEntries(
    Object.entries(credentials).map(([name, value]) => [name, isOpen(name) ? value : null]),
  )
}

export function payloadDigest(payload: string | null): string | null {
  return payload === null ? null : hash('sha256', payload, 'hex')
}

// Undefined: there are none, or they do not open with this SECRETS_KEY.
export function credentialsIn(
  { settings }: Needs<'settings'>,
  { payload, subjectId }: Pick<Approval, 'payload' | 'subjectId'>,
): Credentials | undefined {
  if (payload === null) return undefined
  return openCredentials(settings.keys, subjectId, Buffer.from(payload, 'base64'))
}

// Whether this is what waits already, asked for by the same. Each sealing is another text, so the credentials are compared open.
function isSame(
  ctx: Needs<'actor' | 'settings'>,
  waiting: Approval,
  document: Document,
  credentials: Credentials | null,
): boolean {
  const { credentialsSha256: _, ...bound } = documentOf(waiting)
  const { kind, id } = waiting.maker
  return (
    kind === ctx.actor.kind &&
    id === ctx.actor.id &&
    canonicalJson(bound) === canonicalJson(document) &&
    canonicalJson(credentialsIn(ctx, waiting) ?? null) === canonicalJson(credentials)
  )
}
