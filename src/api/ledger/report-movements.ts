// The movements of a day: page by page, and as a file; and a month as a file, a day in each line.

import { type Static, Type } from '../../core/json-schema.ts'
import { CLOSE_COLUMN_NAMES } from '../../core/ledger/close-columns.ts'
import { isScopeGranted } from '../../core/organizations/scope.ts'
import { isRefusal, type Refusal, refuse, refuseFields } from '../../core/refusal.ts'
import { LANGUAGES } from '../../core/team/user.ts'
import { monthOf } from '../../flows/ledger/read-days.ts'
import { openedPeople, type PeopleReader, readMovements } from '../../flows/ledger/read-movements.ts'
import { transferList } from '../../store/ledger/transfers.ts'
import {
  FILE_KINDS,
  FILE_MEDIA_TYPES,
  FILE_RETRY_AFTER_SECONDS,
  hasRoomForFile,
  type SentFile,
} from '../export/send-file.ts'
import { MAX_SHEET_ROWS } from '../export/xlsx.ts'
import { type ApiAnswer, type ApiRequest, json, type Operation } from '../http/operation.ts'
import { PAGE_QUERY, PAGE_SIZE, readPage } from '../http/pagination.ts'
import { OneOf } from '../http/schema.ts'
import { MOVEMENT_EXAMPLE } from './report-examples.ts'
import { movementFilters, reportFile } from './report-files.ts'
import { MovementList, presentMovement } from './report-schema.ts'
import { DAY_PARAM, dayOf } from './reports.ts'

const ListMovementsQuery = Type.Object({
  ...PAGE_QUERY,
  column: Type.Optional(OneOf(CLOSE_COLUMN_NAMES, { description: 'Only what this column counts.' })),
})

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
  refusals: ['INVALID_INPUT'],
  handle: async (request) => {
    const day = dayOf(request)
    if (typeof day !== 'string') return refuseFields([day])
    const { format = 'csv', language = 'es', column } = request.query as Static<typeof MovementsFileQuery>
    const { ctx, caller } = request
    const people = await peopleOf(request)
    const report = { report: 'movements', day, column } as const
    return fileAnswer(await reportFile(ctx, caller.organization, report, { kind: format, language }, people))
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
  refusals: ['INVALID_INPUT'],
  handle: async ({ ctx, caller, params, query }) => {
    const { organization } = caller
    const { format = 'csv', language = 'es' } = query as Static<typeof MonthFileQuery>
    const month = params.month ?? ''
    const days = monthOf(month, organization, ctx.clock.now())
    if ('path' in days) return refuseFields([days])
    const report = { report: 'month', month, ...days } as const
    return fileAnswer(await reportFile(ctx, organization, report, { kind: format, language }))
  },
}

// Nothing is waited for between the question whether there is room and the file.
function fileAnswer(file: SentFile): ApiAnswer | Refusal {
  return hasRoomForFile(file.organizationId)
    ? { status: 200, body: '', file }
    : refuse(
        'RATE_LIMITED',
        'Other files of this organization are being sent. Ask again when they are there.',
        {
          retryAfterSeconds: FILE_RETRY_AFTER_SECONDS,
        },
      )
}
