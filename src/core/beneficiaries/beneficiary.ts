// The beneficiary book: whose Bre-B key is which, found by document. It fills rows of a file that name a person and no key.

import { type Instant, isoInstant, isoOrNull } from '../instant.ts'
import type { Receiver } from '../people/customer.ts'
import type { Sealed } from '../people/sealed.ts'

// How the key was held against the document: the directory named it, or showed only a part of it.
export const VERIFICATIONS = ['DOCUMENT', 'MASKED_DOCUMENT'] as const
export type Verification = (typeof VERIFICATIONS)[number]

export type Beneficiary = {
  readonly organizationId: string
  readonly beneficiaryId: string
  readonly version: number
  readonly documentDigest: Buffer
  readonly person: Sealed
  readonly verifiedAt: Instant | null
  readonly verifiedBy: Verification | null
  readonly createdAt: Instant
  readonly updatedAt: Instant
}

export function presentBeneficiary(
  beneficiary: Beneficiary,
  { customer, keyString }: Receiver,
): Record<string, unknown> {
  return {
    id: beneficiary.beneficiaryId,
    idType: customer.idType,
    idNumber: customer.idNumber,
    name: customer.name,
    email: customer.email,
    key: keyString,
    verifiedAt: isoOrNull(beneficiary.verifiedAt),
    verifiedBy: beneficiary.verifiedBy,
    createdAt: isoInstant(beneficiary.createdAt),
    updatedAt: isoInstant(beneficiary.updatedAt),
    organizationId: beneficiary.organizationId,
  }
}
