// The format of every refusal, whether from an operation, the framework or the HTTP parser.

import assert from 'node:assert/strict'
import { STATUS_OF } from '../../../src/api/http/errors.ts'
import { FIELD_CODES, REFUSALS, type RefusalCode } from '../../../src/core/refusal.ts'
import type { Answer } from '../../world.ts'

const MEMBERS = ['code', 'detail', 'requestId', 'status', 'title', 'type']
// Signs of internal details: stack frames, file names, SQL, SQLSTATE texts.
const INSIDES =
  /\bat \S+ \(|\.[cm]?[jt]s:\d+|node_modules|node:internal|\b(?:select|insert into|update)\s|invalid byte sequence|syntax for type/i

export function assertProblem(answer: Answer, code: RefusalCode, message = ''): void {
  assertAnyProblem(answer, message)
  assert.equal(answer.json.code, code, `${message} ${answer.text}`)
}

export function assertAnyProblem(answer: Answer, message = ''): void {
  const { status, headers, json, text } = answer
  const seen = `${message} ${status} ${text}`
  assert.ok(json !== undefined && json !== null, `no JSON body: ${seen}`)
  assert.match(headers['content-type'] ?? '', /^application\/json\b/, seen)
  assert.equal(headers['x-request-id'], json.requestId, seen)
  assert.equal(headers['x-content-type-options'], 'nosniff', seen)
  assert.ok(json.code in REFUSALS, seen)
  assert.equal(status, STATUS_OF[json.code as RefusalCode], seen)
  assert.equal(json.status, status, seen)
  assert.ok(json.type.endsWith(`/docs/errors#${json.code}`), seen)
  // Whoever is to wait is told for how long.
  const waits = status === 429 || status === 503
  assert.ok(!waits || /^[1-9]\d*$/.test(headers['retry-after'] ?? ''), `retry-after: ${seen}`)
  for (const member of ['title', 'detail', 'requestId']) assert.ok(json[member].length > 0, seen)
  // RFC 6749 requires two more members at the token endpoint.
  const { errors, error: _, error_description: __, ...rest } = json
  assert.deepEqual(Object.keys(rest).sort(), MEMBERS, seen)
  if (errors !== undefined) assertFieldProblems(errors, seen)
  assert.doesNotMatch(text, INSIDES)
}

function assertFieldProblems(errors: unknown, seen: string): void {
  assert.ok(Array.isArray(errors) && errors.length > 0, seen)
  for (const { path, code, message } of errors) {
    assert.match(path, /^(?:\/|$)/, seen)
    assert.ok(code in FIELD_CODES || code in REFUSALS, seen)
    assert.ok(message.length > 0, seen)
  }
}
