// What a request may cost is bounded by its schemas: every list, text and depth has an end, and so has the answer that says
// what is wrong. bench/validation.ts measures the time.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { streamEventsOperation } from '../../../src/api/events/stream-route.ts'
import { queryValidator } from '../../../src/api/http/validation.ts'
import { operationsOf } from '../../../src/api/operations.ts'
import { Type } from '../../../src/core/json-schema.ts'
import { brebPayin, createWorld, type World } from '../../world.ts'
import { assertProblem } from './problem.ts'

type Schema = { readonly [keyword: string]: unknown }

// Their own rule has an end: the test below sends them longer texts.
const BOUNDED_FORMATS = ['uuid', 'date', 'date-time', 'phone']
// Unknown fields are ignored, whatever they hold, and never looked into. So only what a schema names is walked.
// Rules of approvals go deepest: a list of rules, and in each a list of tiers.
const MAX_SCHEMA_DEPTH = 6

function unbounded(schema: Schema, path: string, depth = 1): string[] {
  if (depth > MAX_SCHEMA_DEPTH) return [`${path} nests deeper than ${MAX_SCHEMA_DEPTH} levels`]
  const types = [schema.type].flat()
  const own: string[] = []
  if (types.includes('array') && !Number.isInteger(schema.maxItems)) own.push(`${path} has no maxItems`)
  const isListed = schema.enum !== undefined || schema.const !== undefined
  const isBounded = Number.isInteger(schema.maxLength) || BOUNDED_FORMATS.includes(String(schema.format))
  if (types.includes('string') && !isListed && !isBounded) own.push(`${path} has no maxLength`)
  const others = schema.additionalProperties as Schema | undefined
  const names = schema.propertyNames as Schema | undefined
  const isMap = typeof others === 'object'
  if (isMap && !(Number.isInteger(schema.maxProperties) && Number.isInteger(names?.maxLength)))
    own.push(`${path} has fields of any name`)
  const below = [
    ...Object.entries((schema.properties as Record<string, Schema> | undefined) ?? {}).map(
      ([name, one]) => [one, `${path}/${name}`, depth + 1] as const,
    ),
    ...(isMap ? [[others, `${path}/*`, depth + 1] as const] : []),
    ...(schema.items === undefined ? [] : [[schema.items as Schema, `${path}/*`, depth + 1] as const]),
    ...['allOf', 'anyOf', 'oneOf'].flatMap((keyword) =>
      ((schema[keyword] as Schema[] | undefined) ?? []).map((one) => [one, path, depth] as const),
    ),
    ...['if', 'then', 'else', 'not'].flatMap((keyword) =>
      schema[keyword] === undefined ? [] : [[schema[keyword] as Schema, path, depth] as const],
    ),
  ]
  return [...own, ...below.flatMap(([one, where, level]) => unbounded(one, where, level))]
}

// A rule inside `if` compares with a constant and takes nothing in, and has no type to look at.
function hasKnownType(schema: Schema, path: string): string[] {
  const properties = Object.entries((schema.properties as Record<string, Schema> | undefined) ?? {})
  return properties.flatMap(([name, one]) => [
    ...(one.type === undefined && one.enum === undefined && one.const === undefined
      ? [`${path}/${name} may be anything`]
      : []),
    ...hasKnownType(one, `${path}/${name}`),
  ])
}

