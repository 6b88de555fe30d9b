// The words of pages, mails and files, in each language: a sentence that is given a value says something else for another value. One that
// forgets an amount, a name or a number would still read well.

import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'

type Sentence = (...values: unknown[]) => unknown

const ROOT = join(import.meta.dirname, '..')
const FILES = globSync('src/**/*words*.ts', { cwd: ROOT }).concat(
  globSync('src/**/words/*.ts', { cwd: ROOT }),
)
const KINDS: readonly unknown[] = [
  ...['«one»', '«two»', 1, 2, 5n, 7n, true, false, null],
  ...[['«one»'], ['«two»', '«three»']],
  // How many pieces a payment page sells at once.
  ...[
    { least: 2, most: 5, isLast: false },
    { least: 3, most: 5, isLast: false },
  ],
]

describe('a sentence says each value that it is given', () => {
  let count = 0
  for (const file of new Set(FILES))
    it(file, async () => {
      const tables: Record<string, unknown> = await import(join(ROOT, file))
      for (const [name, sentence] of Object.entries(tables).flatMap(([key, table]) =>
        sentencesIn(key, table),
      )) {
        count += 1
        for (let at = 0; at < sentence.length; at += 1)
          assert.ok(dependsOn(sentence, at), `${name} says the same whatever its value ${at + 1} is`)
      }
    })

  it('in hundreds of sentences', () => assert.ok(count > 300, String(count)))

  it('and one that does not is found', () => {
    const forgetful = (name: string, _amount: string) => `${name} paid`
    const counting = (text: string, count: number) => `${text} ${count === 1 ? 'payin' : 'payins'}`
    assert.deepEqual(
      [dependsOn(forgetful as Sentence, 0), dependsOn(forgetful as Sentence, 1)],
      [true, false],
    )
    assert.deepEqual([dependsOn(counting as Sentence, 0), dependsOn(counting as Sentence, 1)], [true, true])
  })
})

// Of a table. What a file exports beside it are functions of the pages.
function sentencesIn(name: string, value: unknown): [string, Sentence][] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]): [string, Sentence][] =>
    typeof inner === 'function' ? [[`${name}.${key}`, inner]] : sentencesIn(`${name}.${key}`, inner),
  )
}

// Whether there are values of which only this one differs, and what is said does too.
function dependsOn(sentence: Sentence, at: number): boolean {
  return others(sentence.length - 1).some((values) => {
    const said = KINDS.map((kind) => saidBy(sentence, values.toSpliced(at, 0, kind)))
    return new Set(said.filter((text) => text !== undefined)).size > 1
  })
}

function others(count: number): unknown[][] {
  return count === 0 ? [[]] : others(count - 1).flatMap((values) => KINDS.map((kind) => [...values, kind]))
}

// Undefined for what the sentence is never given.
function saidBy(sentence: Sentence, values: readonly unknown[]): string | undefined {
  try {
    const said = sentence(...values)
    return typeof said === 'string' ? said : JSON.stringify(said)
  } catch {
    return undefined
  }
}
