// The operator's commands in this process: what main.ts does, without the half second that a process takes to load. That a
// command as a process comes to the same is shown once for each way to end (test/process/commands.test.ts).

import { runOperatorCommand } from '../../src/operator/commands.ts'
import { explainFailure } from '../../src/operator/failure.ts'
import { captureOutput } from '../captured-output.ts'
import type { ProcessExit } from './process.ts'

export async function recaudoInProcess(
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<ProcessExit> {
  const { result, stdout, stderr } = await captureOutput(() =>
    runOperatorCommand(args, { LOG_LEVEL: 'silent', ...env }).then(
      (exitCode) => ({ text: '', exitCode }),
      explainFailure,
    ),
  )
  return { code: result.exitCode, signal: null, stdout, stderr: stderr + result.text }
}
