// A refusal of one field names the field; one of several says how many.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { refuseFields } from '../../src/core/refusal.ts'

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
})
