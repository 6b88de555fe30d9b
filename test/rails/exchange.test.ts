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
