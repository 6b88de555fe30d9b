// Where PostgreSQL's unix socket is: in the cluster, which only its account and root can enter. If that path is longer than
// the kernel takes, the socket gets its own directory under the temporary directory.
import { createHash } from 'node:crypto'
import { lstat, mkdtemp, readdir, rmdir, unlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { canReach, type DataLocation, handOver } from './location.ts'

export type SocketDirectory = AsyncDisposable & { path: string }

export const PORT = '5432'

export async function provideSocketDirectory(place: DataLocation): Promise<SocketDirectory> {
  if (fitsSocket(place.cluster)) {
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

// Whether a socket in this directory has a name that the kernel takes.
export function fitsSocket(directory: string, platform: string = process.platform): boolean {
  return Buffer.byteLength(`${directory}/.s.PGSQL.${PORT}`) < (NAME_BYTES[platform] ?? SHORTEST_NAME_BYTES)
}

async function chooseParent(place: DataLocation): Promise<string> {
  const usual = tmpdir()
  if (!fitsSocket(join(usual, EXAMPLE_NAME))) return '/tmp'
  return place.runAs === undefined || (await canReach(place.runAs, usual)) ? usual : '/tmp'
}

async function removeSocketDirectory(path: string): Promise<void> {
  for (const name of [`.s.PGSQL.${PORT}`, `.s.PGSQL.${PORT}.lock`]) {
    await unlink(join(path, name)).catch(() => undefined)
  }
  // An empty directory left in /tmp does no harm, so failure is ignored.
  await rmdir(path).catch(() => undefined)
}

// The kernel's room for a socket's name, with the zero byte at its end.
const SHORTEST_NAME_BYTES = 104
const NAME_BYTES: Readonly<Record<string, number>> = { linux: 108, darwin: SHORTEST_NAME_BYTES }
const EXAMPLE_NAME = 'recaudo-0123456789ab-XXXXXX'
