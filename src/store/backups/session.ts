// One connection of its own for a backup or a restore, which take longer than a statement of the service may.

import pg from 'pg'
import { CONNECT_TIMEOUT_MS, type Queryable } from '../db.ts'
import { connectOnce, openHosts } from '../hosts.ts'

export type Session = AsyncDisposable & { client: pg.Client; tx: Queryable }

// Rows are written and read back in the same form, whatever the server's settings say.
const OPTIONS = [
  'client_encoding=UTF8',
  'datestyle=ISO',
  'intervalstyle=postgres',
  'timezone=UTC',
  'statement_timeout=0',
  'idle_in_transaction_session_timeout=0',
]
  .map((setting) => `-c ${setting}`)
  .join(' ')

export async function openSession(url: string): Promise<Session> {
  const config = { application_name: 'recaudo-backup', options: OPTIONS }
  const hosts = openHosts(url, CONNECT_TIMEOUT_MS)
  const client =
    hosts === null
      ? new pg.Client({ ...config, connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS })
      : await connectOnce(hosts, config)
  // If the connection breaks, the statement under way fails with the error.
  client.on('error', () => {})
  if (hosts === null) await client.connect()
  return {
    client,
    tx: { query: (statement) => client.query(statement) },
    [Symbol.asyncDispose]: () => client.end().catch(() => {}),
  }
}
