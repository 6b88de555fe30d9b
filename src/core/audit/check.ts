// Checks a chain against its entries, page by page, and names the first line that is not as it was written.

import { type AuditEntry, chainDigest, FIRST_DIGEST } from './entry.ts'

export type CheckedLine = {
  readonly sequence: number
  readonly entryId: string
  readonly digest: Buffer
  // Undefined if there is no such entry.
  readonly entry: AuditEntry | undefined
}

// Where a checked chain ends: how many lines it has, and the digest of the last.
export type ChainHead = { readonly sequence: number; readonly digest: Buffer }

export const EMPTY_CHAIN: ChainHead = { sequence: 0, digest: FIRST_DIGEST }

export type ChainProblem = {
  readonly kind: 'removed' | 'changed' | 'added'
  // The line's number. Null for an entry that is in no line.
  readonly sequence: number | null
  readonly entryId: string | null
  readonly detail: string
}

// Follows the lines of a page from where the page before it ended.
export function checkLines(head: ChainHead, lines: readonly CheckedLine[]): ChainHead | ChainProblem {
  let { sequence, digest } = head
  for (const line of lines) {
    sequence += 1
    if (line.sequence !== sequence)
      return { kind: 'removed', sequence, entryId: null, detail: `line ${sequence} was removed` }
    const { entry, entryId } = line
    const at = { sequence, entryId }
    if (entry === undefined)
      return { kind: 'removed', ...at, detail: `the entry ${entryId} of line ${sequence} was removed` }
    digest = chainDigest(digest, entry)
    if (!digest.equals(line.digest))
      return {
        kind: 'changed',
        ...at,
        detail: `line ${sequence} (entry ${entryId}) does not follow from line ${sequence - 1}: it was changed, moved or put in, or lines before it were taken out`,
      }
  }
  return { sequence, digest }
}

// A digest that somebody noted down earlier, such as 1204:9f3a… Undefined if it is none.
export function parseNotedHead(text: string): ChainHead | undefined {
  const [, sequence, digest] = /^(\d{1,15}):([0-9a-f]{64})$/i.exec(text.trim()) ?? []
  if (sequence === undefined || digest === undefined) return undefined
  return { sequence: Number(sequence), digest: Buffer.from(digest, 'hex') }
}

export function headText({ sequence, digest }: ChainHead): string {
  return `${sequence}:${digest.toString('hex')}`
}
