// What the runner knows without following every promise.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'

describe('a file of tests', () => {
  it('fails by an error that nobody caught, thrown or rejected, and shows where it came from', () => {
    for (const [end, message] of [
      [`throw new Error('thrown late')`, /Error: thrown late\n +at /],
      [`Promise.reject(new Error('rejected late'))`, /Error: rejected late\n +at /],
    ] as const) {
      const { status, output } = runFile(
        `it('waits', () => new Promise((end) => setTimeout(() => { setTimeout(end, 1); ${end} }, 1)))`,
      )
      assert.equal(status, 1, output)
      assert.match(output, message)
    }
  })

  it('passes without one, with each test in its own suite, and fails by a test that fails', () => {
    const suites = (of: string) =>
      `describe('outer', () => { describe('inner', () => { before(() => console.log('begun')); it('test', async () => { await null; ${of} }) }) })`
    const passed = runFile(suites(''))
    assert.equal(passed.status, 0, passed.output)
    assert.match(passed.output, /begun[\s\S]*▶ outer\n {2}▶ inner\n {4}✔ test/)
    assert.equal(runFile(suites(`throw new Error('no')`)).status, 1)
  })
})

function runFile(code: string): { status: number | null; output: string } {
  const directory = mkdtempSync(join(tmpdir(), 'recaudo-runner-'))
  try {
    const path = join(directory, 'planted.test.mjs')
    writeFileSync(path, `import { before, describe, it } from 'node:test'\n${code}\n`)
    const { NODE_TEST_CONTEXT: _, ...env } = process.env
    const hooks = join(import.meta.dirname, 'untracked-promises.ts')
    const ran = spawnSync(process.execPath, ['--import', hooks, '--test-reporter=spec', path], {
      env,
      encoding: 'utf8',
    })
    return { status: ran.status, output: ran.stdout + ran.stderr }
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}
