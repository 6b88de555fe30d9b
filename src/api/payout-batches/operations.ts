// Merchant operations on batches of payouts: hand in, get, list, submit, cancel, try again.

import { isUuid } from '../../core/ids.ts'
import { type Static, Type } from '../../core/json-schema.ts'
import { BATCH_STATUSES, type PayoutBatch } from '../../core/payout-batches/batch.ts'
import { presentBatch } from '../../core/payout-batches/object.ts'
import { type FieldProblem, isRefusal, type RefusalCode } from '../../core/refusal.ts'
import { createBatch } from '../../flows/payout-batches/create.ts'
import { refuseUnknownBatch } from '../../flows/payout-batches/refusals.ts'
import { retryBatch } from '../../flows/payout-batches/retry.ts'
import { cancelBatch, submitBatch } from '../../flows/payout-batches/submit.ts'
import { type BatchView, viewOf, viewsOf } from '../../flows/payout-batches/view.ts'
import { type BatchFilters, batchList, getBatch } from '../../store/payout-batches/batches.ts'
import { type ApiRequest, json, type Operation, renderOnce } from '../http/operation.ts'
import { idBounds, PAGE_QUERY, PAGE_SIZE, readPage, TIME_QUERY } from '../http/pagination.ts'
import { OneOf } from '../http/schema.ts'
import { BATCH_EXAMPLES } from './examples.ts'
import {
  BATCH_BODY_LIMIT_BYTES,
  CreatePayoutBatch,
  PayoutBatchList,
  PayoutBatchObject,
  SubmitPayoutBatch,
} from './schema.ts'

export const BATCH_ID = {
  batchId: { description: 'Identifier of the batch.', example: BATCH_EXAMPLES.batch.id },
}
export const BATCH_TAG = 'Payout batches'
const FILE_NAME = 'pagos.csv'

type CreateBody = Static<typeof CreatePayoutBatch>

export const shownBatch = (status: number) =>
  renderOnce(({ batch, totals, results }: BatchView) => json(status, presentBatch(batch, totals, results)))

// Not an id of ours: no batch has it.
export function batchIdOf({ params }: ApiRequest): string | undefined {
  const batchId = (params.batchId ?? '').toLowerCase()
  return isUuid(batchId) ? batchId : undefined
}

export const createPayoutBatchOperation: Operation = {
  method: 'POST',
  path: '/payout-batches',
  operationId: 'createPayoutBatch',
  tag: BATCH_TAG,
  summary: 'Create a batch of payouts from a file',
  description:
    'Reads a file of payouts and checks every row. Nothing is reserved or sent: look at the rows, correct those with errors or leave them out, and submit the batch. ' +
    'Keys are looked up within the budget of the organization, moments after the answer. A file that cannot be read is refused by the name of what is wrong with it. ' +
    'The body may have 5.6 MB. `text/csv` and workbooks are taken as they are, too: send the bytes with their own content type, and in the address `?fileName=nomina.csv`, and `&repeat=true` where you mean it.',
  access: { scope: 'payouts:write', shown: 'apiKey' },
  act: 'payoutbatch.create',
  maxBodyBytes: BATCH_BODY_LIMIT_BYTES,
  body: {
    schema: CreatePayoutBatch,
    required: true,
    examples: { file: { summary: 'A CSV of one row', value: BATCH_EXAMPLES.create } },
  },
  rules: ({ body }) => fileProblems(body as Partial<CreateBody>),
  success: {
    status: 201,
    description: 'The batch, whose keys are being looked up.',
    schema: PayoutBatchObject,
    examples: { batch: { summary: 'A batch', value: BATCH_EXAMPLES.batch } },
  },
  refusals: ['INVALID_INPUT', 'FILE_REFUSED', 'BATCH_FILE_REPEATED'],
  idempotent: true,
  handle: async ({ ctx, caller, body, idempotency }) => {
    const { file, fileName = FILE_NAME, repeat = false } = body as CreateBody
    const answer = shownBatch(201)
    const kept = idempotency && { ...idempotency, answer }
    const sent = { fileName, bytes: fileBytes(file), isRepeated: repeat }
    const made = await createBatch(ctx, caller.organization, caller, sent, kept)
    return isRefusal(made) ? made : answer(made)
  },
}

// Browsers send a file as a data URI.
const DATA_URI = /^data:[\w.+/-]*(?:;[\w.+=-]+)*;base64,/
const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/

function fileBytes(file: string): Buffer {
  return Buffer.from(file.replace(DATA_URI, ''), 'base64')
}

function fileProblems({ file }: Partial<CreateBody>): FieldProblem[] {
  if (typeof file !== 'string' || BASE64.test(file.replace(DATA_URI, '').replaceAll(/[\r\n]/g, ''))) return []
  return [{ path: '/file', code: 'WRONG_FORMAT', message: 'must be base64, or a data URI in base64' }]
}

export const getPayoutBatchOperation: Operation = {
  method: 'GET',
  path: '/payout-batches/{batchId}',
  operationId: 'getPayoutBatch',
  tag: BATCH_TAG,
  summary: 'Get a batch of payouts',
  description: 'The batch as it stands now, with what its rows add up to.',
  access: { scope: 'payouts:read', shown: 'apiKey' },
  params: BATCH_ID,
  success: {
    status: 200,
    description: 'The batch.',
    schema: PayoutBatchObject,
    examples: { batch: { summary: 'A batch', value: BATCH_EXAMPLES.batch } },
  },
  refusals: ['NOT_FOUND'],
  handle: async (request) => {
    const batchId = batchIdOf(request)
    const { ctx, caller } = request
    const batch = batchId && (await getBatch(ctx.db, caller.organization.organizationId, batchId))
    if (!batch) return refuseUnknownBatch(request.params.batchId ?? '')
    return shownBatch(200)(await viewOf(ctx.db, batch))
  },
}

