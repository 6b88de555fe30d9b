// Shows that a test file which would hang the whole run is ended, with what it left behind, and that the run goes on.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, it } from 'node:test'
import { pathToFileURL } from 'node:url'

const HANGS = {
  'does not listen to SIGTERM': `
    process.on('SIGTERM', () => {})
    test('waits', () => new Promise(() => setInterval(() => {}, 1_000)))`,
  'leaves a process behind that holds its output': `
    test('starts one', async () => {
      spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit', detached: true }).unref()
      await new Promise((resolve) => setTimeout(resolve, 3_000))
    })`,
}

describe('a test file', { concurrency: true }, () => {
  for (const [what, body] of Object.entries(HANGS))
    it(`that ${what} is ended, and the run ends`, { timeout: 60_000 }, async () => {
      const directory = mkdtempSync(join(tmpdir(), 'recaudo-hanging-'))
      const file = join(directory, 'hangs.test.mjs')
      writeFileSync(
        file,
        `import { spawn } from 'node:child_process'\nimport { test } from 'node:test'\n${body}\n`,
      )
      const { status, stdout } = await runOf(file)
      rmSync(directory, { recursive: true })
      assert.equal(status, 0)
      assert.equal(stdout, `${file} did not end within 0.1 minutes, so it was ended.\nthe run ended\n`)
    })
})

// A runner of its own: within a test there can be no other.
async function runOf(file: string): Promise<{ status: number | null; stdout: string }> {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const watching = pathToFileURL(join(import.meta.dirname, 'hanging-files.ts')).href
  const script = `
    import { run } from 'node:test'
    import { endHangingFiles } from ${JSON.stringify(watching)}
    const tests = run({ files: [${JSON.stringify(file)}] })
    endHangingFiles(tests, 6_000, (line) => console.log(line))
    tests.once('end', () => console.log('the run ended'))
    tests.resume()`
  const runner = join(dirname(file), 'run.mjs')
  writeFileSync(runner, script)
  const child = spawn(process.execPath, [runner], { env })
  let stdout = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
  })
  return new Promise((resolve) => child.once('close', (status) => resolve({ status, stdout })))
}
