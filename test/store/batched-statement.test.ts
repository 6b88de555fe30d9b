// Group commit, without a real store: which calls share a batch, and that each caller gets its own result.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { BatchFull, batchedStatement } from '../../src/store/batched-statement.ts'
import { StoreSilent } from '../../src/store/db.ts'

// A store whose statements end when the test says so.
function manualStore(
  concurrency: number,
  options: { maxItems?: number; maxWaiting?: number; waitsForFairShare?: true } = {},
) {
  const underWay: { items: number[]; end: (error?: Error) => void }[] = []
  const sizes: number[] = []
  const call = batchedStatement<number, string>({
    concurrency,
    maxItems: options.maxItems ?? 100,
    maxWaiting: options.maxWaiting ?? 1_000,
    ...(options.waitsForFairShare && { waitsForFairShare: true }),
    onBatch: (size) => sizes.push(size),
    run: (items) =>
      new Promise((resolve, reject) => {
        const end = (error?: Error): void => {
          underWay.splice(underWay.indexOf(statement), 1)
          if (error === undefined) resolve(items.map((item) => `answer ${item}`))
          else reject(error)
        }
        const statement = { items, end }
        underWay.push(statement)
      }),
  })
  return { call, underWay, sizes }
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index)

describe('a batch', () => {
  it('of one call is sent at the end of the turn', async () => {
    const { call, underWay, sizes } = manualStore(2)
    const answer = call(7)
    await turn()
    assert.deepEqual(sizes, [1])
    underWay[0]?.end()
    assert.equal(await answer, 'answer 7')
  })

  it('takes all calls that arrived while another was running', async () => {
    const { call, underWay, sizes } = manualStore(1)
    const first = call(0)
    await turn()
    const others = numbers(10).map((number) => call(number))
    await turn()
    assert.deepEqual(sizes, [1])
    underWay[0]?.end()
    await first
    await turn()
    assert.deepEqual(sizes, [1, 10])
    underWay[0]?.end()
    assert.deepEqual(
      await Promise.all(others),
      numbers(10).map((number) => `answer ${number}`),
    )
  })

  it('never runs more statements at once than its concurrency', async () => {
    const { call, underWay } = manualStore(3, { maxItems: 2 })
    const answers = numbers(50).map((number) => call(number))
    await turn()
    let most = 0
    while (underWay.length > 0) {
      most = Math.max(most, underWay.length)
      underWay[0]?.end()
      await turn()
    }
    assert.equal(most, 3)
    assert.equal(new Set(await Promise.all(answers)).size, 50)
  })

  it('splits calls that arrive in one turn, so that the store works while earlier results are written', async () => {
    const { call, underWay, sizes } = manualStore(2, { waitsForFairShare: true })
    // Every caller calls again once it has its result, as connections do.
    const callAgain = (number: number): Promise<void> =>
      call(number).then(() => (sizes.length < 40 ? callAgain(number) : undefined))
    const callers = numbers(64).map(callAgain)
    while (underWay.length > 0) {
      underWay[0]?.end()
      await turn()
    }
    await Promise.all(callers)
    const later = sizes.slice(10, 38)
    assert.ok(Math.max(...later) < 64, `all left at once: ${later.join(' ')}`)
    assert.ok(Math.min(...later) >= 16, `too few left at once: ${later.join(' ')}`)
  })

  it('sends a late call in the next free statement, unless batches wait for their fair share', async () => {
    for (const [waitsForFairShare, expected] of [
      [undefined, [8, 1]],
      [true, [8]],
    ] as const) {
      const { call, underWay, sizes } = manualStore(
        2,
        waitsForFairShare === undefined ? {} : { waitsForFairShare },
      )
      const firstCalls = numbers(8).map((number) => call(number))
      await turn()
      const lateCall = call(99)
      await turn()
      assert.equal(sizes.length > 1 && sizes.at(-1) === 1, expected.length === 2, sizes.join(' '))
      while (underWay.length > 0) {
        underWay[0]?.end()
        await turn()
      }
      await Promise.all([...firstCalls, lateCall])
    }
  })

  it('starts beside another with its fair share of the callers, and not before', async () => {
    const { call, underWay, sizes } = manualStore(2, { waitsForFairShare: true })
    const answers = numbers(4).map((number) => call(number))
    const isJoinedBy = async (number: number): Promise<boolean> => {
      answers.push(call(number))
      await turn()
      return underWay.length === 2
    }
    assert.deepEqual([await isJoinedBy(4), await isJoinedBy(5), await isJoinedBy(6)], [false, false, true])
    assert.deepEqual(sizes, [4, 3])
    for (const { end } of [...underWay]) end()
    await Promise.all(answers)
  })

  it('fails only the caller whose item is bad', async () => {
    const call = batchedStatement<number, number>({
      concurrency: 1,
      maxItems: 100,
      maxWaiting: 100,
      run: async (items) => {
        if (items.includes(3)) throw new Error('three is bad')
        return items.map((item) => item * 2)
      },
    })
    const settled = await Promise.allSettled(numbers(6).map((number) => call(number)))
    assert.deepEqual(
      settled.map((one) => (one.status === 'fulfilled' ? one.value : one.reason.message)),
      [0, 2, 4, 'three is bad', 8, 10],
    )
  })

  it('continues after a failed statement', async () => {
    const { call, underWay } = manualStore(1)
    const lost = call(1)
    await turn()
    const next = call(2)
    underWay[0]?.end(new Error('the store is away'))
    await assert.rejects(lost, /the store is away/)
    await turn()
    underWay[0]?.end()
    assert.equal(await next, 'answer 2')
  })

  it('is sent once if the store does not answer, and those who wait behind it get the same answer', async () => {
    for (const error of [new StoreSilent('no answer'), Object.assign(new Error('late'), { code: '57014' })]) {
      const { call, underWay, sizes } = manualStore(1)
      const sent = numbers(3).map((number) => call(number))
      await turn()
      const waiting = [call(3), call(4)]
      underWay[0]?.end(error)
      for (const answer of [...sent, ...waiting]) await assert.rejects(answer, error)
      await turn()
      assert.deepEqual([sizes, underWay.length], [[3], 0])
      const next = call(5)
      await turn()
      underWay[0]?.end()
      assert.equal(await next, 'answer 5')
    }
  })

  it('that met a lock is run again with all its items side by side, so that one that is held delays nobody', async () => {
    const lockTimeout = Object.assign(new Error('held'), { code: '55P03' })
    const { call, underWay } = manualStore(1)
    const answers = numbers(3).map((number) => call(number))
    await turn()
    underWay[0]?.end(lockTimeout)
    await turn()
    assert.deepEqual(
      underWay.map(({ items }) => items),
      [[0], [1], [2]],
    )
    for (const { items, end } of [...underWay]) end(items[0] === 1 ? lockTimeout : undefined)
    await assert.rejects(answers[1] as Promise<string>, lockTimeout)
    assert.deepEqual([await answers[0], await answers[2]], ['answer 0', 'answer 2'])
  })

  it('refuses at once when too many calls wait', async () => {
    const { call, underWay } = manualStore(1, { maxWaiting: 2 })
    const first = call(0)
    await turn()
    const waiting = [call(1), call(2)]
    await assert.rejects(call(3), BatchFull)
    underWay[0]?.end()
    await first
    await turn()
    underWay[0]?.end()
    await Promise.all(waiting)
  })
})
