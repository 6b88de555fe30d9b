// Amounts as files write them. 1.250.000 and 1250000,50 are read; so are 1,250,000 and 1250000.50. A single comma or dot with three
// digits behind it may mean thousands or decimals: the rest of the file decides, and where it does not, the amount is refused by name.

import { typedCents } from '../typed-cents.ts'
import type { TableCell } from './table.ts'

export type AmountProblem = 'REQUIRED' | 'WRONG_FORMAT' | 'AMOUNT_AMBIGUOUS' | 'AMOUNT_NOT_POSITIVE'

// What the amounts of a file tell of its separators.
export type SeparatorUse = Readonly<Record<'comma' | 'dot', ReadonlySet<'thousands' | 'decimals'>>>

// Longer than any amount with all its signs. Nothing longer is looked at: it could take long.
const MAX_AMOUNT_LENGTH = 60

export const NO_SEPARATORS: SeparatorUse = { comma: new Set(), dot: new Set() }

export function separatorUseOf(amounts: Iterable<string>): SeparatorUse {
  const comma = new Set<'thousands' | 'decimals'>()
  const dot = new Set<'thousands' | 'decimals'>()
  for (const amount of amounts) {
    if (amount.length > MAX_AMOUNT_LENGTH) continue
    const text = bare(amount)
    const last = text.search(/[.,]\d*$/)
    if (last < 0) continue
    const digitsBehind = text.length - last - 1
    const separators = text.match(/[.,]/g) ?? []
    const [final] = separators.slice(-1)
    const [first] = separators
    const setOf = (separator: string | undefined) => (separator === ',' ? comma : dot)
    if (digitsBehind === 1 || digitsBehind === 2) setOf(final).add('decimals')
    if (separators.length > 1) setOf(first).add('thousands')
  }
  return { comma, dot }
}

export function readAmount({ text, kind }: TableCell, uses: SeparatorUse): bigint | AmountProblem {
  if (kind === 'number') return numberCents(Number(text))
  if (text.length > MAX_AMOUNT_LENGTH) return 'WRONG_FORMAT'
  const amount = bare(text)
  if (amount === '') return 'REQUIRED'
  // Accountants write what is owed to them in parentheses.
  if (/^-|^\(.*\)$|-$/.test(amount)) return 'AMOUNT_NOT_POSITIVE'
  const separator = /^\d{1,3}([.,])\d{3}$/.exec(amount)?.[1]
  if (separator !== undefined && isAmbiguous(separator, uses)) return 'AMOUNT_AMBIGUOUS'
  const cents = typedCents(amount)
  if (cents === undefined) return 'WRONG_FORMAT'
  return cents > 0 ? BigInt(cents) : 'AMOUNT_NOT_POSITIVE'
}

// In Colombia a dot with three digits behind it is thousands, unless this file has decimals behind dots. A comma is decimals here
// and thousands elsewhere.
function isAmbiguous(separator: string, { comma, dot }: SeparatorUse): boolean {
  if (separator === '.') return dot.has('decimals')
  return comma.has('decimals') || !comma.has('thousands')
}

function numberCents(value: number): bigint | AmountProblem {
  if (!Number.isFinite(value)) return 'WRONG_FORMAT'
  if (value <= 0) return 'AMOUNT_NOT_POSITIVE'
  const cents = Math.round(value * 100)
  // 0.1 + 0.2 is not quite 0.3 in a workbook either, but a third of a cent is none.
  const isWhole = Math.abs(value * 100 - cents) < 1e-4
  return isWhole && Number.isSafeInteger(cents) && cents > 0 ? BigInt(cents) : 'WRONG_FORMAT'
}

function bare(amount: string): string {
  return amount
    .trim()
    .replace(/^(?:COP)?\s*\$?\s*/i, '')
    .replace(/\s*(?:COP|pesos)$/i, '')
}
