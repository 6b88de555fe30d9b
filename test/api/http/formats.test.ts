// What a field of a known form must be is told in words.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { problemBody, refusalCodes, STATUS_OF } from '../../../src/api/http/errors.ts'
import { bodyValidator } from '../../../src/api/http/validation.ts'
import { Type } from '../../../src/core/json-schema.ts'
import { refuse } from '../../../src/core/refusal.ts'

const TOLD: Readonly<Record<string, string>> = {
  email: 'must be an e-mail address',
  phone: 'must be a phone number in international form, such as +573001234567',
  uuid: 'must be a UUID',
  'web-address': 'must be an http or https address without user name or password',
  nit: 'must be a NIT, such as 900123456-8, whose check digit after the dash is right',
  printable: 'must be text without control characters',
}

describe('a text that has not the form it must have', () => {
  for (const [format, message] of Object.entries(TOLD))
    it(`is told that it ${message}`, () => {
      const problems = bodyValidator(Type.Object({ one: Type.String({ format }) }))({ one: '\u0000' })
      assert.deepEqual(problems, [{ path: '/one', code: 'WRONG_FORMAT', message }])
    })
})

describe('the title of a problem', () => {
  it('is that of its status, and of no other', () => {
    const titles = new Map<number, string>()
    for (const code of refusalCodes()) {
      const { status, title } = JSON.parse(problemBody('https://pay.example', refuse(code, ''), 'request'))
      assert.equal(status, STATUS_OF[code])
      assert.equal(titles.get(status) ?? title, title, code)
      titles.set(status, title)
    }
    assert.equal(new Set(titles.values()).size, titles.size, [...titles].join())
    assert.ok([...titles.values()].every((title) => typeof title === 'string'))
  })
})
