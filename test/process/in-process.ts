// The operator's commands in this process: what main.ts does, without the half second that a process takes to load. That a
// command as a process comes to the same is shown once for each way to end (test/process/commands.test.ts).

import { AsyncLocalStorage } from 'node:async_hooks'
import { runCommand } from '../../src/operator/commands.ts'
import { explainFailure } from '../../src/operator/failure.ts'
import type { ProcessExit } from './process.ts'

const printing = new AsyncLocalStorage<string[]>()
const write = process.stdout.write.bind(process.stdout)
// What else is written meanwhile, such as the report of the tests, goes its own way.
process.stdout.write = ((text: string, ...rest: []) => {
  const lines = printing.getStore()
  if (lines === undefined || typeof text !== 'string') return write(text, ...rest)
  lines.push(text)
  return true
}) as typeof process.stdout.write

export async function recaudoHere(
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<ProcessExit> {
  const lines: string[] = []
  const end = await printing.run(lines, () =>
    runCommand(args, { LOG_LEVEL: 'silent', ...env }).then(
      (exitCode) => ({ text: '', exitCode }),
      explainFailure,
    ),
  )
  return { code: end.exitCode, signal: null, stdout: lines.join(''), stderr: end.text }
}
