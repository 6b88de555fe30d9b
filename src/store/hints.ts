// Hints between processes: "there is work of this kind". Only a hint: whoever misses one finds the work by polling.

import pg from 'pg'
import type { Db } from './db.ts'

const CHANNEL = 'recaudo_work'
const RECONNECT_MS = 1_000

// On its own and never inside a transaction: a notification makes commits wait for each other.
export async function sendHint(db: Db, kind: string): Promise<void> {
  await db.query({ name: 'send-hint', text: `select pg_notify('${CHANNEL}', $1)`, values: [kind] })
}

export function listenForHints(url: string, onHint: (kind: string) => void): { stop: () => Promise<void> } {
  let stopped = false
  let client: pg.Client | undefined

  const connect = async (): Promise<void> => {
    if (stopped) return
    const next = new pg.Client({ connectionString: url, application_name: 'recaudo-hints' })
    client = next
    next.on('error', () => {})
    next.on('end', () => {
      if (!stopped) setTimeout(() => void connect(), RECONNECT_MS).unref()
    })
    next.on('notification', ({ payload }) => onHint(payload ?? ''))
    try {
      await next.connect()
      await next.query(`listen ${CHANNEL}`)
    } catch {
      await next.end().catch(() => {})
    }
  }

  const connected = connect()
  return {
    stop: async () => {
      stopped = true
      await connected
      await client?.end().catch(() => {})
    },
  }
}
