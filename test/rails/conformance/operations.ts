// One operation of an adapter against a far side that answers well, in its own words, or like nobody.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Use } from '../../../src/core/connections/provider.ts'
import type { Limits } from '../../../src/rails/limits.ts'
import type { RailAnswer } from '../../../src/rails/rail.ts'
import { eventually } from '../../eventually.ts'
import type { Answer, Asked, Scripted } from '../fake-network.ts'
import { type Altering, alteredConformance } from './altered.ts'
import { assertAnswer, BROKEN, type Expected, html } from './answers.ts'
import { type Bench, NOW, type Port } from './bench.ts'

// `query` is by the provider's id of the payment, `search` by our reference alone.
export type Ability =
  | `payin ${'submit' | 'query' | 'search' | 'cancel' | 'return'}`
  | `payout ${'submit' | 'query' | 'search'}`
  | 'look-up'
  | 'banks'
  | 'terms'
  | 'statement'

export type Operation<Opened extends Port> = {
  readonly ability: Ability
  // What is particular, where an ability is tried in several ways.
  readonly name?: string
  readonly call: (rails: Opened) => Promise<RailAnswer<unknown, string>>
  // What the far side answers to each request when all is well, and how the port must read it.
  readonly good: Scripted
  readonly accepted: unknown
  // Whether the adapter may retry by itself when no answer came. Never where money moves or a second object would be made.
  readonly mayAskAgain: boolean
  // The request that is answered badly, once per call; others are answered well. Absent: it is the only one.
  readonly isBroken?: (asked: Asked) => boolean
  // Answers in the far side's format to that request, and how the port must read each.
  readonly answers: Readonly<Record<string, readonly [Answer, Expected]>>
  // Broken answers, by their name in the table, that mean something here. An empty body may be an answer.
  readonly exceptions?: Readonly<Record<string, Expected>>
  // What is away after such failures. Null: a part of the adapter that has a circuit breaker of its own.
  readonly use: Use | null
  // Another call of the same circuit breaker comes first, and is answered.
  readonly isSecondCall?: true
}

const SHORT_DEADLINES = { submitMs: 150, queryMs: 150, lookUpMs: 150, statementMs: 150 }
// Generous for a loaded machine. An adapter that misses its deadline never ends at all.
const GRACE_MS = 5_000

