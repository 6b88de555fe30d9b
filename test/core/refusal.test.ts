// A refusal of one field names the field; one of several says how many.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type FieldProblem, isRefusal, MAX_PROBLEMS, refuse, refuseFields } from '../../src/core/refusal.ts'

const problem = (path: string) => ({ path, code: 'REQUIRED', message: 'is missing' }) as const

describe('a refusal of fields', () => {
  it('says which field is wrong, and how', () => {
    assert.equal(refuseFields([problem('customer.email')]).detail, 'customer.email: is missing')
  })

  it('speaks of the body where no field is named', () => {
    assert.equal(refuseFields([problem('')]).detail, 'the body: is missing')
  })

  it('counts the fields where several are wrong', () => {
    assert.equal(refuseFields([problem('a'), problem('b')]).detail, '2 fields are wrong; see errors.')
  })

  it('takes the code of all its fields, where they have one that a refusal can have', () => {
    const of = (...codes: string[]) =>
      refuseFields(codes.map((code) => ({ ...problem('a'), code }) as FieldProblem))
    assert.equal(of('AMOUNT_ABOVE_MAXIMUM').refused, 'AMOUNT_ABOVE_MAXIMUM')
    assert.equal(of('AMOUNT_ABOVE_MAXIMUM', 'AMOUNT_ABOVE_MAXIMUM').refused, 'AMOUNT_ABOVE_MAXIMUM')
    assert.equal(of('AMOUNT_ABOVE_MAXIMUM', 'SCOPE_NOT_HELD').refused, 'INVALID_INPUT')
    assert.equal(of('REQUIRED', 'REQUIRED').refused, 'INVALID_INPUT')
    assert.equal(of().refused, 'INVALID_INPUT')
  })

  it('lists twenty fields at most, and says that there are more', () => {
    const many = (count: number) => refuseFields(Array.from({ length: count }, (_, at) => problem(`${at}`)))
    assert.equal(MAX_PROBLEMS, 20)
    assert.equal(many(20).detail, '20 fields are wrong; see errors.')
    assert.equal(many(21).detail, 'More than 20 fields are wrong; errors lists 20.')
    assert.deepEqual(
      many(25).errors?.map(({ path }) => path),
      Array.from({ length: 20 }, (_, at) => `${at}`),
    )
  })

  it('is known as one, and nothing else is', () => {
    assert.equal(isRefusal(refuse('NOT_FOUND', 'x')), true)
    assert.deepEqual(refuse('NOT_FOUND', 'x', { retryAfterSeconds: 5 }), {
      ...{ refused: 'NOT_FOUND', detail: 'x', retryAfterSeconds: 5 },
    })
    for (const other of [undefined, null, 'refused', 7, {}, []]) assert.equal(isRefusal(other), false)
  })
})
