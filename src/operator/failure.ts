// A failure the operator can fix. Its message says what is wrong and is printed without a stack trace.

import { ConfigMistakes } from '../config.ts'
import { EmbeddedPostgresFailure } from '../embedded/failure.ts'
import { DataDirInUse } from '../embedded/lock.ts'
import { StoreUnavailable } from '../store/db.ts'
import { NotDistributable } from '../store/distribute.ts'
import { SchemaMismatch } from '../store/migrate.ts'

export class OperatorFailure extends Error {
  override name = 'OperatorFailure'
  readonly exitCode: number
  constructor(message: string, exitCode = 1, options?: ErrorOptions) {
    super(message, options)
    this.exitCode = exitCode
  }
}

// The exit code for a wrong command line.
export const USAGE_EXIT_CODE = 2

// Listens on an address, or says which setting to change.
export async function listening<Result>(
  { host, port }: { host: string; port: number },
  setting: string,
  listen: () => Promise<Result>,
): Promise<Result> {
  try {
    return await listen()
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const reason =
      code === 'EADDRINUSE' ? `another program listens there already; set ${setting} to a free one` : message
    throw new OperatorFailure(`Cannot listen on ${host}:${port}: ${reason}.`)
  }
}

const FIXABLE = [
  OperatorFailure,
  SchemaMismatch,
  NotDistributable,
  EmbeddedPostgresFailure,
  DataDirInUse,
  StoreUnavailable,
]

// What is said of an error that ends a command: one line for each thing that the operator can fix. Anything else is a bug and has
// its stack.
export function explainFailure(error: unknown): { text: string; exitCode: number } {
  if (error instanceof ConfigMistakes)
    return { text: error.mistakes.map((mistake) => `recaudo: ${mistake}\n`).join(''), exitCode: 1 }
  const { message, stack, syscall } = error as NodeJS.ErrnoException
  // A system call on a file or directory failed. Its message names the error and the path.
  const isFixable = syscall !== undefined || FIXABLE.some((kind) => error instanceof kind)
  return {
    text: `recaudo: ${isFixable ? message : (stack ?? error)}\n`,
    exitCode: error instanceof OperatorFailure ? error.exitCode : 1,
  }
}
