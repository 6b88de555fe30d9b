// The movements of a day: page by page, and as a file; and a month as a file, a day in each line.

import { endOfDay, startOfDay } from '../../core/bogota-day.ts'
import { firstIdAt } from '../../core/ids.ts'
import { type Static, Type } from '../../core/json-schema.ts'
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
import { isScopeGranted } from '../../core/organizations/scope.ts'
import { isRefusal, type Refusal, refuse, refuseFields } from '../../core/refusal.ts'
import { LANGUAGES, type UserLanguage } from '../../core/team/user.ts'
import type { Context } from '../../flows/context.ts'
import { monthOf, type ReportedDay, readDays } from '../../flows/ledger/read-days.ts'
import {
  type Movement,
  openedPeople,
  type PeopleReader,
  readMovements,
} from '../../flows/ledger/read-movements.ts'
import { type TransferFilters, transferList } from '../../store/ledger/transfers.ts'
import type { FileValue } from '../export/file-value.ts'
import {
  FILE_KINDS,
  FILE_MEDIA_TYPES,
  FILE_RETRY_AFTER_SECONDS,
  hasRoomForFile,
  type SentFile,
} from '../export/send-file.ts'
import { type FileRows, MAX_SHEET_ROWS } from '../export/xlsx.ts'
import { type ApiAnswer, type ApiRequest, json, type Operation } from '../http/operation.ts'
import { PAGE_QUERY, PAGE_SIZE, readPage } from '../http/pagination.ts'
import { OneOf } from '../http/schema.ts'
import { MOVEMENT_EXAMPLE } from './report-examples.ts'
import { MovementList, presentMovement } from './report-schema.ts'
import { REPORT_WORDS } from './report-words.ts'
import { DAY_PARAM, dayOf } from './reports.ts'

const ROWS_AT_A_TIME = 250

const ListMovementsQuery = Type.Object({
  ...PAGE_QUERY,
  column: Type.Optional(OneOf(CLOSE_COLUMN_NAMES, { description: 'Only what this column counts.' })),
})

export function movementFilters(day: string, column: CloseColumn | undefined): TransferFilters {
  return {
    fromId: firstIdAt(startOfDay(day)),
    beforeId: firstIdAt(endOfDay(day)),
    ...(column !== undefined && { bookings: bookingsOfColumn(column) }),
  }
}

// A credential sees the people of what it may read.
async function peopleOf({ ctx, caller }: ApiRequest): Promise<PeopleReader> {
  const vault = await ctx.vault(caller.organization.organizationId)
  const seesPayers = isScopeGranted(caller.scopes, 'payins:read')
  const seesReceivers = isScopeGranted(caller.scopes, 'payouts:read')
  return openedPeople(vault, (kind) => (kind === 'payout' ? seesReceivers : seesPayers))
}

export const listMovementsOperation: Operation = {
  method: 'GET',
  path: '/reports/days/{day}/movements',
  operationId: 'listReportMovements',
  tag: 'Reports',
  summary: 'List the movements of a day',
  description:
    'Every transfer that was booked on the day, newest first, with the third party, your reference and the network’s id.',
  access: { scope: 'ledger:read', shown: 'apiKey' },
  params: DAY_PARAM,
  query: ListMovementsQuery,
  success: {
    status: 200,
    description: 'A page of movements.',
    schema: MovementList,
    examples: {
      page: {
        summary: 'A page',
        value: {
          data: [MOVEMENT_EXAMPLE],
          pageInfo: { hasNext: false, hasPrevious: false, nextCursor: null, previousCursor: null },
        },
      },
    },
  },
  refusals: ['INVALID_INPUT', 'CURSOR_INVALID'],
  handle: async (request) => {
    const { ctx, caller, query } = request
    const day = dayOf(request)
    if (typeof day !== 'string') return refuseFields([day])
    const { cursor, pageSize, column } = query as Static<typeof ListMovementsQuery>
    const { organizationId } = caller.organization
    const list = transferList(ctx.db, organizationId, movementFilters(day, column))
    const page = await readPage(
      { ...list, idOf: ({ transferId }) => transferId },
      {
        key: ctx.settings.keys.cursor,
        context: `day-movements ${organizationId} ${JSON.stringify({ day, column })}`,
      },
      cursor,
      pageSize ?? PAGE_SIZE.default,
    )
    if (isRefusal(page)) return page
    const movements = await readMovements(ctx.db, organizationId, page.rows, await peopleOf(request))
    return json(200, { data: movements.map(presentMovement), pageInfo: page.pageInfo })
  },
}

