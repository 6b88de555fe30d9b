// A failure the user can fix, explained in a sentence, and the exit code for each outcome.

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

export function operatorsFailure(name: string): Failure {
  return usageFailure(
    `\`recaudo ${name}\` is for whoever runs the service: it is in the server’s folder, as \`npx recaudo ${name}\`.`,
  )
}
