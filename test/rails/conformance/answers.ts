// Answers of nobody: every way in which a connection breaks, and how the port must read each.

import assert from 'node:assert/strict'
import type { RailAnswer, UnknownKind } from '../../../src/rails/rail.ts'
import type { Answer } from '../fake-network.ts'

export type Expected = UnknownKind | { accepted: unknown } | { rejected: string; networkCode: string }

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
  'nothing with 504': [{ status: 504, bytes: '' }, 'timeout', 'once'],
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

export function assertAnswer(answer: RailAnswer<unknown, string>, expected: Expected): void {
  if (typeof expected === 'string') {
    assert.equal(answer.outcome, 'unknown', shown(answer))
    assert.equal(answer.outcome === 'unknown' && answer.kind, expected, shown(answer))
  } else if ('accepted' in expected) {
    assert.deepEqual(answer, { outcome: 'accepted', value: expected.accepted })
  } else {
    const { rejected: reason, networkCode } = expected
    assert.deepEqual(answer, { outcome: 'rejected', reason, networkCode })
  }
}

export const shown = (value: unknown): string =>
  JSON.stringify(value, (_, inner) => (typeof inner === 'bigint' ? String(inner) : inner))
