// What binds the rows of a batch to its approval: the number, the amount and the sealed text of each, in the order of the file.

import { createHash } from 'node:crypto'
import type { BatchRow } from './batch.ts'

export function rowsDigest(
  rows: readonly Pick<BatchRow, 'rowNumber' | 'amountInCents' | 'person'>[],
): string {
  const digest = createHash('sha256')
  for (const { rowNumber, amountInCents, person } of rows)
    digest.update(`${rowNumber} ${amountInCents} ${person.sealed}\n`)
  return digest.digest('hex')
}
