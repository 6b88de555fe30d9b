// One run of the PostgreSQL server: it is launched, awaited until it answers on a real connection, watched, and
// stopped. It never opens a network port, whatever the settings say.
import { setTimeout as delay } from 'node:timers/promises'
import { Client, DatabaseError } from 'pg'
import type { Binaries } from './binaries.ts'
import { describeEnd } from './end.ts'
import { EmbeddedPostgresFailure } from './failure.ts'
import { type Launched, launch } from './launch.ts'
import type { DataLocation } from './location.ts'
import type { Log } from './log.ts'
import type { Password } from './password.ts'
import { removeStaleLockFiles, stopPostmaster } from './postmaster.ts'
import { PORT } from './socket.ts'

export type Server = AsyncDisposable & {
  url: string
  version: string
  lost: Promise<EmbeddedPostgresFailure>
}

type Run = {
  log: Log
  socketDirectory: string
  password: Password
  settings: Record<string, string>
  timeoutMs: number
}

// `directory` is on the disk that the server writes to.
type Placed = Run & { directory: string }

export async function startServer(place: DataLocation, binaries: Binaries, options: Run): Promise<Server> {
  const run = { ...options, directory: place.directory }
  const deadline = performance.now() + run.timeoutMs
  for (;;) {
    await removeStaleLockFiles(place.cluster)
    const server = await launch(binaries.postgres, ['-D', place.cluster, ...settingFlags(run)], {
      runAs: place.runAs,
      logFd: run.log.fd,
    })
    try {
      const version = await waitUntilReady(server, run, deadline)
      return watch(server, {
        url: urlOf(run.socketDirectory, PORT, run.password.text),
        version,
        run,
      })
    } catch (error) {
      await stop(server)
      if (!isStillHeldByOrphans(error) || performance.now() > deadline) throw error
    }
    await delay(ORPHAN_INTERVAL_MS)
  }
}

// Sets every parameter, so that neither PG… environment variables nor the driver's defaults apply.
export function urlOf(
  socketDirectory: string,
  port: string,
  password: string | undefined,
  database = DATABASE,
): string {
  const user = password === undefined ? 'recaudo' : `recaudo:${password}`
  return `postgresql://${user}@/${database}?host=${encodeURIComponent(socketDirectory)}&port=${port}&sslmode=disable`
}

async function waitUntilReady(server: Launched, run: Placed, deadline: number): Promise<string> {
  let end: string | undefined
  server.ended.then((reason) => {
    end = reason
  })
  for (;;) {
    try {
      const { text, establish } = run.password
      await createDatabase(urlOf(run.socketDirectory, PORT, text, 'postgres'), establish)
      return await readVersion(urlOf(run.socketDirectory, PORT, text))
    } catch (error) {
      if (end !== undefined) throw await describeEnd(end, run, error)
      const problem = isRefusal(error)
        ? (error as { code?: string }).code === INVALID_PASSWORD
          ? 'refused the password in postgres.password, which can be deleted: the next start makes another'
          : 'refused us'
        : performance.now() > deadline
          ? `did not get ready within ${run.timeoutMs / 1000} seconds`
          : undefined
      if (problem !== undefined) {
        throw new EmbeddedPostgresFailure(
          `PostgreSQL ${problem}: remove the cause named below and start again.`,
          (await run.log.lastLines()) || `  ${(error as Error).message}`,
          { cause: error },
        )
      }
    }
    await delay(READY_INTERVAL_MS)
  }
}

function watch(server: Launched, ready: { url: string; version: string; run: Placed }): Server {
  let stopping = false
  const lost = new Promise<EmbeddedPostgresFailure>((resolve) => {
    server.ended.then(async (end) => {
      if (!stopping) resolve(await describeEnd(end, ready.run))
    })
  })
  // A caller that forgets to stop the server can still exit. If the server is tied to us, it then stops too.
  server.process.unref()
  return {
    url: ready.url,
    version: ready.version,
    lost,
    async [Symbol.asyncDispose]() {
      stopping = true
      await stop(server)
    },
  }
}

async function stop(server: Launched): Promise<void> {
  const { pid } = server.process
  // The launch itself failed.
  if (pid === undefined) return
  server.process.ref()
  await stopPostmaster({
    pid,
    signal: (signal) => server.process.kill(signal),
    async isGoneWithin(limitMs) {
      const gone = new AbortController()
      server.ended.then(() => gone.abort())
      return await delay(limitMs, false, { signal: gone.signal }).catch(() => true)
    },
  })
}

async function createDatabase(url: string, establish: Password['establish']): Promise<void> {
  await withClient(url, async (client) => {
    await establish(client)
    const { rowCount } = await client.query('select from pg_database where datname = $1', [DATABASE])
    if (rowCount === 0) await client.query(`create database ${DATABASE}`)
  })
}

async function readVersion(url: string): Promise<string> {
  return await withClient(url, async (client) => {
    const { rows } = await client.query<{ server_version: string }>('show server_version')
    return rows[0]?.server_version ?? ''
  })
}

async function withClient<Result>(url: string, use: (client: Client) => Promise<Result>): Promise<Result> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS })
  // If the connection fails between two statements, the next statement fails with the error.
  client.on('error', () => undefined)
  try {
    await client.connect()
    return await use(client)
  } finally {
    await client.end().catch(() => undefined)
  }
}

// Whether the server itself answered with an error other than "starting up" or "shutting down". Any other error
// means that the socket does not exist yet.
function isRefusal(error: unknown): boolean {
  return error instanceof DatabaseError && error.code?.startsWith('57P') !== true
}

// If only the postmaster was killed, its other processes end on their own, each after its current statement. And
// while the postmaster is a zombie, its pid counts as a running server.
function isStillHeldByOrphans(error: unknown): boolean {
  const lastLines = error instanceof Error ? error.message.split('\n').slice(-2).join('\n') : ''
  return /pre-existing shared memory block|lock file "postmaster\.pid" already exists/.test(lastLines)
}

function settingFlags(run: Run): string[] {
  // The setting is a list. Without quotes, a comma in the path would split it in two.
  const unix_socket_directories = `"${run.socketDirectory.replaceAll('"', '""')}"`
  const settings = { ...SETTINGS, ...run.settings, ...LOCAL_ONLY, unix_socket_directories }
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

const DATABASE = 'recaudo'
const INVALID_PASSWORD = '28P01'

const LOCAL_ONLY = { listen_addresses: '', port: PORT, unix_socket_permissions: '0700' }

const SETTINGS = {
  fsync: 'on',
  synchronous_commit: 'on',
  shared_buffers: '128MB',
  max_connections: '100',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // Our statements are short, so compiling one costs more than running it.
  jit: 'off',
}

const CONNECT_TIMEOUT_MS = 10_000
const READY_INTERVAL_MS = 20
const ORPHAN_INTERVAL_MS = 200
