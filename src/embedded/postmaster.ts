// Finds and stops the PostgreSQL that runs in a cluster, by its `postmaster.pid`. The file may outlive the
// process, and its pid may now belong to another process. So the file counts only if that process is a
// `postgres` of this cluster.
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { EmbeddedPostgresFailure } from './failure.ts'
import { processTable, readIfPresent } from './process-table.ts'
import { PORT } from './socket.ts'

export type Postmaster = { pid: number; port: string; socketDirectory: string }

export async function findPostmaster(cluster: string): Promise<Postmaster | undefined> {
  const lines = (await readIfPresent(join(cluster, 'postmaster.pid')))?.split('\n') ?? []
  const pid = Number(lines[0])
  if (!Number.isSafeInteger(pid) || pid < 1) return undefined
  if (!(await processTable.isPostmasterOf(cluster, pid))) return undefined
  return { pid, port: lines[3] ?? '', socketDirectory: lines[4] ?? '' }
}

// Stops a server that was left running when Recaudo was killed. Nobody uses its connections any more, and only
// one server may open the files.
export async function stopLeftover(cluster: string): Promise<void> {
  const leftover = await findPostmaster(cluster)
  if (leftover === undefined) return
  await stopPostmaster({
    pid: leftover.pid,
    signal: (signal) => process.kill(leftover.pid, signal),
    async isGoneWithin(limitMs) {
      const deadline = performance.now() + limitMs
      while (await processTable.isPostmasterOf(cluster, leftover.pid)) {
        if (performance.now() > deadline) return false
        await delay(POLL_INTERVAL_MS)
      }
      return true
    },
  })
}

// Removes the lock files of a killed server. Its pid may now belong to another process of the same user, or to
// its own zombie, and PostgreSQL takes either for a running server. The files are removed only if no process
// works in the cluster: all of a server's processes have their working directory there.
export async function removeStaleLockFiles(cluster: string): Promise<void> {
  if ((await findPostmaster(cluster)) !== undefined || (await processTable.isWorkingDirectory(cluster)))
    return
  for (const name of ['postmaster.pid', `.s.PGSQL.${PORT}.lock`]) {
    await rm(join(cluster, name), { force: true })
  }
}

export async function stopPostmaster(postmaster: {
  pid: number
  signal: (signal: NodeJS.Signals) => void
  isGoneWithin: (limitMs: number) => Promise<boolean>
}): Promise<void> {
  for (const { signal, limitMs } of STOP_STEPS) {
    try {
      postmaster.signal(signal)
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException
      if (code === 'ESRCH') return
      throw new EmbeddedPostgresFailure(
        `A PostgreSQL (process ${postmaster.pid}) still runs in this data directory and could not be stopped (${message}): stop it yourself and start again.`,
        '',
        { cause: error },
      )
    }
    if (await postmaster.isGoneWithin(limitMs)) return
  }
  throw new EmbeddedPostgresFailure(
    `PostgreSQL (process ${postmaster.pid}) did not stop when told to: look into postgres.log for what it waits for, and stop it yourself before the next start.`,
  )
}

// SIGINT aborts running statements and writes a checkpoint, which may take seconds on a slow disk. SIGQUIT exits
// at once and leaves the rest to recovery at the next start. SIGKILL is never sent, because the other processes
// of a killed postmaster could still hold the files.
const STOP_STEPS = [
  { signal: 'SIGINT', limitMs: 30_000 },
  { signal: 'SIGQUIT', limitMs: 10_000 },
] as const

const POLL_INTERVAL_MS = 20
