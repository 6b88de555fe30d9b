// Claims due work by organization and runs it concurrently. It is fair by construction: an organization may have only so much
// under way, and slow work delays nobody else, because the next poll does not wait for it.

import type { Logger } from 'pino'
import { errorSummary, type Loop, startLoop } from './loop.ts'
import { waitForMoreWork } from './wait-for-more-work.ts'

export type PumpOptions<Work> = {
  name: string
  restMs: number
  log: Logger
  dueOrganizations: () => Promise<string[]>
  // Called when a claim has left nothing of an organization's that is due.
  onAllClaimed?: (organizationId: string) => void
  claim: (organizationId: string, limit: number) => Promise<Work[]>
  // Returns `true` if there may be more of the same. The next poll then comes at once.
  act: (work: Work, organizationId: string) => Promise<void> | Promise<boolean>
  // How many items a piece of work contains. A claim with many is not worth coalescing. Defaults to one.
  sizeOf?: (work: Work) => number
  // Called when the pump stops, so that work under way can be cut short.
  onStop?: () => void
  // Limits on work under way, for one organization and in total.
  maxPerOrganization: number
  maxTotal: number
}

// Enough concurrent claims to keep the database busy, few enough to leave connections for others.
const CLAIM_CONCURRENCY = 4

export type Pump<Work = never> = Loop & {
  idle: () => boolean
  turn: () => Promise<number>
  // For work that needs no claim: the caller already holds the lease.
  hasCapacity: () => boolean
  take: (find: () => Promise<Work | undefined>, organizationId: string) => void
}

export function startPump<Work>(options: PumpOptions<Work>): Pump<Work> {
  const pump = createPump(options)
  const loop = startLoop({
    name: options.name,
    restMs: options.restMs,
    turn: async () => {
      const { claimed, size, claims, hasCapacityLeft } = await pump.poll()
      // At full capacity others are waiting, so do not delay the next poll.
      if (hasCapacityLeft) await waitForMoreWork(size, claims)
      return claimed
    },
    log: options.log,
    quiet: true,
  })
  pump.onFinished(loop.wake)
  let stopping = false
  return {
    ...loop,
    idle: pump.idle,
    turn: pump.turn,
    hasCapacity: () => !stopping && pump.hasCapacity(),
    take: pump.take,
    stop: async () => {
      stopping = true
      options.onStop?.()
      await loop.stop()
      await pump.drained()
    },
  }
}

type PollResult = { claimed: number; size: number; claims: number; hasCapacityLeft: boolean }

export function createPump<Work>(options: PumpOptions<Work>) {
  const underWay = new Map<string, number>()
  let total = 0
  let wake: () => void = () => {}
  let rotation = 0
  const drainWaiters: (() => void)[] = []

  const run = (work: Work, organizationId: string): Promise<void> => take(async () => work, organizationId)

  const take = async (find: () => Promise<Work | undefined>, organizationId: string): Promise<void> => {
    underWay.set(organizationId, (underWay.get(organizationId) ?? 0) + 1)
    total += 1
    let hasMore = false
    try {
      const work = await find()
      if (work !== undefined) hasMore = (await options.act(work, organizationId)) === true
    } catch (error) {
      options.log.error({ job: options.name, organizationId, error: errorSummary(error) }, 'work failed')
    } finally {
      const left = (underWay.get(organizationId) ?? 1) - 1
      if (left === 0) underWay.delete(organizationId)
      else underWay.set(organizationId, left)
      total -= 1
      // An organization that was at its limit has capacity again, so poll for more.
      if (hasMore || left === Math.floor(options.maxPerOrganization / 2)) wake()
      if (total === 0) for (const resolve of drainWaiters.splice(0)) resolve()
    }
  }

  const serve = async (organizationId: string): Promise<Work[]> => {
    const limit = Math.min(
      options.maxPerOrganization - (underWay.get(organizationId) ?? 0),
      options.maxTotal - total,
    )
    if (limit <= 0) return []
    const works = await options.claim(organizationId, limit)
    if (works.length < limit) options.onAllClaimed?.(organizationId)
    for (const work of works) void run(work, organizationId)
    return works
  }

  const poll = async (): Promise<PollResult> => {
    const due = await options.dueOrganizations()
    if (due.length === 0) return { claimed: 0, size: 0, claims: 0, hasCapacityLeft: true }
    // Each poll starts with another organization, so that none is always last.
    rotation = (rotation + 1) % due.length
    const order = [...due.slice(rotation), ...due.slice(0, rotation)]
    let claimed = 0
    let size = 0
    const claimNext = async (): Promise<void> => {
      for (let organizationId = order.shift(); organizationId !== undefined; organizationId = order.shift()) {
        const works = await serve(organizationId)
        claimed += works.length
        for (const work of works) size += options.sizeOf?.(work) ?? 1
      }
    }
    await Promise.all(Array.from({ length: CLAIM_CONCURRENCY }, claimNext))
    return { claimed, size, claims: due.length, hasCapacityLeft: total < options.maxTotal }
  }

  return {
    poll,
    turn: async () => (await poll()).claimed,
    idle: () => total === 0,
    hasCapacity: () => total < options.maxTotal,
    take: (find: () => Promise<Work | undefined>, organizationId: string) => void take(find, organizationId),
    drained: () =>
      total === 0 ? Promise.resolve() : new Promise<void>((resolve) => drainWaiters.push(resolve)),
    onFinished: (listener: () => void) => {
      wake = listener
    },
  }
}
