// `postgres.log` in the data directory: the output of initdb and PostgreSQL. We open the file and they inherit
// it, so the account that runs them needs no write access to the data directory.
import { constants } from 'node:fs'
import { open, rename, stat } from 'node:fs/promises'
import { type Account, exists } from './location.ts'

export type Log = AsyncDisposable & {
  fd: number
  // The last lines written since this log was opened.
  lastLines(): Promise<string>
}

export async function openLog(path: string, runAs: Account | undefined): Promise<Log> {
  if ((await exists(path)) && (await stat(path)).size > ROTATE_AT_BYTES) await rename(path, `${path}.1`)
  // Root may be working in another user's directory, and must not follow a link from there to a file elsewhere.
  const { O_APPEND, O_CREAT, O_RDWR, O_NOFOLLOW } = constants
  const file = await open(path, O_APPEND | O_CREAT | O_RDWR | O_NOFOLLOW, 0o600)
  const status = await file.stat()
  // It may name what is in a row. One that is there keeps its mode otherwise.
  if (status.nlink === 1) await file.chmod(0o600).catch(() => undefined)
  // Lets the cluster's owner start it later without root. PostgreSQL does not need this, so failure is ignored.
  if (runAs !== undefined && status.nlink === 1) await file.chown(runAs.uid, runAs.gid).catch(() => undefined)

  return {
    fd: file.fd,
    async lastLines() {
      const { size } = await file.stat()
      const start = Math.max(status.size, size - TAIL_BYTES)
      const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(TAIL_BYTES), position: start })
      const lines = buffer.toString('utf8', 0, bytesRead).split('\n')
      return lines
        .filter((line) => line.trim() !== '')
        .slice(-LINES_SHOWN)
        .map((line) => `  ${line}`)
        .join('\n')
    },
    [Symbol.asyncDispose]: () => file.close(),
  }
}

// Months of normal operation. Checked only at start, because PostgreSQL keeps the file open while it runs.
const ROTATE_AT_BYTES = 16 * 1024 * 1024

// Enough for PostgreSQL's error message and the shutdown lines around it. More would hide the cause.
const LINES_SHOWN = 12
const TAIL_BYTES = 16 * 1024
