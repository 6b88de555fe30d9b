// The contract of every provider's adapter, whatever its wire format. Pass it the adapter, its operations with good and bad answers
// in that format, and a signed notification. It adds every way in which a connection breaks, and holds what was opened against the
// provider's description.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Credentials } from '../../src/core/connections/connection.ts'
import { PROVIDER_DESCRIPTIONS, type Provider, type Use } from '../../src/core/connections/provider.ts'
import type { Limits } from '../../src/rails/limits.ts'
import type { OpenProvider, ProviderSettings } from '../../src/rails/provider.ts'
import type { NetworkExchange, ProviderRails, RailAnswer } from '../../src/rails/rail.ts'
import {
  assertAnswer,
  BROKEN,
  type Expected,
  GRACE_MS,
  html,
  NOW,
  QUICK_PAUSES,
  SHORT_DEADLINES,
} from './conformance.ts'
import { type Answer, type Asked, type FakeNetwork, openFakeNetwork } from './fake-network.ts'
import { abilityConformance } from './provider-abilities.ts'
import { hintConformance, type SignedHints } from './provider-hints.ts'

export type Handler = (asked: Asked) => Answer

export type ProviderOperation = {
  readonly name: string
  readonly call: (rails: ProviderRails) => Promise<RailAnswer<unknown, string>>
  // What the provider answers to each request when all is well, and how the port must read it.
  readonly good: Handler
  readonly accepted: unknown
  // Whether the adapter may retry by itself when no answer came. Never where money moves or a second object would be made.
  readonly mayAskAgain: boolean
  // The request that is answered badly, once per call; others are answered well. Absent: it is the only one.
  readonly isBroken?: (asked: Asked) => boolean
  // Answers in the provider's format to that request, and how the port must read each.
  readonly answers: Readonly<Record<string, readonly [Answer, Expected]>>
  // Broken answers, by their name in the table, that mean something here. An empty body may be an answer.
  readonly exceptions?: Readonly<Record<string, Expected>>
  // What is away after such failures. Null: a part of the provider that has a circuit breaker of its own.
  readonly use: Use | null
}

export type ProviderSubject = {
  readonly provider: Provider
  readonly open: OpenProvider
  readonly organizationId: string
  // Every field that the uses need, with the address of the far side.
  readonly credentials: (url: string) => Credentials
  readonly previousCredentials: Credentials
  readonly operations: readonly ProviderOperation[]
  // Answers that `check` is content with.
  readonly check: Handler
  // Personal data that occurs in the orders and answers above. Secrets among the credentials are added.
  readonly personal: readonly string[]
  readonly hints: SignedHints
}

