// Which tests are run first for a mutant.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Coverage } from '../../mutate/coverage.ts'
import { createCovering } from '../../mutate/covering.ts'
import type { Mutant } from '../../mutate/mutant.ts'

const FILE = 'src/store/payins/attempts.ts'
const MUTANT = { file: FILE, start: 40, end: 50 } as Mutant

const coverage = (test: string, changes: Partial<Coverage> = {}): Coverage => ({
  test,
  passed: true,
  durationMs: 1_000,
  inputs: {},
  ran: { [FILE]: '0-100', 'src/other.ts': '0-900' },
  ...changes,
})

function order(coverages: Coverage[], texts: Record<string, string> = {}, caughtBy?: string): string[] {
  const covering = createCovering(
    coverages,
    () => undefined,
    (path) => texts[path],
  )
  if (caughtBy !== undefined) covering.noteCatch({ file: FILE }, caughtBy)
  return covering.testsFor(MUTANT).map(({ test }) => test)
}

describe('the tests of a mutant', () => {
  it('are those that ran its place, and passed', () => {
    const ran = order([
      coverage('test/a.test.ts'),
      coverage('test/before.test.ts', { ran: { [FILE]: '0-40' } }),
      coverage('test/behind.test.ts', { ran: { [FILE]: '50-100' } }),
      coverage('test/failing.test.ts', { passed: false }),
    ])
    assert.deepEqual(ran, ['test/a.test.ts'])
  })

  it('begin with the one that is named alike, though it takes five times as long', () => {
    const named = coverage('test/store/payins/attempts.test.ts', { durationMs: 5_000 })
    assert.equal(order([coverage('test/store/other.test.ts'), named])[0], named.test)
  })

  it('begin with the one that imports the file, though it takes five times as long', () => {
    const importing = coverage('test/api/b.test.ts', { durationMs: 5_000 })
    const text = `import { x } from '../../src/store/payins/attempts.ts'\n`
    const [first] = order([coverage('test/api/a.test.ts'), importing], { [importing.test]: text })
    assert.equal(first, importing.test)
  })

  it('begin with one that has caught another in the file, though it takes five times as long', () => {
    const [first] = order(
      [coverage('test/api/a.test.ts'), coverage('test/api/b.test.ts', { durationMs: 5_000 })],
      {},
      'test/api/b.test.ts',
    )
    assert.equal(first, 'test/api/b.test.ts')
  })

  it('begin with the quicker one, and with the one that runs little else', () => {
    const slow = coverage('test/api/slow.test.ts', { durationMs: 2_000 })
    assert.equal(order([slow, coverage('test/api/quick.test.ts')])[0], 'test/api/quick.test.ts')
    const wide = coverage('test/api/wide.test.ts', { ran: { [FILE]: '0-100', 'src/other.ts': '0-9000' } })
    assert.equal(order([wide, coverage('test/api/narrow.test.ts')])[0], 'test/api/narrow.test.ts')
  })
})
