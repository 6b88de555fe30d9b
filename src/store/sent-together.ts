// Statements that do not need each other's results, in one write to one connection. The database is woken once for all of them,
// and that costs this process more than most statements do.

import type { Writable } from 'node:stream'
import type pg from 'pg'

// The driver's own connection, which its types do not have.
type Connected = { readonly connection: { readonly stream: Writable } }

/** Gives the connection back. */
export async function sendTogether(
  client: pg.PoolClient,
  statements: readonly pg.QueryConfig[],
): Promise<pg.QueryResult[]> {
  const { stream } = (client as pg.PoolClient & Connected).connection
  stream.cork()
  const sent = statements.map((one) => client.query(one))
  stream.uncork()
  const results = await Promise.allSettled(sent)
  const failed = results.find((result) => result.status === 'rejected')
  // After a failure we no longer know which statements are prepared on this connection.
  client.release(failed?.reason)
  if (failed !== undefined) throw failed.reason
  return results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
}

type Asked = {
  readonly statement: pg.QueryConfig
  readonly resolve: (result: pg.QueryResult) => void
  readonly reject: (error: unknown) => void
}

type Sender = {
  sendTogether(statements: readonly pg.QueryConfig[]): Promise<pg.QueryResult[]>
}

/** Whatever is asked of it before the caller first waits is sent together. */
export function pipelinedDb<Database extends Sender>(db: Database): Database {
  let asked: Asked[] = []
  const send = async (): Promise<void> => {
    const all = asked
    asked = []
    try {
      const results = await db.sendTogether(all.map(({ statement }) => statement))
      for (const [at, { resolve }] of all.entries()) resolve(results[at] as pg.QueryResult)
    } catch (error) {
      for (const { reject } of all) reject(error)
    }
  }
  return {
    // What is known of the database is known of it, also of a part of its connections.
    database: db,
    ...db,
    query: <Row extends pg.QueryResultRow>(statement: pg.QueryConfig) =>
      new Promise<pg.QueryResult<Row>>((resolve, reject) => {
        asked.push({ statement, resolve: resolve as Asked['resolve'], reject })
        if (asked.length === 1) queueMicrotask(() => void send())
      }),
  }
}
