// Merchant operations on the rows of a batch: list, correct, leave out, look up again; and the files to begin and to end with.

import { type Static, Type } from '../../core/json-schema.ts'
import { type BatchRow, ROW_STATES } from '../../core/payout-batches/batch.ts'
import { COLUMN_HEADS } from '../../core/payout-batches/columns.ts'
import { presentRow } from '../../core/payout-batches/object.ts'
import { cellsOfPerson, NO_PERSON, paidKeyOf } from '../../core/payout-batches/person.ts'
import { isRefusal, refuse } from '../../core/refusal.ts'
import type { Context } from '../../flows/context.ts'
import { changeBatchRow, checkAgain, leaveOutRows } from '../../flows/payout-batches/change-rows.ts'
import { refuseUnknownBatch } from '../../flows/payout-batches/refusals.ts'
import { getBatch } from '../../store/payout-batches/batches.ts'
import { type BatchRowFilters, batchRowList } from '../../store/payout-batches/rows.ts'
import { getPayouts } from '../../store/payouts/payouts.ts'
import { BYTE_ORDER_MARK, csvLine } from '../export/csv.ts'
import type { FileValue } from '../export/file-value.ts'
import { type ApiAnswer, json, type Operation } from '../http/operation.ts'
import { PAGE_QUERY, PAGE_SIZE, readPage } from '../http/pagination.ts'
import { OneOf } from '../http/schema.ts'
import { BATCH_EXAMPLES } from './examples.ts'
import { BATCH_ID, BATCH_TAG, batchIdOf, batchStep } from './operations.ts'
import { LeaveOutRows, PayoutBatchRowChanges, PayoutBatchRowList, PayoutBatchRowObject } from './schema.ts'

// With the cells opened, and what became of each payout.
export async function presentRows(
  ctx: Context,
  organizationId: string,
  rows: readonly BatchRow[],
): Promise<Record<string, unknown>[]> {
  const vault = await ctx.vault(organizationId)
  const sent = rows.flatMap(({ payoutId }) => (payoutId === null ? [] : [{ organizationId, payoutId }]))
  const payouts = sent.length === 0 ? [] : await getPayouts(ctx.db, sent)
  const outcomes = new Map(payouts.flatMap((payout) => (payout ? [[payout.payoutId, payout]] : [])))
  return rows.map((row) => {
    const fields = vault.open(row.person, row.rowId)
    const outcome = outcomes.get(row.payoutId ?? '') ?? null
    if (typeof fields === 'string') return presentRow(row, { ...NO_PERSON, name: fields }, null, outcome)
    return presentRow(row, cellsOfPerson(fields), paidKeyOf(fields), outcome)
  })
}

const ListRowsQuery = Type.Object({
  ...PAGE_QUERY,
  only: Type.Optional(
    OneOf(['errors', 'warnings'] as const, {
      description: 'Only rows with errors, or with warnings of their own.',
    }),
  ),
  state: Type.Optional(OneOf(ROW_STATES, { description: 'Only rows in this state.' })),
})

export const listPayoutBatchRowsOperation: Operation = {
  method: 'GET',
  path: '/payout-batches/{batchId}/rows',
  operationId: 'listPayoutBatchRows',
  tag: BATCH_TAG,
  summary: 'List the rows of a batch',
  description: 'In the order of the file, each with what is wrong with its cells and with what became of it.',
  access: { scope: 'payouts:read', shown: 'apiKey' },
  params: BATCH_ID,
  query: ListRowsQuery,
  success: {
    status: 200,
    description: 'A page of rows.',
    schema: PayoutBatchRowList,
    examples: { page: { summary: 'A page', value: BATCH_EXAMPLES.rows } },
  },
  refusals: ['INVALID_INPUT', 'CURSOR_INVALID', 'NOT_FOUND'],
  handle: async (request) => {
    const { ctx, caller, query } = request
    const { organizationId } = caller.organization
    const batchId = batchIdOf(request)
    const batch = batchId && (await getBatch(ctx.db, organizationId, batchId))
    if (!batch) return refuseUnknownBatch(request.params.batchId ?? '')
    const { cursor, pageSize, only, state } = query as Static<typeof ListRowsQuery>
    const filters: BatchRowFilters = {
      batchId: batch.batchId,
      ...(only === 'errors' && { hasErrors: true }),
      ...(only === 'warnings' && { hasWarnings: true }),
      ...(state !== undefined && { state }),
    }
    const page = await readPage(
      { ...batchRowList(ctx.db, organizationId, filters), idOf: (row: BatchRow) => row.rowId },
      { key: ctx.settings.keys.cursor, context: `batch rows ${organizationId} ${JSON.stringify(filters)}` },
      cursor,
      pageSize ?? PAGE_SIZE.default,
    )
    if (isRefusal(page)) return page
    return json(200, { data: await presentRows(ctx, organizationId, page.rows), pageInfo: page.pageInfo })
  },
}

