// What a row says of a person, in the order in which it is sealed: as the receiver of a payout is, so that the same search finds and
// erases both. Behind it stand the cells as they were written.

import type { Receiver } from '../people/customer.ts'
import { receiverFields, receiverOf } from '../people/sealed.ts'
import { BATCH_COLUMNS, type RowCells } from './columns.ts'
import type { ReadRow } from './row.ts'

const RECEIVER_FIELDS = 7

// `keyString`: from the row, or from the beneficiary book.
export function personFields(
  { cells, idType }: Pick<ReadRow, 'cells' | 'idType'>,
  keyString: string,
): string[] {
  const receiver: Receiver = {
    customer: {
      name: cells.name,
      idType: idType ?? cells.idType,
      idNumber: cells.idNumber,
      phone: '',
      email: cells.email,
    },
    keyString,
    keyStringSent: cells.key === '' ? keyString : cells.key,
  }
  return [...receiverFields(receiver), ...BATCH_COLUMNS.map((column) => cells[column])]
}

export function cellsOfPerson(fields: readonly string[]): RowCells {
  const entries = BATCH_COLUMNS.map((column, at) => [column, fields[RECEIVER_FIELDS + at] ?? ''])
  return Object.fromEntries(entries) as RowCells
}

// The key that is paid: the row's own as the directory spells it, or the beneficiary book's. Null where there is none.
export function paidKeyOf(fields: readonly string[]): string | null {
  const { keyString } = receiverOf(fields)
  return keyString === '' ? null : keyString
}

export const NO_PERSON: RowCells = cellsOfPerson([])
