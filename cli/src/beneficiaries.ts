// recaudo beneficiaries: the book of whose key is which, for files that name the document only.

import type { Beneficiaries, Beneficiary, WriteBeneficiary } from '@recaudo/sdk/payout-batches'
import { DOCUMENT_TYPES } from './body.ts'
import { fields } from './columns.ts'
import type { Call, Shown } from './command.ts'
import { readSignIn } from './credentials.ts'
import { usageFailure } from './failure.ts'
import { filters, listed, pageSizeFor, readLimit } from './listing.ts'
import { shownTime } from './time.ts'

const REQUIRED = ['document-type', 'document-number', 'name', 'key'] as const

async function openBook(): Promise<Beneficiaries> {
  const { Beneficiaries } = await import('@recaudo/sdk/payout-batches')
  const { credentials, baseUrl } = readSignIn()
  return new Beneficiaries(credentials, { baseUrl })
}

export async function writeEntry({ flags }: Call): Promise<Shown> {
  const missing = REQUIRED.filter((flag) => flags[flag] === undefined)
  if (missing.length > 0)
    throw usageFailure(
      `${missing.map((flag) => `--${flag}`).join(', ')} ${missing.length === 1 ? 'is' : 'are'} required.`,
    )
  const { idType = '', ...rest } = filters(flags, {
    'document-type': 'idType',
    'document-number': 'idNumber',
    name: 'name',
    key: 'key',
    email: 'email',
  } as const)
  const body = { idType: DOCUMENT_TYPES[idType] ?? idType, ...rest } as WriteBeneficiary
  return shownEntry(await (await openBook()).write(body))
}

export async function listEntries({ flags }: Call): Promise<Shown> {
  const limit = readLimit(flags)
  return listed(
    (await openBook()).list({ pageSize: pageSizeFor(limit + 1) }),
    limit,
    ['id', 'document', 'name', 'key', 'verified'],
    (entry) => [
      entry.id,
      `${entry.idType} ${entry.idNumber}`,
      entry.name,
      entry.key,
      shownTime(entry.verifiedAt),
    ],
  )
}

export async function getEntry({ argument }: Call): Promise<Shown> {
  return shownEntry(await (await openBook()).get(argument))
}

export async function deleteEntry({ argument }: Call): Promise<Shown> {
  const gone = await (await openBook()).delete(argument)
  return { json: gone, text: () => `Deleted ${gone.id}.` }
}

function shownEntry(entry: Beneficiary): Shown {
  const { verifiedAt, verifiedBy } = entry
  return {
    json: entry,
    text: () =>
      fields([
        ['id', entry.id],
        ['document', `${entry.idType} ${entry.idNumber}`],
        ['name', entry.name],
        ['e-mail', entry.email],
        ['key', entry.key],
        ['verified', verifiedAt === null ? 'no' : `${shownTime(verifiedAt)} (${verifiedBy})`],
      ]),
  }
}
