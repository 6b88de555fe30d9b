// A queue for each endpoint that events are sent to: how much of this process it may occupy. An endpoint earns its room: the
// first deliveries are few, full batches follow once it has acknowledged one, and after a run of failures it is tried by one
// probe at a time, with rests. So one that hangs holds its own few requests and nothing that another would need.

import { BREAKER_FAILURES, BREAKER_REST_MS } from '../core/webhooks/delivery.ts'

export type EndpointQueue = {
  // Straight failures, as this process has seen them.
  readonly failures: number
  // After a run of failures: nothing but probes.
  readonly isTripped: boolean
  // Does all of a batch, so many at once as the endpoint may have under way, together with those of its other batch.
  readonly runAll: <Item>(items: readonly Item[], act: (item: Item) => Promise<void>) => Promise<void>
  readonly recordSuccess: () => void
  readonly recordFailure: (nowMs: number) => void
}

export type EndpointQueues = {
  readonly of: (endpointId: string) => EndpointQueue
  // How many deliveries may be claimed for an endpoint now.
  readonly capacity: (endpointId: string, nowMs: number) => number
}

// Two batches at a time: one is being sent while the next is fetched.
export const BATCHES_PER_ENDPOINT = 2
export const BATCH_SIZE = 200
// As many as tell whether it fails.
export const FIRST_BATCH_SIZE = BREAKER_FAILURES
// With an event of a few KB this keeps what is in memory under some 100 MB. Beyond it endpoints still get first batches.
const FULL_BATCHES_IN_ALL = 200
// Lanes of endpoints at rest are kept up to this many: it only spares a known endpoint its small first batch.
const QUEUES_KEPT = 10_000

type Batch = { left: number; trouble: unknown; readonly end: () => void }
type QueueItem = {
  readonly item: unknown
  readonly act: (item: unknown) => Promise<void>
  readonly batch: Batch
}

type QueueState = EndpointQueue & {
  failures: number
  isTrusted: boolean
  restsUntilMs: number
  batches: number
}

export function createEndpointQueues(perEndpoint: number): EndpointQueues {
  const queues = new Map<string, QueueState>()
  let fullBatches = 0

  const open = (endpointId: string): QueueState => {
    const waiting: QueueItem[] = []
    let serving = 0

    const serve = async (): Promise<void> => {
      serving += 1
      for (let piece = waiting.shift(); piece !== undefined; piece = waiting.shift()) {
        const { batch } = piece
        try {
          await piece.act(piece.item)
        } catch (error) {
          batch.trouble ??= error
        }
        batch.left -= 1
        if (batch.left === 0) batch.end()
      }
      serving -= 1
    }

    const queue: QueueState = {
      failures: 0,
      isTrusted: false,
      restsUntilMs: 0,
      batches: 0,
      get isTripped() {
        return queue.failures >= BREAKER_FAILURES
      },
      runAll: async (items, act) => {
        if (items.length === 0) return
        const weight = items.length > FIRST_BATCH_SIZE ? 1 : 0
        queue.batches += 1
        fullBatches += weight
        const { promise, resolve } = Promise.withResolvers<void>()
        const batch: Batch = { left: items.length, trouble: undefined, end: resolve }
        for (const item of items) waiting.push({ item, act: act as QueueItem['act'], batch })
        for (let more = Math.min(perEndpoint - serving, waiting.length); more > 0; more -= 1) void serve()
        await promise
        queue.batches -= 1
        fullBatches -= weight
        if (queues.size > QUEUES_KEPT && queue.batches === 0 && !queue.isTripped) queues.delete(endpointId)
        if (batch.trouble !== undefined) throw batch.trouble
      },
      recordSuccess: () => {
        queue.failures = 0
        queue.isTrusted = true
      },
      recordFailure: (nowMs) => {
        queue.failures += 1
        if (!queue.isTripped) return
        queue.isTrusted = false
        queue.restsUntilMs = nowMs + BREAKER_REST_MS
      },
    }
    queues.set(endpointId, queue)
    return queue
  }

  return {
    of: (endpointId) => queues.get(endpointId) ?? open(endpointId),
    capacity: (endpointId, nowMs) => {
      const queue = queues.get(endpointId)
      if (queue === undefined) return FIRST_BATCH_SIZE
      if (queue.isTripped) return queue.batches > 0 || nowMs < queue.restsUntilMs ? 0 : 1
      if (queue.batches === 0)
        return queue.isTrusted && fullBatches < FULL_BATCHES_IN_ALL ? BATCH_SIZE : FIRST_BATCH_SIZE
      // A second batch only fills the pauses of the first: it is the first to be forgone where there is much to do.
      const mayHaveSecond = queue.isTrusted && fullBatches < FULL_BATCHES_IN_ALL / 2
      return mayHaveSecond && queue.batches < BATCHES_PER_ENDPOINT ? BATCH_SIZE : 0
    },
  }
}
