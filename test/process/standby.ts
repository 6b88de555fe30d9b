// Two real PostgreSQL servers: a primary and its synchronous standby. A commit on the primary is one on both. Each can be killed or
// frozen, as its machine would be, and the standby can be promoted.

import { execFile } from 'node:child_process'
import { chmod, chown, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/embedded/postgres.ts'
import { findPostmaster } from '../../src/embedded/postmaster.ts'
import { memoryDirectory } from '../memory.ts'
import { eventually } from '../world.ts'
import { childrenOf, isAlive, isStopped } from './process.ts'

export type PostgresServer = {
  url: string
  // All its processes at once, without a word to anybody.
  kill: () => Promise<void>
  freeze: () => Promise<void>
  thaw: () => void
}

export type Replicated = AsyncDisposable & {
  // Names both, the primary first.
  url: string
  primary: PostgresServer
  standby: PostgresServer
  // Resolves once it takes writes.
  promote: () => Promise<void>
}

// The machine stays up in these tests, so nothing depends on what reached the disk.
const SETTINGS = { fsync: 'off', full_page_writes: 'off' }

export async function startReplicated(): Promise<Replicated> {
  await using onFailure = new AsyncDisposableStack()
  const directory = await mkdtemp(join(memoryDirectory() ?? tmpdir(), 'recaudo-standby-'))
  onFailure.defer(() => rm(directory, { recursive: true, force: true }))
  // As root the servers run under another account, which needs access.
  await chmod(directory, 0o755)
  const [primaryDir, standbyDir] = [join(directory, 'primary'), join(directory, 'standby')]
  // The standby begins as a copy of the stopped primary.
  await (await startEmbeddedPostgres({ dataDir: primaryDir, settings: SETTINGS }))[Symbol.asyncDispose]()
  await promisify(execFile)('cp', ['-a', primaryDir, standbyDir])

  const primary = onFailure.use(
    await startEmbeddedPostgres({
      dataDir: primaryDir,
      settings: { ...SETTINGS, synchronous_standby_names: 'standby' },
    }),
  )
  await makeStandby(join(standbyDir, basename(primary.cluster)))
  const standby = onFailure.use(
    await startEmbeddedPostgres({
      dataDir: standbyDir,
      settings: {
        ...SETTINGS,
        primary_conninfo: `host=${primary.cluster} user=recaudo password=${passwordIn(primary.url)} application_name=standby`,
      },
    }),
  )
  await eventually(
    () => ask(primary.url, `select 1 from pg_stat_replication where sync_state = 'sync'`),
    (rows) => rows.length === 1,
  )
  const servers = [await serverOf(primary), await serverOf(standby)] as const
  // A frozen server does not hear that it should stop.
  for (const server of servers) onFailure.defer(server.thaw)
  const onStop = onFailure.move()
  return {
    url: urlOfBoth(primary.url, standby.url),
    primary: servers[0],
    standby: servers[1],
    promote: async () => {
      const [answer] = await ask(standby.url, 'select pg_promote(true, 60) as promoted')
      if (answer?.promoted !== true) throw new Error('The standby was not promoted.')
    },
    [Symbol.asyncDispose]: () => onStop.disposeAsync(),
  }
}

async function makeStandby(cluster: string): Promise<void> {
  const signal = join(cluster, 'standby.signal')
  await writeFile(signal, '')
  const { uid, gid } = await stat(cluster)
  await chown(signal, uid, gid)
}

async function serverOf({ url, cluster }: EmbeddedPostgres): Promise<PostgresServer> {
  const postmaster = (await findPostmaster(cluster))?.pid as number
  // From the postmaster on, which then starts no other, or back to it.
  const signalAll = (signal: NodeJS.Signals, pids: readonly number[]): void => {
    for (const pid of pids) if (isAlive(pid)) process.kill(pid, signal)
  }
  // The kernel may leave out a child while another one ends, and a receiver that goes on would acknowledge every commit: so it is asked
  // again until all have stopped.
  const freeze = async (): Promise<void> => {
    await eventually(
      async () => {
        const pids = [postmaster, ...childrenOf(postmaster)]
        signalAll('SIGSTOP', pids)
        return pids
      },
      (pids) => pids.every(isStopped) && childrenOf(postmaster).every((pid) => pids.includes(pid)),
    )
  }
  return {
    url,
    freeze,
    thaw: () => {
      if (isAlive(postmaster)) signalAll('SIGCONT', [...childrenOf(postmaster), postmaster])
    },
    kill: async () => {
      await freeze()
      const pids = [...childrenOf(postmaster), postmaster]
      signalAll('SIGKILL', pids)
      await eventually(
        async () => pids.some(isAlive),
        (someLive) => !someLive,
      )
    },
  }
}

function urlOfBoth(...urls: string[]): string {
  const hosts = urls.map((url) => /host=([^&]+)/.exec(url)?.[1])
  return `postgresql://recaudo:${passwordIn(urls[0] ?? '')}@/recaudo?host=${hosts.join(',')}&sslmode=disable&target_session_attrs=read-write`
}

// Of both, since one began as a copy of the other.
function passwordIn(url: string): string {
  return /:([0-9a-f]+)@/.exec(url)?.[1] ?? ''
}

// On that server alone.
export async function ask(url: string, sql: string): Promise<pg.QueryResultRow[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}