const ListBatchesQuery = Type.Object({
  ...PAGE_QUERY,
  status: Type.Optional(OneOf(BATCH_STATUSES, { description: 'Only batches with this status.' })),
  ...TIME_QUERY,
})

export const listPayoutBatchesOperation: Operation = {
  method: 'GET',
  path: '/payout-batches',
  operationId: 'listPayoutBatches',
  tag: BATCH_TAG,
  summary: 'List batches of payouts',
  description: 'Newest first, in pages like those of payins.',
  access: { scope: 'payouts:read', shown: 'apiKey' },
  query: ListBatchesQuery,
  success: {
    status: 200,
    description: 'A page of batches.',
    schema: PayoutBatchList,
    examples: { page: { summary: 'A page', value: BATCH_EXAMPLES.page } },
  },
  refusals: ['INVALID_INPUT', 'CURSOR_INVALID'],
  handle: async ({ ctx, caller, query }) => {
    const { cursor, pageSize, status, ...range } = query as Static<typeof ListBatchesQuery>
    const { organizationId } = caller.organization
    const filters: BatchFilters = { ...(status !== undefined && { status }), ...idBounds(range) }
    const page = await readPage(
      { ...batchList(ctx.db, organizationId, filters), idOf: (batch: PayoutBatch) => batch.batchId },
      { key: ctx.settings.keys.cursor, context: `batches ${organizationId} ${JSON.stringify(filters)}` },
      cursor,
      pageSize ?? PAGE_SIZE.default,
    )
    if (isRefusal(page)) return page
    const views = await viewsOf(ctx.db, page.rows)
    const data = views.map(({ batch, totals, results }) => presentBatch(batch, totals, results))
    return json(200, { data, pageInfo: page.pageInfo })
  },
}

type Step = Pick<Operation, 'operationId' | 'summary' | 'description' | 'body' | 'act'> & {
  readonly name: string
  readonly status?: number
  readonly example: object
  readonly refusals: readonly RefusalCode[]
  readonly take: (
    request: ApiRequest,
    batchId: string,
    kept: Parameters<typeof cancelBatch>[3],
  ) => ReturnType<typeof cancelBatch>
}

// One step of a batch, which answers with the batch as it is after it.
export function batchStep({ name, status = 200, example, take, refusals, ...step }: Step): Operation {
  return {
    method: 'POST',
    path: `/payout-batches/{batchId}/${name}`,
    tag: BATCH_TAG,
    access: { scope: 'payouts:write', shown: 'apiKey' },
    params: BATCH_ID,
    ...step,
    success: {
      status,
      description: 'The batch as it is now.',
      schema: PayoutBatchObject,
      examples: { batch: { summary: 'The batch', value: example } },
    },
    refusals: ['NOT_FOUND', ...refusals],
    idempotent: true,
    handle: async (request) => {
      const batchId = batchIdOf(request)
      if (batchId === undefined) return refuseUnknownBatch(request.params.batchId ?? '')
      const answer = shownBatch(status)
      const { idempotency } = request
      const taken = await take(request, batchId, idempotency && { ...idempotency, answer })
      return isRefusal(taken) ? taken : answer(taken)
    },
  }
}

export const submitPayoutBatchOperation = batchStep({
  name: 'submit',
  operationId: 'submitPayoutBatch',
  summary: 'Submit a batch of payouts',
  description:
    'Sets the money of all rows aside at once, and makes each row one payout, whatever is repeated or interrupted. A batch with errors, or beyond the balance, is refused, and nothing is sent. ' +
    'Each payout has its own events; `payoutbatch.completed` follows when all have ended.',
  act: 'payoutbatch.submit',
  body: {
    schema: SubmitPayoutBatch,
    required: false,
    examples: { accepted: { summary: 'With its warnings', value: { acceptWarnings: true, version: 2 } } },
  },
  example: BATCH_EXAMPLES.submitted,
  refusals: [
    'INVALID_INPUT',
    'BATCH_NOT_READY',
    'BATCH_NOT_EDITABLE',
    'BATCH_CHANGED',
    'BALANCE_TOO_LOW',
    'PAYOUT_LIMIT_REACHED',
    'QUIET_HOURS',
  ],
  take: ({ ctx, caller, body }, batchId, kept) => {
    const { acceptWarnings = false, version = null } = (body ?? {}) as Static<typeof SubmitPayoutBatch>
    const submission = { version, acceptsWarnings: acceptWarnings }
    return submitBatch(ctx, caller.organization, caller, batchId, submission, kept)
  },
})

export const cancelPayoutBatchOperation = batchStep({
  name: 'cancel',
  operationId: 'cancelPayoutBatch',
  summary: 'Cancel a batch of payouts',
  description: 'Until its payouts are made. What was set aside for it is available again.',
  act: 'payoutbatch.cancel',
  example: BATCH_EXAMPLES.canceled,
  refusals: ['BATCH_NOT_EDITABLE'],
  take: ({ ctx, caller }, batchId, kept) =>
    cancelBatch(ctx, caller.organization.organizationId, batchId, kept),
})

export const retryPayoutBatchOperation = batchStep({
  name: 'retry',
  status: 201,
  operationId: 'retryPayoutBatch',
  summary: 'Try the failed rows of a batch again',
  description:
    'Makes a new batch of the rows that failed, with new payouts. It is checked and submitted like any other. A row is tried again in one batch at most; if that one fails, try that one again.',
  act: 'payoutbatch.retry',
  example: BATCH_EXAMPLES.retry,
  refusals: ['BATCH_NOT_READY'],
  take: ({ ctx, caller }, batchId, kept) => retryBatch(ctx, caller.organization, caller, batchId, kept),
})
