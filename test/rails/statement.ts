// The statement as an operation of the conformance test: the same for every network but for the names of its fields.

import type { Rail } from '../../src/core/connections/rail.ts'
import type { Rails } from '../../src/rails/rail.ts'
import type { Operation } from './conformance/operations.ts'
import type { Answer } from './fake-network.ts'

const FROM = Date.UTC(2026, 10, 14, 5)
const TO = FROM + 86_400_000

export function statementOperation(
  rail: Rail,
  entry: Record<string, unknown>,
  networkId: string,
): Operation<Rails> {
  const page = (changes: object): Answer => ({
    status: 200,
    json: { count: 1, entries: [entry], nextCursor: null, complete: true, ...changes },
  })
  const reference = entry.reference as string
  const line = {
    movement: 'credit',
    reference,
    networkId,
    amountInCents: 8_000_000n,
    occurredAt: Date.parse(entry.occurredAt as string),
  }
  const accepted = { lines: [line], unreadable: [], nextCursor: null, complete: true }
  const unread = (changes: object, why: string) => {
    const one = { ...entry, ...changes }
    const unreadable = [{ reference, raw: JSON.stringify(one).slice(0, 500), why }]
    return [page({ entries: [one] }), { accepted: { ...accepted, lines: [], unreadable } }] as const
  }
  // A line that names nobody we know is a line.
  const named = (sent: unknown, read: string) =>
    [
      page({ entries: [{ ...entry, reference: sent }] }),
      { accepted: { ...accepted, lines: [{ ...line, reference: read }] } },
    ] as const
  return {
    ability: 'statement',
    // Pages are long, and have connections of their own.
    use: null,
    call: async (rails) =>
      (await rails.statement[rail]?.(FROM, TO, 'second')) ?? Promise.reject(new Error('no statement')),
    good: page({}),
    accepted,
    mayAskAgain: true,
    answers: {
      'fields that nobody knows': [
        page({ bank: 'x', entries: [{ ...entry, channel: 'APP' }] }),
        { accepted },
      ],
      'a day that is not complete': [
        page({ complete: false }),
        { accepted: { ...accepted, complete: false } },
      ],
      'another currency': unread({ currency: 'USD' }, 'the currency is unknown'),
      'another movement': unread({ type: 'FEE' }, 'the movement is unknown'),
      'an amount without cents': unread({ amount: '80000' }, 'the amount cannot be read'),
      'an amount below zero': unread({ amount: '-80000.00' }, 'the amount cannot be read'),
      'a time that does not exist': unread({ occurredAt: '2026-11-32T00:00:00Z' }, 'the time cannot be read'),
      'a time before the networks existed': unread(
        { occurredAt: '1999-12-31T23:59:59Z' },
        'the time cannot be read',
      ),
      'a time a year after the day': unread(
        { occurredAt: '2027-11-17T00:00:00Z' },
        'the time cannot be read',
      ),
      'a line without an id': unread({ paymentId: null, cus: null }, 'the network gives no id'),
      'no reference': named(null, ''),
      'an empty reference': named('', ''),
      'a reference that no database holds': named('a\u0000b\ud800', 'a?b?'),
      'a reference that is no text': named({ id: 7 }, '{"id":7}'),
      'a reference that is very long': named('é'.repeat(300), 'é'.repeat(200)),
      'a line that is very long': unread({ type: 'X'.repeat(5_000) }, 'the movement is unknown'),
      'a line that is no object': [
        page({ entries: [7] }),
        {
          accepted: {
            ...accepted,
            lines: [],
            unreadable: [{ reference: '', raw: '7', why: 'the movement is unknown' }],
          },
        },
      ],
      'a page that was cut': [page({ count: 2 }), 'unreadable'],
      'a page without its end': [page({ complete: undefined }), 'unreadable'],
      'a page that names itself as the next': [page({ nextCursor: 'second' }), 'unreadable'],
      'a refusal': [
        { status: 400, json: { status: 'ERROR', code: 'CURSOR_EXPIRED', message: 'no' } },
        'undecided',
      ],
    },
  }
}
