// Live status: one event when the page would look different. The one thing to know: the backend's call is a hint and may
// be lost, so every heartbeat looks by itself, too; and streams are few, so that they never crowd out payers.

import { Readable } from 'node:stream'
import type { CheckoutBackend } from './backend.ts'

export type Streams = {
  /** Undefined where too many are open: then the page asks instead. */
  open(token: string, seenVersion: string, versionNow: () => Promise<string>): Readable | undefined
  closeAll(): void
}

// Proxies hang up on what is silent for a minute.
const HEARTBEAT_MS = 20_000
// A browser reconnects by itself; this bounds what a forgotten tab holds.
const MAX_LIFE_MS = 10 * 60_000
const MAX_STREAMS = 5_000
// More tabs than anyone pays in.
const MAX_STREAMS_PER_TOKEN = 8
const RECONNECT_MS = 3_000

export function createStreams(backend: CheckoutBackend): Streams {
  const open = new Map<Readable, string>()

  return {
    open(token, seenVersion, versionNow) {
      const ofToken = [...open.values()].filter((one) => one === token).length
      if (open.size >= MAX_STREAMS || ofToken >= MAX_STREAMS_PER_TOKEN) return undefined
      const stream = new Readable({ read() {} })
      open.set(stream, token)

      let looking = false
      let lookAgain = false
      const look = async (): Promise<void> => {
        lookAgain = looking
        if (looking) return
        looking = true
        // A failed look is no news: the next heartbeat tries again.
        const version = await versionNow().catch(() => seenVersion)
        looking = false
        if (stream.destroyed || stream.readableEnded) return
        if (version !== seenVersion) return finish(stream, `data: ${version}\n\n`)
        if (lookAgain) void look()
      }
      const watching = backend.watch(token, () => void look())
      const heartbeat = setInterval(() => {
        stream.push(':\n\n')
        void look()
      }, HEARTBEAT_MS)
      const life = setTimeout(() => finish(stream), MAX_LIFE_MS)
      stream.once('close', () => {
        open.delete(stream)
        watching.stop()
        clearInterval(heartbeat)
        clearTimeout(life)
      })
      stream.push(`retry: ${RECONNECT_MS}\n\n`)
      void look()
      return stream
    },
    closeAll() {
      for (const stream of open.keys()) finish(stream)
    },
  }
}

function finish(stream: Readable, last?: string): void {
  if (stream.destroyed || stream.readableEnded) return
  if (last !== undefined) stream.push(last)
  stream.push(null)
}
