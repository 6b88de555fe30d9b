// The database's files. A cluster is created under a temporary name and renamed when it is complete, so that a
// crash during creation never leaves something that looks like a database.
import { mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Binaries } from './binaries.ts'
import { syncDirectory } from './directory.ts'
import { fullDisk } from './end.ts'
import { EmbeddedPostgresFailure } from './failure.ts'
import { launch } from './launch.ts'
import { type DataLocation, exists, handOver, handOverTree, isServiceAccount, NOBODY } from './location.ts'
import type { Log } from './log.ts'

export async function hasCluster(cluster: string, majorVersion: string): Promise<boolean> {
  if (!(await exists(cluster)) || (await readdir(cluster)).length === 0) return false
  const versionFile = join(cluster, 'PG_VERSION')
  if (!(await exists(versionFile))) {
    throw new EmbeddedPostgresFailure(
      `${cluster} holds files that are no PostgreSQL database: move them away, or give Recaudo another DATA_DIR.`,
    )
  }
  const clusterVersion = (await readFile(versionFile, 'utf8')).trim()
  if (clusterVersion === majorVersion) return true
  throw new EmbeddedPostgresFailure(
    `The database in ${cluster} was made by PostgreSQL ${clusterVersion}, and Recaudo brings PostgreSQL ${majorVersion}: serve it with a PostgreSQL ${clusterVersion} of your own through DATABASE_URL, or from there take a \`recaudo backup create\` and \`recaudo backup restore\` it into a new DATA_DIR.`,
  )
}

export async function makeCluster(
  place: DataLocation,
  binaries: Binaries,
  options: { log: Log; sync: boolean },
): Promise<void> {
  await removeUnfinishedClusters(place.cluster)
  const unfinished = await mkdtemp(`${place.cluster}${UNFINISHED}`)
  // initdb runs only as an account with a name, and the one that runs the database may have none.
  const maker = place.runAs !== undefined && isServiceAccount(place.runAs) ? NOBODY : place.runAs
  if (maker !== undefined) await handOver(unfinished, maker)

  const { ended } = await launch(
    binaries.initdb,
    [
      ...['--pgdata', unfinished, '--username', 'recaudo', '--encoding', 'UTF8', '--locale', 'C'],
      ...['--data-checksums', '--auth-local', 'trust', '--auth-host', 'reject', '--no-instructions'],
      ...(options.sync ? [] : ['--no-sync']),
      // We remove it ourselves, once we know whether it filled the disk.
      '--no-clean',
    ],
    { runAs: maker, logFd: options.log.fd, timeoutMs: INITDB_TIMEOUT_MS },
  )
  const end = await ended
  if (end !== 'code 0') {
    const problem = await fullDisk(place.directory)
    await rm(unfinished, { recursive: true, force: true })
    throw new EmbeddedPostgresFailure(
      `No database could be made in ${place.directory} (initdb ended with ${end}): ${problem ?? 'remove the cause named below and start again, or set DATABASE_URL to a PostgreSQL of your own.'}`,
      await options.log.lastLines(),
    )
  }
  if (place.runAs !== undefined) await handOverTree(unfinished, place.runAs)
  await rename(unfinished, place.cluster)
  if (options.sync) await syncDirectory(place.directory)
}

async function removeUnfinishedClusters(cluster: string): Promise<void> {
  for (const name of await readdir(dirname(cluster))) {
    if (!name.startsWith(`${basename(cluster)}${UNFINISHED}`)) continue
    await rm(join(dirname(cluster), name), { recursive: true, force: true })
  }
}

const UNFINISHED = '.unfinished-'

// initdb takes one second, or ten on a very slow disk. Without a limit, a hanging disk would block the start
// without any message.
const INITDB_TIMEOUT_MS = 5 * 60 * 1000
