// A running PostgreSQL of a cluster, known by the `postmaster.pid` it keeps there, and how to stop one. The
// file may outlive its process and the number may since belong to another, so it is believed only when the
// process is a `postgres` of this very cluster.
import { readdir, readFile, readlink, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { EmbeddedPostgresFailure } from './failure.ts'
import { PORT } from './socket.ts'

export type Postmaster = { pid: number; port: string; socketDirectory: string }

export async function findPostmaster(cluster: string): Promise<Postmaster | undefined> {
  const lines = (await readIfPresent(join(cluster, 'postmaster.pid')))?.split('\n') ?? []
  const pid = Number(lines[0])
  if (!Number.isSafeInteger(pid) || pid < 1) return undefined
  if (!(await isPostgresOf(cluster, pid))) return undefined
  return { pid, port: lines[3] ?? '', socketDirectory: lines[4] ?? '' }
}

// Left over when Recaudo was killed: its connections are dead ends, and only one server may open the files.
export async function stopLeftover(cluster: string): Promise<void> {
  const leftover = await findPostmaster(cluster)
  if (leftover === undefined) return
  await stopPostmaster({
    pid: leftover.pid,
    signal: (signal) => process.kill(leftover.pid, signal),
    async isGoneWithin(limitMs) {
      const deadline = performance.now() + limitMs
      while (await isPostgresOf(cluster, leftover.pid)) {
        if (performance.now() > deadline) return false
        await delay(POLL_INTERVAL_MS)
      }
      return true
    },
  })
}

// What a killed server left behind. Its number may by now belong to another process of the same user, or to
// the dead one that nobody has buried yet, and PostgreSQL takes either for a living server. So the files go,
// once nothing works in the cluster any more; a server's processes all have their working directory there.
export async function removeStaleLockFiles(cluster: string): Promise<void> {
  if ((await findPostmaster(cluster)) !== undefined || (await isWorkedIn(cluster))) return
  for (const name of ['postmaster.pid', `.s.PGSQL.${PORT}.lock`]) {
    await rm(join(cluster, name), { force: true })
  }
}

async function isWorkedIn(directory: string): Promise<boolean> {
  for (const pid of await readdir('/proc')) {
    if (!/^\d+$/.test(pid)) continue
    // Unreadable: it has ended, or is another user's and so none of this server's.
    const workingDirectory = await readlink(`/proc/${pid}/cwd`).catch(() => undefined)
    if (workingDirectory === directory) return true
  }
  return false
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

async function isPostgresOf(cluster: string, pid: number): Promise<boolean> {
  // Empty for a process that has ended and waits for its parent to notice.
  const commandLine = (await readIfPresent(`/proc/${pid}/cmdline`))?.split('\0') ?? []
  return basename(commandLine[0] ?? '') === 'postgres' && commandLine.includes(cluster)
}

async function readIfPresent(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // ESRCH: the process ended between the opening and the reading of its file under /proc.
    if (code === 'ENOENT' || code === 'ESRCH') return undefined
    throw error
  }
}

// SIGINT lets running statements go and writes a checkpoint, which may take seconds on a slow disk; SIGQUIT
// drops everything and leaves the rest to recovery at the next start. SIGKILL is never sent: the other
// processes of a killed postmaster could still hold the files.
const STOP_STEPS = [
  { signal: 'SIGINT', limitMs: 30_000 },
  { signal: 'SIGQUIT', limitMs: 10_000 },
] as const

const POLL_INTERVAL_MS = 20
