// What a pump and its loop owe to everybody: room for others, a turn for each, rest when there is nothing to do, and a line in the
// log when work fails.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import pino from 'pino'
import { startLoop } from '../../src/workers/loop.ts'
import { createPump, type PumpOptions } from '../../src/workers/pump.ts'
import { eventually } from '../eventually.ts'

const silent = pino({ level: 'silent' })
const HOUR_MS = 3_600_000

function heardBy(): { log: pino.Logger; lines: Record<string, unknown>[] } {
  const lines: Record<string, unknown>[] = []
  const log = pino({ level: 'info', base: null }, { write: (line: string) => lines.push(JSON.parse(line)) })
  return { log, lines }
}

async function severalTurns(): Promise<void> {
  for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}

function pumpOf(changes: Partial<PumpOptions<string>>) {
  return createPump<string>({
    name: 'test',
    restMs: 5,
    log: silent,
    maxPerOrganization: 10,
    maxTotal: 10,
    dueOrganizations: async () => ['one'],
    claim: async () => [],
    act: async () => {},
    ...changes,
  })
}

describe('a pump', () => {
  it('never has more under way than its limit for all together, whoever it is for', async () => {
    const ends: (() => void)[] = []
    const limits: number[] = []
    let due = ['one']
    const pump = pumpOf({
      maxTotal: 3,
      dueOrganizations: async () => due,
      claim: async (_, limit) => {
        limits.push(limit)
        return Array.from({ length: Math.min(limit, 2) }, () => 'work')
      },
      act: () => new Promise<void>((end) => ends.push(end)),
    })
    await pump.poll()
    due = ['two']
    await pump.poll()
    await pump.poll()
    assert.deepEqual(limits, [3, 1])
    await severalTurns()
    ends.shift()?.()
    await severalTurns()
    await pump.poll()
    assert.deepEqual(limits, [3, 1, 1])
    for (const end of ends) end()
  })

  it('says that it has room until it is full, and again once something has ended', async () => {
    const ends: (() => void)[] = []
    const pump = pumpOf({ maxTotal: 2, act: () => new Promise<void>((end) => ends.push(end)) })
    const seen = [pump.hasCapacity()]
    for (let taken = 0; taken < 2; taken += 1) {
      pump.take(async () => 'work', 'one')
      seen.push(pump.hasCapacity())
    }
    await severalTurns()
    ends.shift()?.()
    await severalTurns()
    seen.push(pump.hasCapacity())
    assert.deepEqual(seen, [true, true, false, true])
    for (const end of ends) end()
    await pump.drained()
  })

  it('begins each look with another organization, so that none is always the last', async () => {
    const due = ['one', 'two', 'three', 'four', 'five']
    let order: string[] = []
    const pump = pumpOf({
      dueOrganizations: async () => due,
      claim: async (organizationId) => {
        order.push(organizationId)
        return []
      },
    })
    const last = new Set<string | undefined>()
    for (const _ of due) {
      order = []
      await pump.poll()
      assert.deepEqual([...order].sort(), [...due].sort())
      last.add(order.at(-1))
    }
    assert.equal(last.size, due.length)
  })

  it('claims for an organization what it may have more of, and says when nothing of it is left', async () => {
    const ends: (() => void)[] = []
    const limits: number[] = []
    const left: string[] = []
    let found = 3
    const pump = pumpOf({
      maxPerOrganization: 3,
      claim: async (_, limit) => {
        limits.push(limit)
        return Array.from({ length: Math.min(limit, found) }, () => 'work')
      },
      act: () => new Promise<void>((end) => ends.push(end)),
      onAllClaimed: (organizationId) => left.push(organizationId),
    })
    await pump.poll()
    assert.deepEqual([limits, left], [[3], []], 'it may have more')
    await severalTurns()
    ends.shift()?.()
    await severalTurns()
    found = 0
    await pump.poll()
    assert.deepEqual([limits, left], [[3, 1], ['one']])
    ends.shift()?.()
    await severalTurns()
    await pump.poll()
    assert.deepEqual(limits, [3, 1, 2])
    for (const end of ends) end()
    await pump.drained()
  })

  it('looks again at once when an organization has half of its room, or when work says that there is more', async () => {
    const ends: ((hasMore: boolean) => void)[] = []
    let wakes = 0
    const pump = pumpOf({
      maxPerOrganization: 5,
      act: () => new Promise<boolean>((end) => ends.push(end)),
    })
    pump.onFinished(() => {
      wakes += 1
    })
    for (let taken = 0; taken < 5; taken += 1) pump.take(async () => 'work', 'one')
    await severalTurns()
    const seen: number[] = []
    for (const hasMore of [false, false, false, true, false]) {
      ends.shift()?.(hasMore)
      await severalTurns()
      seen.push(wakes)
    }
    assert.deepEqual(seen, [0, 0, 1, 2, 2])
    await pump.drained()
  })

  it('says how many it has claimed, and how much that is', async () => {
    const claim = async () => ['work', 'more work']
    const due = { dueOrganizations: async () => ['one', 'two'], claim }
    const [plain, sized] = [pumpOf(due), pumpOf({ ...due, sizeOf: (work) => work.length })]
    assert.deepEqual(await plain.poll(), { claimed: 4, size: 4, claims: 2, hasCapacityLeft: true })
    assert.deepEqual(await sized.poll(), { claimed: 4, size: 26, claims: 2, hasCapacityLeft: true })
    const full = pumpOf({ ...due, maxTotal: 4, act: () => new Promise<void>(() => {}) })
    assert.equal((await full.poll()).hasCapacityLeft, false)
  })

  it('whose work fails says for whom in the log, and goes on with the others', async () => {
    const { log, lines } = heardBy()
    const done: string[] = []
    const pump = pumpOf({
      log,
      dueOrganizations: async () => ['one', 'two'],
      claim: async (organizationId) => [organizationId],
      act: async (work) => {
        if (work === 'one') throw Object.assign(new Error('a row that nobody expected'), { code: '23505' })
        done.push(work)
      },
    })
    await pump.turn()
    await pump.drained()
    assert.deepEqual(done, ['two'])
    assert.deepEqual(
      lines.map(({ level, job, organizationId, error, msg }) => ({ level, job, organizationId, error, msg })),
      [
        {
          level: 50,
          job: 'test',
          organizationId: 'one',
          error: { name: 'Error', message: 'a row that nobody expected', code: '23505' },
          msg: 'work failed',
        },
      ],
    )
  })
})

