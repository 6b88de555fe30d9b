// Schemas of batches of payouts: requests and answers.

import { Type } from '../../core/json-schema.ts'
import { BATCH_STATUSES, KEY_CHECKS, ROW_STATES } from '../../core/payout-batches/batch.ts'
import { BATCH_COLUMNS, MAX_BATCH_ROWS } from '../../core/payout-batches/columns.ts'
import { MAX_FILE_BYTES } from '../../core/payout-batches/read-file.ts'
import { ROW_PROBLEM_CODES } from '../../core/payout-batches/row.ts'
import { PAYOUT_STATUSES } from '../../core/payouts/payout.ts'
import { PageInfoObject } from '../http/pagination.ts'
import { DateTime, Nullable, OneOf, Text, Uuid } from '../http/schema.ts'

export const FILE_NAME_MAX_LENGTH = 120
// Base64 takes four characters for three bytes, and a data URI has a beginning.
const MAX_FILE_LENGTH = Math.ceil(MAX_FILE_BYTES / 3) * 4 + 200
export const BATCH_BODY_LIMIT_BYTES = MAX_FILE_LENGTH + 4_096

export const CreatePayoutBatch = Type.Object({
  file: Type.String({
    minLength: 1,
    maxLength: MAX_FILE_LENGTH,
    description: `The file, in base64 or as a data URI: a CSV (\`;\` or \`,\`, UTF-8 or Latin-1) or an Excel workbook (.xlsx), with the columns of the template and up to ${MAX_BATCH_ROWS} rows.`,
  }),
  fileName: Type.Optional(
    Text(FILE_NAME_MAX_LENGTH, {
      description: 'What the file is called.',
      examples: ['nomina-noviembre.csv'],
    }),
  ),
  repeat: Type.Optional(
    Type.Boolean({
      description: 'The same file was handed in before, and its people are to be paid once more.',
    }),
  ),
})

export const SubmitPayoutBatch = Type.Object({
  acceptWarnings: Type.Optional(
    Type.Boolean({ description: 'Rows with warnings are to be sent as they are.', default: false }),
  ),
  version: Type.Optional(
    Type.Integer({
      minimum: 1,
      description: 'The `version` that you looked at. If the batch has changed since, nothing is sent.',
    }),
  ),
})

export const LeaveOutRows = Type.Object({
  rows: Type.Optional(
    Type.Array(Type.Integer({ minimum: 1, maximum: 10_000_000 }), {
      maxItems: 1_000,
      description: 'Numbers of rows. Without them: all rows with errors.',
    }),
  ),
})

const Cell = (description: string) => Type.String({ maxLength: 500, description })

const CELLS = {
  key: Cell('The Bre-B key, column `llave`. Empty: from the beneficiary book.'),
  amount: Cell('The amount in pesos as it was written, column `valor`.'),
  reference: Cell('Column `referencia`.'),
  name: Cell('Column `nombre`.'),
  idType: Cell('Column `tipo_documento`.'),
  idNumber: Cell('Column `documento`.'),
  email: Cell('Column `correo`.'),
}

export const PayoutBatchRowChanges = Type.Object({
  key: Type.Optional(CELLS.key),
  amount: Type.Optional(CELLS.amount),
  reference: Type.Optional(CELLS.reference),
  name: Type.Optional(CELLS.name),
  idType: Type.Optional(CELLS.idType),
  idNumber: Type.Optional(CELLS.idNumber),
  email: Type.Optional(CELLS.email),
  leftOut: Type.Optional(Type.Boolean({ description: 'Whether the row is left out.' })),
})

const Count = (description: string) => Type.Integer({ minimum: 0, description })

export const PayoutBatchObject = Type.Object({
  id: Uuid('Identifier of the batch.'),
  status: OneOf(BATCH_STATUSES, {
    description:
      '`CHECKING`: keys are being looked up. `DRAFT`: it can be corrected and submitted. `WAITING`: somebody must approve it. `PROCESSING`: its payouts are made and sent. `COMPLETED`: all of them have ended.',
  }),
  fileName: Type.String(),
  version: Type.Integer({ minimum: 1 }),
  currency: OneOf(['COP'] as const),
  retryOf: Nullable(Uuid('The batch whose failed rows it tries again, or null.')),
  rows: Count('Rows of the file.'),
  rowsLeftOut: Count('Rows that are left out.'),
  rowsToSend: Count('Rows that are not left out.'),
  totalInCents: Count('What the rows to send add up to.'),
  rowsWithErrors: Count('Rows that must be corrected or left out before it can be submitted.'),
  rowsWithWarnings: Count('Rows with warnings and without errors. Whoever submits the batch accepts them.'),
  keysPending: Count('Keys that are still to be looked up.'),
  keysUnchecked: Count('Keys that the budget or the directory did not allow to look up.'),
  reservedInCents: Count('What is set aside for rows that are no payouts yet, and for their fees.'),
  reservedFeesInCents: Count('How much of it is for fees.'),
  payoutsQueued: Count('Rows that are to become payouts.'),
  payoutsProcessing: Count('Payouts that have not ended.'),
  payoutsConfirmed: Count('Payouts that were paid.'),
  payoutsFailed: Count('Payouts that were declined or canceled, and rows that could not become one.'),
  confirmedInCents: Count('What was paid.'),
  createdAt: DateTime('When the file was handed in.'),
  updatedAt: DateTime('When the batch last changed.'),
  submittedAt: Nullable(DateTime('When it was submitted, or null.')),
  completedAt: Nullable(DateTime('When all of its payouts had ended, or null.')),
  organizationId: Uuid('The organization that pays.'),
})

export const PayoutBatchRowObject = Type.Object({
  row: Type.Integer({ minimum: 1, description: 'As a spreadsheet counts: the head of the file is 1.' }),
  state: OneOf(ROW_STATES, {
    description:
      '`QUEUED`: its money is set aside. `SENT`: it is a payout. `REFUSED`: it could not become one; `errorCode` says why.',
  }),
  ...CELLS,
  amountInCents: Nullable(Type.Integer({ description: 'The amount, if it could be read.' })),
  paidKey: Nullable(
    Type.String({
      description:
        'The key that is paid: the one of the row, or of the beneficiary book. Null if there is none.',
    }),
  ),
  keyFromBook: Type.Boolean({ description: 'The key is from the beneficiary book.' }),
  keyCheck: OneOf(KEY_CHECKS, {
    description:
      '`VERIFIED`: the directory names the same document. `FOUND`: the key exists, and the document could not be compared.',
  }),
  problems: Type.Array(
    Type.Object({
      column: OneOf(BATCH_COLUMNS),
      code: OneOf(ROW_PROBLEM_CODES),
      severity: OneOf(['error', 'warning'] as const),
      duplicateOf: Nullable(
        Type.String({ description: 'The row, the batch or the payout that it repeats, or null.' }),
      ),
    }),
  ),
  payoutId: Nullable(Uuid('Its payout, or null.')),
  payoutStatus: Type.Unsafe<string | null>({ type: ['string', 'null'], enum: [...PAYOUT_STATUSES, null] }),
  errorCode: Nullable(Type.String({ description: 'Why no money was sent, or null.' })),
})

export const PayoutBatchList = Type.Object({ data: Type.Array(PayoutBatchObject), pageInfo: PageInfoObject })
export const PayoutBatchRowList = Type.Object({
  data: Type.Array(PayoutBatchRowObject),
  pageInfo: PageInfoObject,
})