const ROW_NUMBER = /^[1-9]\d{0,6}$/

export const changePayoutBatchRowOperation: Operation = {
  method: 'PATCH',
  path: '/payout-batches/{batchId}/rows/{row}',
  operationId: 'changePayoutBatchRow',
  tag: BATCH_TAG,
  summary: 'Correct a row of a batch',
  description:
    'Writes the cells that are sent and leaves the others, or leaves the row out or takes it back in. The row is checked anew, and its key is looked up again.',
  access: { scope: 'payouts:write', shown: 'apiKey' },
  act: 'payoutbatch.change',
  params: {
    ...BATCH_ID,
    row: { description: 'Number of the row, as a spreadsheet counts.', example: '2', maxLength: 7 },
  },
  body: {
    schema: PayoutBatchRowChanges,
    required: true,
    examples: {
      amount: { summary: 'Another amount', value: { amount: '1.250.000' } },
      leftOut: { summary: 'Left out', value: { leftOut: true } },
    },
  },
  success: {
    status: 200,
    description: 'The row as it is now.',
    schema: PayoutBatchRowObject,
    examples: { row: { summary: 'A row', value: BATCH_EXAMPLES.row } },
  },
  refusals: ['INVALID_INPUT', 'NOT_FOUND', 'BATCH_NOT_EDITABLE', 'BATCH_CHANGED'],
  handle: async (request) => {
    const { ctx, caller, params, body } = request
    const batchId = batchIdOf(request)
    const row = params.row ?? ''
    if (batchId === undefined || !ROW_NUMBER.test(row))
      return refuse('NOT_FOUND', `No payout batch has the id ${params.batchId} and a row ${row}.`)
    const { leftOut, ...cells } = body as Static<typeof PayoutBatchRowChanges>
    const changes = { ...knownCells(cells), ...(leftOut !== undefined && { isLeftOut: leftOut }) }
    const changed = await changeBatchRow(ctx, caller.organization, batchId, Number(row), changes)
    if (isRefusal(changed)) return changed
    const [shown] = await presentRows(ctx, caller.organization.organizationId, [changed])
    return json(200, shown)
  },
}

// Unknown fields are ignored.
function knownCells(cells: object): Record<string, string> {
  const names = Object.keys(COLUMN_HEADS)
  return Object.fromEntries(
    Object.entries(cells).filter(([name, text]) => names.includes(name) && typeof text === 'string'),
  )
}

export const leaveOutPayoutBatchRowsOperation = batchStep({
  name: 'leave-out',
  operationId: 'leaveOutPayoutBatchRows',
  summary: 'Leave rows of a batch out',
  description: 'The rows that are named, or all that have errors. They can be taken back in one by one.',
  act: 'payoutbatch.leaveout',
  body: {
    schema: LeaveOutRows,
    required: false,
    examples: { some: { summary: 'Two rows', value: { rows: [7, 12] } } },
  },
  example: BATCH_EXAMPLES.batch,
  refusals: ['INVALID_INPUT', 'BATCH_NOT_EDITABLE'],
  take: ({ ctx, caller, body }, batchId, kept) => {
    const { rows } = (body ?? {}) as Static<typeof LeaveOutRows>
    return leaveOutRows(ctx, caller.organization.organizationId, batchId, rows ?? 'errors', kept)
  },
})

export const checkPayoutBatchOperation = batchStep({
  name: 'check',
  operationId: 'checkPayoutBatch',
  summary: 'Look up the keys that were not looked up',
  description:
    'The budget for look-ups refills at one a second. Keys that were found before are not looked up again.',
  act: 'payoutbatch.check',
  example: BATCH_EXAMPLES.batch,
  refusals: ['BATCH_NOT_EDITABLE'],
  take: ({ ctx, caller }, batchId, kept) =>
    checkAgain(ctx, caller.organization.organizationId, batchId, kept),
})