describe('a loop', () => {
  it('that was woken takes one more turn, and rests again', async (t) => {
    let turns = 0
    const loop = startLoop({
      name: 'test',
      restMs: HOUR_MS,
      log: silent,
      turn: async () => {
        turns += 1
        await new Promise((resolve) => setImmediate(resolve))
        return 0
      },
    })
    t.after(() => loop.stop())
    for (const expected of [1, 2, 3]) {
      await eventually(
        async () => turns,
        (count) => count === expected,
      )
      await severalTurns()
      assert.equal(turns, expected)
      loop.wake()
    }
  })

  it('that is woken during a turn takes the next one at once', async (t) => {
    const ends: (() => void)[] = []
    const loop = startLoop({
      name: 'test',
      restMs: HOUR_MS,
      log: silent,
      turn: () => new Promise<number>((end) => ends.push(() => end(0))),
    })
    t.after(() => {
      const stopped = loop.stop()
      for (const end of ends) end()
      return stopped
    })
    loop.wake()
    ends[0]?.()
    await eventually(
      async () => ends.length,
      (count) => count === 2,
    )
  })

  it('says in the log what a turn has done, unless it is quiet, and what has failed', async () => {
    for (const quiet of [false, true]) {
      const { log, lines } = heardBy()
      const turns = [async () => 1, async () => assert.fail('a fault of ours'), async () => 0]
      const loop = startLoop({
        name: 'test',
        restMs: 1,
        log,
        quiet,
        turn: () => (turns.shift() ?? (async () => 0))(),
      })
      await eventually(
        async () => turns.length,
        (left) => left === 0,
      )
      await loop.stop()
      const failed = { level: 50, job: 'test', message: 'a fault of ours', done: undefined }
      assert.deepEqual(
        lines.map(({ level, job, done, error }) => ({
          level,
          job,
          done,
          message: (error as Error)?.message,
        })),
        quiet ? [failed] : [{ level: 30, job: 'test', done: 1, message: undefined }, failed],
      )
    }
  })
})
