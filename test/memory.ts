// Where the databases of a run are: in memory, if there is enough of it, and if programs may be run there, since those of a PostgreSQL
// may have to be copied. A database is copied there at a tenth of the cost, because nothing waits for a disk. TMPDIR names another place.

import { accessSync, constants, readFileSync, statfsSync } from 'node:fs'
import { freemem } from 'node:os'

const MEMORY = '/dev/shm'
const ENOUGH_BYTES = 4 * 1024 ** 3

export function memoryDirectory(): string | undefined {
  if (process.env.TMPDIR !== undefined) return undefined
  try {
    accessSync(MEMORY, constants.W_OK)
    const { bavail, bsize } = statfsSync(MEMORY)
    const mount = readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .find((line) => line.split(' ')[1] === MEMORY)
    const isRoomy = Math.min(bavail * bsize, freemem()) >= ENOUGH_BYTES
    return isRoomy && mount !== undefined && !mount.includes('noexec') ? MEMORY : undefined
  } catch {
    return undefined
  }
}
