// One queue per endpoint. It limits how much of this process the endpoint may use. The first batch is small. Full batches
// follow once the endpoint has acknowledged a delivery. After a run of failures it gets one probe at a time, with rests. So an
// endpoint that hangs holds only its own few requests and takes no capacity from others.

import { BREAKER_FAILURES, BREAKER_REST_MS } from '../core/webhooks/delivery.ts'

export type EndpointQueue = {
  // Consecutive failures seen by this process.
  readonly failures: number
  // After a run of failures: only probes are sent.
  readonly isTripped: boolean
  // Runs a whole batch. The endpoint's concurrency limit is shared with its other batch.
  readonly runAll: <Item>(items: readonly Item[], act: (item: Item) => Promise<void>) => Promise<void>
  readonly recordSuccess: () => void
  readonly recordFailure: (nowMs: number) => void
  // How much of a claim goes to retries if first attempts wait too: half, and of single probes every second one. Events
  // that an endpoint always refuses must not keep the others from it.
  readonly retryShare: (capacity: number) => number
}

export type EndpointQueues = {
  readonly of: (endpointId: string) => EndpointQueue
  // How many deliveries may be claimed for an endpoint now.
  readonly capacity: (endpointId: string, nowMs: number) => number
}

// One batch is sent while the next is claimed.
export const BATCHES_PER_ENDPOINT = 2
export const BATCH_SIZE = 200
// Just enough failures to trip the breaker.
export const FIRST_BATCH_SIZE = BREAKER_FAILURES
// With events of a few KB this keeps memory under about 100 MB. Beyond it, endpoints still get first batches.
const MAX_FULL_BATCHES = 200
// Above this many, idle queues are dropped. Keeping one only spares a known endpoint its small first batch.
const QUEUES_KEPT = 10_000

type Batch = { remaining: number; error: unknown; readonly end: () => void }
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
    let probesRetry = true

    const serve = async (): Promise<void> => {
      serving += 1
      for (let queued = waiting.shift(); queued !== undefined; queued = waiting.shift()) {
        const { batch } = queued
        try {
          await queued.act(queued.item)
        } catch (error) {
          batch.error ??= error
        }
        batch.remaining -= 1
        if (batch.remaining === 0) batch.end()
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
        const batch: Batch = { remaining: items.length, error: undefined, end: resolve }
        for (const item of items) waiting.push({ item, act: act as QueueItem['act'], batch })
        for (let more = Math.min(perEndpoint - serving, waiting.length); more > 0; more -= 1) void serve()
        await promise
        queue.batches -= 1
        fullBatches -= weight
        if (queues.size > QUEUES_KEPT && queue.batches === 0 && !queue.isTripped) queues.delete(endpointId)
        if (batch.error !== undefined) throw batch.error
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
      retryShare: (capacity) => {
        if (capacity > 1) return Math.ceil(capacity / 2)
        probesRetry = !probesRetry
        return probesRetry ? capacity : 0
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
        return queue.isTrusted && fullBatches < MAX_FULL_BATCHES ? BATCH_SIZE : FIRST_BATCH_SIZE
      // A second batch only fills the pauses of the first. Under load we drop it first.
      const mayHaveSecond = queue.isTrusted && fullBatches < MAX_FULL_BATCHES / 2
      return mayHaveSecond && queue.batches < BATCHES_PER_ENDPOINT ? BATCH_SIZE : 0
    },
  }
}
