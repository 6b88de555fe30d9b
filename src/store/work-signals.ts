// Signals between processes: "there is work of this kind" and, if known, for which organizations. A process that misses one
// finds the work by polling.

import pg from 'pg'
import type { Db } from './db.ts'

const CHANNEL = 'recaudo_work'
const RECONNECT_MS = 1_000
// A notification carries under 8,000 bytes. With more organizations than this only the kind is sent, which means all.
const MAX_ORGANIZATIONS = 100

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

// `organizationIds` is empty if the work may be any organization's.
export function listenForWorkSignals(
  url: string,
  onSignal: (kind: string, organizationIds: string[]) => void,
): { stop: () => Promise<void> } {
  let stopped = false
  let client: pg.Client | undefined

  const connect = async (): Promise<void> => {
    if (stopped) return
    const next = new pg.Client({ connectionString: url, application_name: 'recaudo-signals' })
    client = next
    next.on('error', () => {})
    next.on('end', () => {
      if (!stopped) setTimeout(() => void connect(), RECONNECT_MS).unref()
    })
    next.on('notification', ({ payload = '' }) => {
      const [kind = '', ...organizationIds] = payload.split(' ')
      onSignal(kind, organizationIds)
    })
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