export function operationConformance<Opened extends Port>(
  operation: Operation<Opened>,
  { uses, amounts }: { readonly uses: readonly Use[]; readonly amounts: readonly (string | number)[] },
  bench: Bench<Opened>,
): void {
  const { ability, name = ability, call, accepted, mayAskAgain, exceptions = {} } = operation
  const { farSide, withRails, exchanges, assertNothingPersonal } = bench
  const { isBroken = () => true } = operation
  const good = goodAnswers(operation)
  const ask = (limits: Partial<Limits> = {}) => withRails(call, limits)
  // Each such request gets the next answer; the last one repeats.
  const answerBadly = (...answers: Scripted[]): void => {
    let count = 0
    farSide().willAnswer((asked) => {
      if (!isBroken(asked)) return good(asked)
      const answer = answers[Math.min(count, answers.length - 1)] as Scripted
      count += 1
      return typeof answer === 'function' ? answer(asked) : answer
    })
  }
  const timesAsked = (): number => farSide().asked.filter(isBroken).length

  describe(name, () => {
    it('reads a good answer', async () => {
      farSide().willAnswer(good)
      assertAnswer(await ask(), { accepted })
      assert.equal(timesAsked(), 1)
    })

    for (const [what, [answer, expected]] of Object.entries(operation.answers)) {
      it(`reads ${what}`, async () => {
        answerBadly(answer)
        assertAnswer(await ask(), expected)
        // A server in trouble may be asked again, unless it says what the matter is.
        const isTrouble = typeof answer === 'object' && answer.status >= 500
        assert.ok(timesAsked() === 1 || (isTrouble && mayAskAgain && timesAsked() === 3))
      })
    }

    for (const [what, [answer, kind, retried]] of Object.entries(BROKEN)) {
      const times = retried === 'again' && mayAskAgain ? 3 : 1
      it(`reads ${what}, and asks ${times === 3 ? 'again' : 'once'}`, async () => {
        answerBadly(answer)
        assertAnswer(await ask(), exceptions[what] ?? kind)
        assert.equal(timesAsked(), times)
      })
    }

    alteredConformance(operation, { bench, good, answerBadly, amounts })

    for (const answer of ['silent', 'trickle'] as const) {
      it(`keeps its deadline against a far side that is ${answer}`, async () => {
        // On a busy machine the time may be over before the question is sent. Then it is asked anew.
        let times = 0
        do {
          answerBadly(answer)
          // A deadline that is not kept has no end: neither ever finishes.
          assertAnswer(await ask(SHORT_DEADLINES), 'timeout')
          times += 1
        } while (timesAsked() === 0 && times < 10)
        assert.equal(timesAsked(), 1)
      })
    }

    it(mayAskAgain ? 'retries if no answer came' : 'is sent exactly once if no answer came', async () => {
      for (const failure of ['reset', 'broken off', { status: 503, bytes: '' }] as const) {
        answerBadly(failure, good)
        assertAnswer(await ask(), mayAskAgain ? { accepted } : 'unavailable')
        assert.equal(timesAsked(), mayAskAgain ? 2 : 1)
      }
    })

    it('gets a fresh access token when one is refused, once; other credentials are not insisted on', async () => {
      answerBadly({ status: 401, json: {} }, good)
      const answer = await ask()
      const [first, second] = farSide().asked.filter(isBroken)
      const hasToken = farSide().tokensGranted() > 0
      assertAnswer(answer, hasToken ? { accepted } : 'unavailable')
      if (hasToken) assert.notEqual(first?.authorization, second?.authorization)
      answerBadly({ status: 401, json: {} })
      assertAnswer(await ask(), 'unavailable')
      assert.equal(timesAsked(), hasToken ? 2 : 1)
    })

    it('answers unavailable if an access token is needed and cannot be obtained', async () => {
      farSide().willAnswer(good)
      await ask()
      const needsToken = farSide().tokensGranted() > 0
      for (const grant of [
        { status: 401, json: { error: 'invalid_client' } },
        { status: 200, json: { access_token: 'a\r\nb', expires_in: 60 } },
        { status: 200, bytes: html },
        'reset',
      ] as const) {
        farSide().willAnswer(good)
        farSide().willGrant(grant)
        assertAnswer(await ask(), needsToken ? 'unavailable' : { accepted })
        if (needsToken) assert.equal(farSide().asked.length, 0)
      }
    })

    if (operation.isSecondCall === undefined)
      breakerConformance(operation, { bench, good, answerBadly, timesAsked })

    it('records every exchange, and names no person and no secret, in the record or in its answer', async () => {
      const seen = [...Object.values(operation.answers), ...Object.values(BROKEN)].map(([answer]) => answer)
      for (const answer of [good, ...seen]) {
        answerBadly(answer)
        const outcome = await ask()
        assert.equal(exchanges().length, farSide().asked.length + farSide().tokensGranted())
        for (const exchange of exchanges()) {
          assert.ok(uses.some((use) => use.startsWith(exchange.rail)))
          assert.equal(exchange.at, NOW)
          assert.equal(exchange.status === null, exchange.failure !== null)
          assertNothingPersonal(JSON.stringify(exchange))
        }
        if (outcome.outcome !== 'accepted') assertNothingPersonal(JSON.stringify(outcome))
      }
    })
  })
}

function breakerConformance<Opened extends Port>(
  { use, call, accepted }: Operation<Opened>,
  { bench, good, answerBadly, timesAsked }: Omit<Altering<Opened>, 'amounts'> & { timesAsked: () => number },
): void {
  it('stops calling a far side that does not answer, says that it is away, and recovers', async () => {
    // The break outlasts four calls, also on a busy machine.
    const limits = { breakAfterFailures: 2, breakMs: 500, tries: 1 }
    const isAnswered = ({ outcome }: RailAnswer<unknown, string>) => outcome !== 'unknown'
    const isAway = (rails: Opened) => use !== null && rails.isAway(use)
    await bench.withRails(async (rails) => {
      assert.equal(isAway(rails), false)
      answerBadly('reset')
      for (const _ of [1, 2, 3, 4]) assertAnswer(await call(rails), 'unavailable')
      assert.equal(timesAsked(), 2)
      assert.equal(isAway(rails), use !== null)
      bench.farSide().willAnswer(good)
      const answer = await eventually(() => call(rails), isAnswered, GRACE_MS)
      assertAnswer(answer, { accepted })
      assert.equal(timesAsked(), 1)
      assert.equal(isAway(rails), false)
    }, limits)
  })
}

export function goodAnswers<Opened extends Port>({ good }: Operation<Opened>): (asked: Asked) => Answer {
  return typeof good === 'function' ? good : () => good
}
