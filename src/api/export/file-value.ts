// One cell of a file, by what it is: a spreadsheet gets numbers and times as such.

import type { Instant } from '../../core/instant.ts'

export type FileValue =
  | { readonly text: string | null }
  | { readonly cents: bigint | null }
  | { readonly time: Instant | null }
  | { readonly number: number | null }
