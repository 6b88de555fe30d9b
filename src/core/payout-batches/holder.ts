// Whether a key belongs to whom a row names. The directory may mask a person's name and number, so what is hidden is not compared.

import { isSameDocument } from '../people/same-document.ts'
import type { RowProblem } from './row.ts'

export type Named = { readonly name: string; readonly idType: string; readonly idNumber: string }
export type Holder = {
  readonly name: string
  readonly idType: string | null
  readonly idNumber: string | null
}

export function holderProblems(given: Named, holder: Holder): RowProblem[] {
  const problems: RowProblem[] = []
  if (holder.idNumber !== null && !isVerified(given, holder))
    problems.push({ column: 'idNumber', code: 'HOLDER_DOCUMENT_MISMATCH' })
  if (!isSameName(given.name, holder.name)) problems.push({ column: 'name', code: 'HOLDER_NAME_MISMATCH' })
  return problems
}

// Whether the document was compared and is the same.
export function isVerified(given: Named, { idType, idNumber }: Holder): boolean {
  return idNumber !== null && isSameDocument(given, { idType, idNumber })
}

// People write some of their names, in any order. Every word of the shorter one is in the longer one.
export function isSameName(given: string, held: string): boolean {
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
