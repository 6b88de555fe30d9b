// The vectors of Wompi's signatures.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventChecksum, integritySignature, isSameChecksum } from '../../../src/rails/wompi/signature.ts'

const VECTOR = '19e1516b7bc920d4c1fc9f9bdc68a39aae7a968f1201b6503b2dbe7f7f490a82'

test('what is charged is signed as the vector is', () => {
  const charged = { reference: 'rcd-0001', amountInCents: 2_490_000, currency: 'COP' }
  assert.equal(integritySignature(charged, 'test_integrity_EXAMPLE'), VECTOR)
  const expiring = { ...charged, expirationTime: '2026-11-16T15:15:00.000Z' }
  assert.notEqual(integritySignature(expiring, 'test_integrity_EXAMPLE'), VECTOR)
})

test('an event is signed as the vector is', () => {
  assert.equal(
    eventChecksum(['1-1767225600-1', 'APPROVED', 2_490_000], 1_767_225_600, 'test_events_EXAMPLE'),
    '40726a4245d31a09dca6689155a2178d2c26e546f300503db2150b729f31260a',
  )
})

test('checksums are compared whole, and without regard to case', () => {
  assert.ok(isSameChecksum(VECTOR, VECTOR))
  assert.ok(isSameChecksum(VECTOR.toUpperCase(), VECTOR))
  for (const other of ['', VECTOR.slice(1), `${VECTOR}0`, VECTOR.replace('1', '2')])
    assert.ok(!isSameChecksum(other, VECTOR), other)
})
