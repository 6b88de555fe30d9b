// What one process of several tells of what it took, and when: each message is seen, and answered by the test.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { policyOf, type RateLimitDecision } from '../../../src/api/http/rate-limit.ts'
import {
  type Balance,
  createRateLimitKeeper,
  createSharedRateLimit,
  portionOf,
  type Use,
} from '../../../src/api/http/shared-rate-limit.ts'

// A burst of 2,000: two processes tell of every 10 near the limit, and of every 125 far from it.
const POLICY = policyOf(1_000)

function oneProcess() {
  const sent: Use[][] = []
  const shared = createSharedRateLimit(
    POLICY,
    2,
    () => 0,
    (uses) => sent.push(uses),
  )
  const take = (times: number, id = 'one') => Array.from({ length: times }, () => shared.limit(id))
  const told = async () => {
    await turn()
    return sent.splice(0)
  }
  return { ...shared, take, told }
}

const waits = (decisions: (RateLimitDecision | Promise<RateLimitDecision>)[]) =>
  decisions.filter((one) => one instanceof Promise).length

describe('a process that shares a limit', () => {
  it('has portions that are a part of the burst, and one at least', () => {
    assert.deepEqual([portionOf(POLICY, 2, false), portionOf(POLICY, 2, true)], [10, 125])
    assert.deepEqual([portionOf(POLICY, 3, false), portionOf(POLICY, 3, true)], [6, 83])
    assert.equal(portionOf(policyOf(1), 8, true), 1)
  })

  it('tells of a portion once it is taken, of all that are full in one message, and of nothing before', async () => {
    const { take, told } = oneProcess()
    assert.equal(waits(take(9)), 0)
    assert.deepEqual(await told(), [])
    take(1)
    take(10, 'two')
    take(3, 'three')
    assert.deepEqual(await told(), [
      [
        ['one', 10],
        ['two', 10],
      ],
    ])
  })

  it('takes another portion while it waits for the answer, and then lets requests wait', async () => {
    const { take, told, receive } = oneProcess()
    assert.equal(waits(take(20)), 0)
    const waiting = take(2)
    assert.equal(waits(waiting), 2)
    assert.deepEqual(await told(), [[['one', 10]]])
    receive([['one', 500, false]])
    assert.deepEqual(
      await told(),
      [[['one', 10]]],
      'the second portion is told of with the answer to the first',
    )
    const decided = await Promise.all(waiting)
    assert.deepEqual(
      decided.map(({ allowed, remaining }) => [allowed, remaining]),
      [
        [true, 489],
        [true, 488],
      ],
      'of 500 it has taken ten that were not told of',
    )
  })

  it('tells of what it took meanwhile as soon as the answer comes, although nobody asks again', async () => {
    const { take, told, receive } = oneProcess()
    take(20)
    await told()
    receive([['one', 1_000, false]])
    assert.deepEqual(await told(), [[['one', 10]]])
    receive([['one', 1_000, false]])
    assert.deepEqual(await told(), [])
  })

  it('goes by the answer: large portions far from the limit, small ones once it is told that it is near', async () => {
    const { take, told, receive, recall } = oneProcess()
    take(10)
    await told()
    receive([['one', 1_900, true]])
    take(100)
    assert.deepEqual(await told(), [], 'far from the limit')
    recall(['one', 300, false])
    assert.deepEqual(await told(), [[['one', 100]]], 'it tells at once of what it has taken')
    assert.equal((take(1)[0] as RateLimitDecision).remaining, 199)
  })

  it('is never given more by a recall than it had', async () => {
    const { take, recall } = oneProcess()
    take(5)
    recall(['one', 5_000, false])
    assert.equal((take(1)[0] as RateLimitDecision).remaining, 1_994)
  })

  it('refuses what is not there at once, and lets nobody wait for it', async () => {
    const { take, told, receive } = oneProcess()
    take(10)
    await told()
    receive([['one', 0, false]])
    const [decision] = take(1)
    assert.deepEqual(decision, { allowed: false, remaining: 0, retryAfterSeconds: 1 })
    assert.deepEqual(await told(), [])
  })

  it('names the limit of whoever has one of their own', async () => {
    const sent: Use[][] = []
    const { limit } = createSharedRateLimit(
      POLICY,
      1,
      () => 0,
      (uses) => sent.push(uses),
    )
    limit('key', policyOf(5))
    await turn()
    assert.deepEqual(sent, [[['key', 1, 5]]])
  })

  it('goes by its own count where no answer comes within a second', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const { take } = oneProcess()
    take(20)
    const [waiting] = take(1)
    assert.ok(waiting instanceof Promise)
    t.mock.timers.tick(999)
    assert.equal(await Promise.race([waiting, turn('still waiting')]), 'still waiting')
    t.mock.timers.tick(1)
    assert.deepEqual(await waiting, { allowed: true, remaining: 1_979, retryAfterSeconds: 1 })
  })
})

describe('the keeper of a shared limit', () => {
  it('answers with what is left, and says near to all whom it had said far', () => {
    const recalled: [number, Balance][] = []
    const keeper = createRateLimitKeeper(
      POLICY,
      () => 0,
      (to, balance) => recalled.push([to, balance]),
    )
    assert.deepEqual(keeper.report(0, [['one', 100]]), [['one', 1_900, true]])
    assert.deepEqual(keeper.report(1, [['one', 100]]), [['one', 1_800, true]])
    assert.deepEqual(keeper.report(1, [['one', 799]]), [['one', 1_001, true]])
    assert.deepEqual(recalled, [])
    assert.deepEqual(keeper.report(1, [['one', 1]]), [['one', 1_000, false]], 'half of it is left')
    assert.deepEqual(recalled.splice(0), [[0, ['one', 1_000, false]]])
    assert.deepEqual(keeper.report(0, [['one', 1]]), [['one', 999, false]])
    assert.deepEqual(recalled, [], 'once')
  })

  it('has another bucket for whoever has a limit of their own', () => {
    const keeper = createRateLimitKeeper(
      POLICY,
      () => 0,
      () => {},
    )
    assert.deepEqual(
      keeper.report(0, [
        ['key', 3, 5],
        ['one', 3],
      ]),
      [
        ['key', 7, true],
        ['one', 1_997, true],
      ],
    )
  })
})
