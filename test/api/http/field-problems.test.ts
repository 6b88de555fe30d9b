// What is wrong with a request is told field by field: where, by a code for programs, and in words.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { bodyValidator, queryValidator } from '../../../src/api/http/validation.ts'
import { type TSchema, Type } from '../../../src/core/json-schema.ts'

// A schema of the field `one`, what is sent, and what is said of it.
const TOLD: readonly [schema: unknown, sent: unknown, code: string, message: string][] = [
  [{ type: 'string' }, 1, 'WRONG_TYPE', 'must be a string'],
  [{ type: 'boolean' }, 'yes', 'WRONG_TYPE', 'must be a boolean'],
  [{ type: 'number' }, '1', 'WRONG_TYPE', 'must be a number'],
  [{ type: 'integer' }, 1.5, 'WRONG_TYPE', 'must be a whole number'],
  [{ type: 'object' }, [], 'WRONG_TYPE', 'must be an object'],
  [{ type: 'array' }, {}, 'WRONG_TYPE', 'must be a list'],
  [{ type: 'null' }, 0, 'WRONG_TYPE', 'must be null'],
  [{ type: ['integer', 'null'] }, 'x', 'WRONG_TYPE', 'must be a whole number or null'],
  [{ minimum: 1 }, 0, 'OUT_OF_RANGE', 'must be at least 1'],
  [{ maximum: 9 }, 10, 'OUT_OF_RANGE', 'must be at most 9'],
  [{ minLength: 1 }, '', 'WRONG_LENGTH', 'must not be empty'],
  [{ minLength: 2 }, 'a', 'WRONG_LENGTH', 'must have at least 2'],
  [{ minItems: 1 }, [], 'WRONG_LENGTH', 'must not be empty'],
  [{ minItems: 3 }, [1], 'WRONG_LENGTH', 'must have at least 3'],
  [{ maxLength: 1 }, 'ab', 'WRONG_LENGTH', 'must have at most 1 characters'],
  [{ maxItems: 1 }, [1, 2], 'WRONG_LENGTH', 'must have at most 1 entries'],
  [{ maxProperties: 1 }, { a: 1, b: 2 }, 'WRONG_LENGTH', 'must have at most 1 entries'],
  [{ uniqueItems: true }, [1, 1], 'NOT_ALLOWED', 'must not repeat an entry'],
  [{ pattern: '^a$' }, 'b', 'WRONG_FORMAT', 'must match ^a$'],
  [{ enum: ['a', 'b'] }, 'c', 'NOT_ALLOWED', 'must be one of a, b'],
  [{ const: 'a' }, 'b', 'NOT_ALLOWED', 'must be a'],
  [{ multipleOf: 2 }, 3, 'WRONG_FORMAT', 'must be multiple of 2'],
  [{ propertyNames: { pattern: '^a$' } }, { b: 1 }, 'WRONG_FORMAT', 'must have names of the form ^a$'],
  [{ propertyNames: { maxLength: 1 } }, { bb: 1 }, 'WRONG_FORMAT', 'must have names of at most 1 characters'],
  [{ format: 'date' }, '2026-02-30', 'WRONG_FORMAT', 'must be a day, such as 2026-11-14'],
  [
    { format: 'date-time' },
    '2026-11-15T13:00',
    'WRONG_FORMAT',
    'must be a date and time with zone, such as 2026-11-15T13:00:00.000Z',
  ],
  [
    { format: 'address-range' },
    '203.0.113.300',
    'WRONG_FORMAT',
    'must be an address or a range of them, such as 203.0.113.7 or 203.0.113.0/24',
  ],
]

const one = (schema: unknown) => ({ type: 'object', properties: { one: schema } }) as unknown as TSchema

