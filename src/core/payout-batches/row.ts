// One row of a file of payouts: what its cells mean, and what is wrong with each. The same rules read a file, a row that is corrected
// and one that is tried again.

import { isEmail, isPrintable, NAME_MAX_LENGTH } from '../contact.ts'
import { type BrebKey, KEY_MAX_LENGTH, parseBrebKey } from '../directory/breb-key.ts'
import { documentNumberProblem, ID_TYPES, type IdType } from '../identity-document.ts'
import { readAmount, type SeparatorUse } from './amount-text.ts'
import { BATCH_COLUMNS, type BatchColumn, type RowCells } from './columns.ts'
import type { TableCell } from './table.ts'

// An error keeps the batch from being sent; a warning must be accepted.
export const ROW_PROBLEMS = {
  REQUIRED: 'error',
  WRONG_FORMAT: 'error',
  TOO_LONG: 'error',
  FORMULA: 'error',
  AMOUNT_AMBIGUOUS: 'error',
  AMOUNT_NOT_POSITIVE: 'error',
  AMOUNT_ABOVE_MAXIMUM: 'error',
  AMOUNT_NOT_CONNECTED: 'error',
  KEY_INVALID: 'error',
  KEY_NOT_KNOWN: 'error',
  KEY_NOT_FOUND: 'error',
  KEY_SUSPENDED: 'error',
  KEY_NOT_LOOKED_UP: 'error',
  HOLDER_DOCUMENT_MISMATCH: 'error',
  PERSON_ERASED: 'error',
  HOLDER_NAME_MISMATCH: 'warning',
  HOLDER_NOT_CHECKED: 'warning',
  DUPLICATE_IN_FILE: 'warning',
  DUPLICATE_IN_BATCH: 'warning',
  DUPLICATE_PAYOUT: 'warning',
  PAID_AFTER_ALL: 'warning',
} as const satisfies Readonly<Record<string, 'error' | 'warning'>>

export type RowProblemCode = keyof typeof ROW_PROBLEMS
export const ROW_PROBLEM_CODES = Object.keys(ROW_PROBLEMS) as RowProblemCode[]

export type RowProblem = {
  readonly column: BatchColumn
  readonly code: RowProblemCode
  // The row of the same file, the batch or the payout that this one repeats.
  readonly duplicateOf?: string
}

export function isError({ code }: Pick<RowProblem, 'code'>): boolean {
  return ROW_PROBLEMS[code] === 'error'
}

// What a row says, as far as it can be read.
export type ReadRow = {
  readonly cells: RowCells
  readonly amountInCents: bigint | null
  readonly key: BrebKey | null
  readonly idType: IdType | null
  readonly problems: readonly RowProblem[]
}

export const REFERENCE_MAX_LENGTH = 255

export function readRow(
  cells: Readonly<Record<BatchColumn, TableCell>>,
  separators: SeparatorUse,
  maximumInCents: bigint,
): ReadRow {
  const problems = new Map<BatchColumn, RowProblemCode>()
  for (const column of BATCH_COLUMNS) {
    const { kind } = cells[column]
    if (kind === 'formula') problems.set(column, 'FORMULA')
    if (kind === 'invalid') problems.set(column, 'WRONG_FORMAT')
  }
  const texts = Object.fromEntries(BATCH_COLUMNS.map((column) => [column, cells[column].text])) as RowCells
  const found = (column: BatchColumn, code: RowProblemCode | undefined): void => {
    if (code !== undefined && !problems.has(column)) problems.set(column, code)
  }
  const amount = problems.has('amount') ? null : readAmount(cells.amount, separators)
  if (typeof amount === 'string') found('amount', amount)
  else if (amount !== null && amount > maximumInCents) found('amount', 'AMOUNT_ABOVE_MAXIMUM')
  const isKeyTooLong = texts.key.length > KEY_MAX_LENGTH
  const key = texts.key === '' || isKeyTooLong ? null : (parseBrebKey(texts.key) ?? null)
  if (isKeyTooLong) found('key', 'TOO_LONG')
  else if (texts.key !== '' && (key === null || !isPrintable(texts.key))) found('key', 'KEY_INVALID')
  found('reference', textProblem(texts.reference, REFERENCE_MAX_LENGTH))
  found('name', textProblem(texts.name, NAME_MAX_LENGTH))
  const idType = idTypeOf(texts.idType)
  found('idType', texts.idType === '' ? 'REQUIRED' : idType === null ? 'WRONG_FORMAT' : undefined)
  found('idNumber', documentProblem(idType, texts.idNumber))
  found('email', texts.email === '' || isEmail(texts.email) ? undefined : 'WRONG_FORMAT')
  return {
    cells: texts,
    amountInCents: typeof amount === 'bigint' ? amount : null,
    key,
    idType,
    problems: BATCH_COLUMNS.flatMap((column) => {
      const code = problems.get(column)
      return code === undefined ? [] : [{ column, code }]
    }),
  }
}

function textProblem(text: string, maxLength: number): RowProblemCode | undefined {
  if (text === '') return 'REQUIRED'
  if (text.length > maxLength) return 'TOO_LONG'
  return isPrintable(text) && !SPREADSHEET_ERROR.test(text) ? undefined : 'WRONG_FORMAT'
}

// As a CSV holds it, and a row that is read again: #N/A, #REF!, #¿NOMBRE?
const SPREADSHEET_ERROR = /^#(?:N\/[AD]|[¡¿]?[\p{Lu}/0]+[!?])$/u

function documentProblem(idType: IdType | null, idNumber: string): RowProblemCode | undefined {
  if (idNumber === '') return 'REQUIRED'
  return documentNumberProblem(idType ?? 'PASSPORT', idNumber) === undefined ? undefined : 'WRONG_FORMAT'
}

// CC, C.C., CO_CC, cédula.
function idTypeOf(written: string): IdType | null {
  if (written.length > MAX_ID_TYPE_LENGTH) return null
  const plain = written
    .normalize('NFD')
    .replaceAll(/\p{Mark}/gu, '')
    .toUpperCase()
  const known = ID_TYPES.find((type) => type === plain.trim())
  return known ?? ID_TYPE_WORDS[plain.replaceAll(/[^A-Z]/g, '')] ?? null
}

const MAX_ID_TYPE_LENGTH = 60

const ID_TYPE_WORDS: Readonly<Record<string, IdType>> = {
  CC: 'CO_CC',
  CEDULA: 'CO_CC',
  CEDULADECIUDADANIA: 'CO_CC',
  CE: 'CO_CE',
  CEDULADEEXTRANJERIA: 'CO_CE',
  NIT: 'CO_NIT',
  RFC: 'MXN_RFC',
  PASAPORTE: 'PASSPORT',
  PASSPORT: 'PASSPORT',
  PA: 'PASSPORT',
  PP: 'PASSPORT',
}

export function textCells(texts: RowCells): Record<BatchColumn, TableCell> {
  const entries = BATCH_COLUMNS.map((column) => [column, { text: texts[column].trim(), kind: 'text' }])
  return Object.fromEntries(entries) as Record<BatchColumn, TableCell>
}
