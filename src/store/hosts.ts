// Several servers of one database, of which one takes writes. New connections go to the server in use. If it cannot be reached,
// does not answer or is a standby, the next one is tried, and the first that takes writes is the one in use from then on;
// connections to any other are thrown away. PostgreSQL says when a session begins whether it is a standby, so asking costs nothing.

import pg from 'pg'
import { readDatabaseUrl, type Server } from './database-url.ts'

export type Hosts = {
  readonly servers: readonly Server[]
  // The one to connect to next.
  next: () => Server
  // It refused a connection. The one after it is next, unless somebody has moved on already.
  skip: (server: Server) => void
  // It hangs, or takes no writes any more: none of its connections is wanted until it is joined again.
  leave: (server: Server) => void
  // It took us, and it takes writes.
  join: (server: Server) => void
  // Whether connections to it are still wanted.
  isInUse: (server: Server) => boolean
  // For one server. All together have the time that one alone would have.
  readonly connectTimeoutMs: number
}

// Null if there is one server and nothing to choose.
export function openHosts(url: string, connectTimeoutMs: number): Hosts | null {
  const read = readDatabaseUrl(url)
  if ('mistake' in read) throw new Error(`The address of the database must be ${read.mistake}.`)
  const { servers, skipsStandby } = read
  if (!skipsStandby) return null
  let index = 0
  let inUse: Server | undefined
  const next = (): Server => servers[index] as Server
  const skip = (server: Server): void => {
    if (next() === server) index = (index + 1) % servers.length
  }
  return {
    servers,
    next,
    skip,
    leave: (server) => {
      skip(server)
      if (inUse === server) inUse = undefined
    },
    join: (server) => {
      // A connection that was begun before the others moved on changes nothing.
      if (inUse === undefined || next() === server) inUse = server
    },
    isInUse: (server) => inUse === server,
    connectTimeoutMs: Math.floor(connectTimeoutMs / servers.length),
  }
}

export class ServerRefused extends Error {
  override name = 'ServerRefused'
  readonly server: Server
  readonly isSilent: boolean
  constructor(server: Server, cause: Error) {
    const { code } = cause as NodeJS.ErrnoException
    // If every address of a host refuses the connection, the error has an empty message.
    super(`${server.name}: ${cause.message || (code ?? 'it does not answer')}`, { cause })
    this.server = server
    // The driver's own words: its limit for connecting has passed.
    this.isSilent = /timeout expired|connection timeout/i.test(cause.message)
  }
}

// None of the servers takes writes now.
export class NoServer extends Error {
  override name = 'NoServer'
  readonly isSilent: boolean
  constructor(refusals: readonly ServerRefused[]) {
    super([...new Set(refusals.map(({ message }) => message))].join('; '), { cause: refusals.at(-1) })
    this.isSilent = refusals.some(({ isSilent }) => isSilent)
  }
}

// A connection to the server that is next when it is made.
export class HostClient extends pg.Client {
  readonly server: Server
  readonly #hosts: Hosts
  // Parameters that the server reports when a session begins, and whenever they change.
  readonly #reported = new Map<string, string>()

  constructor(hosts: Hosts, config: pg.ClientConfig) {
    const server = hosts.next()
    super({ ...config, connectionString: server.url, connectionTimeoutMillis: hosts.connectTimeoutMs })
    this.#hosts = hosts
    this.server = server
    // What follows a refusal is of no interest.
    this.on('error', () => {})
    this.connection.on('parameterStatus', ({ parameterName, parameterValue }) =>
      this.#reported.set(parameterName, parameterValue),
    )
  }

  override connect(): Promise<HostClient>
  override connect(callback: (error: Error) => void): void
  override connect(callback?: (error: Error) => void): Promise<HostClient> | undefined {
    if (callback !== undefined) {
      this.#connect(callback)
      return undefined
    }
    return new Promise((resolve, reject) => this.#connect((error) => (error ? reject(error) : resolve(this))))
  }

  #connect(callback: (error: Error) => void): void {
    super.connect((error: Error | null) => {
      if (error === null && this.#takesWrites()) {
        this.#hosts.join(this.server)
        return callback(null as unknown as Error)
      }
      this.#hosts.skip(this.server)
      if (error === null) this.end().catch(() => {})
      callback(
        new ServerRefused(
          this.server,
          error ?? new Error('it takes no writes: it is a standby, or set to read-only'),
        ),
      )
    })
  }

  #takesWrites(): boolean {
    return !READ_ONLY_PARAMETERS.some((name) => this.#reported.get(name) === 'on')
  }
}

const READ_ONLY_PARAMETERS = ['in_hot_standby', 'default_transaction_read_only']

// For a pool, which makes its own connections.
export function clientOf(hosts: Hosts, config: pg.ClientConfig): new () => HostClient {
  return class extends HostClient {
    constructor() {
      super(hosts, config)
    }
  }
}

// Tries each server once.
export async function acquire(pool: pg.Pool, hosts: Hosts): Promise<pg.PoolClient> {
  const refusals: ServerRefused[] = []
  for (;;) {
    try {
      const client = (await pool.connect()) as pg.PoolClient & HostClient
      if (hosts.isInUse(client.server)) return client
      // Without a goodbye: a server that hangs would not hear it, and the connection would stay open.
      client.connection.stream.destroy()
      client.release(true)
    } catch (error) {
      refusals.push(refusalIn(error))
      if (refusals.length >= hosts.servers.length) throw new NoServer(refusals)
    }
  }
}

// If the pool's own limit passed, the pool says so, and the refusal itself only that the connection ended. Any other error is not
// about a server.
function refusalIn(error: unknown): ServerRefused {
  if (error instanceof ServerRefused) return error
  const { cause } = error as Error
  if (cause instanceof ServerRefused) return new ServerRefused(cause.server, error as Error)
  throw error
}

// A connection beside the pool. Tries each server once.
export async function connectOnce(hosts: Hosts, config: pg.ClientConfig): Promise<pg.Client> {
  const refusals: ServerRefused[] = []
  while (refusals.length < hosts.servers.length) {
    try {
      return await new HostClient(hosts, config).connect()
    } catch (error) {
      refusals.push(refusalIn(error))
    }
  }
  throw new NoServer(refusals)
}
