// Remembers every write of the API, and every refusal of somebody we know, and stores them about once a second, or as soon as a
// statement is full: off the way of the request, and at a fraction of its cost. A process that is killed loses its last second. While the database is away
// they wait in memory, as many as fit; beyond that they are counted and forgotten.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { instantOfId, isUuid } from '../../core/ids.ts'
import type { Instant } from '../../core/instant.ts'
import { createTokenBuckets } from '../../core/token-buckets.ts'
import type { Needs } from '../../flows/context.ts'
import {
  collectRequests,
  insertRequests,
  type LoggedRequest,
  type RequestBatch,
} from '../../store/audit/requests.ts'
import { StoreBusy, StoreUnavailable, sqlState, UNIQUE_VIOLATION } from '../../store/db.ts'
import type { Caller } from '../http/auth.ts'

export type RequestLog = {
  add: (request: LoggedRequest) => void
  // Stores what waits now.
  flush: () => Promise<void>
  close: () => Promise<void>
}

const FLUSH_EVERY_MS = 1_000
// A few seconds of what one process answers. A request takes some 500 bytes.
const MAX_WAITING = 20_000
// To write them down holds up others for about a millisecond. The longer they wait, the longer the garbage collector carries them about.
const MAX_ROWS = 1_000

export type RequestLogOptions = {
  ctx: Needs<'db'>
  countDropped: (requests: number) => void
  flushEveryMs?: number
  maxWaiting?: number
}

export function createRequestLog(options: RequestLogOptions): RequestLog {
  const { ctx, countDropped, flushEveryMs = FLUSH_EVERY_MS, maxWaiting = MAX_WAITING } = options
  let filling = collectRequests()
  const toStore: RequestBatch[] = []
  let waiting = 0
  let flushing: Promise<void> | undefined
  let mayBeStored = false

  const endBatch = (): void => {
    if (filling.size === 0) return
    toStore.push(filling)
    filling = collectRequests()
  }
  const storeWaiting = async (): Promise<void> => {
    endBatch()
    for (let batch = toStore[0]; batch !== undefined; batch = toStore[0]) {
      try {
        await insertRequests(ctx.db, batch, mayBeStored)
      } catch (error) {
        // They wait for the database to come back. What it refuses, it would refuse again.
        if (error instanceof StoreUnavailable) mayBeStored = true
        if (error instanceof StoreUnavailable || error instanceof StoreBusy) return
        // One whose id is taken does not take the others with it.
        if (!mayBeStored && sqlState(error) === UNIQUE_VIOLATION) {
          mayBeStored = true
          continue
        }
        countDropped(batch.size)
      }
      mayBeStored = false
      toStore.shift()
      waiting -= batch.size
    }
  }
  const flush = (): Promise<void> => {
    flushing ??= storeWaiting().finally(() => {
      flushing = undefined
    })
    return flushing
  }
  const timer = setInterval(() => void flush(), flushEveryMs).unref()

  return {
    add: (request) => {
      if (waiting >= maxWaiting) {
        countDropped(1)
        return
      }
      filling.add(request)
      waiting += 1
      if (filling.size < MAX_ROWS) return
      endBatch()
      void flush()
    },
    flush,
    close: async () => {
      clearInterval(timer)
      // The first may be one that was under way.
      await flush()
      await flush()
      if (waiting > 0) countDropped(waiting)
    },
  }
}

const READS = new Set(['GET', 'HEAD', 'OPTIONS'])
// Whoever sends too fast is refused without limit. So many of these tell enough, of each organization.
const TOO_FAST = { perSecond: 1, burst: 60 } as const

// Not `onResponse`, which a client that goes away in time does not reach.
export function logRequests(
  app: FastifyInstance,
  log: Pick<RequestLog, 'add'>,
  ctx: Needs<'clock' | 'ids'>,
): void {
  const floods = createTokenBuckets(TOO_FAST)
  const isLogged = (caller: Caller, { method }: FastifyRequest, { statusCode }: FastifyReply): boolean => {
    if (statusCode === 429) return floods.take(caller.organization.organizationId, performance.now()).allowed
    return statusCode >= 400 || !READS.has(method)
  }
  app.addHook('onSend', (request, reply, payload, done) => {
    const { caller } = request
    if (caller !== null && isLogged(caller, request, reply)) {
      const route = request.routeOptions.url ?? ''
      const names = route.includes(':')
      const objectId = (names ? namedId(request) : null) ?? createdId(reply, payload)
      const isCreation = objectId !== null && !names && wasCreatedBy(reply, objectId, ctx.clock.now())
      log.add({
        organizationId: caller.organization.organizationId,
        logId: isCreation ? objectId : ctx.ids.next(),
        method: request.method,
        path: names ? pathOf(route, request) : route,
        status: reply.statusCode,
        durationMs: Math.round(performance.now() - request.startedAtMs),
        credentialKind: caller.kind,
        credentialId: caller.credentialId,
        requestId: request.id,
        objectId,
        refusal: request.refusal,
      })
    }
    done(null, payload)
  })
}

// The route with the ids that were named. Whatever else stands in a path may be a person's key.
function pathOf(route: string, request: FastifyRequest): string {
  const params = request.params as Readonly<Record<string, string>>
  return route.replaceAll(/:(\w+)/g, (_, name: string) => {
    const value = params[name] ?? ''
    return isUuid(value) ? value.toLowerCase() : `{${name}}`
  })
}

// The first thing that the path names.
function namedId({ params }: FastifyRequest): string | null {
  const named = Object.values(params as object).find((value) => isUuid(String(value)))
  return named === undefined ? null : String(named).toLowerCase()
}

const CREATED_ID_WITHIN = 100
const CREATED_ID = /^\{"\w*[iI]d":"([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})"/

// What was created: its id begins the answer.
function createdId({ statusCode }: FastifyReply, payload: unknown): string | null {
  if (statusCode >= 300) return null
  // An answer that was kept comes as bytes.
  const text = Buffer.isBuffer(payload) ? payload.toString('latin1', 0, CREATED_ID_WITHIN) : payload
  const id = typeof text === 'string' ? CREATED_ID.exec(text)?.[1] : undefined
  return id === undefined ? null : copyOf(id)
}

const COPIED = Buffer.alloc(36)

// A part of a text keeps all of the text in memory. An entry waits for a second, and whole answers would wait with it.
function copyOf(id: string): string {
  COPIED.write(id, 'latin1')
  return COPIED.toString('latin1')
}

// The longest that a request takes, and more.
const MADE_WITHIN_MS = 60_000

// What was created just now gives its id to the entry, which holds the same time. Not if the answer was kept from an earlier
// request: each request has an entry of its own.
function wasCreatedBy(reply: FastifyReply, objectId: string, now: Instant): boolean {
  return (
    reply.statusCode === 201 &&
    !reply.hasHeader('idempotent-replayed') &&
    Math.abs(now - instantOfId(objectId)) < MADE_WITHIN_MS
  )
}
