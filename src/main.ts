// Entry point of the process.

import { runOperatorCommand } from './operator/commands.ts'
import { explainFailure } from './operator/failure.ts'

try {
  process.exit(await runOperatorCommand(process.argv.slice(2)))
} catch (error) {
  const { text, exitCode } = explainFailure(error)
  process.stderr.write(text)
  process.exit(exitCode)
}
