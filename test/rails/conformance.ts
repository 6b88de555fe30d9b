// The contract of every adapter, whatever its network's wire format. Pass it the adapter, its operations with good and
// bad answers in that format, and signed notifications. It adds every way in which a connection breaks. See
// docs/rails.md.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { RailNotice } from '../../src/core/connections/notice.ts'
import type { Rail } from '../../src/core/connections/rail.ts'
import type { Limits } from '../../src/rails/limits.ts'
import type { NetworkExchange, RailAnswer, Rails, UnknownKind } from '../../src/rails/rail.ts'
import { ID_HEADER, SIGNATURE_HEADER, signNotice, TIMESTAMP_HEADER } from '../../src/rails/signature.ts'
import { type Answer, type FakeNetwork, openFakeNetwork } from './fake-network.ts'

export type Operation = {
  readonly name: string
  readonly call: (rails: Rails) => Promise<RailAnswer<unknown, string>>
  // What the network answers when all is well, and how the port must read it.
  readonly good: Answer
  readonly accepted: unknown
  // Whether the adapter may retry by itself when no answer came. Never where money moves.
  readonly mayAskAgain: boolean
  // Answers in the network's format, and how the port must read each; `unknown` by its kind.
  readonly answers: Readonly<Record<string, readonly [Answer, Expected]>>
}

export type Expected = UnknownKind | { accepted: unknown } | { rejected: string; networkCode: string }

export type Subject = {
  readonly rail: Rail
  readonly open: (baseUrl: string, world: World) => Rails
  readonly operations: readonly Operation[]
  readonly notificationKey: string
  // Notifications in the network's format; `id` is filled in here.
  readonly notices: readonly { readonly body: object; readonly notice: Partial<RailNotice> }[]
  readonly faultyNotices: Readonly<Record<string, object>>
  // Personal data and secrets that occur in the orders and answers above.
  readonly personal: readonly string[]
}

type World = { now: () => number; record: (exchange: NetworkExchange) => void; limits: Partial<Limits> }

export const NOW = Date.UTC(2026, 10, 15, 13)
export const QUICK_PAUSES = { pauseFromMs: 1, pauseToMs: 2 }
export const SHORT_DEADLINES = { submitMs: 150, queryMs: 150, lookUpMs: 150, statementMs: 150 }
// Generous for a loaded machine. An adapter that misses its deadline never ends at all.
export const GRACE_MS = 5_000

export const html = '<html><title>502 Bad Gateway</title><p class="error">Ana Pérez</p></html>'
const asHtml = { 'content-type': 'text/html' }

// The answer, what the port must return, and whether to retry where that cannot move money.
export const BROKEN: Readonly<Record<string, readonly [Answer, UnknownKind, 'again' | 'once']>> = {
  'HTML with 200': [{ status: 200, bytes: html, headers: asHtml }, 'unreadable', 'once'],
  'HTML with 404': [{ status: 404, bytes: html, headers: asHtml }, 'unreadable', 'once'],
  'HTML with 500': [{ status: 500, bytes: html, headers: asHtml }, 'unavailable', 'again'],
  'nothing with 200': [{ status: 200, bytes: '' }, 'unreadable', 'once'],
  'nothing with 204': [{ status: 204, bytes: '' }, 'unreadable', 'once'],
  'nothing with 503': [{ status: 503, bytes: '' }, 'unavailable', 'again'],
  'half of a JSON': [{ status: 200, bytes: '{"reference":"' }, 'unreadable', 'once'],
  'bytes that are no text': [{ status: 200, bytes: Uint8Array.of(0x7b, 0xff, 0xfe) }, 'unreadable', 'once'],
  'an empty object': [{ status: 200, json: {} }, 'unreadable', 'once'],
  'an empty list': [{ status: 200, json: [] }, 'unreadable', 'once'],
  'a bare word': [{ status: 200, json: 'OK' }, 'unreadable', 'once'],
  null: [{ status: 200, json: null }, 'unreadable', 'once'],
  'a list in a list in a list …': [
    { status: 200, bytes: '['.repeat(20_000) + ']'.repeat(20_000) },
    'unreadable',
    'once',
  ],
  'a redirect': [{ status: 302, bytes: '', headers: { location: '/elsewhere' } }, 'unreadable', 'once'],
  'too many requests': [{ status: 429, bytes: '' }, 'unavailable', 'once'],
  forbidden: [{ status: 403, json: { message: 'no' } }, 'unavailable', 'once'],
  'an answer without end': ['endless', 'unreadable', 'once'],
  'another protocol': ['no HTTP', 'unreadable', 'once'],
  'a connection that breaks': ['reset', 'unavailable', 'again'],
  'an answer that breaks off': ['broken off', 'unavailable', 'again'],
}

