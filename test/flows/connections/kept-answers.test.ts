// Answers that payers' pages wait for: asked once for all, kept for a while, and never waited for long.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type AskKept, keptAnswers } from '../../../src/flows/connections/kept-answers.ts'
import type { Clock } from '../../../src/flows/context.ts'
import type { RailAnswer } from '../../../src/rails/rail.ts'

const KEEP_MS = 60_000
const SILENT = { outcome: 'unknown', kind: 'timeout', why: 'no answer' } as const
const accepted = (value: string) => ({ outcome: 'accepted', value }) as const

function start() {
  let now = 1_000_000
  const clock: Clock = { now: () => now, wallClock: () => now, setOffset: () => {} }
  const asked: string[] = []
  const kept: AskKept<string> = keptAnswers({ clock }, KEEP_MS)
  const ask = (
    key: string,
    answer: () => Promise<RailAnswer<string, never>>,
    notBefore: number | null = null,
  ) =>
    kept(
      key,
      () => {
        asked.push(key)
        return answer()
      },
      notBefore,
    )
  const say = (key: string, value: string, notBefore: number | null = null) =>
    ask(key, async () => accepted(value), notBefore)
  return {
    asked,
    now: () => now,
    ask,
    say,
    pass: (ms: number) => {
      now += ms
    },
  }
}

describe('an answer of a provider', () => {
  it('is kept for its time, each connection’s by itself', async () => {
    const { asked, say, pass } = start()
    assert.equal(await say('one', 'first'), 'first')
    assert.equal(await say('two', 'other'), 'other')
    pass(KEEP_MS - 1)
    assert.equal(await say('one', 'second'), 'first')
    pass(1)
    assert.equal(await say('one', 'second'), 'second')
    assert.deepEqual(asked, ['one', 'two', 'one'])
  })

  it('is not taken for fresh when staging’s clock was set back', async () => {
    const { say, pass } = start()
    await say('one', 'first')
    pass(-1)
    assert.equal(await say('one', 'second'), 'second')
  })

  it('is asked for anew, once, if it was asked for before somebody learned that it is old', async () => {
    const { asked, ask, say, pass, now } = start()
    await say('one', 'first')
    pass(1_000)
    const onItsWay = Promise.withResolvers<RailAnswer<string, never>>()
    const early = ask('one', () => onItsWay.promise, now() - 1)
    const learnedAt = now()
    pass(1)
    assert.equal(await say('one', 'second', learnedAt), 'second')
    onItsWay.resolve(accepted('first'))
    assert.equal(await early, 'first')
    assert.equal(await say('one', 'third', learnedAt), 'third', 'what came last was asked for before')
    assert.equal(await say('one', 'fourth', learnedAt), 'third')
    assert.equal(await say('one', 'fourth'), 'third')
    assert.equal(asked.length, 4)
  })

  it('that cannot be had is not asked for by every page, even if another is old', async () => {
    const { asked, ask, pass, now } = start()
    assert.equal(await ask('one', async () => SILENT), undefined)
    pass(100)
    assert.equal(await ask('one', async () => accepted('first'), now()), undefined)
    assert.deepEqual(asked, ['one'])
  })

  it('is asked for once by all who come while it is on its way', async () => {
    const { asked, ask } = start()
    const answer = Promise.withResolvers<RailAnswer<string, never>>()
    const waiting = [1, 2, 3].map(() => ask('one', () => answer.promise))
    answer.resolve(accepted('first'))
    assert.deepEqual(await Promise.all(waiting), ['first', 'first', 'first'])
    assert.deepEqual(asked, ['one'])
  })

  for (const [what, fail] of Object.entries({
    'is not given': async () => SILENT,
    'fails on our side': () => Promise.reject(new Error('away')),
  }))
    it(`that ${what} is none, and is asked for again a little later`, async () => {
      const { asked, ask, say, pass } = start()
      assert.equal(await ask('one', fail), undefined)
      pass(2_999)
      assert.equal(await say('one', 'first'), undefined)
      pass(1)
      assert.equal(await say('one', 'first'), 'first')
      assert.deepEqual(asked, ['one', 'one'])
    })

  it('that is late is not waited for, and is there for whoever comes next', async () => {
    const { asked, ask, say } = start()
    const answer = Promise.withResolvers<RailAnswer<string, never>>()
    const from = performance.now()
    assert.equal(await ask('one', () => answer.promise), undefined)
    assert.ok(performance.now() - from >= 1_900, 'it had a chance')
    answer.resolve(accepted('late'))
    await answer.promise
    assert.equal(await say('one', 'other'), 'late')
    assert.deepEqual(asked, ['one'])
  })

  it('of the oldest connection is forgotten when there are too many', async () => {
    const { asked, say } = start()
    for (let count = 0; count <= 2_000; count += 1) await say(`connection ${count}`, 'kept')
    await say('connection 2000', 'again')
    await say('connection 1', 'again')
    assert.equal(asked.length, 2_001)
    assert.equal(await say('connection 0', 'again'), 'again')
  })
})
