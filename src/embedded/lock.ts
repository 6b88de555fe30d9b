// Allows one running Recaudo per data directory. The lock is a name in Linux's abstract socket namespace:
// taking it is atomic, it leaves no file behind, and the kernel frees it however the process ends. Only
// processes in the same network namespace see it, so two containers on one volume do not see each other.
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { prepareDataDir } from './location.ts'

export class DataDirInUse extends Error {
  override name = 'DataDirInUse'
}

export async function lockDataDir(dataDir: string): Promise<AsyncDisposable> {
  const realDataDir = await prepareDataDir(dataDir)
  const name = createHash('sha256').update(realDataDir).digest('hex').slice(0, 32)
  const server = createServer((caller) => caller.destroy())
  // `exclusive` keeps a worker of node:cluster from sharing its parent's socket instead of being refused.
  server.listen({ path: `\0recaudo-${name}`, exclusive: true })
  try {
    await once(server, 'listening')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    throw new DataDirInUse(
      `Another Recaudo is running in ${realDataDir}: stop it first, or give this one another DATA_DIR.`,
      { cause: error },
    )
  }
  server.unref()
  return {
    async [Symbol.asyncDispose]() {
      if (!server.listening) return
      server.close()
      await once(server, 'close')
    },
  }
}
