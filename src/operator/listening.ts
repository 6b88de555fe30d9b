// Listens on an address, or says which setting to change.

import { OperatorFailure } from './failure.ts'

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
