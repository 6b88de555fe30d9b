import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { recordSafely, redactedBody } from '../../src/rails/exchange.ts'

test('codes, amounts and times are kept, personal data is removed', () => {
  const shown = redactedBody(
    {
      reference: 'P1',
      status: 'PAID',
      amount: '12345.67',
      key: '3001234567',
      payer: { name: 'Ana', idType: 'CO_CC', idNumber: '1012345678' },
      payments: [{ paymentId: 'PAY1', paidAt: '2026-11-15T13:00:00.000Z' }],
      reasonCode: null,
      message: 'Ana said no',
      access_token: 'abc',
    },
    '',
  )
  assert.deepEqual(JSON.parse(shown), {
    reference: 'P1',
    status: 'PAID',
    amount: '12345.67',
    key: '***',
    payer: { name: '***', idType: 'CO_CC', idNumber: '***' },
    payments: [{ paymentId: 'PAY1', paidAt: '2026-11-15T13:00:00.000Z' }],
    reasonCode: null,
    message: '***',
    access_token: '***',
  })
})

test('every name that is kept shows its value, and a name that is not kept never does', () => {
  for (const name of ['type', 'event', 'state', 'error_code', 'collection_id', 'cus', 'timestamp'])
    assert.equal(redactedBody({ [name]: 'SOME_CODE' }, ''), `{"${name}":"SOME_CODE"}`, name)
  assert.equal(redactedBody({ typed: 'SOME_CODE' }, ''), '{"typed":"***"}')
})

test('a value under an unlisted name is never shown, however deep', () => {
  const name = fc.constantFrom(
    'name',
    'idNumber',
    'email',
    'phone',
    'key',
    'number',
    'titular',
    '3001234567',
    'Ana',
  )
  const canary = 'C4N4RY'
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof({ maxDepth: 6 }, fc.constant(canary), tie('object'), tie('list')),
    object: fc.dictionary(name, tie('tree'), { maxKeys: 3 }),
    list: fc.array(tie('tree'), { maxLength: 3 }),
  }))
  fc.assert(
    fc.property(tree, (value) => {
      const shown = redactedBody(value, '')
      for (const secret of [canary, '3001234567']) assert.ok(!shown.includes(secret), shown)
    }),
  )
})

test('a sentence under a listed name is not shown', () => {
  assert.equal(redactedBody({ status: 'Ana Gómez has no money' }, ''), '{"status":"***"}')
})

test('what is shown of a short body is JSON, with the same names and lengths', () => {
  const name = fc.constantFrom('id', 'status', 'amount', 'payer', 'toString', '__proto__')
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { maxDepth: 4 },
      fc.string(),
      fc.double(),
      fc.boolean(),
      fc.constant(null),
      fc.dictionary(name, tie('tree'), { maxKeys: 3 }),
      fc.array(tie('tree'), { maxLength: 3 }),
    ),
  }))
  const shapeOf = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(shapeOf)
    if (typeof value !== 'object' || value === null) return typeof value === 'boolean' ? value : 'plain'
    return Object.entries(value).map(([key, inner]) => [key, shapeOf(inner)])
  }
  fc.assert(
    fc.property(tree, (value) => {
      const received = JSON.parse(JSON.stringify(value))
      assert.deepEqual(shapeOf(JSON.parse(redactedBody(received, ''))), shapeOf(received))
    }),
  )
})

test('people whose numbers are names of fields are not even counted', () => {
  const byNumber = { '3001234567': { status: 'PAID' }, '3009998877': { status: 'FAILED' }, count: 2 }
  assert.equal(redactedBody(byNumber, ''), '{"***":{"status":"PAID"},"count":2}')
})

test('a number that JSON cannot say is masked, and what is not sent is not shown', () => {
  assert.equal(
    redactedBody({ amount: JSON.parse('1e400'), code: undefined, id: 7 }, ''),
    '{"amount":"***","id":7}',
  )
})

test('of many fields, or items, a hundred are shown', () => {
  const ids = Array.from({ length: 150 }, (_, index) => index)
  const fields = Object.fromEntries(
    ids.map((id) => [`f${String.fromCharCode(97 + (id % 26))}${'x'.repeat(id / 26)}`, id]),
  )
  assert.equal(Object.keys(JSON.parse(redactedBody(fields, ''))).length, 100)
  assert.equal(JSON.parse(redactedBody(ids, '')).length, 100)
})

test('what nobody would see is not looked at', () => {
  let looks = 0
  const line = {
    get id() {
      looks += 1
      return 'L'.repeat(80)
    },
  }
  const lines = Array.from({ length: 100 }, () => line)
  const shown = redactedBody({ a: lines, b: lines }, '')
  assert.equal(shown.length, 4_097)
  // A line and its comma take 90 characters.
  assert.equal(looks, Math.ceil(4_096 / 90))
})

test('a body that is not JSON is described', () => {
  assert.equal(redactedBody(undefined, '[text/html, 12 bytes]'), '[text/html, 12 bytes]')
})

test('a body is truncated, and endless nesting does not exhaust the stack', () => {
  const wide = redactedBody(
    { payments: Array.from({ length: 5_000 }, () => ({ paymentId: 'P'.repeat(80) })) },
    '',
  )
  assert.ok(wide.length <= 4_097)
  const deep = JSON.parse('['.repeat(10_000) + ']'.repeat(10_000))
  assert.equal(redactedBody(deep, ''), '[[[[[[[["***"]]]]]]]]')
})

test('a failed record does not affect the payment', () => {
  const exchange = {
    rail: 'PSE',
    operation: 'GET /sessions',
    reference: 'P1',
    at: 0,
    tookMs: 1,
    status: 200,
    request: '',
    response: '',
    failure: null,
  } as const
  assert.doesNotThrow(() =>
    recordSafely(() => {
      throw new Error('disk full')
    }, exchange),
  )
})
