// Mutants that were proven to change nothing, each with its reason, in a file that is committed. They are not planted. The file
// must stay small: whoever sets aside what a test should catch would only paint the score.

import { existsSync, readFileSync } from 'node:fs'
import { WrongFlags } from './flags.ts'
import { idOf, type Mutant } from './mutant.ts'

type Entry = { file: string; before: string; after: string; occurrence: number; reason: string }

const MOST_PERCENT = 5
// Of a handful of mutants one alone would be more than that.
const ALWAYS_ALLOWED = 2

export function readEquivalent(path: string, isNamed: boolean): Map<string, Entry> {
  if (!existsSync(path)) {
    if (isNamed) throw new WrongFlags(`--equivalent ${path}: there is no such file.`)
    return new Map()
  }
  const entries = JSON.parse(readFileSync(path, 'utf8')) as Entry[]
  return new Map(
    entries.map((entry, index) => {
      const { file, before, after, occurrence, reason } = entry
      if (
        [file, before, after, reason].some((part) => typeof part !== 'string') ||
        !Number.isInteger(occurrence)
      )
        throw new WrongFlags(
          `${path}, entry ${index + 1}: it needs file, before, after, occurrence and reason, as in .mutate/results.jsonl.`,
        )
      if (reason.trim().length < 10)
        throw new WrongFlags(`${path}, entry ${index + 1} (${file}): say in "reason" why it changes nothing.`)
      return [idOf(file, before, after, occurrence), entry]
    }),
  )
}

// Those whose place or text is gone: they set nothing aside any more.
export function outdated(entries: ReadonlyMap<string, Entry>, all: readonly Mutant[]): Entry[] {
  const ids = new Set(all.map(({ id }) => id))
  return [...entries].filter(([id]) => !ids.has(id)).map(([, entry]) => entry)
}

export function refuseTooMany(setAside: number, drawn: number): void {
  if (setAside <= ALWAYS_ALLOWED || setAside * 100 <= drawn * MOST_PERCENT) return
  throw new WrongFlags(
    `${setAside} of ${drawn} mutants are set aside as equivalent, more than ${MOST_PERCENT} %: write tests that catch some of them instead.`,
  )
}
