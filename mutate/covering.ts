// Which test files to run for a mutant, and in which order: those that have caught others in the same file, those of its room, those
// that import it or are named alike, and then the cheap ones that run little else. Most mutants are caught by the first.

import type { Coverage } from './coverage.ts'
import { importedBy } from './imports.ts'
import type { Mutant } from './mutant.ts'
import { type Parts, read, touches } from './ran.ts'
import type { FindPlaces, Place } from './references.ts'

export type Covering = {
  testsFor: (mutant: Mutant) => Coverage[]
  noteCatch: (mutant: Pick<Mutant, 'file'>, test: string) => void
}

type Entry = { coverage: Coverage; breadth: number; files: Map<string, Parts>; imports: Set<string> }

// Undefined if there is no such file.
export type ReadFile = (path: string) => string | undefined

export function createCovering(
  coverages: readonly Coverage[],
  findPlaces: FindPlaces,
  readFile: ReadFile,
): Covering {
  const entries = coverages.filter(({ passed }) => passed).map((coverage) => entryOf(coverage, readFile))
  const widest = Math.max(1, ...entries.map(({ breadth }) => breadth))
  const catches = new Map<string, number>()
  const runsOne = (entry: Entry, places: readonly Place[]): boolean =>
    places.some(({ file, start, end }) => touches(entry.files.get(file), start, end))

  return {
    testsFor(mutant) {
      const here = [{ file: mutant.file, start: mutant.start, end: Math.max(mutant.end, mutant.start + 1) }]
      const users = findPlaces(mutant) ?? []
      const loading = entries.filter((entry) => runsOne(entry, here))
      const using = entries.filter((entry) => runsOne(entry, users))
      const rank = ({ coverage, breadth, imports }: Entry): number => {
        const caught = catches.get(`${mutant.file} ${coverage.test}`) ?? 0
        const cost = coverage.durationMs * (0.2 + breadth / widest)
        const sameRoom = roomOf(mutant.file) === roomOf(coverage.test) ? 10 : 1
        const imported = imports.has(mutant.file) ? 10 : 1
        return cost / sameRoom / imported / 3 ** wordsInCommon(mutant.file, coverage.test) / (1 + 5 * caught)
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

function entryOf(coverage: Coverage, readFile: ReadFile): Entry {
  const files = new Map(Object.entries(coverage.ran).map(([path, text]) => [path, read(text)]))
  const sizes = [...files].map(([path, parts]) =>
    path.startsWith('test/') ? 0 : parts.reduce((sum, [from, to]) => sum + to - from, 0),
  )
  const breadth = sizes.reduce((sum, size) => sum + size, 0)
  return { coverage, breadth, files, imports: importedBy(coverage.test, readFile(coverage.test) ?? '') }
}

// The folder under src or test.
function roomOf(path: string): string | undefined {
  return path.split('/')[1]
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
