// A lane for each endpoint that events are sent to: how much of this process it may occupy. An endpoint earns its room: the
// first deliveries are few, full batches follow once it has acknowledged one, and after a run of failures it is tried by one
// probe at a time, with rests. So one that hangs holds its own few requests and nothing that another would need.

import { BREAKER_FAILURES, BREAKER_REST_MS } from '../core/webhooks/delivery.ts'

export type Lane = {
  // Straight failures, as this process has seen them.
  readonly failures: number
  // After a run of failures: nothing but probes.
  readonly isTripped: boolean
  // Does all of a batch, so many at once as the endpoint may have under way, together with those of its other batch.
  readonly work: <Item>(items: readonly Item[], act: (item: Item) => Promise<void>) => Promise<void>
  readonly noteDelivered: () => void
  readonly noteFailure: (nowMs: number) => void
}

export type Lanes = {
  readonly of: (endpointId: string) => Lane
  // How many deliveries may be claimed for an endpoint now.
  readonly room: (endpointId: string, nowMs: number) => number
}

// Two batches at a time: one is being sent while the next is fetched.
export const BATCHES_PER_ENDPOINT = 2
export const BATCH_SIZE = 200
// As many as tell whether it fails.
export const FIRST_BATCH_SIZE = BREAKER_FAILURES
// With an event of a few KB this keeps what is in memory under some 100 MB. Beyond it endpoints still get first batches.
const FULL_BATCHES_IN_ALL = 200
// Lanes of endpoints at rest are kept up to this many: it only spares a known endpoint its small first batch.
const LANES_KEPT = 10_000

type Batch = { left: number; trouble: unknown; readonly end: () => void }
type Piece = { readonly item: unknown; readonly act: (item: unknown) => Promise<void>; readonly batch: Batch }

type Held = Lane & {
  failures: number
  isTrusted: boolean
  restsUntilMs: number
  batches: number
}

export function createLanes(perEndpoint: number): Lanes {
  const lanes = new Map<string, Held>()
  let fullBatches = 0

  const open = (endpointId: string): Held => {
    const waiting: Piece[] = []
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

    const lane: Held = {
      failures: 0,
      isTrusted: false,
      restsUntilMs: 0,
      batches: 0,
      get isTripped() {
        return lane.failures >= BREAKER_FAILURES
      },
      work: async (items, act) => {
        if (items.length === 0) return
        const weight = items.length > FIRST_BATCH_SIZE ? 1 : 0
        lane.batches += 1
        fullBatches += weight
        const { promise, resolve } = Promise.withResolvers<void>()
        const batch: Batch = { left: items.length, trouble: undefined, end: resolve }
        for (const item of items) waiting.push({ item, act: act as Piece['act'], batch })
        for (let more = Math.min(perEndpoint - serving, waiting.length); more > 0; more -= 1) void serve()
        await promise
        lane.batches -= 1
        fullBatches -= weight
        if (lanes.size > LANES_KEPT && lane.batches === 0 && !lane.isTripped) lanes.delete(endpointId)
        if (batch.trouble !== undefined) throw batch.trouble
      },
      noteDelivered: () => {
        lane.failures = 0
        lane.isTrusted = true
      },
      noteFailure: (nowMs) => {
        lane.failures += 1
        if (!lane.isTripped) return
        lane.isTrusted = false
        lane.restsUntilMs = nowMs + BREAKER_REST_MS
      },
    }
    lanes.set(endpointId, lane)
    return lane
  }

  return {
    of: (endpointId) => lanes.get(endpointId) ?? open(endpointId),
    room: (endpointId, nowMs) => {
      const lane = lanes.get(endpointId)
      if (lane === undefined) return FIRST_BATCH_SIZE
      if (lane.isTripped) return lane.batches > 0 || nowMs < lane.restsUntilMs ? 0 : 1
      if (lane.batches === 0)
        return lane.isTrusted && fullBatches < FULL_BATCHES_IN_ALL ? BATCH_SIZE : FIRST_BATCH_SIZE
      // A second batch only fills the pauses of the first: it is the first to be forgone where there is much to do.
      const mayHaveSecond = lane.isTrusted && fullBatches < FULL_BATCHES_IN_ALL / 2
      return mayHaveSecond && lane.batches < BATCHES_PER_ENDPOINT ? BATCH_SIZE : 0
    },
  }
}
