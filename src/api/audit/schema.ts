// What the audit log and the request log say of one entry, and how they are filtered.

import { ACT_NAMES } from '../../core/audit/act.ts'
import { ACTOR_KINDS } from '../../core/audit/actor.ts'
import { OUTCOMES } from '../../core/audit/entry.ts'
import { isoInstant } from '../../core/instant.ts'
import { Type } from '../../core/json-schema.ts'
import type { ListedEntry } from '../../store/audit/entries.ts'
import { type LoggedRequest, requestedAt } from '../../store/audit/requests.ts'
import { PAGE_QUERY, PageInfoObject, TIME_QUERY } from '../http/pagination.ts'
import { DateTime, Nullable, OneOf, Uuid } from '../http/schema.ts'

const CREDENTIAL_KINDS = ['person', 'key', 'client'] as const
const METHODS = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'] as const

const Id = (description: string) =>
  Type.String({
    minLength: 1,
    maxLength: 64,
    description,
    examples: ['019a5c3e-7b1f-7c2a-9d4e-3f1b2a6c8d90'],
  })

export const ListAuditQuery = Type.Object({
  ...PAGE_QUERY,
  actorId: Type.Optional(Id('Only what this person, API key or client did.')),
  act: Type.Optional(OneOf(ACT_NAMES, { description: 'Only this act.' })),
  objectId: Type.Optional(Id('Only what was done to the thing with this id.')),
  outcome: Type.Optional(OneOf(OUTCOMES, { description: 'Only what was done, or only what was refused.' })),
  ...TIME_QUERY,
})

export const AuditActor = Type.Object({
  kind: OneOf(ACTOR_KINDS, {
    description:
      'A person who signed in, an API key, an OAuth client, an operator at the command line, or the service by itself.',
  }),
  id: Nullable(
    Type.String({ description: 'The person, API key or client. Null for operators and the service.' }),
  ),
  name: Nullable(Type.String({ description: 'As people call them.' })),
  sessionId: Nullable(Type.String({ format: 'uuid', description: 'The session of a person.' })),
  address: Nullable(Type.String({ description: 'Where the request came from, as far as it is known.' })),
})

export const AuditObject = Type.Object({
  kind: Type.String({ description: 'What it was done to: the first part of `act`.', examples: ['webhook'] }),
  id: Nullable(Type.String({ description: 'Null where nothing was made, or the thing has no id.' })),
})

export const AuditEntryObject = Type.Object({
  id: Uuid('Identifier of the entry.'),
  createdAt: DateTime('When it was done.'),
  actor: AuditActor,
  requestId: Nullable(Type.String({ description: 'The `x-request-id` of the request.' })),
  act: Type.String({ description: 'What was done.', examples: ['webhook.change'] }),
  object: AuditObject,
  changes: Type.Unsafe<object>({
    type: 'object',
    description:
      'What changed, by field: `before` and `after`. Secrets are shown as `(secret)`, and payers not at all.',
  }),
  outcome: OneOf(OUTCOMES),
  refusal: Nullable(
    Type.String({ description: 'The code of the refusal.', examples: ['INSUFFICIENT_SCOPE'] }),
  ),
  sequence: Nullable(
    Type.Integer({
      minimum: 1,
      description:
        'The number of its line in the chain: 1, 2, 3 … without gaps. Null for a moment, until it has one.',
      examples: [42],
    }),
  ),
  digest: Nullable(
    Type.String({
      description:
        'SHA-256 of the digest of the line before it and of this entry, in hexadecimal. Null until it has a line.',
      examples: ['9f3a4c1de0b7a2965f8c7d1e3b40a9d25c6e8f7a1b2c3d4e5f60718293a4b5c6'],
    }),
  ),
})

export const AuditEntryList = Type.Object({ data: Type.Array(AuditEntryObject), pageInfo: PageInfoObject })

