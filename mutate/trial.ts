// Plants one mutant in a tree of its own and runs the test files that cover it until one fails. Undefined where the run was
// stopped meanwhile: nothing is known of it then.

import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Coverage } from './coverage.ts'
import { applied, type Mutant } from './mutant.ts'
import type { Result } from './results.ts'
import { runTest } from './test-process.ts'
import { CACHE, makeTree, putFile, rebuild } from './tree.ts'

export type End = Pick<Result, 'outcome' | 'by' | 'ran' | 'covering' | 'durationMs'>

// Several run at once, so each is slower than it was alone.
const PATIENCE = 4

export async function tryMutant(
  root: string,
  mutant: Mutant,
  text: string,
  tests: readonly Coverage[],
  options: { worker: number; mostTests: number; timeoutSeconds: number },
): Promise<End | undefined> {
  const started = performance.now()
  const covering = tests.length
  const end = (outcome: Result['outcome'], ran: number, by?: string): End => ({
    outcome,
    ...(by !== undefined && { by }),
    ran,
    covering,
    durationMs: Math.round(performance.now() - started),
  })
  if (covering === 0) return end('uncovered', 0)
  const tree = makeTree(root, String(options.worker))
  try {
    putFile(tree, mutant.file, applied(text, mutant))
    if (!rebuild(tree, mutant.file)) return end('refused', 0)
    // Compiled once for all mutants, but for the file that is one.
    const env = { NODE_COMPILE_CACHE: join(root, CACHE, 'compiled') }
    let ran = 0
    for (const { test, durationMs } of tests.slice(0, options.mostTests)) {
      ran += 1
      const timeoutMs = options.timeoutSeconds * 1000 + PATIENCE * durationMs
      const { outcome } = await runTest(tree, test, { timeoutMs, stopAtFirst: true, env })
      if (outcome === 'stopped') return undefined
      if (outcome !== 'passed') return end(outcome === 'failed' ? 'caught' : 'timeout', ran, test)
    }
    return end('survived', ran)
  } finally {
    rmSync(tree, { recursive: true, force: true, maxRetries: 5 })
  }
}
