// Runs test files in a process of their own and says how it ended. The first test that fails is enough: its file is given a
// moment to tidy up, and the process is then ended, with all it has started.

import { spawn } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { testProcessScript } from '../test/one-process.ts'

export type TestEnd = {
  outcome: 'passed' | 'failed' | 'timeout' | 'stopped'
  // The one that was run last.
  test: string
  durationMs: number
  output: string
}

const TIDY_UP_MS = 3_000
const OUTPUT_KEPT = 20_000
const SCRIPT = 'mutate-tests.mjs'

// Groups of their own do not end with us by themselves.
const running = new Set<() => void>()

export function stopTests(): void {
  for (const stop of running) stop()
}

// As `npm test` starts a file, where the project has these: a process then needs a third less.
const IMPORTS = ['bin/module-resolution.mjs', 'test/untracked-promises.ts']

function startFlags(tree: string): string[] {
  return IMPORTS.map((file) => join(tree, file))
    .filter((file) => existsSync(file))
    .flatMap((file) => ['--import', file])
}

export type TestFile = { test: string; timeoutMs: number }

// One file by itself. Several share a process, one after the other, as in `npm test`.
export function runTests(
  tree: string,
  files: readonly TestFile[],
  options: { env?: Record<string, string>; stopAtFirst?: boolean; script?: string } = {},
): Promise<TestEnd> {
  const started = performance.now()
  const tests = files.map(({ test }) => test)
  // A runner above us must not take these files for some of its own.
  const { NODE_TEST_CONTEXT: _, NODE_V8_COVERAGE: __, NODE_OPTIONS: ___, ...env } = process.env
  const [first = ''] = tests
  const script = tests.length === 1 ? join(tree, first) : join(tree, SCRIPT)
  if (tests.length > 1) writeFileSync(script, options.script ?? testProcessScript(tree, tests))
  const child = spawn(process.execPath, [...startFlags(tree), '--test-reporter=tap', script], {
    cwd: tree,
    env: { ...env, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own, so that what it has started ends with it.
    detached: true,
  })
  return new Promise((resolve) => {
    let output = ''
    let outcome: TestEnd['outcome'] | undefined
    let current = files[0] as TestFile
    const end = (): void => {
      try {
        process.kill(-(child.pid as number), 'SIGKILL')
      } catch {
        // It has ended by itself.
      }
    }
    const stop = (): void => {
      outcome = 'stopped'
      end()
    }
    running.add(stop)
    const expire = (): void => {
      outcome ??= 'timeout'
      end()
    }
    let timer = setTimeout(expire, current.timeoutMs)
    const begin = (file: TestFile): void => {
      current = file
      clearTimeout(timer)
      timer = setTimeout(expire, file.timeoutMs)
    }
    let tidyUp: NodeJS.Timeout | undefined
    let line = ''
    const listen = (text: string): void => {
      output = (output + text).slice(-OUTPUT_KEPT)
      if (outcome !== undefined) return
      const lines = (line + text).split('\n')
      line = lines.pop() as string
      for (const one of lines) {
        const begun = files.find(({ test }) => one === `# Subtest: ${test}`)
        if (begun !== undefined) begin(begun)
        if (!options.stopAtFirst || !/^\s*not ok (?!.*# (?:TODO|SKIP))/.test(one)) continue
        outcome = 'failed'
        tidyUp = setTimeout(end, TIDY_UP_MS)
        return
      }
    }
    child.stdout.setEncoding('utf8').on('data', listen)
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-OUTPUT_KEPT)
    })
    child.once('error', (error) => {
      output += error.message
    })
    child.once('exit', (code) => {
      running.delete(stop)
      clearTimeout(timer)
      clearTimeout(tidyUp)
      end()
      resolve({
        outcome: outcome ?? (code === 0 ? 'passed' : 'failed'),
        test: current.test,
        durationMs: performance.now() - started,
        output,
      })
    })
  })
}