export function conformance(subject: Subject): void {
  describe(`the ${subject.rail} adapter`, () => {
    let farSide: FakeNetwork
    let exchanges: NetworkExchange[] = []
    before(async () => {
      farSide = await openFakeNetwork()
    })
    after(() => farSide[Symbol.asyncDispose]())

    const withRails = async <Result>(
      limits: Partial<Limits>,
      use: (rails: Rails) => Promise<Result>,
    ): Promise<Result> => {
      exchanges = []
      const record = (exchange: NetworkExchange): void => void exchanges.push(exchange)
      const world = { now: () => NOW, record, limits: { ...QUICK_PAUSES, ...limits } }
      const rails = subject.open(farSide.url, world)
      try {
        return await use(rails)
      } finally {
        await rails.close()
      }
    }

    for (const operation of subject.operations) {
      describe(operation.name, () => {
        const ask = (limits: Partial<Limits> = {}) => withRails(limits, operation.call)

        it('reads a good answer, and sends one request', async () => {
          farSide.willAnswer(operation.good)
          assertAnswer(await ask(), { accepted: operation.accepted })
          assert.equal(farSide.asked.length, 1)
        })

        for (const [what, [answer, expected]] of Object.entries(operation.answers)) {
          it(`reads ${what}`, async () => {
            farSide.willAnswer(answer)
            assertAnswer(await ask(), expected)
            assert.equal(farSide.asked.length, 1)
          })
        }

        for (const [what, [answer, kind, retried]] of Object.entries(BROKEN)) {
          it(`answers ${kind} to ${what}`, async () => {
            farSide.willAnswer(answer)
            assertAnswer(await ask(), kind)
            assert.equal(farSide.asked.length, retried === 'again' && operation.mayAskAgain ? 3 : 1)
          })
        }

        for (const answer of ['silent', 'trickle'] as const) {
          it(`keeps its deadline against a ${answer} network`, async () => {
            // On a busy machine the time may be over before the question is sent. Then it is asked anew.
            let times = 0
            do {
              farSide.willAnswer(answer)
              // A deadline that is not kept has no end: neither network ever finishes.
              assertAnswer(await ask(SHORT_DEADLINES), 'timeout')
              times += 1
            } while (farSide.asked.length === 0 && times < 10)
            assert.equal(farSide.asked.length, 1)
          })
        }

        it(operation.mayAskAgain ? 'retries if no answer came' : 'never retries by itself', async () => {
          farSide.willAnswer('reset', operation.good)
          assertAnswer(await ask(), operation.mayAskAgain ? { accepted: operation.accepted } : 'unavailable')
        })

        it('gets a fresh access token when one is refused, once', async () => {
          farSide.willAnswer({ status: 401, json: {} }, operation.good)
          assertAnswer(await ask(), { accepted: operation.accepted })
          const [first, second] = farSide.asked
          assert.notEqual(first?.authorization, second?.authorization)
          farSide.willAnswer({ status: 401, json: {} })
          assertAnswer(await ask(), 'unavailable')
          assert.equal(farSide.asked.length, 2)
        })

        it('answers unavailable if no access token can be obtained', async () => {
          for (const grant of [
            { status: 401, json: { error: 'invalid_client' } },
            { status: 200, json: { access_token: 'a\r\nb', expires_in: 60 } },
            { status: 200, bytes: html },
            'reset',
          ] as const) {
            farSide.willAnswer(operation.good)
            farSide.willGrant(grant)
            assertAnswer(await ask(), 'unavailable')
            assert.equal(farSide.asked.length, 0)
          }
        })

        it('stops calling a network that does not answer, and recovers', async () => {
          // The break outlasts four calls, also on a busy machine.
          const limits = { breakAfterFailures: 2, breakMs: 500, tries: 1 }
          await withRails(limits, async (rails) => {
            farSide.willAnswer('reset')
            for (const _ of [1, 2, 3, 4]) assertAnswer(await operation.call(rails), 'unavailable')
            assert.equal(farSide.asked.length, 2)
            farSide.willAnswer(operation.good)
            const startedMs = performance.now()
            let answer = await operation.call(rails)
            while (answer.outcome === 'unknown' && performance.now() - startedMs < GRACE_MS) {
              await new Promise(setImmediate)
              answer = await operation.call(rails)
            }
            assertAnswer(answer, { accepted: operation.accepted })
            assert.equal(farSide.asked.length, 1)
          })
        })

        it('records every exchange, without personal data or secrets', async () => {
          const seen = [operation.good, ...Object.values(operation.answers).map(([answer]) => answer)]
          for (const answer of [...seen, ...Object.values(BROKEN).map(([broken]) => broken)]) {
            farSide.willAnswer(answer)
            await ask()
            assert.equal(exchanges.length, farSide.asked.length + farSide.tokensGranted())
            for (const exchange of exchanges) {
              assert.equal(exchange.rail, subject.rail)
              assert.equal(exchange.at, NOW)
              assert.equal(exchange.status === null, exchange.failure !== null)
              const text = JSON.stringify(exchange)
              for (const secret of [...subject.personal, 'secret-token', 'Ana Pérez'])
                assert.ok(!text.includes(secret), `${secret} stands in ${text}`)
            }
          }
        })
      })
    }

    describe('notices', () => {
      const read = (body: object | string, alter: Partial<Signed> = {}) => {
        const raw = Buffer.from(typeof body === 'string' ? body : JSON.stringify({ id: 'ntf_1', ...body }))
        const at = alter.at ?? NOW / 1_000
        const headers = {
          [ID_HEADER]: 'ntf_1',
          [TIMESTAMP_HEADER]: String(at),
          [SIGNATURE_HEADER]: signNotice(alter.key ?? subject.notificationKey, 'ntf_1', at, raw),
          ...alter.headers,
        }
        return withRails({}, async (rails) => rails.readNotice[subject.rail](headers, alter.body ?? raw, NOW))
      }

      for (const { body, notice } of subject.notices) {
        it(`reads ${JSON.stringify(body)}`, async () => {
          const reading = await read(body)
          assert.ok(reading !== undefined && 'notice' in reading)
          assert.deepEqual(reading.notice, {
            rail: subject.rail,
            noticeId: 'ntf_1',
            ...notice,
          })
        })
      }

      for (const [what, body] of Object.entries(subject.faultyNotices)) {
        it(`rejects ${what}`, async () => {
          const reading = await read(body)
          assert.ok(reading !== undefined && 'fault' in reading)
        })
      }

      const { body } = subject.notices[0] as { body: object }
      it('rejects a signed body that is no notification', async () => {
        for (const wrong of ['', 'hello', 'null', '[]', '{}', JSON.stringify(body).slice(0, -1)]) {
          const reading = await read(wrong)
          assert.ok(reading !== undefined && 'fault' in reading, wrong)
          assert.deepEqual(reading.unreadable, { noticeId: 'ntf_1', content: wrong })
        }
      })

      it('reads a signed body under another id, and says so', async () => {
        const reading = await read(JSON.stringify({ ...body, id: 'ntf_2' }))
        assert.ok(reading !== undefined && 'notice' in reading)
        assert.deepEqual([reading.notice.noticeId, reading.notice.idInBody], ['ntf_1', 'ntf_2'])
      })

      it('reads a notice whatever reference it has', async () => {
        for (const [reference, text] of [
          [undefined, ''],
          [null, ''],
          ['', ''],
          ['P 1', 'P 1'],
          [1, '1'],
          ['X'.repeat(65), 'X'.repeat(64)],
        ]) {
          const reading = await read({ ...body, reference })
          assert.ok(reading !== undefined && 'notice' in reading)
          assert.equal(reading.notice.reference, text)
        }
      })

      it('does not read a body unless its signature is for it, current and unaltered', async () => {
        const altered = Buffer.from(JSON.stringify({ id: 'ntf_1', ...body, reference: 'P_other' }))
        const forgeries: Record<string, Partial<Signed>> = {
          'another key': { key: 'another key' },
          'too old': { at: NOW / 1_000 - 301 },
          'too new': { at: NOW / 1_000 + 301 },
          'an altered body': { body: altered },
          'another id': { headers: { [ID_HEADER]: 'ntf_2' } },
          'another time': { headers: { [TIMESTAMP_HEADER]: String(NOW / 1_000 - 1) } },
          'no signature': { headers: { [SIGNATURE_HEADER]: undefined } },
          'an empty signature': { headers: { [SIGNATURE_HEADER]: '' } },
          'two signatures': { headers: { [SIGNATURE_HEADER]: ['v1=0', 'v1=1'] } },
        }
        for (const [what, forgery] of Object.entries(forgeries))
          assert.equal(await read(body, forgery), undefined, what)
        assert.notEqual(await read(body, { at: NOW / 1_000 - 299 }), undefined)
      })
    })
  })
}

export function assertAnswer(answer: RailAnswer<unknown, string>, expected: Expected): void {
  if (typeof expected === 'string') {
    assert.equal(
      answer.outcome,
      'unknown',
      JSON.stringify(answer, (_, value) => (typeof value === 'bigint' ? String(value) : value)),
    )
    assert.equal(answer.outcome === 'unknown' && answer.kind, expected)
  } else if ('accepted' in expected) {
    assert.deepEqual(answer, { outcome: 'accepted', value: expected.accepted })
  } else {
    const { rejected: reason, networkCode } = expected
    assert.deepEqual(answer, { outcome: 'rejected', reason, networkCode })
  }
}

type Signed = {
  key: string
  at: number
  body: Buffer
  headers: Record<string, string | string[] | undefined>
}
