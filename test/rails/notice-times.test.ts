// What a network says of time and of whom: a time that cannot be is replaced and marked, in notices and in statements alike, and a
// reference that the database cannot hold is made one that it can.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Gateway } from '../../src/rails/gateway.ts'
import { LIMITS } from '../../src/rails/limits.ts'
import { chargedBack, noticeReader, payinEnded } from '../../src/rails/notice.ts'
import { ID_HEADER, SIGNATURE_HEADER, signNotice, TIMESTAMP_HEADER } from '../../src/rails/signature.ts'
import { networkIdOf, statementReader } from '../../src/rails/statement.ts'

const NOW = Date.UTC(2026, 10, 5, 20, 35)
const DAY_MS = 86_400_000
const EARLIEST = Date.UTC(2000, 0)

type Body = { id: string; reference?: unknown; occurredAt: string }
const iso = (instant: number): string => new Date(instant).toISOString()

// Of a notice with the id n1. What a body without an id says cannot be read.
function received(body: Partial<Body> | string, isUnreadable?: true) {
  const read = noticeReader(
    'PSE',
    ['key'],
    (one) => ((one as Body | undefined)?.id === undefined ? undefined : (one as Body)),
    () =>
      isUnreadable
        ? { fault: 'it names no amount', isUnreadable }
        : { update: payinEnded('expired', 'EXPIRED'), networkCode: '00014' },
  )
  const text = typeof body === 'string' ? body : JSON.stringify({ id: 'n1', occurredAt: iso(NOW), ...body })
  const bytes = Buffer.from(text)
  const seconds = Math.floor(NOW / 1_000)
  const headers = {
    [ID_HEADER]: 'n1',
    [TIMESTAMP_HEADER]: String(seconds),
    [SIGNATURE_HEADER]: signNotice('key', 'n1', seconds, bytes),
  }
  return read(headers, bytes, NOW) ?? assert.fail('it is signed')
}
const noticeOf = (body: Partial<Body>) => {
  const read = received(body)
  return 'notice' in read ? read.notice : assert.fail('it is a notice')
}

describe('a notice', () => {
  it('has its own time, and ours where its own cannot be', () => {
    for (const [occurredAt, isPossible] of [
      [iso(EARLIEST), true],
      [iso(EARLIEST - 1), false],
      [iso(NOW + DAY_MS), true],
      [iso(NOW + DAY_MS + 1), false],
      ['2026-11-32T00:00:00Z', false],
    ] as const) {
      const { occurredAt: at, timeIsImpossible } = noticeOf({ occurredAt })
      assert.deepEqual(
        [at, timeIsImpossible],
        isPossible ? [Date.parse(occurredAt), undefined] : [NOW, true],
        occurredAt,
      )
    }
  })

  it('has any reference that can be stored, of sixty-four characters', () => {
    const references: [given: unknown, kept: string][] = [
      ['R-1', 'R-1'],
      [undefined, ''],
      [null, ''],
      [7, '7'],
      [{ a: 1 }, '{"a":1}'],
      ['one\u0000two\n', 'one two '],
      ['x'.repeat(65), 'x'.repeat(64)],
      [`${'x'.repeat(63)}😀`, `${'x'.repeat(63)}\ufffd`],
    ]
    for (const [reference, kept] of references) assert.equal(noticeOf({ reference }).reference, kept)
  })

  it('has the id that was signed, and the one in its body where that is another', () => {
    assert.deepEqual([noticeOf({}).noticeId, noticeOf({}).idInBody], ['n1', undefined])
    assert.deepEqual([noticeOf({ id: 'n2' }).noticeId, noticeOf({ id: 'n2' }).idInBody], ['n1', 'n2'])
  })

  it('that cannot be read is kept as it came, a thousand characters of it', () => {
    const text = `no JSON\u0007${'x'.repeat(1_000)}`
    assert.deepEqual(received(text), {
      fault: 'the body is not a notification',
      unreadable: { noticeId: 'n1', content: `no JSON ${'x'.repeat(992)}` },
    })
    const faulty = received({}, true)
    assert.ok('unreadable' in faulty && faulty.unreadable?.content.startsWith('{"id":"n1"'))
  })

  it('says how a payin ended, and of a chargeback which it is where the network says so', () => {
    assert.deepEqual(payinEnded('declined', 'RISK_REJECTED'), {
      kind: 'payin.declined',
      reason: 'RISK_REJECTED',
    })
    for (const how of ['canceled', 'expired'] as const)
      assert.deepEqual(payinEnded(how, 'EXPIRED'), { kind: 'payin.canceled', reason: 'EXPIRED' })
    const payment = { amountInCents: 5n, paymentId: 'p' }
    assert.deepEqual(chargedBack(payment, 'c1'), { kind: 'payin.chargeback', ...payment, chargebackId: 'c1' })
    for (const none of [null, undefined, ''])
      assert.deepEqual(chargedBack(payment, none), { kind: 'payin.chargeback', ...payment })
  })
})

