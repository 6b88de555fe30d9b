// A merchant keeps whose key is which. Where the budget allows it, the key is looked up and its holder held against the document: then
// it is verified, and the book says when and how.

import type { Beneficiary, Verification } from '../../core/beneficiaries/beneficiary.ts'
import type { BrebKey } from '../../core/directory/breb-key.ts'
import { instantOfId } from '../../core/ids.ts'
import type { Instant } from '../../core/instant.ts'
import type { Organization } from '../../core/organizations/organization.ts'
import { isVerified } from '../../core/payout-batches/holder.ts'
import type { Customer, Receiver } from '../../core/people/customer.ts'
import { receiverFields } from '../../core/people/sealed.ts'
import { isRefusal, type Refusal, refuse } from '../../core/refusal.ts'
import {
  deleteBeneficiary as deleteRow,
  lockBeneficiary,
  writeBeneficiary as writeRow,
} from '../../store/beneficiaries/beneficiaries.ts'
import { deleteDigests, insertDigests } from '../../store/people/digests.ts'
import type { Needs } from '../context.ts'
import { findHolder } from '../directory/look-up-key.ts'
import { digestsOf } from '../people/seal-stored.ts'
import { openReceiver, type Vault } from '../people/vault.ts'
import { recordAct } from '../record-act.ts'

type Writing = Needs<'actor' | 'clock' | 'ids' | 'db' | 'networks' | 'settings' | 'vault'>

export type BeneficiaryRequest = { readonly customer: Customer; readonly key: BrebKey }

export async function writeBeneficiary(
  ctx: Writing,
  organization: Organization,
  { customer, key }: BeneficiaryRequest,
): Promise<{ beneficiary: Beneficiary; receiver: Receiver } | Refusal> {
  const { organizationId } = organization
  const verified = await verify(ctx, organization, customer, key)
  if (isRefusal(verified)) return verified
  const vault = await ctx.vault(organizationId)
  const { idType, idNumber } = customer
  const documentDigest = vault.digest({ by: 'document', idType, idNumber })
  const receiver = { customer, keyString: key.keyString, keyStringSent: key.keyString }
  const beneficiary = await ctx.db.inTransaction(async (tx) => {
    const before = await lockBeneficiary(tx, organizationId, documentDigest)
    const verification = verified.verifiedAt === null ? keptFrom(vault, before, key) : verified
    if (isRefusal(verification)) return verification
    const beneficiaryId = before?.beneficiaryId ?? ctx.ids.next()
    const next: Beneficiary = {
      organizationId,
      beneficiaryId,
      version: (before?.version ?? 0) + 1,
      documentDigest,
      person: vault.seal(beneficiaryId, receiverFields(receiver)),
      ...verification,
      createdAt: before?.createdAt ?? instantOfId(beneficiaryId),
      updatedAt: ctx.clock.now(),
    }
    await writeRow(tx, next)
    // Who was there before may have had another e-mail address.
    if (before !== undefined) await deleteDigests(tx, organizationId, digestsOf(vault, storedPerson(before)))
    await insertDigests(tx, organizationId, 'beneficiary', digestsOf(vault, storedPerson(next)))
    const act = { act: 'beneficiary.write', before: before ?? null, after: next } as const
    await recordAct(ctx, tx, { ...act, organizationId, objectId: beneficiaryId })
    return next
  })
  return isRefusal(beneficiary) ? beneficiary : { beneficiary, receiver }
}

function storedPerson({ beneficiaryId, person }: Beneficiary) {
  return {
    objectId: beneficiaryId,
    isOpen: false,
    customer: person,
    customerText: null,
    keyString: null,
    keyStringSent: null,
  }
}

// The key could not be held against the document now. If it is the key that was verified before, it still is; another does not take
// its place unseen.
function keptFrom(vault: Vault, before: Beneficiary | undefined, { keyString }: BrebKey): Verified | Refusal {
  if (before === undefined || before.verifiedAt === null) return { verifiedAt: null, verifiedBy: null }
  const known = openReceiver(vault, before.beneficiaryId, before.person)
  if (typeof known !== 'string' && known.keyString === keyString)
    return { verifiedAt: before.verifiedAt, verifiedBy: before.verifiedBy }
  return refuse(
    'KEY_NOT_VERIFIED',
    'The book has another key for this document, and that one is verified. Whose this one is could not be seen now: try again later, or delete the entry first.',
  )
}

type Verified = { readonly verifiedAt: Instant | null; readonly verifiedBy: Verification | null }

// A key of nobody, or of somebody else, is refused. One that cannot be looked up now is not verified.
async function verify(
  ctx: Writing,
  organization: Organization,
  customer: Customer,
  { keyString }: BrebKey,
): Promise<Verified | Refusal> {
  const { result } = await findHolder(ctx, organization, keyString)
  if (isRefusal(result))
    return KEY_REFUSALS.has(result.refused) ? result : { verifiedAt: null, verifiedBy: null }
  const { holder } = result.holder
  if (holder.idNumber === null) return { verifiedAt: null, verifiedBy: null }
  if (!isVerified(customer, holder))
    return refuse('KEY_OF_SOMEBODY_ELSE', 'The directory names another document for this key.', {
      errors: [
        { path: '/idNumber', code: 'NOT_ALLOWED', message: 'is not the document of whoever has this key' },
      ],
    })
  const verifiedBy = holder.idNumber.includes('*') ? 'MASKED_DOCUMENT' : 'DOCUMENT'
  return { verifiedAt: result.resolvedAt, verifiedBy }
}

const KEY_REFUSALS: ReadonlySet<string> = new Set(['KEY_NOT_FOUND', 'KEY_SUSPENDED', 'KEY_INVALID'])

export async function deleteBeneficiary(
  ctx: Needs<'actor' | 'clock' | 'ids' | 'db' | 'vault'>,
  organizationId: string,
  beneficiaryId: string,
): Promise<{ beneficiaryId: string } | Refusal> {
  const vault = await ctx.vault(organizationId)
  return ctx.db.inTransaction(async (tx) => {
    const gone = await deleteRow(tx, organizationId, beneficiaryId)
    if (gone === undefined) return refuseUnknownBeneficiary(beneficiaryId)
    await deleteDigests(tx, organizationId, digestsOf(vault, storedPerson(gone)))
    const act = { act: 'beneficiary.delete', before: gone, after: null } as const
    await recordAct(ctx, tx, { ...act, organizationId, objectId: beneficiaryId })
    return { beneficiaryId }
  })
}

export function refuseUnknownBeneficiary(beneficiaryId: string): Refusal {
  return refuse('NOT_FOUND', `No beneficiary has the id ${beneficiaryId}.`)
}
