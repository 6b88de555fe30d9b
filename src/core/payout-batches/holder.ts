// Whether a key belongs to whom a row names. The directory may mask a person's name and number, so what is hidden is not compared.

import type { RowProblem } from './row.ts'

export type Named = { readonly name: string; readonly idNumber: string }
export type Holder = { readonly name: string; readonly idNumber: string | null }

export function holderProblems(given: Named, holder: Holder): RowProblem[] {
  const problems: RowProblem[] = []
  if (holder.idNumber !== null && !isSameNumber(given.idNumber, holder.idNumber))
    problems.push({ column: 'idNumber', code: 'HOLDER_DOCUMENT_MISMATCH' })
  if (!isSameName(given.name, holder.name)) problems.push({ column: 'name', code: 'HOLDER_NAME_MISMATCH' })
  return problems
}

// Whether the number was compared and is the same.
export function isVerified(given: Named, holder: Holder): boolean {
  return holder.idNumber !== null && isSameNumber(given.idNumber, holder.idNumber)
}

// A NIT may carry its check digit after a dash. Of a masked number the last characters are compared.
function isSameNumber(given: string, held: string): boolean {
  const plain = (number: string): string => number.toUpperCase().replaceAll(/[^\p{L}\p{N}*]/gu, '')
  const spellings = (number: string): string[] => [plain(number), plain(number.replace(/-\d$/, ''))]
  const isMatch = (mine: string, theirs: string): boolean => {
    const shown = theirs.replace(/^\*+/, '')
    return shown === theirs ? mine === theirs : mine.length === theirs.length && mine.endsWith(shown)
  }
  return spellings(given).some((mine) => spellings(held).some((theirs) => isMatch(mine, theirs)))
}

// People write some of their names, in any order. Every word of the shorter one is in the longer one.
function isSameName(given: string, held: string): boolean {
  const [mine, theirs] = [wordsOf(given), wordsOf(held)]
  if (mine.length === 0 || theirs.length === 0) return false
  const [few, many] = mine.length <= theirs.length ? [mine, theirs] : [theirs, mine]
  return few.every((word) => many.some((other) => isSameWord(word, other)))
}

function isSameWord(one: string, other: string): boolean {
  const masked = one.includes('*') || other.includes('*')
  const [a, b] = [one.replace(/\*+$/, ''), other.replace(/\*+$/, '')]
  return masked ? a.startsWith(b) || b.startsWith(a) : a === b
}

function wordsOf(name: string): string[] {
  return name
    .normalize('NFD')
    .replaceAll(/\p{Mark}/gu, '')
    .toUpperCase()
    .split(/[^\p{L}\p{N}*]+/u)
    .filter((word) => word.length > 1 && !PARTICLES.has(word))
}

const PARTICLES = new Set(['DE', 'DEL', 'LA', 'LAS', 'LOS', 'SAS', 'SA', 'LTDA'])
