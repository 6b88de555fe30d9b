// Blind indexes of people, and the record of who was erased. A digest says nothing without the organization's key.

import type { Instant } from '../../core/instant.ts'
import { isoInstant } from '../../core/instant.ts'
import type { Queryable } from '../db.ts'
import type { PersonResource } from './people.ts'

export type PersonDigest = { readonly digest: Buffer; readonly objectId: string }

export async function insertDigests(
  db: Queryable,
  organizationId: string,
  resource: PersonResource,
  digests: readonly PersonDigest[],
): Promise<void> {
  await db.query({
    name: 'insert-people-digests',
    text: `insert into people_digests (organization_id, digest, object_id, resource)
           select $1, digest, object_id, $2
             from unnest($3::bytea[], $4::uuid[]) as d (digest, object_id)
               on conflict (organization_id, digest, object_id) do nothing`,
    values: [
      organizationId,
      resource,
      digests.map(({ digest }) => digest),
      digests.map(({ objectId }) => objectId),
    ],
  })
}

export type PersonObject = { readonly resource: PersonResource; readonly objectId: string }

export async function findByDigest(
  db: Queryable,
  organizationId: string,
  digest: Buffer,
): Promise<PersonObject[]> {
  const result = await db.query<PersonObject>({
    text: `select resource, object_id as "objectId"
             from people_digests
            where organization_id = $1 and digest = $2
            order by object_id`,
    values: [organizationId, digest],
  })
  return result.rows
}

export async function deleteDigests(
  db: Queryable,
  organizationId: string,
  digests: readonly PersonDigest[],
): Promise<void> {
  await db.query({
    text: `delete from people_digests p
            using unnest($2::bytea[], $3::uuid[]) as d (digest, object_id)
            where p.organization_id = $1 and p.digest = d.digest and p.object_id = d.object_id`,
    values: [organizationId, digests.map(({ digest }) => digest), digests.map(({ objectId }) => objectId)],
  })
}

export type Erasure = {
  readonly organizationId: string
  readonly erasureId: string
  readonly erasedBy: string
  readonly foundBy: 'document' | 'email'
  readonly payins: number
  readonly payouts: number
  readonly paymentLinks: number
  readonly events: number
  readonly answers: number
  readonly erasedAt: Instant
}

export async function insertErasure(db: Queryable, erasure: Erasure): Promise<void> {
  await db.query({
    text: `insert into erasures (organization_id, erasure_id, erased_by, found_by, payins, payouts, payment_links, events,
                                 answers, erased_at)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    values: [
      erasure.organizationId,
      erasure.erasureId,
      erasure.erasedBy,
      erasure.foundBy,
      erasure.payins,
      erasure.payouts,
      erasure.paymentLinks,
      erasure.events,
      erasure.answers,
      isoInstant(erasure.erasedAt),
    ],
  })
}

export async function listErasures(db: Queryable, organizationId: string): Promise<Erasure[]> {
  const result = await db.query<Erasure>({
    text: `select organization_id as "organizationId", erasure_id as "erasureId", erased_by as "erasedBy", found_by as "foundBy",
                  payins, payouts, payment_links as "paymentLinks", events, answers, erased_at as "erasedAt"
             from erasures
            where organization_id = $1
            order by erasure_id`,
    values: [organizationId],
  })
  return result.rows
}
