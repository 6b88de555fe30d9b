// Where a search looks, and what it finds, in a queue that is a list in memory: the clock stands still, and every row read is
// counted.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createDueSearch, LATE_COMMIT_MS, type SearchOptions } from '../../src/workers/due-search.ts'
import { eventually } from '../world.ts'

type QueueRow = { owner: string; at: number }

const NOW = 1_000_000

function listQueue(options: SearchOptions = {}) {
  const rows: QueueRow[] = []
  const state = { now: NOW, read: 0, sweeps: 0, sweepFails: false, sweepEnds: Promise.resolve() }
  const due = () => rows.filter(({ at }) => at <= state.now).sort((a, b) => a.at - b.at)
  const search = createDueSearch<number>(
    {
      now: () => state.now,
      placeBefore: (time) => time - 1,
      oldest: async (after, limit) => {
        const page = due()
          .filter(({ at }) => at > after)
          .slice(0, limit)
        state.read += page.length
        return {
          owners: [...new Set(page.map(({ owner }) => owner))],
          firstAt: page[0]?.at ?? null,
          end: page.length === limit ? (page.at(-1)?.at ?? null) : null,
        }
      },
      newest: async (limit) => [
        ...new Set(
          due()
            .slice(-limit)
            .map(({ owner }) => owner),
        ),
      ],
      earliest: async () => {
        state.sweeps += 1
        await state.sweepEnds
        if (state.sweepFails) throw new Error('the database is away')
        return due()[0]?.at ?? null
      },
    },
    options,
  )
  const remove = (owner: string) => {
    for (let at = rows.length - 1; at >= 0; at -= 1) if (rows[at]?.owner === owner) rows.splice(at, 1)
    search.forget(owner)
  }
  return { rows, state, search, remove }
}

const NEVER = { sweepEveryMs: Number.POSITIVE_INFINITY }

