// Test files that share a process are run as if each had its own.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { testProcessScript } from './one-process.ts'

describe('test files in one process', () => {
  const directory = mkdtempSync(join(tmpdir(), 'recaudo-one-process-'))
  after(() => rmSync(directory, { recursive: true }))

  const run = (files: Readonly<Record<string, string>>) => {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text)
    const path = join(directory, 'together.mjs')
    writeFileSync(path, testProcessScript(directory, Object.keys(files)))
    // Node's runner tells its children by it, which then report to it and not to us.
    const { NODE_TEST_CONTEXT: _, ...env } = process.env
    return new Promise<{ code: number; said: string }>((resolve) => {
      execFile(process.execPath, [path], { env }, (error, said) => {
        resolve({ code: Number(error?.code ?? 0), said })
      })
    })
  }
  const hooked = (name: string) => `
    import { after, afterEach, before, beforeEach, it } from 'node:test'
    const say = (what) => () => console.log('said: ${name} ' + what)
    before(say('begins'))
    beforeEach(say('before a test'))
    it('a test', say('tests'))
    afterEach(say('after a test'))
    after(say('ends'))
  `

  it('do for their own tests only what they ask for before and after tests, and close before the next begins', async () => {
    const { code, said } = await run({ 'a.mjs': hooked('a'), 'b.mjs': hooked('b') })
    assert.equal(code, 0, said)
    const steps = ['begins', 'before a test', 'tests', 'after a test', 'ends']
    const expected = ['a', 'b'].flatMap((name) => steps.map((step) => `${name} ${step}`))
    assert.deepEqual(
      [...said.matchAll(/said: (.*)/g)].map(([, what]) => what),
      expected,
    )
  })

  it('fail where one fails, cannot be read or waits while it is read, and the others are run', async () => {
    const failing = `import { it } from 'node:test'; it('fails', () => { throw new Error('it failed') })`
    const { code, said } = await run({
      'fails.mjs': failing,
      'broken.mjs': `import './missing.mjs'`,
      'waits.mjs': 'await Promise.resolve()',
      'c.mjs': hooked('c'),
    })
    assert.equal(code, 1, said)
    for (const what of ['it failed', 'missing.mjs', 'ERR_REQUIRE_ASYNC_MODULE', 'said: c tests'])
      assert.match(said, new RegExp(what))
  })
})
