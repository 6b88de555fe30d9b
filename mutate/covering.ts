// Which test files to run for a mutant, and in which order: those that have caught others in the same file, then the cheap
// ones that run little else or are named alike. Most mutants are caught by the first.

import type { Coverage } from './coverage.ts'
import { type Lines, read } from './line-map.ts'
import type { Mutant } from './mutant.ts'
import type { FindPlaces, Place } from './references.ts'

export type Covering = {
  testsFor: (mutant: Mutant) => Coverage[]
  noteCatch: (mutant: Pick<Mutant, 'file'>, test: string) => void
}

type Entry = { coverage: Coverage; breadth: number; files: Map<string, Lines> }

export function createCovering(coverages: readonly Coverage[], findPlaces: FindPlaces): Covering {
  const entries = coverages.filter(({ passed }) => passed).map(entryOf)
  const widest = Math.max(1, ...entries.map(({ breadth }) => breadth))
  const catches = new Map<string, number>()
  const runsOne = (entry: Entry, places: readonly Place[]): boolean =>
    places.some(({ file, line }) => entry.files.get(file)?.has(line) === true)

  return {
    testsFor(mutant) {
      const own = Array.from({ length: mutant.lastLine - mutant.line + 1 }, (_, index) => mutant.line + index)
      const here = own.map((line) => ({ file: mutant.file, line }))
      const users = findPlaces(mutant) ?? []
      const loading = entries.filter((entry) => runsOne(entry, here))
      const using = entries.filter((entry) => runsOne(entry, users))
      const rank = ({ coverage, breadth }: Entry): number => {
        const caught = catches.get(`${mutant.file} ${coverage.test}`) ?? 0
        const cost = coverage.durationMs * (0.2 + breadth / widest)
        return cost / (1 + 3 * wordsInCommon(mutant.file, coverage.test)) / (1 + 5 * caught)
      }
      return (using.length > 0 ? using : loading)
        .sort((a, b) => rank(a) - rank(b))
        .map(({ coverage }) => coverage)
    },
    noteCatch({ file }, test) {
      const key = `${file} ${test}`
      catches.set(key, (catches.get(key) ?? 0) + 1)
    },
  }
}

function entryOf(coverage: Coverage): Entry {
  const files = new Map(Object.entries(coverage.lines).map(([path, text]) => [path, read(text)]))
  const breadth = [...files].reduce(
    (sum, [path, lines]) => sum + (path.startsWith('test/') ? 0 : lines.size),
    0,
  )
  return { coverage, breadth, files }
}

function wordsInCommon(file: string, test: string): number {
  const words = (path: string): string[] =>
    path
      .split(/[/.-]/)
      .map((word) => word.replace(/s$/, ''))
      .filter((word) => !['src', 'test', 'ts', 't', ''].includes(word))
  const named = new Set(words(test))
  return words(file).filter((word) => named.has(word)).length
}
