// npm test: checks types and style, starts a PostgreSQL with a migrated template, and runs the tests. `node test/run.ts
// test/api/payins/operations.test.ts` runs some files only. TEST_DATABASE_URL uses that server instead of the embedded
// one.

import { spawn } from 'node:child_process'
import { globSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { findChromium } from './browser/chromium.ts'
import { startTestServer } from './server.ts'

const chosen = process.argv.slice(2)
const bin = (name: string): string => join(import.meta.dirname, '../node_modules/.bin', name)

process.exitCode = await main()

async function main(): Promise<number> {
  if (chosen.length === 0) {
    if ((await run(bin('tsc'), ['--noEmit'])) !== 0) return 1
    if ((await run(bin('biome'), ['check', '.'])) !== 0) return 1
  }
  await using _server = await startTestServer()
  const files =
    chosen.length > 0
      ? chosen
      : globSync('test/**/*.test.ts', { cwd: join(import.meta.dirname, '..') }).sort()
  if (files.some((file) => file.includes('test/browser/'))) provideChromium()
  return await run(process.execPath, [
    '--test',
    '--test-reporter=spec',
    // One more than cores: tests wait for clocks, networks and browsers much of the time.
    `--test-concurrency=${availableParallelism() + 1}`,
    '--test-timeout=120000',
    ...files,
  ])
}

// Here and not in the tests, which run side by side: installing it twice at once fails. If there is none, the tests that need
// one say so.
function provideChromium(): void {
  try {
    findChromium()
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`)
  }
}

function run(command: string, args: string[]): Promise<number> {
  return new Promise((resolve) => {
    spawn(command, args, { stdio: 'inherit', cwd: join(import.meta.dirname, '..') })
      .on('close', (code) => resolve(code ?? 1))
      .on('error', (error) => {
        process.stderr.write(`${error.message}\n`)
        resolve(1)
      })
  })
}
