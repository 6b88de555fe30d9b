// What people approve of a key or a client: that its maker may make it, roll it, or loosen its limits. The approval only authorises.
// Whoever asked, and nobody else, sends the same request again, once, and is shown the secret: so there is no secret before somebody
// is there to take it, and none is stored for them. Revoking never waits, nor does a change that takes something away. The operator's
// own commands (`recaudo key`, `recaudo client`) are not asked: whoever has the database needs nobody's leave to write to it, and
// what they do is in the audit log.

import { hash } from 'node:crypto'
import { type Approval, canonicalJson, documentOf } from '../../core/approvals/approval.ts'
import { limitsOf } from '../../core/organizations/limits.ts'
import type { Refusal } from '../../core/refusal.ts'
import type { Queryable } from '../../store/db.ts'
import type { ApiKey, OAuthClient } from '../../store/organizations/credentials.ts'
import { lockOwnApiKey, lockOwnClient } from '../../store/organizations/own-credentials.ts'
import { refuseUnapproved } from '../approvals/authorize.ts'
import type { ApprovalEffect } from '../approvals/effect.ts'
import type { Needs } from '../context.ts'
import { hasEnded } from './known.ts'

export const CREDENTIAL_ACTS = [
  'apikey.create',
  'apikey.roll',
  'apikey.change',
  'client.create',
  'client.roll',
  'client.change',
] as const
export type CredentialAct = (typeof CREDENTIAL_ACTS)[number]

// Everything that makes it what it is: what another name, right, limit or overlap would be is another request.
export type CredentialDocument = { readonly act: CredentialAct } & Readonly<Record<string, unknown>>

// Undefined: go on, nobody is asked or it was approved.
export function refuseUnapprovedCredential(
  ctx: Needs<'actor' | 'clock' | 'ids'>,
  tx: Queryable,
  organizationId: string,
  document: CredentialDocument,
): Promise<Refusal | undefined> {
  const subjectId = requestId(ctx, document)
  const asked = { kind: 'credential', subjectId, amountInCents: null, document } as const
  return refuseUnapproved(ctx, tx, organizationId, asked)
}

// The same for the same request of the same maker, and for nothing else.
function requestId({ actor }: Needs<'actor'>, document: CredentialDocument): string {
  return hash('sha256', canonicalJson({ maker: [actor.kind, actor.id], document }), 'base64url')
}

// A roll or a change is of the credential as it is now: once that has changed, it is another one.
export function documentOfExisting(
  act: CredentialAct,
  credential: ApiKey | OAuthClient,
  asked: Readonly<Record<string, unknown>>,
): CredentialDocument {
  const id = 'apiKeyId' in credential ? credential.apiKeyId : credential.clientId
  return { act, id, ...stateOf(credential), ...asked }
}

function stateOf(credential: ApiKey | OAuthClient): Readonly<Record<string, unknown>> {
  const expiresAt = 'expiresAt' in credential ? credential.expiresAt : null
  return { name: credential.name, scopes: credential.scopes, expiresAt, limits: limitsOf(credential) }
}

const nothing = async (): Promise<void> => {}

export const credentialApproval: ApprovalEffect = {
  current: async (tx, approval, ctx) => {
    const document = documentOf(approval) as CredentialDocument
    if (document.act === 'apikey.create' || document.act === 'client.create') return document
    const credential = await lockNamed(tx, approval, document)
    if (credential === undefined || hasEnded(credential, ctx.clock.now())) return undefined
    return { ...document, ...stateOf(credential) }
  },
  approved: nothing,
  refused: nothing,
  lapsed: nothing,
  stale: nothing,
  wakes: [],
}

function lockNamed(
  tx: Queryable,
  { organizationId }: Approval,
  { act, id }: CredentialDocument,
): Promise<ApiKey | OAuthClient | undefined> {
  const lock = act.startsWith('apikey.') ? lockOwnApiKey : lockOwnClient
  return lock(tx, organizationId, String(id))
}
