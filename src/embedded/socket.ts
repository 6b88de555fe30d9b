// Where PostgreSQL's unix socket is: in the cluster, which only its account and root can enter. If that path
// exceeds the kernel's 108 bytes, the socket gets its own directory under the temporary directory.
import { createHash } from 'node:crypto'
import { lstat, mkdtemp, readdir, rmdir, unlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { canReach, type DataLocation, handOver } from './location.ts'

export type SocketDirectory = AsyncDisposable & { path: string }

export const PORT = '5432'

export async function provideSocketDirectory(place: DataLocation): Promise<SocketDirectory> {
  if (Buffer.byteLength(place.cluster) <= MAXIMUM_PATH_BYTES) {
    return { path: place.cluster, async [Symbol.asyncDispose]() {} }
  }
  const parent = await chooseParent(place)
  const prefix = `recaudo-${createHash('sha256').update(place.cluster).digest('hex').slice(0, 12)}-`
  const owner = place.runAs?.uid ?? process.geteuid?.()
  for (const name of await readdir(parent)) {
    if (!name.startsWith(prefix)) continue
    // In a shared directory anyone may create such a name. Once the owner is checked, only that owner or root can
    // replace the directory.
    const abandoned = join(parent, name)
    const status = await lstat(abandoned)
    if (status.isDirectory() && status.uid === owner) await removeSocketDirectory(abandoned)
  }
  const path = await mkdtemp(join(parent, prefix))
  if (place.runAs !== undefined) await handOver(path, place.runAs)
  return { path, [Symbol.asyncDispose]: () => removeSocketDirectory(path) }
}

async function chooseParent(place: DataLocation): Promise<string> {
  const usual = tmpdir()
  if (Buffer.byteLength(join(usual, EXAMPLE_NAME)) > MAXIMUM_PATH_BYTES) return '/tmp'
  return place.runAs === undefined || (await canReach(place.runAs, usual)) ? usual : '/tmp'
}

async function removeSocketDirectory(path: string): Promise<void> {
  for (const name of [`.s.PGSQL.${PORT}`, `.s.PGSQL.${PORT}.lock`]) {
    await unlink(join(path, name)).catch(() => undefined)
  }
  // An empty directory left in /tmp does no harm, so failure is ignored.
  await rmdir(path).catch(() => undefined)
}

// The kernel's limit minus the names of the socket and of its lock file.
const MAXIMUM_PATH_BYTES = 90
const EXAMPLE_NAME = 'recaudo-0123456789ab-XXXXXX'