const FileQuery = {
  format: Type.Optional(
    OneOf(FILE_KINDS, { description: 'Of the file: `csv` (as if not named) or `xlsx`.' }),
  ),
  language: Type.Optional(
    OneOf(LANGUAGES, {
      description: 'Of its heads: `es` (as if not named), with semicolons and decimal commas, or `en`.',
    }),
  ),
}
const MovementsFileQuery = Type.Object({
  ...FileQuery,
  column: Type.Optional(OneOf(CLOSE_COLUMN_NAMES, { description: 'Only what this column counts.' })),
})
const MonthFileQuery = Type.Object(FileQuery)

const FILE_SUCCESS = {
  status: 200,
  description: 'The file, sent while it is read.',
  schema: Type.String({ format: 'binary' }),
  examples: {},
  // Without the charset, which the answer names.
  mediaTypes: Object.values(FILE_MEDIA_TYPES).map((mediaType) => mediaType.replace(/;.*/, '')),
}

export const movementsFileOperation: Operation = {
  method: 'GET',
  path: '/reports/days/{day}/movements/file',
  operationId: 'downloadReportMovements',
  tag: 'Reports',
  summary: 'Download the movements of a day',
  description: `The same movements as a file, the oldest first: CSV as Excel in Colombia opens it, or XLSX. At most ${MAX_SHEET_ROWS.toLocaleString('en')} lines; ask for columns one by one where a day has more.`,
  access: { scope: 'ledger:read', shown: 'apiKey' },
  params: DAY_PARAM,
  query: MovementsFileQuery,
  success: FILE_SUCCESS,
  refusals: ['INVALID_INPUT', 'RATE_LIMITED'],
  handle: async (request) => {
    const day = dayOf(request)
    if (typeof day !== 'string') return refuseFields([day])
    const { format = 'csv', language = 'es', column } = request.query as Static<typeof MovementsFileQuery>
    const { ctx, caller } = request
    const people = await peopleOf(request)
    return fileAnswer(
      () => movementsFile(ctx, caller.organization, day, column, people, { kind: format, language }),
      caller.organization,
    )
  },
}

export const monthFileOperation: Operation = {
  method: 'GET',
  path: '/reports/months/{month}/file',
  operationId: 'downloadReportMonth',
  tag: 'Reports',
  summary: 'Download the statement of a month',
  description: 'The statement as a file, a day in each line, in columns that can be summed.',
  access: { scope: 'ledger:read', shown: 'apiKey' },
  params: { month: { description: 'The month in Bogotá.', example: '2026-11', maxLength: 7 } },
  query: MonthFileQuery,
  success: FILE_SUCCESS,
  refusals: ['INVALID_INPUT', 'RATE_LIMITED'],
  handle: async ({ ctx, caller, params, query }) => {
    const { organization } = caller
    const { format = 'csv', language = 'es' } = query as Static<typeof MonthFileQuery>
    const text = params.month ?? ''
    const month = monthOf(text, organization, ctx.clock.now())
    if ('path' in month) return refuseFields([month])
    const days = await readDays(ctx, organization.organizationId, month.from, month.until)
    return fileAnswer(() => monthFile(organization, text, days, { kind: format, language }), organization)
  },
}

export type FileForm = Pick<SentFile, 'kind' | 'language'>

// Nothing is waited for between the question whether there is room and the file.
function fileAnswer(file: () => SentFile, { organizationId }: Organization): ApiAnswer | Refusal {
  return hasRoomForFile(organizationId)
    ? { status: 200, body: '', file: file() }
    : refuse(
        'RATE_LIMITED',
        'Other files of this organization are being sent. Ask again when they are there.',
        {
          retryAfterSeconds: FILE_RETRY_AFTER_SECONDS,
        },
      )
}

export function movementsFile(
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

export function monthFile(
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