describe('bounds', () => {
  it('every list and text in every schema that requests are validated by has an end', () => {
    const operations = [...operationsOf('staging'), streamEventsOperation]
    const schemas = operations.flatMap(({ operationId, body, query }) => [
      ...(body === undefined ? [] : [[`${operationId} body`, body.schema as Schema] as const]),
      ...(query === undefined ? [] : [[`${operationId} query`, query as Schema] as const]),
    ])
    assert.ok(schemas.length > 15)
    assert.deepEqual(
      schemas.flatMap(([name, schema]) => [...unbounded(schema, name), ...hasKnownType(schema, name)]),
      [],
    )
  })

  it('so has every one in every request that openapi.json describes', () => {
    const document = JSON.parse(readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8'))
    const resolved = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(resolved)
      if (typeof value !== 'object' || value === null) return value
      const { $ref } = value as { $ref?: unknown }
      if (typeof $ref === 'string')
        return resolved(
          $ref
            .slice(2)
            .split('/')
            .reduce((part, name) => part[name], document),
        )
      return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, resolved(one)]))
    }
    let seen = 0
    const found = Object.entries(document.paths as Record<string, Record<string, Schema>>).flatMap(
      ([path, methods]) =>
        Object.entries(methods).flatMap(([method, operation]) => {
          const where = `${method} ${path}`
          const content = (operation.requestBody as { content?: Record<string, { schema: Schema }> })?.content
          const parameters = (operation.parameters ?? []) as { name: string; schema: Schema }[]
          const schemas = [
            ...Object.entries(content ?? {}).map(([type, one]) => [`${where} ${type}`, one.schema] as const),
            ...parameters.map(({ name, schema }) => [`${where} ${name}`, schema] as const),
          ]
          seen += schemas.length
          return schemas.flatMap(([name, schema]) => unbounded(resolved(schema) as Schema, name))
        }),
    )
    assert.ok(seen > 50)
    assert.deepEqual(found, [])
  })

  for (const format of BOUNDED_FORMATS) {
    it(`the format ${format} takes no long text`, () => {
      const validate = queryValidator(Type.Object({ value: Type.String({ format }) }))
      const beginnings = [
        '',
        '+57',
        '2026-11-16',
        '2026-11-16T12:00:00.',
        '019a5c3e-7b1f-7c2a-9d4e-3f1b2a6c8d90',
      ]
      for (const beginning of beginnings) {
        for (const more of ['0', 'a', '-', ' ', '\n', 'Z'])
          assert.equal(validate({ value: beginning.padEnd(64, more) }).length, 1, `${beginning}${more}…`)
      }
    })
  }

  describe('of what is sent', () => {
    let world: World
    before(async () => {
      world = await createWorld()
    })
    after(() => world[Symbol.asyncDispose]())

    const many = (count: number, value: unknown) => Array.from({ length: count }, () => value)

    it('at most twenty problems are listed, and the answer says that there are more', async () => {
      const wrong = [
        await world.client('POST', '/webhook-endpoints', {
          url: 'https://a.example',
          events: many(1_500, 'x'),
        }),
        await world.client('PATCH', '/organization', { rails: many(1_500, 7) }),
        await world.client('PATCH', '/organization', { rails: Array.from({ length: 1_500 }, String) }),
      ]
      for (const answer of wrong) {
        assertProblem(answer, 'INVALID_INPUT')
        assert.equal(answer.json.errors.length, 20)
        assert.match(answer.json.detail, /More than 20 fields are wrong; errors lists 20\./)
        assert.ok(answer.text.length < 16 * 1_024, `${answer.text.length} bytes`)
      }
      const few = await world.client('PATCH', '/organization', { rails: many(19, 7) })
      assert.equal(few.json.errors.length, 20, 'nineteen entries and the list itself')
      assert.match(few.json.detail, /^20 fields are wrong; see errors\.$/)
    })

    it('a list that is too long is told so', async () => {
      const rails = ['BRE_B', 'PSE', 'BRE_B']
      const { json } = await world.client('PATCH', '/organization', { rails })
      assert.deepEqual(json.errors, [
        { path: '/rails', code: 'WRONG_LENGTH', message: 'must have at most 2 entries' },
      ])
    })

    it('a body of more than two thousand values is refused before it is parsed', async () => {
      const payin = (extra: unknown) => brebPayin({ extra })
      const bodies: [string, unknown][] = [
        ['a long list', many(2_000, 0)],
        ['many fields', Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`f${index}`, 0]))],
        ['many small lists', many(1_000, [0])],
        ['empty lists', many(2_000, [])],
      ]
      for (const [what, extra] of bodies) {
        const answer = await world.client('POST', '/payins', payin(extra))
        assertProblem(answer, 'INVALID_JSON')
        assert.equal(answer.json.detail, 'The body holds more than 2000 values.', what)
      }
      // Too much of it, and no JSON at all: what it is not does not matter.
      assertProblem(await world.client('POST', '/payins', '[,'.repeat(30_000)), 'INVALID_JSON')
      assert.equal((await world.client('POST', '/payins', payin(many(1_900, 0)))).status, 201)
      const text = `${'[{,:"\\'.repeat(5_000)}`
      assert.equal((await world.client('POST', '/payins', payin(text))).status, 201, 'text is one value')
    })

    it('a body of more than sixteen levels is refused, whatever text stands before them', async () => {
      const body = (levels: number, before: string) =>
        JSON.stringify(brebPayin({ extra: 'HERE' })).replace(
          '"HERE"',
          `${before},"deep":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}`,
        )
      // Text may end with backslashes and quotation marks.
      for (const text of ['', 'text', '\\', '\\\\', '"', '\\"']) {
        const before = JSON.stringify(text)
        assert.equal((await world.client('POST', '/payins', body(16, before))).status, 201, before)
        const refused = await world.client('POST', '/payins', body(17, before))
        assertProblem(refused, 'INVALID_JSON')
        assert.equal(refused.json.detail, 'The body nests deeper than 16 levels.', before)
      }
    })

    it('a token request of more than a hundred fields is refused before it is read', async () => {
      const { clientId, secret } = await world.oauthClient()
      const form = `grant_type=client_credentials&client_id=${clientId}&client_secret=${secret}`
      const ask = (extra: string) =>
        world.anonymous('POST', '/oauth/token', form + extra, {
          'content-type': 'application/x-www-form-urlencoded',
        })
      assert.equal((await ask('&a=1'.repeat(97))).status, 200)
      const refused = await ask('&a=1'.repeat(98))
      assertProblem(refused, 'INVALID_INPUT')
      assert.equal(refused.json.detail, 'The form has more than 100 fields.')
      const scope = `&scope=${'payins:read '.repeat(90)}`
      assert.equal((await ask(scope)).json.error, 'invalid_scope', 'nobody has so many scopes')
      assert.equal((await ask('&scope=payins:read')).status, 200)
    })
  })
})
