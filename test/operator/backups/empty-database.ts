// A database without a table, which is dropped when it is left.

import { createDatabase } from '../../world.ts'

export async function emptyDatabase(): Promise<AsyncDisposable & { url: string }> {
  const { url, drop } = await createDatabase(null)
  return { url, [Symbol.asyncDispose]: drop }
}
