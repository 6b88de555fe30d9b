// Runs one test file in a process of its own and says how it ended. The first test that fails is enough: the file is given a
// moment to tidy up and is then ended, with all it has started.

import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

export type TestEnd = {
  outcome: 'passed' | 'failed' | 'timeout' | 'stopped'
  durationMs: number
  output: string
}

const TIDY_UP_MS = 3_000
const OUTPUT_KEPT = 20_000

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

export function runTest(
  tree: string,
  test: string,
  options: { timeoutMs: number; env?: Record<string, string>; stopAtFirst?: boolean },
): Promise<TestEnd> {
  const started = performance.now()
  // A runner above us must not take this file for one of its own.
  const { NODE_TEST_CONTEXT: _, NODE_V8_COVERAGE: __, NODE_OPTIONS: ___, ...env } = process.env
  const child = spawn(process.execPath, [...startFlags(tree), '--test-reporter=tap', join(tree, test)], {
    cwd: tree,
    env: { ...env, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own, so that what it has started ends with it.
    detached: true,
  })
  return new Promise((resolve) => {
    let output = ''
    let outcome: TestEnd['outcome'] | undefined
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
    const timer = setTimeout(() => {
      outcome ??= 'timeout'
      end()
    }, options.timeoutMs)
    let tidyUp: NodeJS.Timeout | undefined
    const listen = (text: string): void => {
      output = (output + text).slice(-OUTPUT_KEPT)
      if (!options.stopAtFirst || outcome !== undefined || !/^\s*not ok (?!.*# (?:TODO|SKIP))/m.test(output))
        return
      outcome = 'failed'
      tidyUp = setTimeout(end, TIDY_UP_MS)
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
        durationMs: performance.now() - started,
        output,
      })
    })
  })
}
