// A failure the operator can fix. Its message says what is wrong and is printed without a stack trace.

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
