// mutate at work on a tiny project.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { isDeep } from '../depth.ts'
import { ADULT_SOURCE, createProject } from './project.ts'

const test = (of: string, facts: string): string =>
  `import assert from 'node:assert/strict'
import { it } from 'node:test'
import { ${of} } from '../src/core/age.ts'
it('holds', () => {
  ${facts}
})
`
const LOOSE = test('isAdult', 'assert.equal(isAdult(40), true); assert.equal(isAdult(3), false)')
const EXACT = test('isAdult', 'assert.equal(isAdult(18), true); assert.equal(isAdult(17), false)')

describe('a mutant', { concurrency: true }, () => {
  it('whose test fails is caught, one that passes all survives and is shown', async () => {
    using project = createProject({ 'src/core/age.ts': ADULT_SOURCE, 'test/age.test.ts': LOOSE })
    const { code, stdout } = await project.mutate('--kind', 'comparison,constant')
    assert.equal(code, 1)
    assert.match(
      stdout,
      /^- {2}return age >= 18\n\+ {2}return age > 18\n {2}survived the one test file that runs it$/m,
    )
    assert.match(stdout, /^core +33\.3 % +1 of 3$/m)
    assert.match(stdout, /Under the bar of 90 %/)
    assert.equal(readFileSync(join(project.directory, 'src/core/age.ts'), 'utf8'), ADULT_SOURCE)
  })

  // As in each run below.
  it('is caught once the test says more', { skip: !isDeep && 'only by --deep' }, async () => {
    using project = createProject({ 'src/core/age.ts': ADULT_SOURCE, 'test/age.test.ts': EXACT })
    const { code, stdout } = await project.mutate()
    assert.equal(code, 0, stdout)
    assert.match(stdout, /^all +100\.0 % +5 of 5$/m)
  })

  it('is run by the tests that cover it, and by no other', async () => {
    const other = "import { it } from 'node:test'\nit('has nothing to do with it', () => {})\n"
    using project = createProject({
      'src/core/age.ts': `${ADULT_SOURCE}export const unused = (a: number) => a + 1\n`,
      'test/age.test.ts': EXACT,
      'test/other.test.ts': other,
    })
    const { stdout } = await project.mutate('--kind', 'comparison,constant')
    assert.match(stdout, /caught +src\/core\/age\.ts:3 comparison by test\/age\.test\.ts/)
    assert.match(stdout, /^\+export const unused = \(a: number\) => a - 1\n {2}no test runs this$/m)
    assert.doesNotMatch(stdout, /by test\/other/)
  })

  it('is caught by the file that fails, among those that share a process', async () => {
    const loose = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => [`test/${name}.test.ts`, LOOSE])
    using project = createProject({
      'src/core/age.ts': ADULT_SOURCE,
      ...Object.fromEntries(loose),
      'test/slow.test.ts': EXACT.replace(
        "it('holds', () => {",
        "it('holds', async () => {\n  await new Promise((resolve) => setTimeout(resolve, 300))",
      ),
    })
    const { stdout } = await project.mutate('--kind', 'comparison')
    assert.match(stdout, /^1\/1 caught +src\/core\/age\.ts:3 comparison by test\/slow\.test\.ts /m)
    const shown = await project.mutate('--kind', 'comparison', '--most-tests', '6')
    assert.match(shown.stdout, /survived the first 6 of 7 test files that run it/)
  })

  it('is caught although a test beside it fails by itself, which counts for nothing', async () => {
    using project = createProject({
      'src/core/age.ts': ADULT_SOURCE,
      'test/age.test.ts': EXACT,
      'test/broken.test.ts': test('isAdult', 'assert.equal(isAdult(3), true)'),
    })
    const { stdout } = await project.mutate('--kind', 'comparison')
    assert.match(stdout, /test\/broken\.test\.ts .* FAILS, left out$/m)
    assert.match(stdout, /^1\/1 caught +src\/core\/age\.ts:3 comparison by test\/age\.test\.ts /m)
  })

  it('that makes a test hang is caught', async () => {
    using project = createProject({
      'src/core/age.ts': 'export async function wait(done: boolean) {\n  while (!done) await 0\n}\n',
      'test/age.test.ts': test('wait', 'return wait(true)'),
    })
    const { stdout } = await project.mutate('--kind', 'condition', '--timeout', '1')
    assert.match(stdout, /timeout +src\/core\/age\.ts:2 condition/)
  })
})

describe('a run', { concurrency: true }, () => {
  it('that was stopped goes on where it ended', async () => {
    using project = createProject({ 'src/core/age.ts': ADULT_SOURCE, 'test/age.test.ts': EXACT })
    const ended = await project.interrupt('SIGINT', /^2\/5 /m, '--jobs', '1')
    assert.equal(ended, 130)
    const { code, stdout } = await project.mutate('--resume', '--jobs', '1')
    assert.equal(code, 0, stdout)
    assert.match(stdout, /^[23] of 5 mutants are known from the run before$/m)
    assert.doesNotMatch(stdout, /^coverage/m)
    assert.match(stdout, /^all +100\.0 % +5 of 5$/m)
  })

  it('that was killed goes on too', async () => {
    using project = createProject({ 'src/core/age.ts': ADULT_SOURCE, 'test/age.test.ts': EXACT })
    await project.interrupt('SIGKILL', /^1\/5 /m, '--jobs', '1')
    const { stdout } = await project.mutate('--resume', '--jobs', '1')
    assert.match(stdout, /^[12] of 5 mutants are known from the run before$/m)
    assert.match(stdout, /^all +100\.0 % +5 of 5$/m)
  })
})
