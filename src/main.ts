// Where the process begins. Whatever the operator can mend ends in one line and a non-zero exit; anything else is a bug
// and shows where.

import { ConfigMistakes } from './config.ts'
import { EmbeddedPostgresFailure } from './embedded/failure.ts'
import { DataDirInUse } from './embedded/lock.ts'
import { runCommand } from './operator/commands.ts'
import { OperatorFailure } from './operator/failure.ts'
import { StoreUnavailable } from './store/db.ts'
import { SchemaMismatch } from './store/migrate.ts'

const MENDABLE = [OperatorFailure, SchemaMismatch, EmbeddedPostgresFailure, DataDirInUse, StoreUnavailable]

try {
  await runCommand(process.argv.slice(2))
  process.exit(0)
} catch (error) {
  if (error instanceof ConfigMistakes) {
    for (const mistake of error.mistakes) process.stderr.write(`recaudo: ${mistake}\n`)
    process.exit(1)
  }
  const { message, stack, syscall } = error as NodeJS.ErrnoException
  // The system refused a file or a directory, and its message names both.
  const mendable = syscall !== undefined || MENDABLE.some((kind) => error instanceof kind)
  process.stderr.write(`recaudo: ${mendable ? message : (stack ?? error)}\n`)
  process.exit(error instanceof OperatorFailure ? error.exitCode : 1)
}
