// Reports as files: which report, of which day or month, in which form. Whoever sends one needs nothing else: an answer over HTTP, a page of the
// console, and one day a delivery by SFTP or e-mail. What comes back is a name and rows that are read while they are sent; `contentOf`
// makes bytes of them (export/send-file.ts).

import { type Day, endOfDay, startOfDay } from '../../core/bogota-day.ts'
import { firstIdAt } from '../../core/ids.ts'
import { ACCOUNT_WORDS, BOOKING_WORDS } from '../../core/ledger/booking-words.ts'
import {
  bookingsOfColumn,
  CLOSE_COLUMN_NAMES,
  type CloseColumn,
  COLUMNS_OF_BOOKING,
} from '../../core/ledger/close-columns.ts'
import { heldInCents } from '../../core/ledger/daily-close.ts'
import { estimatedMovementTax } from '../../core/ledger/movement-tax.ts'
import type { Organization } from '../../core/organizations/organization.ts'
import type { UserLanguage } from '../../core/team/user.ts'
import type { Context } from '../../flows/context.ts'
import { type ReportedDay, readDays } from '../../flows/ledger/read-days.ts'
import { type Movement, type PeopleReader, readMovements } from '../../flows/ledger/read-movements.ts'
import { type TransferFilters, transferList } from '../../store/ledger/transfers.ts'
import type { FileValue } from '../export/file-value.ts'
import type { SentFile } from '../export/send-file.ts'
import { type FileRows, MAX_SHEET_ROWS } from '../export/xlsx.ts'
import { REPORT_WORDS } from './report-words.ts'

const ROWS_AT_A_TIME = 250

export type FileForm = Pick<SentFile, 'kind' | 'language'>

export type Report =
  | { readonly report: 'movements'; readonly day: Day; readonly column?: CloseColumn | undefined }
  // From the first of its days that are reported, until the last.
  | { readonly report: 'month'; readonly month: string; readonly from: Day; readonly until: Day }

// `people`: whom the reader may see. Without it nobody is named.
export async function reportFile(
  ctx: Pick<Context, 'db'>,
  organization: Organization,
  wanted: Report,
  form: FileForm,
  people: PeopleReader = () => null,
): Promise<SentFile> {
  if (wanted.report === 'movements')
    return movementsFile(ctx, organization, wanted.day, wanted.column, people, form)
  const days = await readDays(ctx, organization.organizationId, wanted.from, wanted.until)
  return monthFile(organization, wanted.month, days, form)
}

export function movementFilters(day: string, column: CloseColumn | undefined): TransferFilters {
  return {
    fromId: firstIdAt(startOfDay(day)),
    beforeId: firstIdAt(endOfDay(day)),
    ...(column !== undefined && { bookings: bookingsOfColumn(column) }),
  }
}

function movementsFile(
  ctx: Pick<Context, 'db'>,
  organization: Organization,
  day: string,
  column: CloseColumn | undefined,
  people: PeopleReader,
  form: FileForm,
): SentFile {
  const { heads, movements } = REPORT_WORDS[form.language]
  return {
    ...form,
    organizationId: organization.organizationId,
    name: `${movements} ${day}`,
    heads: MOVEMENT_HEADS.map((name) => heads[name]),
    rows: movementRows(ctx, organization, day, column, people, form.language),
  }
}

const MOVEMENT_HEADS = [
  'day',
  'ownDay',
  'bookedAt',
  'booking',
  'amount',
  'debit',
  'credit',
  'puc',
  'reference',
  'networkId',
  'rail',
  'name',
  'idType',
  'idNumber',
  'checkDigit',
  'subject',
  'id',
] as const

async function* movementRows(
  { db }: Pick<Context, 'db'>,
  { organizationId, accounting }: Organization,
  day: string,
  column: CloseColumn | undefined,
  people: PeopleReader,
  language: UserLanguage,
): AsyncGenerator<FileRows> {
  const list = transferList(db, organizationId, movementFilters(day, column))
  let sent = 0
  for (let from: string | null = null; sent < MAX_SHEET_ROWS; ) {
    const rows = await list.seek({ direction: 'newer', from }, ROWS_AT_A_TIME)
    const movements = await readMovements(db, organizationId, rows, people)
    yield movements.map((movement) => movementValues(movement, accounting, language))
    sent += rows.length
    const last = rows.at(-1)
    if (last === undefined || rows.length < ROWS_AT_A_TIME) return
    from = last.transferId
  }
}

function movementValues(
  { transfer, day, ownDay, rail, reference, networkId, thirdParty }: Movement,
  { pucAccounts }: Organization['accounting'],
  language: UserLanguage,
): FileValue[] {
  const accounts = ACCOUNT_WORDS[language]
  const puc = COLUMNS_OF_BOOKING[transfer.booking].flatMap((column) => pucAccounts[column] ?? [])
  return [
    { text: day },
    { text: ownDay },
    { time: transfer.createdAt },
    { text: BOOKING_WORDS[language][transfer.booking] },
    { cents: transfer.amountInCents },
    { text: accounts[transfer.debit] },
    { text: accounts[transfer.credit] },
    { text: puc.join(' ') || null },
    { text: reference },
    { text: networkId },
    { text: rail },
    { text: thirdParty?.name ?? null },
    { text: thirdParty?.idType ?? null },
    { text: thirdParty?.idNumber ?? null },
    { text: thirdParty?.checkDigit ?? null },
    { text: transfer.subjectId },
    { text: transfer.transferId },
  ]
}

function monthFile(
  { organizationId, accounting }: Organization,
  month: string,
  days: readonly ReportedDay[],
  form: FileForm,
): SentFile {
  const words = REPORT_WORDS[form.language]
  const { day, state, movementCount, opening, closing, movementTax, digest } = words.heads
  const taxed = accounting.estimatesMovementTax
  return {
    ...form,
    organizationId,
    name: `${words.month} ${month}`,
    heads: [
      ...[day, state, movementCount, opening],
      ...CLOSE_COLUMN_NAMES.map((column) => headOf(words.columns[column], accounting.pucAccounts[column])),
      headOf(closing, accounting.pucAccounts.balance),
      ...(taxed ? [headOf(movementTax, accounting.pucAccounts.movementTax)] : []),
      digest,
    ],
    rows: inOnePart(
      days.map((one) => [
        { text: one.day },
        { text: words.states[one.state] },
        { number: one.figures.movements },
        { cents: heldInCents(one.figures.opening) },
        ...CLOSE_COLUMN_NAMES.map((column) => ({ cents: one.figures.columns[column].amountInCents })),
        { cents: heldInCents(one.figures.closing) },
        ...(taxed
          ? [{ cents: estimatedMovementTax(one.figures.columns.paidOut.amountInCents, one.day) }]
          : []),
        { text: one.proof?.digest ?? null },
      ]),
    ),
  }
}

function headOf(name: string, pucAccount: string | undefined): string {
  return pucAccount === undefined ? name : `${name} (${pucAccount})`
}

async function* inOnePart(rows: FileRows): AsyncGenerator<FileRows> {
  yield rows
}
