// Where an adapter is tried: it is opened to a scripted far side, and what it records is kept.

import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import type { Limits } from '../../../src/rails/limits.ts'
import type { NetworkExchange, ProviderRails } from '../../../src/rails/rail.ts'
import { type FakeNetwork, openFakeNetwork } from '../fake-network.ts'

// What the installation's own networks and providers have in common.
export type Port = Omit<ProviderRails, 'readHint'>

export const NOW = Date.UTC(2026, 10, 15, 13)
const QUICK_PAUSES = { pauseFromMs: 1, pauseToMs: 2 }

export type World = {
  readonly now: () => number
  readonly wallClock: () => number
  readonly randomBytes: (count: number) => Buffer
  readonly record: (exchange: NetworkExchange) => void
  readonly limits: Partial<Limits>
}

export type Bench<Opened extends Port, Settings = unknown> = {
  readonly farSide: () => FakeNetwork
  // Since the adapter was opened last.
  readonly exchanges: () => readonly NetworkExchange[]
  readonly withRails: <Result>(
    use: (rails: Opened) => Result | Promise<Result>,
    limits?: Partial<Limits>,
    settings?: Partial<Settings>,
  ) => Promise<Result>
  readonly assertNothingPersonal: (text: string) => void
}

export function openBench<Opened extends Port, Settings>(
  open: (url: string, world: World, settings: Partial<Settings>) => Opened,
  // Personal data and secrets of the orders, the answers and the settings.
  personal: (url: string) => readonly string[],
): Bench<Opened, Settings> {
  let farSide: FakeNetwork
  let exchanges: NetworkExchange[] = []
  let drawn = 0
  before(async () => {
    farSide = await openFakeNetwork()
  })
  after(() => farSide[Symbol.asyncDispose]())

  return {
    farSide: () => farSide,
    exchanges: () => exchanges,
    withRails: async (use, limits = {}, settings = {}) => {
      exchanges = []
      const world: World = {
        now: () => NOW,
        wallClock: () => NOW,
        randomBytes: (count) => {
          drawn += 1
          return Buffer.alloc(count, String(drawn))
        },
        record: (exchange) => void exchanges.push(exchange),
        limits: { ...QUICK_PAUSES, ...limits },
      }
      const rails = open(farSide.url, world, settings)
      try {
        return await use(rails)
      } finally {
        await rails.close()
      }
    },
    assertNothingPersonal: (text) => {
      for (const secret of [...personal(farSide.url), 'secret-token', 'Ana Pérez'])
        assert.ok(!text.includes(secret), `${secret} stands in ${text}`)
    },
  }
}
