// Entry point of the process. A failure that the operator can fix prints one line and exits non-zero. Anything else is a bug
// and prints its stack.

import { ConfigMistakes } from './config.ts'
import { EmbeddedPostgresFailure } from './embedded/failure.ts'
import { DataDirInUse } from './embedded/lock.ts'
import { runCommand } from './operator/commands.ts'
import { OperatorFailure } from './operator/failure.ts'
import { StoreUnavailable } from './store/db.ts'
import { NotDistributable } from './store/distribute.ts'
import { SchemaMismatch } from './store/migrate.ts'

const FIXABLE = [
  OperatorFailure,
  SchemaMismatch,
  NotDistributable,
  EmbeddedPostgresFailure,
  DataDirInUse,
  StoreUnavailable,
]

try {
  process.exit(await runCommand(process.argv.slice(2)))
} catch (error) {
  if (error instanceof ConfigMistakes) {
    for (const mistake of error.mistakes) process.stderr.write(`recaudo: ${mistake}\n`)
    process.exit(1)
  }
  const { message, stack, syscall } = error as NodeJS.ErrnoException
  // A system call on a file or directory failed. Its message names the error and the path.
  const isFixable = syscall !== undefined || FIXABLE.some((kind) => error instanceof kind)
  process.stderr.write(`recaudo: ${isFixable ? message : (stack ?? error)}\n`)
  process.exit(error instanceof OperatorFailure ? error.exitCode : 1)
}
