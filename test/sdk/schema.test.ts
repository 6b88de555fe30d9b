// sdk/src/schema.ts matches openapi.json, and the generator is correct.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { type Document, type Schema, schemaSource } from '../../sdk/generate.ts'

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8')

describe('the types of the client', () => {
  it('are printed from the committed openapi.json; `npm run sdk:types` reprints them', () => {
    const document = JSON.parse(read('../../openapi.json')) as Document
    assert.equal(read('../../sdk/src/schema.ts'), schemaSource(document))
  })

  it('cover every form of schema', () => {
    const typeOf = (schema: Schema): string => {
      const source = schemaSource({ paths: {}, components: { schemas: { Thing: schema } } })
      return /export type Thing = (.*?)\n\nexport type Operations/s.exec(source)?.[1] ?? assert.fail(source)
    }
    const cases: [Schema, string][] = [
      [{ type: 'integer' }, 'number'],
      [{ type: ['string', 'null'] }, 'string | null'],
      [{ type: ['string', 'null'], enum: ["it's", null] }, "'it\\'s' | null"],
      [{ const: 'Bearer' }, "'Bearer'"],
      [{ anyOf: [{ $ref: '#/components/schemas/Payin' }, { type: 'null' }] }, 'Payin | null'],
      [{ type: 'array', items: { enum: ['a', 'b'] } }, "('a' | 'b')[]"],
      [{ type: 'object' }, 'Record<string, unknown>'],
      [{}, 'unknown'],
      [
        {
          type: 'object',
          required: ['a'],
          properties: { a: { type: 'string' }, 'b-c': { type: 'boolean' } },
        },
        "{\n  a: string\n  'b-c'?: boolean | undefined\n}",
      ],
    ]
    for (const [schema, expected] of cases) assert.equal(typeOf(schema), expected)
    const conditional: Schema = {
      type: 'object',
      required: ['rail'],
      properties: { rail: { enum: ['A', 'B'] }, a: { type: 'string' } },
      allOf: [{ if: { properties: { rail: { const: 'A' } } }, then: { required: ['a'] } }],
    }
    assert.match(
      typeOf(conditional),
      /\} & \(\n {2}\| \{ rail: 'A'; a: string \}\n {2}\| \{ rail: 'B' \}\n\)$/,
    )
    assert.throws(
      () => typeOf({ ...conditional, allOf: [{ if: {}, then: {} }] }),
      /must learn this condition/,
    )
  })
})
