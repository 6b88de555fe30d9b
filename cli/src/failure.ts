// Something the user can mend, said in a sentence; and what each way to end is told by to whoever called us.

export const EXIT = { done: 0, failed: 1, usage: 2, credentials: 3, unreachable: 4 } as const
export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

export class Failure extends Error {
  override name = 'Failure'
  readonly exitCode: ExitCode

  constructor(message: string, exitCode: ExitCode = EXIT.failed) {
    super(message)
    this.exitCode = exitCode
  }
}

export function usageFailure(message: string): Failure {
  return new Failure(message, EXIT.usage)
}