const CSV = 'text/csv'

function csvFile(lines: readonly string[], name: string): ApiAnswer {
  const headers = { 'content-disposition': `attachment; filename="${name}"` }
  return {
    status: 200,
    body: '',
    image: { mediaType: `${CSV}; charset=utf-8`, bytes: Buffer.from(BYTE_ORDER_MARK + lines.join('')) },
    headers,
  }
}

const fileAnswer = (description: string) => ({
  status: 200,
  description,
  schema: Type.String({ format: 'binary' }),
  examples: {},
  mediaTypes: [CSV],
})

export const getPayoutBatchTemplateOperation: Operation = {
  method: 'GET',
  path: '/payout-batches/template.csv',
  operationId: 'getPayoutBatchTemplate',
  tag: BATCH_TAG,
  summary: 'Get the template of a file of payouts',
  description: 'A CSV with the columns and one row as an example.',
  access: { scope: 'payouts:read', shown: 'apiKey' },
  success: fileAnswer('The template.'),
  refusals: [],
  handle: () => csvFile(TEMPLATE_LINES, 'plantilla-pagos.csv'),
}

export const TEMPLATE_ROW = [
  '@ANAGOMEZ',
  '1250000,50',
  'nomina-1',
  'Ana Gómez',
  'CC',
  '1000000001',
  'ana@example.com',
]

export const TEMPLATE_LINES = [Object.values(COLUMN_HEADS), TEMPLATE_ROW].map(
  (cells) => `${cells.join(';')}\r\n`,
)

const RESULT_HEADS = ['fila', ...Object.values(COLUMN_HEADS), 'estado', 'error', 'pago']

export const getPayoutBatchResultOperation: Operation = {
  method: 'GET',
  path: '/payout-batches/{batchId}/result.csv',
  operationId: 'getPayoutBatchResult',
  tag: BATCH_TAG,
  summary: 'Get the result of a batch as a file',
  description: 'A CSV with every row of the batch, what became of it, and the id of its payout.',
  access: { scope: 'payouts:read', shown: 'apiKey' },
  params: BATCH_ID,
  success: fileAnswer('The result.'),
  refusals: ['NOT_FOUND'],
  handle: async (request) => {
    const { ctx, caller } = request
    const { organizationId } = caller.organization
    const batchId = batchIdOf(request)
    const batch = batchId && (await getBatch(ctx.db, organizationId, batchId))
    if (!batch) return refuseUnknownBatch(request.params.batchId ?? '')
    const list = batchRowList(ctx.db, organizationId, { batchId: batch.batchId })
    const rows = await list.seek({ direction: 'older', from: null }, MAX_RESULT_ROWS)
    const shown = await presentRows(ctx, organizationId, rows)
    return csvFile(
      [texts(RESULT_HEADS), ...shown.map(resultLine)].map(spanishLine),
      `lote-${batch.batchId}.csv`,
    )
  },
}

const MAX_RESULT_ROWS = 5_000

// As its columns are, and as a file of payouts is read again.
const spanishLine = (cells: readonly FileValue[]): string => csvLine(cells, 'es')

function resultLine(row: Record<string, unknown>): FileValue[] {
  const cells = Object.keys(COLUMN_HEADS).map((column): FileValue => {
    const isAmount = column === 'amount' && row.amountInCents !== null
    return isAmount ? { cents: BigInt(row.amountInCents as number) } : { text: textOrNull(row[column]) }
  })
  const problems = (row.problems as { column: string; code: string; severity: string }[])
    .filter(({ severity }) => severity === 'error')
    .map(({ column, code }) => `${COLUMN_HEADS[column as keyof typeof COLUMN_HEADS]}: ${code}`)
  return [
    { number: row.row as number },
    ...cells,
    ...texts([row.payoutStatus ?? row.state, row.errorCode ?? problems.join(', '), row.payoutId]),
  ]
}

function texts(values: readonly unknown[]): FileValue[] {
  return values.map((value) => ({ text: textOrNull(value) }))
}

function textOrNull(value: unknown): string | null {
  return value === null || value === undefined ? null : String(value)
}
