// What a run has to say: the score of each room and of SQL guards, and every survivor as a small diff.

import { diffOf, type Mutant } from './mutant.ts'
import type { Result } from './results.ts'

export type Score = { caught: number; counted: number }

export function scoreOf(results: readonly Result[]): Score {
  const counted = results.filter(({ outcome }) => outcome !== 'refused')
  const caught = counted.filter(({ outcome }) => outcome === 'caught' || outcome === 'timeout')
  return { caught: caught.length, counted: counted.length }
}

export function percentOf({ caught, counted }: Score): number {
  return counted === 0 ? 100 : (100 * caught) / counted
}

export function report(mutants: readonly Mutant[], results: readonly Result[]): string {
  const byId = new Map(mutants.map((mutant) => [mutant.id, mutant]))
  const lines: string[] = []
  const survivors = results
    .filter(({ outcome }) => outcome === 'survived' || outcome === 'uncovered')
    .sort((a, b) => (a.file === b.file ? a.line - b.line : a.file < b.file ? -1 : 1))
  for (const result of survivors) {
    const mutant = byId.get(result.id)
    if (mutant !== undefined) lines.push(diffOf(mutant), fateOf(result), '')
  }
  const rooms = Object.groupBy(results, ({ id }) => byId.get(id)?.room ?? '?')
  for (const [room, own] of Object.entries(rooms).sort()) lines.push(row(room, own ?? []))
  lines.push(
    row(
      'sql-guard',
      results.filter(({ kind }) => kind === 'sql-guard'),
    ),
    row('all', results),
  )
  const count = (outcome: Result['outcome']): number =>
    results.filter((one) => one.outcome === outcome).length
  lines.push(
    `${count('caught')} caught, ${count('timeout')} by a timeout, ${count('survived')} survived, ${count('uncovered')} run by no test; ${count('refused')} that the compiler refuses are not counted.`,
  )
  return lines.join('\n')
}

function fateOf({ outcome, ran, covering }: Result): string {
  if (outcome === 'uncovered') return '  no test runs this'
  if (ran < covering)
    return `  survived the first ${ran} of ${covering} test files that run it (capped by --most-tests)`
  return `  survived ${ran === 1 ? 'the one test file that runs it' : `all ${ran} test files that run it`}`
}

function row(name: string, results: readonly Result[]): string {
  const score = scoreOf(results)
  const percent = score.counted === 0 ? '–' : `${percentOf(score).toFixed(1)} %`
  return `${name.padEnd(12)}${percent.padStart(8)}   ${score.caught} of ${score.counted}`
}
