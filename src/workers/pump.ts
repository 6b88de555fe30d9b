// Takes due work organization by organization and does it, many things at once. Fair by construction: an organization may
// have only so much under way, and what is slow holds up nobody else, because the next look does not wait for it.

import type { Logger } from 'pino'
import { coalesce } from './coalesce.ts'
import { errorSummary, type Loop, startLoop } from './loop.ts'

export type PumpOptions<Work> = {
  name: string
  restMs: number
  log: Logger
  dueOrganizations: () => Promise<string[]>
  claim: (organizationId: string, limit: number) => Promise<Work[]>
  // Answers `true` where there may be more of the same: the next look then comes at once.
  act: (work: Work, organizationId: string) => Promise<void> | Promise<boolean>
  // How much a piece of work is worth waiting for: that of many things is no crumb. One, where it is not said.
  sizeOf?: (work: Work) => number
  // Told when the pump is to stop, so that work under way can be cut short.
  onStop?: () => void
  // Work under way for one organization, and for all together.
  maxPerOrganization: number
  maxTotal: number
}

// Organizations asked for work at the same time: enough to keep the database busy, few enough to leave it connections.
const CLAIMS_AT_ONCE = 4

export type Pump<Work = never> = Loop & {
  idle: () => boolean
  turn: () => Promise<number>
  // Work that needs no claim: whoever brings it holds it already.
  hasCapacity: () => boolean
  take: (find: () => Promise<Work | undefined>, organizationId: string) => void
}

export function startPump<Work>(options: PumpOptions<Work>): Pump<Work> {
  const pump = createPump(options)
  const loop = startLoop({
    name: options.name,
    restMs: options.restMs,
    turn: async () => {
      const { claimed, size, claims, isRoomLeft } = await pump.look()
      // Not while others wait.
      if (isRoomLeft) await coalesce(size, claims)
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
    hasCapacity: () => !stopping && pump.hasRoom(),
    take: pump.take,
    stop: async () => {
      stopping = true
      options.onStop?.()
      await loop.stop()
      await pump.drained()
    },
  }
}

type Look = { claimed: number; size: number; claims: number; isRoomLeft: boolean }

export function createPump<Work>(options: PumpOptions<Work>) {
  const underWay = new Map<string, number>()
  let total = 0
  let wake: () => void = () => {}
  let rotation = 0
  const waiters: (() => void)[] = []

  const run = (work: Work, organizationId: string): Promise<void> => take(async () => work, organizationId)

  const take = async (find: () => Promise<Work | undefined>, organizationId: string): Promise<void> => {
    underWay.set(organizationId, (underWay.get(organizationId) ?? 0) + 1)
    total += 1
    let isMore = false
    try {
      const work = await find()
      if (work !== undefined) isMore = (await options.act(work, organizationId)) === true
    } catch (error) {
      options.log.error({ job: options.name, organizationId, error: errorSummary(error) }, 'work failed')
    } finally {
      const left = (underWay.get(organizationId) ?? 1) - 1
      if (left === 0) underWay.delete(organizationId)
      else underWay.set(organizationId, left)
      total -= 1
      // Room again for an organization that was full: look whether it has more.
      if (isMore || left === Math.floor(options.maxPerOrganization / 2)) wake()
      if (total === 0) for (const resolve of waiters.splice(0)) resolve()
    }
  }

  const serve = async (organizationId: string): Promise<Work[]> => {
    const room = Math.min(
      options.maxPerOrganization - (underWay.get(organizationId) ?? 0),
      options.maxTotal - total,
    )
    if (room <= 0) return []
    const works = await options.claim(organizationId, room)
    for (const work of works) void run(work, organizationId)
    return works
  }

  const look = async (): Promise<Look> => {
    const due = await options.dueOrganizations()
    if (due.length === 0) return { claimed: 0, size: 0, claims: 0, isRoomLeft: true }
    // Begin each turn with another organization, so that none is always last.
    rotation = (rotation + 1) % due.length
    const order = [...due.slice(rotation), ...due.slice(0, rotation)]
    let claimed = 0
    let size = 0
    const next = async (): Promise<void> => {
      for (let organizationId = order.shift(); organizationId !== undefined; organizationId = order.shift()) {
        const works = await serve(organizationId)
        claimed += works.length
        for (const work of works) size += options.sizeOf?.(work) ?? 1
      }
    }
    await Promise.all(Array.from({ length: CLAIMS_AT_ONCE }, next))
    return { claimed, size, claims: due.length, isRoomLeft: total < options.maxTotal }
  }

  return {
    look,
    turn: async () => (await look()).claimed,
    idle: () => total === 0,
    hasRoom: () => total < options.maxTotal,
    take: (find: () => Promise<Work | undefined>, organizationId: string) => void take(find, organizationId),
    drained: () => (total === 0 ? Promise.resolve() : new Promise<void>((resolve) => waiters.push(resolve))),
    onFinished: (listener: () => void) => {
      wake = listener
    },
  }
}