describe('a field that is wrong', () => {
  for (const [schema, sent, code, message] of TOLD)
    it(`of ${JSON.stringify(schema)} is told that it ${message}`, () => {
      // A name that is wrong is told once for the object and once for the rule that it broke: the first is enough.
      const [problem, ...others] = bodyValidator(one(schema))({ one: sent })
      assert.deepEqual(problem, { path: '/one', code, message })
      assert.deepEqual(others, [])
    })

  it('is told where it stands, however deep, and once', () => {
    const text = Type.String({ minLength: 3, pattern: '^x' })
    const schema = Type.Object({ list: Type.Array(Type.Object({ text })), other: text })
    assert.deepEqual(
      bodyValidator(schema)({ list: [{ text: 'xxx' }, { text: 'a' }, {}] }).map(({ path, code }) => [
        path,
        code,
      ]),
      [
        ['/other', 'REQUIRED'],
        ['/list/1/text', 'WRONG_LENGTH'],
        ['/list/2/text', 'REQUIRED'],
      ],
    )
    assert.deepEqual(bodyValidator(schema)({ list: [], other: 'xxx' }), [])
  })

  it('that another makes necessary is told as missing, and nothing else is', () => {
    const schema = {
      type: 'object',
      if: { properties: { rail: { const: 'PSE' } }, required: ['rail'] },
      then: { required: ['pse'] },
    } as unknown as TSchema
    assert.deepEqual(bodyValidator(schema)({ rail: 'PSE' }), [
      { path: '/pse', code: 'REQUIRED', message: 'is required' },
    ])
  })

  it('is one of twenty-one that are told at most', () => {
    const schema = Type.Object({ list: Type.Array(Type.Integer()) })
    const wrong = (count: number) => bodyValidator(schema)({ list: Array(count).fill('x') }).length
    assert.deepEqual([20, 21, 22, 50].map(wrong), [20, 21, 21, 21])
  })
})

describe('a query', () => {
  it('has its numbers and yes or no as text, and a body has not', () => {
    const schema = Type.Object({ pageSize: Type.Integer(), repeat: Type.Boolean() })
    const sent = { pageSize: '10', repeat: 'true' }
    assert.equal(bodyValidator(schema)({ ...sent }).length, 2)
    assert.deepEqual(queryValidator(schema)(sent), [])
    assert.deepEqual(sent, { pageSize: 10, repeat: true } as never)
  })
})

describe('a text of a form', () => {
  const FORMS: Readonly<Record<string, { good: string[]; bad: string[] }>> = {
    'web-address': {
      good: ['http://shop.example', 'https://shop.example/a?b#c', 'HTTPS://shop.example'],
      bad: [
        'shop.example',
        'ftp://shop.example',
        'https://user@shop.example',
        'https://:word@shop.example',
        'https://shop.example/a b',
        'https:\\\\shop.example',
        'https://shop.example/\u0007',
        'xhttps://shop.example',
        'https:',
      ],
    },
    'date-time': {
      good: [
        '2026-11-15T13:00Z',
        '2026-11-15T13:00:59Z',
        '2026-11-15T13:00:00.123456789Z',
        '2026-11-15T13:00:00-05:00',
      ],
      bad: [
        '2026-11-15',
        '2026-11-15T13:00:00',
        '2026-11-15 13:00Z',
        '2026-13-15T13:00Z',
        '2026-11-15T25:00Z',
        '2026-11-15T13:00:00.1234567890Z',
        ' 2026-11-15T13:00Z',
        '2026-11-15T13:00Z ',
        '2026-11-15T13:00+5',
      ],
    },
    nit: {
      good: ['900123456-8', '900.123.456-8', '900123456'],
      bad: ['900123456-1', '900 123 456-8', 'x'],
    },
    uuid: {
      good: ['019a5c3e-0000-7000-8000-000000000001', '019A5C3E-0000-7000-8000-000000000001'],
      bad: ['019a5c3e00007000800000000000001', '019a5c3e-0000-7000-8000-00000000000', 'x'],
    },
    'address-range': {
      good: ['203.0.113.7', '203.0.113.0/24', '2001:db8::/32'],
      bad: ['203.0.113.7/33', 'host'],
    },
  }
  for (const [format, { good, bad }] of Object.entries(FORMS))
    it(`${format} is taken if it is one, and refused if it is not`, () => {
      const problemsOf = bodyValidator(one({ type: 'string', format }))
      for (const text of good) assert.deepEqual(problemsOf({ one: text }), [], text)
      for (const text of bad) assert.equal(problemsOf({ one: text })[0]?.code, 'WRONG_FORMAT', text)
    })
})
