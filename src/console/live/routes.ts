// GET /live: a stream of server-sent events for one open page. Each says that the page would look different now; the page then asks
// for itself again. It is not a use of the session: a screen that nobody touches ends as if it had been closed.

import { Readable } from 'node:stream'
import type { Sent } from '../page.ts'
import type { Route } from '../route.ts'
import { PRIVATE_HEADERS } from '../send.ts'
import { may, type Visit } from '../visit.ts'
import { NOUN_SCOPES, readWatches } from './watches.ts'

// Proxies close connections that are silent for a minute.
const HEARTBEAT_MS = 20_000
// Bounds what a forgotten tab holds. An active browser connects again.
const MAX_LIFETIME_MS = 10 * 60_000
const RETRY_AFTER_SECONDS = 30

async function openLive(visit: Visit): Promise<Sent> {
  const { reply, request, organization, signedIn, options } = visit
  const { watch, since } = request.query as { watch?: unknown; since?: unknown }
  const watches = readWatches(String(watch ?? '')).filter(({ noun }) => may(visit, NOUN_SCOPES[noun]))
  reply.headers(PRIVATE_HEADERS)
  // To a browser this means: do not ask again.
  if (watches.length === 0) {
    reply.code(204).send()
    return 'sent'
  }
  const stream = new Readable({ read() {} })
  const finish = (last?: string): void => {
    if (stream.destroyed || stream.readableEnded) return
    if (last !== undefined) stream.push(last)
    stream.push(null)
  }
  const opened = options.live.open(
    {
      organizationId: organization.organizationId,
      sessionId: signedIn.session.sessionId,
      userId: signedIn.user.userId,
      watches,
      tell: () => void stream.push('data: changed\n\n'),
      end: () => finish('event: over\ndata:\n\n'),
      close: () => finish(),
    },
    Number(since),
  )
  if (opened === undefined) {
    reply.code(503).header('retry-after', RETRY_AFTER_SECONDS).send()
    return 'sent'
  }
  const heartbeat = setInterval(() => void stream.push(':\n\n'), HEARTBEAT_MS)
  const lifetime = setTimeout(finish, MAX_LIFETIME_MS)
  stream.once('close', () => {
    opened.close()
    clearInterval(heartbeat)
    clearTimeout(lifetime)
  })
  stream.push(':\n\n')
  // Makes proxies forward every event at once.
  reply.header('x-accel-buffering', 'no').type('text/event-stream; charset=utf-8').send(stream)
  return 'sent'
}

export const liveRoutes: readonly Route[] = [
  { method: 'GET', path: '/live', scope: null, isStream: true, show: openLive },
]
