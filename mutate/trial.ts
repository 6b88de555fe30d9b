// Plants one mutant in a tree of its own and runs the test files that cover it until one fails. Undefined where the run was
// stopped meanwhile: nothing is known of it then.

import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Coverage } from './coverage.ts'
import { applied, type Mutant } from './mutant.ts'
import type { Result } from './results.ts'
import { runTests, type TestFile } from './test-process.ts'
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
    const files = tests.slice(0, options.mostTests).map(({ test, durationMs }) => ({
      test,
      timeoutMs: options.timeoutSeconds * 1000 + PATIENCE * durationMs,
    }))
    for (const some of inProcesses(files)) {
      const { outcome, test } = await runTests(tree, some, { stopAtFirst: true, env })
      if (outcome === 'stopped') return undefined
      const ran = files.findIndex((file) => file.test === test) + 1
      if (outcome !== 'passed') return end(outcome === 'failed' ? 'caught' : 'timeout', ran, test)
    }
    return end('survived', files.length)
  } finally {
    rmSync(tree, { recursive: true, force: true, maxRetries: 5 })
  }
}

// Most mutants are caught by the first file. Of the others each would cost more to start than its tests do.
function inProcesses(files: readonly TestFile[]): TestFile[][] {
  const sizes = [1, 4, files.length]
  let from = 0
  return sizes.flatMap((size) => {
    const some = files.slice(from, from + size)
    from += size
    return some.length > 0 ? [some] : []
  })
}
