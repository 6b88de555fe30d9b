// Schemas say what JSON Schema says, and nothing of how they were made.

import assert from 'node:assert/strict'
import { it } from 'node:test'
import { Type } from '../../src/core/json-schema.ts'

it('each kind of value has its schema, with whatever else is said of it', () => {
  const more = { description: 'x' }
  const text = { type: 'string' }
  const schemas: [unknown, unknown][] = [
    [Type.String(), text],
    [Type.String(more), { ...text, ...more }],
    [Type.Boolean(more), { type: 'boolean', ...more }],
    [Type.Integer(more), { type: 'integer', ...more }],
    [Type.Number(more), { type: 'number', ...more }],
    [Type.Null(more), { type: 'null', ...more }],
    [Type.Unknown(more), more],
    [Type.Unknown(), {}],
    [Type.Literal('a', more), { type: 'string', const: 'a', ...more }],
    [Type.Literal(5), { type: 'number', const: 5 }],
    [Type.Literal(true), { type: 'boolean', const: true }],
    [Type.Array(Type.String(), more), { type: 'array', items: text, ...more }],
    [Type.Union([Type.String(), Type.Null()], more), { anyOf: [text, { type: 'null' }], ...more }],
    [Type.Unsafe({ enum: [1] }), { enum: [1] }],
  ]
  for (const [schema, expected] of schemas) assert.deepEqual(JSON.parse(JSON.stringify(schema)), expected)
})

it('an object needs what is not optional, also where a schema was copied, and a part of it nothing', () => {
  const optional = Type.Optional(Type.String())
  const object = Type.Object(
    { a: Type.String(), b: optional, c: { ...optional, minLength: 1 } },
    { title: 'x' },
  )
  const properties = { a: { type: 'string' }, b: { type: 'string' }, c: { type: 'string', minLength: 1 } }
  const printed = (schema: unknown): unknown => JSON.parse(JSON.stringify(schema))
  assert.deepEqual(printed(object), { type: 'object', required: ['a'], properties, title: 'x' })
  assert.deepEqual(printed(Type.Partial(object)), { type: 'object', properties })
  const free = Type.Object({ b: optional })
  assert.deepEqual(printed(free), { type: 'object', properties: { b: { type: 'string' } } })
})
