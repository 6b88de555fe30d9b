// Mutants of several files are shown to the compiler at once. Each has to answer for its own errors only.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Mutant } from '../../mutate/mutant.ts'
import { ofUnrelatedFiles } from '../../mutate/type-check.ts'

const IMPORTS: Readonly<Record<string, string[]>> = { 'en.ts': ['es.ts'], 'page.ts': ['en.ts'] }

function rounds(...files: string[]): string[][] {
  const mutants = files.map((file) => ({ file }) as Mutant)
  return ofUnrelatedFiles(mutants, (file) => IMPORTS[file] ?? []).map((round) =>
    round.map(({ file }) => file),
  )
}

describe('what the compiler sees at once', () => {
  it('is one mutant of each file', () => {
    assert.deepEqual(rounds('a.ts', 'b.ts', 'a.ts'), [['a.ts', 'b.ts'], ['a.ts']])
  })

  it('has no file together with one that it imports, whichever comes first', () => {
    assert.deepEqual(rounds('es.ts', 'en.ts', 'page.ts'), [['es.ts', 'page.ts'], ['en.ts']])
    assert.deepEqual(rounds('en.ts', 'es.ts', 'page.ts'), [['en.ts'], ['es.ts', 'page.ts']])
  })
})
