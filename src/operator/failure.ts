// Something the operator can mend. Its message is one line that says what; no stack trace is shown.

export class OperatorFailure extends Error {
  override name = 'OperatorFailure'
  readonly exitCode: number
  constructor(message: string, exitCode = 1) {
    super(message)
    this.exitCode = exitCode
  }
}

// The command line itself was wrong.
export const USAGE_EXIT_CODE = 2
