// One rate limit over several processes, with a clock and a post of the test's own: messages between the processes and
// the keeper arrive when the test delivers them.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { policyOf } from '../../../src/api/http/rate-limit.ts'
import {
  type Balance,
  createRateLimitKeeper,
  createSharedRateLimit,
  portionOf,
  type SharedRateLimit,
  type Use,
} from '../../../src/api/http/shared-rate-limit.ts'

// With a limit of its own it is a credential's, whatever the organizations'.
function machineOf(processes: number, perSecond: number, own?: number) {
  const policy = policyOf(perSecond)
  const ownPolicy = own === undefined ? undefined : policyOf(own)
  let nowMs = 0
  let messages = 0
  const post: (() => void)[] = []
  const clockMs = () => nowMs
  const keeper = createRateLimitKeeper(policy, clockMs, (to, balance) =>
    post.push(() => all[to]?.recall(balance)),
  )
  const newProcess = (index: number): SharedRateLimit =>
    createSharedRateLimit(policy, processes, clockMs, (uses: Use[]) => {
      messages += 1
      post.push(() => {
        const balances: Balance[] = keeper.report(index, uses)
        post.push(() => all[index]?.receive(balances))
      })
    })
  const all = Array.from({ length: processes }, (_, index) => newProcess(index))
  let allowed = 0
  const count = ({ allowed: isAllowed }: { allowed: boolean }): void => {
    if (isAllowed) allowed += 1
  }
  return {
    bound: 2 * processes * portionOf(ownPolicy ?? policy, processes, false),
    ask: (index: number, times: number) => {
      const waiting: Promise<void>[] = []
      for (let one = 0; one < times; one += 1) {
        const decided = all[index]?.limit('id', ownPolicy) as ReturnType<SharedRateLimit['limit']>
        if (decided instanceof Promise) waiting.push(decided.then(count))
        else count(decided)
      }
      return Promise.all(waiting)
    },
    restart: (index: number) => {
      all[index] = newProcess(index)
    },
    pass: (ms: number) => {
      nowMs += ms
    },
    deliver: async () => {
      for (await turn(); post.length > 0; await turn()) for (const arrive of post.splice(0)) arrive()
    },
    allowed: () => allowed,
    messages: () => messages,
  }
}

describe('a rate limit that processes share', () => {
  for (const organizations of [0, 10, 5_000])
    it(`is a credential’s where it has one of its own, beside ${organizations} a second for organizations`, async () => {
      const machine = machineOf(3, organizations, 100)
      const seconds = 20
      for (let tick = 0; tick < seconds * 50; tick += 1) {
        const asked = [0, 1, 2].map((index) => machine.ask(index, 7))
        await machine.deliver()
        await Promise.all(asked)
        machine.pass(20)
      }
      const expected = 100 * seconds + 200
      assert.ok(machine.allowed() >= expected - machine.bound, `${machine.allowed()} were allowed`)
      assert.ok(machine.allowed() <= expected + machine.bound, `${machine.allowed()} were allowed`)
    })

  it('is the organization’s, whichever processes its requests come to', async () => {
    const machine = machineOf(3, 1_000)
    const seconds = 20
    for (let tick = 0; tick < seconds * 50; tick += 1) {
      // First all of them, then two, then one alone, then another alone.
      const busy = [[0, 1, 2], [0, 2], [1], [2]][Math.floor((tick * 4) / (seconds * 50))] as number[]
      const asked = busy.map((index) => machine.ask(index, 70))
      await machine.deliver()
      await Promise.all(asked)
      machine.pass(20)
    }
    const exact = 2_000 + seconds * 1_000
    assert.ok(machine.allowed() <= exact + machine.bound, `${machine.allowed()} of ${exact}`)
    assert.ok(machine.allowed() >= exact - 1_000 / 50 - machine.bound, `${machine.allowed()} of ${exact}`)
    assert.equal(machine.bound, 36, 'less than two percent of the burst')
  })

  it('holds while no message arrives at all: a process waits rather than take more than its portions', async () => {
    const machine = machineOf(3, 1_000)
    const asked = [0, 1, 2].map((index) => machine.ask(index, 2_000))
    await turn()
    assert.equal(machine.allowed(), machine.bound, 'nobody has heard how much is left')
    await machine.deliver()
    await Promise.all(asked)
    assert.ok(
      machine.allowed() >= 2_000 && machine.allowed() <= 2_000 + machine.bound,
      `${machine.allowed()}`,
    )
  })

  it('is paid back when more was taken than there was', async () => {
    const machine = machineOf(3, 1_000)
    for (const round of [0, 1]) {
      const asked = [0, 1, 2].map((index) => machine.ask(index, 2_000))
      await machine.deliver()
      await Promise.all(asked)
      if (round === 0) machine.pass(1_000)
    }
    assert.ok(machine.allowed() <= 3_000 + machine.bound, `${machine.allowed()}: one bound, not one a round`)
  })

  it('is not begun anew by a process that takes the place of another', async () => {
    const machine = machineOf(3, 1_000)
    for (let round = 0; round < 10; round += 1) {
      const asked = [0, 1, 2].map((index) => machine.ask(index, 1_000))
      await machine.deliver()
      await Promise.all(asked)
      machine.restart(round % 3)
    }
    const forgotten = 10 * 2 * portionOf(policyOf(1_000), 3, false)
    assert.ok(machine.allowed() <= 2_000 + machine.bound + forgotten, `${machine.allowed()}`)
  })

  it('costs a message in 83 requests far from the limit, and none for what is refused', async () => {
    const machine = machineOf(3, 1_000)
    for (let tick = 0; tick < 600; tick += 1) {
      void machine.ask(tick % 3, 1)
      await machine.deliver()
      machine.pass(2)
    }
    assert.equal(machine.allowed(), 600)
    assert.ok(machine.messages() <= 12, `${machine.messages()} messages`)

    for (let index = 0; index < 3; index += 1) {
      const asked = machine.ask(index, 3_000)
      await machine.deliver()
      await asked
    }
    const before = machine.messages()
    for (let index = 0; index < 3; index += 1) await machine.ask(index, 1_000)
    await machine.deliver()
    assert.equal(machine.messages(), before)
  })

  it('holds for a limit of one request a second', async () => {
    const machine = machineOf(3, 1)
    for (let second = 0; second < 60; second += 1) {
      const asked = [0, 1, 2].map((index) => machine.ask(index, 5))
      await machine.deliver()
      await Promise.all(asked)
      machine.pass(1_000)
    }
    assert.ok(machine.allowed() <= 61 + machine.bound && machine.allowed() >= 60, `${machine.allowed()}`)
  })
})
