// Turns what a file says into rows: keys that are missing come from the beneficiary book, and what can be judged without a network
// is. Keys are looked up afterwards (check-keys.ts).

import { maximumInCents } from '../../core/connections/rail.ts'
import type { Organization } from '../../core/organizations/organization.ts'
import { NO_SEPARATORS, type SeparatorUse } from '../../core/payout-batches/amount-text.ts'
import type { BatchRow } from '../../core/payout-batches/batch.ts'
import type { BatchColumn } from '../../core/payout-batches/columns.ts'
import { personFields } from '../../core/payout-batches/person.ts'
import { isError, type ReadRow, type RowProblem, readRow } from '../../core/payout-batches/row.ts'
import type { TableCell } from '../../core/payout-batches/table.ts'
import { isRefusal } from '../../core/refusal.ts'
import { findBeneficiaries } from '../../store/beneficiaries/beneficiaries.ts'
import type { Needs } from '../context.ts'
import { routePayment } from '../payment-route.ts'
import { openReceiver, type Vault } from '../people/vault.ts'
import { findRepeated } from './duplicates.ts'

export type WrittenRow = {
  readonly rowNumber: number
  readonly rowId: string
  readonly cells: Readonly<Record<BatchColumn, TableCell>>
  // How its amount was read before, where nobody has written another: the whole file said what its separators mean.
  readonly readBefore?: Pick<BatchRow, 'amountInCents' | 'problems'>
}

type Judging = Needs<'clock' | 'db' | 'networks' | 'settings' | 'vault'>

export async function judgeRows(
  ctx: Judging,
  organization: Organization,
  batchId: string,
  written: readonly WrittenRow[],
  separators: SeparatorUse = NO_SEPARATORS,
): Promise<BatchRow[]> {
  const { organizationId } = organization
  const vault = await ctx.vault(organizationId)
  const cap = maximumInCents('BRE_B', ctx.clock.now(), ctx.settings.pseMaximumInCents)
  const read = written.map((row) => ({ row, said: withAmount(row, readRow(row.cells, separators, cap)) }))
  const book = await keysFromBook(
    ctx,
    organizationId,
    vault,
    read.map(({ said }) => said),
  )
  const routeProblem = routeJudge(ctx, organization)
  const filled = read.map(({ row, said }) => {
    // One that is written and cannot be read is not replaced.
    const ofBook = said.cells.key === '' ? book.get(documentName(said)) : undefined
    const keyString = said.key?.keyString ?? ofBook ?? null
    const keyDigest = keyString === null ? null : vault.digest({ by: 'key', keyString })
    return { row, said, keyString, paying: { keyDigest, amountInCents: said.amountInCents } }
  })
  const batch = { organizationId, batchId }
  const payees = filled.map(({ paying }) => paying)
  const repeatedBy = await findRepeated(ctx, ctx.db, vault, batch, payees)
  return filled.map(({ row, said, keyString, paying }) => {
    const problems: RowProblem[] = [...said.problems]
    if (keyString === null && said.cells.key === '' && !problems.some(({ column }) => column === 'key'))
      problems.push({ column: 'key', code: 'KEY_NOT_KNOWN' })
    if (said.amountInCents !== null && !problems.some(({ column }) => column === 'amount'))
      problems.push(...routeProblem(said.amountInCents))
    problems.push(...repeatedBy(paying))
    return {
      organizationId,
      batchId,
      rowId: row.rowId,
      rowNumber: row.rowNumber,
      version: 1,
      state: 'DRAFT',
      person: vault.seal(row.rowId, personFields(said, keyString ?? '')),
      ...paying,
      isKeyFromBook: said.key === null && keyString !== null,
      // Nobody is looked up for a row that cannot be sent as it is.
      keyCheck: keyString === null || problems.some(isError) ? 'UNCHECKED' : 'PENDING',
      problems,
      duplicateOf: null,
      payoutId: null,
      refusal: null,
    }
  })
}

function withAmount({ readBefore }: WrittenRow, said: ReadRow): ReadRow {
  if (readBefore === undefined) return said
  const { amountInCents, problems } = readBefore
  // Whether a connection sends it is judged anew.
  const kept = problems.filter(({ column, code }) => column === 'amount' && code !== 'AMOUNT_NOT_CONNECTED')
  return {
    ...said,
    amountInCents,
    problems: [...said.problems.filter(({ column }) => column !== 'amount'), ...kept],
  }
}

function documentName({ idType, cells }: ReadRow): string {
  return `${idType} ${cells.idNumber}`
}

// The key of each document that the book has, for rows without one.
async function keysFromBook(
  { db }: Needs<'db'>,
  organizationId: string,
  vault: Vault,
  rows: readonly ReadRow[],
): Promise<Map<string, string>> {
  const wanting = rows.filter(
    ({ cells, idType }) => cells.key === '' && idType !== null && cells.idNumber !== '',
  )
  if (wanting.length === 0) return new Map()
  const digestOf = ({ idType, cells }: ReadRow): Buffer =>
    vault.digest({ by: 'document', idType: idType ?? '', idNumber: cells.idNumber })
  const digests = new Map(wanting.map((row) => [digestOf(row).toString('hex'), documentName(row)]))
  const found = await findBeneficiaries(db, organizationId, wanting.map(digestOf))
  return new Map(
    found.flatMap(({ beneficiaryId, person, documentDigest }) => {
      const receiver = openReceiver(vault, beneficiaryId, person)
      const name = digests.get(documentDigest.toString('hex'))
      return typeof receiver === 'string' || name === undefined ? [] : [[name, receiver.keyString]]
    }),
  )
}

// Amounts repeat in a file of wages, and so does what becomes of them.
function routeJudge(ctx: Judging, organization: Organization): (amountInCents: bigint) => RowProblem[] {
  const known = new Map<bigint, RowProblem[]>()
  return (amountInCents) => {
    const before = known.get(amountInCents)
    if (before !== undefined) return before
    const refused = isRefusal(routePayment(ctx, organization, 'BRE_B_OUT', amountInCents))
    const problems: RowProblem[] = refused ? [{ column: 'amount', code: 'AMOUNT_NOT_CONNECTED' }] : []
    known.set(amountInCents, problems)
    return problems
  }
}
