// The beneficiary book as rows: one for each document.

import type { Beneficiary } from '../../core/beneficiaries/beneficiary.ts'
import { isoInstant, isoOrNull } from '../../core/instant.ts'
import type { Queryable } from '../db.ts'
import { type IdBounds, listOf } from '../keyset-list.ts'

const BENEFICIARY_COLUMNS = `organization_id as "organizationId", beneficiary_id as "beneficiaryId", version,
  document_digest as "documentDigest", customer as person, verified_at as "verifiedAt", verified_by as "verifiedBy",
  created_at as "createdAt", updated_at as "updatedAt"`

// One that is there under the same document is changed, and keeps its id.
export async function lockBeneficiary(
  tx: Queryable,
  organizationId: string,
  documentDigest: Buffer,
): Promise<Beneficiary | undefined> {
  const result = await tx.query<Beneficiary>({
    name: 'lock-beneficiary',
    text: `select ${BENEFICIARY_COLUMNS}
             from beneficiaries
            where organization_id = $1 and document_digest = $2
              for update`,
    values: [organizationId, documentDigest],
  })
  return result.rows[0]
}

export async function writeBeneficiary(tx: Queryable, beneficiary: Beneficiary): Promise<void> {
  await tx.query({
    name: 'write-beneficiary',
    text: `insert into beneficiaries as b (organization_id, beneficiary_id, version, document_digest, customer, verified_at,
                                           verified_by, created_at, updated_at)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
               on conflict (organization_id, beneficiary_id) do update
              set version = excluded.version, customer = excluded.customer, verified_at = excluded.verified_at,
                  verified_by = excluded.verified_by, updated_at = excluded.updated_at`,
    values: [
      beneficiary.organizationId,
      beneficiary.beneficiaryId,
      beneficiary.version,
      beneficiary.documentDigest,
      JSON.stringify(beneficiary.person),
      isoOrNull(beneficiary.verifiedAt),
      beneficiary.verifiedBy,
      isoInstant(beneficiary.createdAt),
      isoInstant(beneficiary.updatedAt),
    ],
  })
}

export async function getBeneficiary(
  db: Queryable,
  organizationId: string,
  beneficiaryId: string,
): Promise<Beneficiary | undefined> {
  const result = await db.query<Beneficiary>({
    name: 'get-beneficiary',
    text: `select ${BENEFICIARY_COLUMNS} from beneficiaries where organization_id = $1 and beneficiary_id = $2`,
    values: [organizationId, beneficiaryId],
  })
  return result.rows[0]
}

export async function findBeneficiaries(
  db: Queryable,
  organizationId: string,
  documentDigests: readonly Buffer[],
): Promise<Beneficiary[]> {
  const result = await db.query<Beneficiary>({
    name: 'find-beneficiaries',
    text: `select ${BENEFICIARY_COLUMNS}
             from beneficiaries
            where organization_id = $1 and document_digest = any($2::bytea[])`,
    values: [organizationId, documentDigests],
  })
  return result.rows
}

export async function deleteBeneficiary(
  tx: Queryable,
  organizationId: string,
  beneficiaryId: string,
): Promise<Beneficiary | undefined> {
  const result = await tx.query<Beneficiary>({
    name: 'delete-beneficiary',
    text: `delete from beneficiaries
            where organization_id = $1 and beneficiary_id = $2
        returning ${BENEFICIARY_COLUMNS}`,
    values: [organizationId, beneficiaryId],
  })
  return result.rows[0]
}

export const beneficiaryList = listOf<IdBounds, Beneficiary, Beneficiary>({
  table: 'beneficiaries',
  idColumn: 'beneficiary_id',
  columns: BENEFICIARY_COLUMNS,
  cases: () => [{}],
  read: (beneficiary) => beneficiary,
})