describe('a line of a statement', () => {
  const TO = NOW
  const entry = {
    type: 'CREDIT',
    reference: 'R-1',
    amount: '80000.50',
    currency: 'COP',
    occurredAt: iso(NOW - 1),
    cus: '77',
  }
  const pageOf = async (...entries: unknown[]) => {
    const asked: unknown[] = []
    const gateway: Gateway = {
      ask: async (call) => {
        asked.push(call)
        const body = { count: entries.length, entries, nextCursor: null, complete: true }
        return { outcome: 'answered', httpStatus: 200, body }
      },
      isAway: () => false,
    }
    const read = statementReader(gateway, LIMITS, { CREDIT: 'credit' }, (one) =>
      networkIdOf((one as { cus?: unknown }).cus),
    )
    const answer = await read(NOW - DAY_MS, TO, null)
    return { asked, value: answer.outcome === 'accepted' ? answer.value : assert.fail(answer.outcome) }
  }
  const lineOf = async (changes: object) => (await pageOf({ ...entry, ...changes })).value

  it('is asked for by page, as many as a page may have', async () => {
    assert.deepEqual((await pageOf()).asked, [
      {
        method: 'GET',
        resource: '/statements',
        id: null,
        query: { from: iso(NOW - DAY_MS), to: iso(TO), limit: '2000' },
        deadlineMs: 60_000,
        mayAskAgain: true,
      },
    ])
  })

  it('has a time from when there were networks to a year after its day', async () => {
    for (const [at, isPossible] of [
      [EARLIEST, true],
      [EARLIEST - 1, false],
      [TO + 366 * DAY_MS, true],
      [TO + 366 * DAY_MS + 1, false],
    ] as const) {
      const { lines, unreadable } = await lineOf({ occurredAt: iso(at) })
      assert.deepEqual(
        [lines.map(({ occurredAt }) => occurredAt), unreadable.map(({ why }) => why)],
        isPossible ? [[at], []] : [[], ['the time cannot be read']],
        iso(at),
      )
    }
  })

  it('has any reference that can be stored, of two hundred characters', async () => {
    const references: [given: unknown, kept: string][] = [
      ['mesa 4', 'mesa 4'],
      ['x'.repeat(200), 'x'.repeat(200)],
      ['x'.repeat(201), 'x'.repeat(200)],
      ['one\u0000two', 'one?two'],
      ['', ''],
      [null, ''],
      [undefined, ''],
      [7, '7'],
      [{ a: 1 }, '{"a":1}'],
    ]
    for (const [reference, kept] of references) {
      const { lines } = await lineOf({ reference })
      assert.deepEqual(
        lines,
        [
          {
            movement: 'credit',
            reference: kept,
            networkId: '77',
            amountInCents: 8_000_050n,
            occurredAt: NOW - 1,
          },
        ],
        String(reference),
      )
    }
  })

  it('that cannot be read is kept with why, and five hundred characters of it', async () => {
    const whys: [object, string][] = [
      [{ type: 'FEE' }, 'the movement is unknown'],
      [{ type: 'constructor' }, 'the movement is unknown'],
      [{ type: 7 }, 'the movement is unknown'],
      [{ currency: 'USD' }, 'the currency is unknown'],
      [{ amount: '0.00' }, 'the amount cannot be read'],
      [{ occurredAt: 'today' }, 'the time cannot be read'],
      [{ cus: 'two words' }, 'the network gives no id'],
    ]
    for (const [changes, why] of whys) {
      const { lines, unreadable } = await lineOf({ ...changes, note: 'n'.repeat(600) })
      const raw = JSON.stringify({ ...entry, ...changes, note: 'n'.repeat(600) }).slice(0, 500)
      assert.deepEqual([lines, unreadable], [[], [{ reference: 'R-1', raw, why }]], why)
    }
    const { value } = await pageOf(null, entry)
    assert.deepEqual([value.lines.length, value.unreadable[0]?.raw], [1, 'null'])
  })
})