describe('a search for due work', () => {
  it('finds at first whatever is due, however old, and nothing that is due later', async () => {
    const { rows, search } = listQueue(NEVER)
    rows.push({ owner: 'old', at: 5 }, { owner: 'now', at: NOW }, { owner: 'later', at: NOW + 1 })
    assert.deepEqual(await search.look(), ['old', 'now'])
  })

  it('begins where the first due row stands, and never behind it', async () => {
    const { rows, search, remove } = listQueue(NEVER)
    rows.push({ owner: 'stuck', at: 5 }, { owner: 'one', at: 700 })
    await search.look()
    assert.equal(search.from(), 5)
    assert.deepEqual(await search.look(), ['stuck', 'one'])
    remove('stuck')
    await search.look()
    assert.deepEqual([search.from(), search.firstAt()], [700, 700])
    remove('one')
    assert.deepEqual(await search.look(), [])
    assert.equal(search.from(), NOW - LATE_COMMIT_MS)
    rows.push({ owner: 'now', at: NOW })
    assert.deepEqual(await search.look(), ['now'])
    assert.equal(search.firstAt(), NOW)
    assert.equal(search.from(), NOW - LATE_COMMIT_MS, 'something that is older may still commit')
  })

  it('finds at the next look what commits a second late, and by a sweep what commits later still', async () => {
    const { rows, state, search, remove } = listQueue({ sweepEveryMs: 0 })
    await search.look()
    rows.push({ owner: 'late', at: NOW - LATE_COMMIT_MS })
    assert.deepEqual(await search.look(), ['late'])
    remove('late')
    await search.look()
    rows.push({ owner: 'very late', at: 7 })
    await eventually(search.look, (found) => found.includes('very late'))
    assert.equal(search.from(), 7)
    remove('very late')
    // The beginning moves on again.
    await eventually(
      async () => {
        await search.look()
        return search.from()
      },
      (from) => from === NOW - LATE_COMMIT_MS,
    )
    assert.ok(state.sweeps >= 2, 'the first, and the one that found it')
  })

  it('sweeps at most as often as it is told, and looks on while a sweep fails', async () => {
    const seldom = listQueue({ sweepEveryMs: 60_000 })
    for (let look = 0; look < 50; look += 1) await seldom.search.look()
    assert.equal(seldom.state.sweeps, 1)

    const failing = listQueue({ sweepEveryMs: 0 })
    await failing.search.look()
    failing.state.sweepFails = true
    failing.rows.push({ owner: 'one', at: NOW })
    for (let look = 0; look < 5; look += 1) assert.deepEqual(await failing.search.look(), ['one'])
  })

  it('begins no sweep while another is under way', async () => {
    const { state, search } = listQueue({ sweepEveryMs: 0 })
    await search.look()
    const { promise, resolve } = Promise.withResolvers<void>()
    state.sweepEnds = promise
    const sweepsAfterALook = async () => {
      await search.look()
      return state.sweeps
    }
    await eventually(sweepsAfterALook, (sweeps) => sweeps === 2)
    for (let look = 0; look < 5; look += 1)
      assert.equal(await sweepsAfterALook(), 2, 'the first, and the one that is under way')
    resolve()
  })

  it('reads a page a look, whatever the backlog, and finds the newest at once and all within a pass', async () => {
    const { rows, state, search, remove } = listQueue({ ...NEVER, pageSize: 100 })
    for (let at = 1; at <= 5_000; at += 1) rows.push({ owner: at === 2_500 ? 'between' : 'large', at })
    rows.push({ owner: 'new', at: NOW })
    assert.deepEqual(new Set(await search.look()), new Set(['large', 'new']))
    assert.equal(state.read, 100)
    for (let look = 1; look < 25; look += 1) await search.look()
    assert.equal(state.read, 2_500)
    assert.equal(search.firstAt(), 1, 'of the whole pass')
    // Each stays in the answer until nothing of it is left, although its page is behind.
    for (let look = 0; look < 100; look += 1)
      assert.deepEqual(new Set(await search.look()), new Set(['large', 'new', 'between']))
    remove('large')
    remove('new')
    await eventually(search.look, (found) => found.length === 1)
    assert.deepEqual(await search.look(), ['between'])
    remove('between')
    assert.deepEqual(await search.look(), [])
  })

  it('finds nobody of whom nothing is left, while the backlog of others goes on', async () => {
    const { rows, search, remove } = listQueue({ ...NEVER, pageSize: 100 })
    for (let at = 1; at <= 5_000; at += 1) rows.push({ owner: at === 2_500 ? 'between' : 'large', at })
    for (let look = 0; look < 120; look += 1) await search.look()
    assert.deepEqual(new Set(await search.look()), new Set(['large', 'between']))
    remove('between')
    for (let look = 0; look < 120; look += 1) assert.deepEqual(await search.look(), ['large'])
  })

  it('finds nobody of whom another process has done everything, two passes later', async () => {
    const { rows, search } = listQueue({ ...NEVER, pageSize: 100 })
    for (let at = 1; at <= 500; at += 1) rows.push({ owner: at === 250 ? 'elsewhere' : 'large', at })
    for (let look = 0; look < 12; look += 1) await search.look()
    assert.deepEqual(new Set(await search.look()), new Set(['large', 'elsewhere']))
    rows.splice(249, 1)
    for (let look = 0; look < 12; look += 1) await search.look()
    assert.deepEqual(await search.look(), ['large'])
  })

  it('has patience after a sweep that took more than a second or failed, and waits twenty times as long for the next', async (t) => {
    let nowMs = 0
    t.mock.method(performance, 'now', () => nowMs)
    const patience: boolean[] = []
    let sweep = { tookMs: 1_001, fails: false }
    const search = createDueSearch<number>(
      {
        now: () => NOW,
        placeBefore: (time) => time,
        oldest: async () => ({ owners: [], firstAt: null, end: null }),
        newest: async () => [],
        earliest: async (isPatient) => {
          patience.push(isPatient)
          nowMs += sweep.tookMs
          if (sweep.fails) throw new Error('the database is away')
          return null
        },
      },
      { sweepEveryMs: 2_000 },
    )
    const sweepsAt = async (atMs: number): Promise<number> => {
      nowMs = atMs
      await search.look()
      return patience.length
    }
    assert.equal(search.from(), 0, 'nothing is known yet')
    assert.equal(await sweepsAt(0), 1)
    assert.equal(await sweepsAt(1_001 + 20_020 - 1), 1)
    sweep = { tookMs: 1_000, fails: false }
    assert.equal(await sweepsAt(21_021), 2)
    assert.equal(await sweepsAt(22_021 + 20_000 - 1), 2)
    sweep = { tookMs: 50, fails: true }
    assert.equal(await sweepsAt(42_021), 3)
    assert.equal(await sweepsAt(42_071 + 2_000 - 1), 3, 'a short one is repeated after its time')
    assert.equal(await sweepsAt(44_071), 4)
    assert.deepEqual(patience, [false, true, false, true])
  })

  it('reads ten thousand rows in a look, and of the newest a thousand', async () => {
    const limits: number[] = []
    const search = createDueSearch<number>({
      now: () => NOW,
      placeBefore: (time) => time,
      oldest: async (_, limit) => {
        limits.push(limit)
        return { owners: [], firstAt: 1, end: 2 }
      },
      newest: async (limit) => {
        limits.push(limit)
        return []
      },
      earliest: async () => 1,
    })
    await search.look()
    assert.deepEqual(limits, [10_000, 1_000])
  })
})
