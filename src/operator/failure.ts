// A failure the operator can fix. Its message says what is wrong and is printed without a stack trace.

export class OperatorFailure extends Error {
  override name = 'OperatorFailure'
  readonly exitCode: number
  constructor(message: string, exitCode = 1) {
    super(message)
    this.exitCode = exitCode
  }
}

// The exit code for a wrong command line.
export const USAGE_EXIT_CODE = 2