export function providerConformance(subject: ProviderSubject): void {
  const description = PROVIDER_DESCRIPTIONS[subject.provider]
  const secretsOf = (credentials: Credentials): string[] =>
    description.fields.flatMap(({ name, isSecret }) => (isSecret && credentials[name]) || [])
  const PATH = 'canary-path'

  describe(`the adapter of ${description.title}`, () => {
    let farSide: FakeNetwork
    let exchanges: NetworkExchange[] = []
    before(async () => {
      farSide = await openFakeNetwork()
    })
    after(() => farSide[Symbol.asyncDispose]())

    let drawn = 0
    const open = (settings: Partial<ProviderSettings> = {}, limits: Partial<Limits> = {}): ProviderRails => {
      exchanges = []
      return subject.open(
        {
          organizationId: subject.organizationId,
          environment: 'test',
          uses: description.uses,
          credentials: subject.credentials(farSide.url),
          previousCredentials: null,
          notificationUrl: `https://pay.example.com/notifications/${PATH}`,
          ...settings,
        },
        {
          now: () => NOW,
          wallClock: () => NOW,
          randomBytes: (count) => {
            drawn += 1
            return Buffer.alloc(count, String(drawn))
          },
          record: (exchange) => void exchanges.push(exchange),
          limits: { ...QUICK_PAUSES, ...limits },
        },
      )
    }
    const withRails = async <Result>(
      use: (rails: ProviderRails) => Result | Promise<Result>,
      settings: Partial<ProviderSettings> = {},
      limits: Partial<Limits> = {},
    ): Promise<Result> => {
      const rails = open(settings, limits)
      try {
        return await use(rails)
      } finally {
        await rails.close()
      }
    }
    const assertNothingPersonal = (text: string): void => {
      const secrets = [subject.credentials(farSide.url), subject.previousCredentials].flatMap(secretsOf)
      for (const secret of [...subject.personal, ...secrets, PATH, 'secret-token', 'Ana Pérez'])
        assert.ok(!text.includes(secret), `${secret} stands in ${text}`)
    }

    for (const operation of subject.operations) {
      const { name, call, good, accepted, mayAskAgain, isBroken = () => true, exceptions = {} } = operation
      describe(name, () => {
        const ask = (limits: Partial<Limits> = {}) => withRails(call, {}, limits)
        const answerBadly = (...answers: Answer[]): void => {
          let count = 0
          farSide.willAnswer((asked) => {
            if (!isBroken(asked)) return good(asked)
            const answer = answers[Math.min(count, answers.length - 1)] as Answer
            count += 1
            return answer
          })
        }
        const timesAsked = (): number => farSide.asked.filter(isBroken).length
        const broken = Object.entries(BROKEN).map(
          ([what, [answer, kind, retried]]) => [what, answer, exceptions[what] ?? kind, retried] as const,
        )

        it('reads a good answer', async () => {
          farSide.willAnswer(good)
          assertAnswer(await ask(), { accepted })
          assert.equal(timesAsked(), 1)
        })

        for (const [what, [answer, expected]] of Object.entries(operation.answers)) {
          it(`reads ${what}`, async () => {
            answerBadly(answer)
            assertAnswer(await ask(), expected)
            // A server in trouble may be asked again.
            const isTrouble = typeof answer === 'object' && answer.status >= 500
            assert.equal(timesAsked(), isTrouble && mayAskAgain ? 3 : 1)
          })
        }

        for (const [what, answer, expected, retried] of broken) {
          it(`reads ${what}, and asks ${retried === 'again' && mayAskAgain ? 'again' : 'once'}`, async () => {
            answerBadly(answer)
            assertAnswer(await ask(), expected)
            assert.equal(timesAsked(), retried === 'again' && mayAskAgain ? 3 : 1)
          })
        }

        for (const answer of ['silent', 'trickle'] as const) {
          it(`keeps its deadline against a ${answer} provider`, async () => {
            // On a busy machine the time may be over before the question is sent. Then it is asked anew.
            let times = 0
            do {
              answerBadly(answer)
              // A deadline that is not kept has no end: neither provider ever finishes.
              assertAnswer(await ask(SHORT_DEADLINES), 'timeout')
              times += 1
            } while (timesAsked() === 0 && times < 10)
            assert.equal(timesAsked(), 1)
          })
        }

        it(mayAskAgain ? 'retries if no answer came' : 'is sent exactly once if no answer came', async () => {
          for (const failure of ['reset', 'broken off', { status: 503, bytes: '' }] as const) {
            let count = 0
            farSide.willAnswer((asked) => {
              if (!isBroken(asked)) return good(asked)
              count += 1
              return count === 1 ? failure : good(asked)
            })
            assertAnswer(await ask(), mayAskAgain ? { accepted } : 'unavailable')
            assert.equal(timesAsked(), mayAskAgain ? 2 : 1)
          }
        })

        it('answers unavailable if it is not authorized, and does not insist', async () => {
          answerBadly({ status: 401, json: {} })
          assertAnswer(await ask(), 'unavailable')
          // A token that was refused is renewed once. A call that was not authorized had no effect.
          assert.ok(timesAsked() <= (farSide.tokensGranted() > 0 ? 2 : 1))
        })

        it('answers unavailable if an access token is needed and cannot be obtained', async () => {
          farSide.willAnswer(good)
          await ask()
          const needsToken = farSide.tokensGranted() > 0
          for (const grant of [
            { status: 401, json: { error: 'invalid_client' } },
            { status: 200, json: { access_token: 'a\r\nb', expires_in: 60 } },
            { status: 200, bytes: html },
            'reset',
          ] as const) {
            farSide.willAnswer(good)
            farSide.willGrant(grant)
            assertAnswer(await ask(), needsToken ? 'unavailable' : { accepted })
          }
        })

        it('stops calling a provider that does not answer, says that it is away, and recovers', async () => {
          // The break outlasts four calls, also on a busy machine.
          const limits = { breakAfterFailures: 2, breakMs: 500, tries: 1 }
          const isAway = (rails: ProviderRails) => operation.use !== null && rails.isAway(operation.use)
          await withRails(
            async (rails) => {
              assert.equal(isAway(rails), false)
              answerBadly('reset')
              for (const _ of [1, 2, 3, 4]) assertAnswer(await call(rails), 'unavailable')
              assert.equal(timesAsked(), 2)
              assert.equal(isAway(rails), operation.use !== null)
              farSide.willAnswer(good)
              const startedMs = performance.now()
              let answer = await call(rails)
              while (answer.outcome === 'unknown' && performance.now() - startedMs < GRACE_MS) {
                await new Promise(setImmediate)
                answer = await call(rails)
              }
              assertAnswer(answer, { accepted })
              assert.equal(timesAsked(), 1)
              assert.equal(isAway(rails), false)
            },
            {},
            limits,
          )
        })

        it('records every exchange, and names no person and no secret, in the record or in its answer', async () => {
          const seen = [...Object.values(operation.answers), ...Object.values(BROKEN)].map(
            ([answer]) => answer,
          )
          for (const answer of [undefined, ...seen]) {
            if (answer === undefined) farSide.willAnswer(good)
            else answerBadly(answer)
            const outcome = await ask()
            assert.equal(exchanges.length, farSide.asked.length + farSide.tokensGranted())
            for (const exchange of exchanges) {
              assert.ok(description.uses.some((use) => use.startsWith(exchange.rail)))
              assert.equal(exchange.at, NOW)
              assert.equal(exchange.status === null, exchange.failure !== null)
              assertNothingPersonal(JSON.stringify(exchange))
            }
            if (outcome.outcome !== 'accepted') assertNothingPersonal(JSON.stringify(outcome))
          }
        })
      })
    }

    describe('its description', () => {
      const credentials = () => subject.credentials(farSide.url)
      abilityConformance(description, { credentials, withRails, farSide: () => farSide })
    })

    describe('check', () => {
      it('finds no problem with a provider that answers well', async () => {
        farSide.willAnswer(subject.check)
        const lines = await withRails((rails) => rails.check())
        assert.ok(lines.length > 0)
        for (const { what, problem } of lines) {
          assert.equal(problem, null, what)
          assertNothingPersonal(what)
        }
      })

      it('says what is wrong with any other, without a secret', async () => {
        const broken = Object.entries(BROKEN).map(([what, [answer]]) => [what, answer] as const)
        const refused = ['not authorized', { status: 401, json: {} }] as const
        for (const [what, answer] of [...broken, refused, ['silence', 'silent'] as const]) {
          farSide.willAnswer(answer)
          const deadlines = what === 'silence' ? SHORT_DEADLINES : {}
          const lines = await withRails((rails) => rails.check(), {}, deadlines)
          assert.ok(
            lines.some(({ problem }) => problem !== null && problem !== ''),
            what,
          )
          assertNothingPersonal(JSON.stringify([lines, exchanges]))
        }
      })
    })

    describe('hints', () => {
      const current = () => subject.credentials(farSide.url)
      const previous = subject.previousCredentials
      hintConformance(subject.hints, { current, previous, secretsOf, withRails, assertNothingPersonal })
    })
  })
}
