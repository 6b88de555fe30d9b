// What tests of the audit log share: an organization's entries, and operations run for a person as the console does it.

import { createIdempotent } from '../../../src/api/http/idempotency.ts'
import type { ApiAnswer, Operation } from '../../../src/api/http/operation.ts'
import { operationRunner } from '../../../src/api/http/run-operation.ts'
import type { Actor } from '../../../src/core/audit/actor.ts'
import { UNLIMITED_CREDENTIAL } from '../../../src/core/organizations/limits.ts'
import type { Organization } from '../../../src/core/organizations/organization.ts'
import { SCOPES, type Scope } from '../../../src/core/organizations/scope.ts'
import type { Refusal } from '../../../src/core/refusal.ts'
import { auditList, type ListedEntry } from '../../../src/store/audit/entries.ts'
import { insertMembership, insertUser } from '../../../src/store/team/users.ts'
import type { World } from '../../world.ts'

export const PERSON: Actor = {
  kind: 'person',
  id: '019a5c3e-7b1f-7c2a-9d4e-3f1b2a6c8d99',
  name: 'Ana',
  sessionId: '019a5c3e-7b1f-7c2a-9d4e-3f1b2a6c8d98',
  address: '203.0.113.7',
  requestId: 'form-1',
}

// The person belongs to the organization.
export async function joinAsOwner(
  { db }: Pick<World, 'db'>,
  { organizationId }: Pick<Organization, 'organizationId'>,
): Promise<void> {
  const userId = PERSON.id as string
  const at = 0
  const known = { email: 'ana@example.com', name: 'Ana', language: 'es', singleKeys: true } as const
  await insertUser(db, { ...known, userId, createdAt: at, updatedAt: at })
  await insertMembership(db, { organizationId, userId, role: 'owner', at })
}

// Oldest first.
export async function entriesOf(
  world: Pick<World, 'db'>,
  { organizationId }: Pick<Organization, 'organizationId'>,
): Promise<ListedEntry[]> {
  const list = auditList(world.db, organizationId, {})
  return (await list.seek({ direction: 'older', from: null }, 1_000)).reverse()
}

export type PersonCall = {
  params?: Record<string, string>
  query?: unknown
  body?: unknown
  idempotencyKey?: string
  scopes?: readonly Scope[]
}

export function asPerson(
  world: Pick<World, 'ctx'>,
  organization: Organization,
  operation: Operation,
  { params = {}, query = {}, body, idempotencyKey, scopes = SCOPES }: PersonCall,
  actor: Actor = PERSON,
): Promise<ApiAnswer | Refusal> {
  const run = operationRunner(world.ctx, operation, createIdempotent(world.ctx))
  return run({
    actor,
    requestId: PERSON.requestId as string,
    caller: {
      kind: 'person',
      name: PERSON.name as string,
      organization,
      scopes,
      credentialId: PERSON.id as string,
      limits: UNLIMITED_CREDENTIAL,
    },
    params,
    query,
    body,
    headers: {},
    path: operation.path,
    idempotencyKey,
  })
}
