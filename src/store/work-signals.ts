// Signals between processes: "there is work of this kind" and, if known, for which organizations. A process that misses one
// finds the work by polling.

import pg from 'pg'
import { CONNECT_TIMEOUT_MS, type Db, type Queryable } from './db.ts'
import { connectOnce, type Hosts, openHosts } from './hosts.ts'

const CHANNEL = 'recaudo_work'
const LISTENER = 'recaudo-signals'
const RECONNECT_MS = 1_000
const LISTEN_EVERY_MS = 5_000
const ANSWER_WITHIN_MS = 2_000
// A notification carries under 8,000 bytes. With more organizations than this only the kind is sent, which means all.
const MAX_ORGANIZATIONS = 200

// Never inside a transaction: a notification makes commits wait for each other.
export async function sendWorkSignal(
  db: Db,
  kind: string,
  organizationIds: readonly string[] = [],
): Promise<void> {
  const named = organizationIds.length > MAX_ORGANIZATIONS ? [] : organizationIds
  const payload = [kind, ...named].join(' ')
  await db.query({ name: 'send-work-signal', text: `select pg_notify('${CHANNEL}', $1)`, values: [payload] })
}

// How many processes of the service use this database: each listens, whatever it does.
export async function countListeners(db: Queryable): Promise<number> {
  const result = await db.query<{ listeners: number }>({
    text: `select count(*)::integer as listeners
             from pg_stat_activity
            where datname = current_database() and application_name = $1`,
    values: [LISTENER],
  })
  return result.rows[0]?.listeners ?? 0
}

// `organizationIds` is empty if the work may be any organization's.
export function listenForWorkSignals(
  url: string,
  onSignal: (kind: string, organizationIds: string[]) => void,
): { stop: () => Promise<void> } {
  const hosts = openHosts(url, CONNECT_TIMEOUT_MS)
  let stopped = false
  let client: pg.Client | undefined
  let attempt: Promise<void>

  const connectLater = (): void => {
    if (stopped) return
    setTimeout(() => {
      attempt = connect()
    }, RECONNECT_MS).unref()
  }
  const connect = async (): Promise<void> => {
    if (stopped) return
    try {
      client = await openClient(url, hosts)
    } catch {
      return connectLater()
    }
    client.on('notification', ({ payload = '' }) => {
      const [kind = '', ...organizationIds] = payload.split(' ')
      onSignal(kind, organizationIds)
    })
    client.once('end', connectLater)
    await keepListening(client)
  }

  attempt = connect()
  return {
    stop: async () => {
      stopped = true
      await attempt
      await client?.end().catch(() => {})
    },
  }
}

async function openClient(url: string, hosts: Hosts | null): Promise<pg.Client> {
  const config = { application_name: LISTENER, query_timeout: ANSWER_WITHIN_MS }
  if (hosts !== null) return connectOnce(hosts, config)
  const client = new pg.Client({
    ...config,
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  })
  client.on('error', () => {})
  return client.connect()
}

// Asking again changes nothing and shows that the server is still there. One that hangs, or whose machine is gone, would keep
// the connection open for ever and send nothing.
async function keepListening(client: pg.Client): Promise<void> {
  const listen = async (): Promise<void> => {
    try {
      await client.query(`listen ${CHANNEL}`)
    } catch {
      await client.end().catch(() => {})
    }
  }
  const timer = setInterval(() => void listen(), LISTEN_EVERY_MS).unref()
  client.once('end', () => clearInterval(timer))
  await listen()
}
