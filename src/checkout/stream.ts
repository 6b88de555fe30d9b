// Live status: one event when the page would change. The number of streams is limited, so that they never crowd out payers.

import { Readable } from 'node:stream'
import type { CheckoutBackend } from './backend.ts'

export type Streams = {
  /** Undefined if too many are open. The page then polls instead. */
  open(page: WatchedPage): Readable | undefined
  closeAll(): void
}

export type WatchedPage = {
  readonly organizationId: string
  readonly token: string
  readonly seenVersion: string
  readonly versionNow: () => Promise<string>
}

// Proxies close connections that are silent for a minute.
const HEARTBEAT_MS = 20_000
// Bounds what a forgotten tab holds. An active browser reconnects by itself.
const MAX_LIFETIME_MS = 10 * 60_000
const MAX_STREAMS = 5_000
// So that the payers of one merchant leave room for those of the others.
const MAX_STREAMS_PER_ORGANIZATION = 1_000
// More tabs than any payer uses.
const MAX_STREAMS_PER_TOKEN = 8
const RECONNECT_MS = 3_000

export function createStreams(backend: CheckoutBackend): Streams {
  const open = new Set<Readable>()
  const ofOrganization = createCounts()
  const ofToken = createCounts()
  const isFull = ({ organizationId, token }: WatchedPage): boolean =>
    open.size >= MAX_STREAMS ||
    ofOrganization.of(organizationId) >= MAX_STREAMS_PER_ORGANIZATION ||
    ofToken.of(token) >= MAX_STREAMS_PER_TOKEN

  return {
    open(page) {
      if (isFull(page)) return undefined
      const { organizationId, token, seenVersion, versionNow } = page
      const stream = new Readable({ read() {} })
      open.add(stream)
      ofOrganization.add(organizationId, 1)
      ofToken.add(token, 1)

      let isPolling = false
      let pollAgain = false
      let hasFailed = false
      const poll = async (): Promise<void> => {
        pollAgain = isPolling
        if (isPolling) return
        isPolling = true
        const version = await versionNow().catch(() => undefined)
        isPolling = false
        // The subject has changed, and how is not known yet.
        hasFailed = version === undefined
        if (stream.destroyed || stream.readableEnded) return
        if (version !== undefined && version !== seenVersion) return finish(stream, `data: ${version}\n\n`)
        if (pollAgain) void poll()
      }
      const watcher = backend.watch(token, () => void poll())
      const heartbeat = setInterval(() => {
        stream.push(':\n\n')
        if (hasFailed) void poll()
      }, HEARTBEAT_MS)
      const lifetime = setTimeout(() => finish(stream), MAX_LIFETIME_MS)
      stream.once('close', () => {
        open.delete(stream)
        ofOrganization.add(organizationId, -1)
        ofToken.add(token, -1)
        watcher.stop()
        clearInterval(heartbeat)
        clearTimeout(lifetime)
      })
      stream.push(`retry: ${RECONNECT_MS}\n\n`)
      void poll()
      return stream
    },
    closeAll() {
      for (const stream of open) finish(stream)
    },
  }
}

// Keeps no entry for whoever has none.
function createCounts(): { of: (key: string) => number; add: (key: string, change: 1 | -1) => void } {
  const counts = new Map<string, number>()
  return {
    of: (key) => counts.get(key) ?? 0,
    add: (key, change) => {
      const count = (counts.get(key) ?? 0) + change
      if (count > 0) counts.set(key, count)
      else counts.delete(key)
    },
  }
}

function finish(stream: Readable, last?: string): void {
  if (stream.destroyed || stream.readableEnded) return
  if (last !== undefined) stream.push(last)
  stream.push(null)
}
