// What became of each mutant, one line of JSON each, written as it is known: a run that was interrupted goes on from there.

import { createHash } from 'node:crypto'
import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Mutant } from './mutant.ts'
import { CACHE } from './tree.ts'

// 'uncovered': no test runs the place. 'refused': the compiler does not take it, so it is no bug that could happen.
export type Outcome = 'caught' | 'timeout' | 'survived' | 'uncovered' | 'refused'

export type Result = {
  id: string
  file: string
  line: number
  kind: string
  outcome: Outcome
  // The test file that caught it.
  by?: string
  ran: number
  covering: number
  durationMs: number
  before: string
  after: string
  occurrence: number
  // Of the source it was planted in: a result holds for that text only.
  source: string
}

const FILE = join(CACHE, 'results.jsonl')

export function readResults(root: string): Result[] {
  const file = join(root, FILE)
  if (!existsSync(file)) return []
  const lines = readFileSync(file, 'utf8').split('\n')
  // The last line may be half written where the run was interrupted.
  return lines.flatMap((line) => {
    try {
      return [JSON.parse(line) as Result]
    } catch {
      return []
    }
  })
}

export function beginResults(root: string): void {
  const file = join(root, FILE)
  if (existsSync(file)) renameSync(file, join(root, CACHE, 'results.previous.jsonl'))
}

export function appendResult(root: string, result: Result): void {
  const file = join(root, FILE)
  mkdirSync(dirname(file), { recursive: true })
  appendFileSync(file, `${JSON.stringify(result)}\n`)
}

export function resultOf(
  mutant: Mutant,
  text: string,
  end: Pick<Result, 'outcome' | 'by' | 'ran' | 'covering' | 'durationMs'>,
): Result {
  const { id, file, line, kind, before, after, occurrence } = mutant
  return { id, file, line, kind, ...end, before, after, occurrence, source: textMark(text) }
}

export function textMark(text: string): string {
  return createHash('sha1').update(text).digest('hex').slice(0, 12)
}
