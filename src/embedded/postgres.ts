// A real PostgreSQL for installations without one. It is created in the data directory, starts and stops with
// us, and listens on a unix socket only. The caller must hold the lock of the data directory (lock.ts), because
// a server found running in the same cluster is treated as left over and stopped.
import { stat } from 'node:fs/promises'
import { findBinaryPackage, provideBinaries } from './binaries.ts'
import { hasCluster, makeCluster } from './cluster.ts'
import type { EmbeddedPostgresFailure } from './failure.ts'
import { chooseLocation, type DataLocation, findCluster, handOverTree, noteLocation } from './location.ts'
import { openLog } from './log.ts'
import { findPassword, providePassword } from './password.ts'
import { findPostmaster, stopLeftover } from './postmaster.ts'
import { startServer, urlOf } from './server.ts'
import { provideSocketDirectory } from './socket.ts'

export type EmbeddedPostgres = AsyncDisposable & {
  url: string
  version: string
  // The directory of its files, which is what to back up.
  cluster: string
  // Resolves only if the server ends on its own.
  lost: Promise<EmbeddedPostgresFailure>
}

export async function startEmbeddedPostgres(options: {
  dataDir: string
  settings?: Record<string, string>
  startTimeoutMs?: number
}): Promise<EmbeddedPostgres> {
  const binaryPackage = await findBinaryPackage()
  const place = await chooseLocation(options.dataDir)
  const present = await hasCluster(place.cluster, binaryPackage.majorVersion)
  await stopLeftover(place.cluster)

  await using onFailure = new AsyncDisposableStack()
  const log = onFailure.use(await openLog(place.logFile, place.runAs))
  const binaries = await provideBinaries({
    package: binaryPackage,
    mustCopy: place.runAs !== undefined,
    copyInto: place.directory,
  })
  if (present) await changeOwner(place)
  else await makeCluster(place, binaries, { log, sync: options.settings?.fsync !== 'off' })
  await noteLocation(options.dataDir, place)
  const password = await providePassword(options.dataDir, place)

  const socket = onFailure.use(await provideSocketDirectory(place))
  const server = onFailure.use(
    await startServer(place, binaries, {
      log,
      socketDirectory: socket.path,
      password,
      settings: options.settings ?? {},
      timeoutMs: options.startTimeoutMs ?? START_TIMEOUT_MS,
    }),
  )
  const onStop = onFailure.move()
  let stopped: Promise<void> | undefined
  return {
    url: server.url,
    version: server.version,
    cluster: place.cluster,
    lost: server.lost,
    async [Symbol.asyncDispose]() {
      stopped ??= onStop.disposeAsync()
      await stopped
    },
  }
}

// For operator commands that run beside a server.
export async function findRunningEmbeddedPostgres(dataDir: string): Promise<{ url: string } | undefined> {
  const cluster = await findCluster(dataDir)
  const postmaster = cluster === undefined ? undefined : await findPostmaster(cluster)
  // A postmaster that is still starting has no socket yet.
  if (postmaster === undefined || postmaster.socketDirectory === '') return undefined
  return { url: urlOf(postmaster.socketDirectory, postmaster.port, await findPassword(dataDir)) }
}

// A cluster of an older version, which root ran as `nobody`.
async function changeOwner({ cluster, runAs }: DataLocation): Promise<void> {
  if (runAs !== undefined && (await stat(cluster)).uid !== runAs.uid) await handOverTree(cluster, runAs)
}

// Recovery replays at most about 1 GB of log (max_wal_size). Aborting it would only make it start over.
const START_TIMEOUT_MS = 2 * 60 * 1000
