// Allows one running Recaudo per data directory. The lock is a name in Linux's abstract socket namespace:
// taking it is atomic, it leaves no file behind, and the kernel frees it however the process ends. Only
// processes in the same network namespace see it, so two containers on one volume do not see each other.
// Other systems have no such names: there it is a lock on a file, which is atomic and freed by the kernel too.
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { prepareDataDir } from './location.ts'

export class DataDirInUse extends Error {
  override name = 'DataDirInUse'
}

export async function lockDataDir(dataDir: string): Promise<AsyncDisposable> {
  const realDataDir = await prepareDataDir(dataDir)
  return process.platform === 'linux' ? lockByName(realDataDir) : lockByFile(realDataDir)
}

async function lockByName(realDataDir: string): Promise<AsyncDisposable> {
  const name = createHash('sha256').update(realDataDir).digest('hex').slice(0, 32)
  const server = createServer((caller) => caller.destroy())
  // `exclusive` keeps a worker of node:cluster from sharing its parent's socket instead of being refused.
  server.listen({ path: `\0recaudo-${name}`, exclusive: true })
  try {
    await once(server, 'listening')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    throw inUse(realDataDir, error)
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

// Node cannot lock a file itself, but SQLite, which it brings along, does. Nothing is written into it.
export async function lockByFile(realDataDir: string): Promise<AsyncDisposable> {
  const { DatabaseSync } = await import('node:sqlite')
  const file = new DatabaseSync(join(realDataDir, 'recaudo.lock'), { timeout: 0 })
  try {
    file.exec('pragma journal_mode = memory; begin exclusive')
  } catch (error) {
    file.close()
    if ((error as { errcode?: number }).errcode !== SQLITE_BUSY) throw error
    throw inUse(realDataDir, error)
  }
  return {
    async [Symbol.asyncDispose]() {
      if (file.isOpen) file.close()
    },
  }
}

function inUse(realDataDir: string, cause: unknown): DataDirInUse {
  return new DataDirInUse(
    `Another Recaudo is running in ${realDataDir}: stop it first, or give this one another DATA_DIR.`,
    { cause },
  )
}

const SQLITE_BUSY = 5