export const AUDIT_EXAMPLE = {
  id: '019a5c41-0000-7000-8000-000000000004',
  createdAt: '2026-11-15T13:00:00.000Z',
  actor: {
    kind: 'key',
    id: '019a5c3e-7b1f-7c2a-9d4e-3f1b2a6c8d90',
    name: 'back office',
    sessionId: null,
    address: '203.0.113.7',
  },
  requestId: '019a5c41-0000-7000-8000-000000000003',
  act: 'webhook.change',
  object: { kind: 'webhook', id: '019a5c3f-1a2b-7c3d-8e4f-5a6b7c8d9e0f' },
  changes: { url: { before: 'https://shop.example/hooks', after: 'https://shop.example/payments' } },
  outcome: 'done',
  refusal: null,
  sequence: 42,
  digest: '9f3a4c1de0b7a2965f8c7d1e3b40a9d25c6e8f7a1b2c3d4e5f60718293a4b5c6',
}

export function presentEntry(entry: ListedEntry): Record<string, unknown> {
  const { actor } = entry
  return {
    id: entry.entryId,
    createdAt: isoInstant(entry.at),
    actor: {
      kind: actor.kind,
      id: actor.id,
      name: actor.name,
      sessionId: actor.sessionId,
      address: actor.address,
    },
    requestId: actor.requestId,
    act: entry.act,
    object: { kind: entry.objectKind, id: entry.objectId },
    changes: JSON.parse(entry.changes) as unknown,
    outcome: entry.outcome,
    refusal: entry.refusal,
    sequence: entry.sequence,
    digest: entry.digest?.toString('hex') ?? null,
  }
}

export const ListRequestsQuery = Type.Object({
  ...PAGE_QUERY,
  status: Type.Optional(
    Type.Integer({
      minimum: 100,
      maximum: 599,
      description: 'Only requests with this answer.',
      examples: [422],
    }),
  ),
  method: Type.Optional(OneOf(METHODS, { description: 'Only requests with this method.' })),
  objectId: Type.Optional(Uuid('Only requests that named or created the thing with this id.')),
  credentialId: Type.Optional(Id('Only requests with this API key or client.')),
  ...TIME_QUERY,
})

export const LoggedRequestObject = Type.Object({
  id: Uuid('Identifier of the line.'),
  createdAt: DateTime('When it was answered.'),
  requestId: Type.String({ description: 'Its `x-request-id`.' }),
  method: OneOf(METHODS),
  path: Type.String({
    description:
      'The address without its query. What is not an id stands as its name, such as `{keyString}`.',
    examples: ['/payins'],
  }),
  status: Type.Integer({ description: 'The answer.', examples: [201] }),
  durationMs: Type.Integer({ description: 'How long it took us, in milliseconds.' }),
  credential: Type.Object({
    kind: OneOf(CREDENTIAL_KINDS),
    id: Type.String({ description: 'The API key or client.' }),
  }),
  objectId: Nullable(Type.String({ format: 'uuid', description: 'What it named or created.' })),
  refusal: Nullable(
    Type.String({ description: 'The code of the refusal.', examples: ['DUPLICATE_REFERENCE'] }),
  ),
})

export const LoggedRequestList = Type.Object({
  data: Type.Array(LoggedRequestObject),
  pageInfo: PageInfoObject,
})

export const REQUEST_EXAMPLE = {
  id: '019a5c41-0000-7000-8000-000000000005',
  createdAt: '2026-11-15T13:00:00.000Z',
  requestId: '019a5c41-0000-7000-8000-000000000003',
  method: 'POST',
  path: '/payins',
  status: 201,
  durationMs: 6,
  credential: { kind: 'key', id: '019a5c3e-7b1f-7c2a-9d4e-3f1b2a6c8d90' },
  objectId: '019a5c3e-7b1f-7c2a-9d4e-3f1b2a6c8d91',
  refusal: null,
}

export function presentRequest(request: LoggedRequest): Record<string, unknown> {
  return {
    id: request.logId,
    createdAt: isoInstant(requestedAt(request)),
    requestId: request.requestId,
    method: request.method,
    path: request.path,
    status: request.status,
    durationMs: request.durationMs,
    credential: { kind: request.credentialKind, id: request.credentialId },
    objectId: request.objectId,
    refusal: request.refusal,
  }
}
