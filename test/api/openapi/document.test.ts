// openapi.json is the contract that others build on: it must be well-formed, and match the server's routes and answers. That the
// committed file is up to date is in committed.test.ts.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { Ajv2020 } from 'ajv/dist/2020.js'
import Fastify, { type FastifyInstance } from 'fastify'
import type { Operation } from '../../../src/api/http/operation.ts'
import { openApiDocument } from '../../../src/api/openapi/document.ts'
import { type Answer, brebPayin, type Client, createWorld, psePayin, type World } from '../../world.ts'
import { callWith, exampleCall, STAGING_OPERATIONS } from '../http/calls.ts'
import { assertAnyProblem, assertProblem } from '../http/problem.ts'

// biome-ignore lint/suspicious/noExplicitAny: a document is read where the test expects things to be
type Json = any

const document: Json = openApiDocument()

// Routes that are not for merchants: operators, browsers, payers and networks call them.
const OTHERS =
  /^\/(?:healthz|readyz|metrics|openapi\.json|llms(?:-full)?\.txt|docs(?:\.md|\/.*)?|(?:pay|page|refund|receipts|evidence|verify|console)(?:\/.*)?|notifications\/(?:breb|pse|\{organizationId\}\/\{connectionId\}))?$/

// Linter findings that do not apply here.
const EXCUSED = [
  // `then` constrains the object around it, where the property is. The linter expects it inside `then`.
  { rule: 'no-required-schema-properties-undefined', at: /\/then\/required\/\d+$/ },
  // Published keys need no authentication, so there is no 4xx.
  { rule: 'operation-4xx-response', at: /^#\/paths\/~1\.well-known~1jwks\.json\// },
  { rule: 'operation-4xx-response', at: /^#\/paths\/~1\.well-known~1receipt-keys\.json\// },
]

const FORMATS = {
  uuid: /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
  'date-time': /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/,
  email: /^[^@\s]+@[^@\s]+\.[^@\s]+$/,
  phone: /^\+\d{7,15}$/,
  printable: /^\P{Cc}*$/u,
  'web-address': /^https?:\/\/\S+$/,
  nit: /^[\d.]+(?:-\d)?$/,
  date: /^\d{4}-\d{2}-\d{2}$/,
  uri: /^https?:\/\/\S+$/,
  // Of an address or a range of them; the bytes of a file.
  'address-range': /^[\da-f.:]+(?:\/\d+)?$/i,
  binary: true,
} as const

describe('openapi.json', () => {
  it('passes the recommended rules of OpenAPI', async () => {
    const config = await createConfig({ extends: ['recommended'] })
    const source = JSON.stringify(document)
    const problems = (await lintFromString({ source, absoluteRef: 'openapi.json', config })).map(
      (problem) => ({
        rule: problem.ruleId,
        at: String(problem.location[0]?.pointer),
        message: problem.message,
      }),
    )
    const excuseOf = (problem: { rule: string; at: string }) =>
      EXCUSED.find((excuse) => excuse.rule === problem.rule && excuse.at.test(problem.at))
    assert.deepEqual(
      problems.filter((problem) => excuseOf(problem) === undefined),
      [],
    )
    for (const excuse of EXCUSED) {
      assert.ok(
        problems.some((problem) => excuseOf(problem) === excuse),
        `${excuse.rule} needs no excuse any more`,
      )
    }
    const { '/payins': list, '/payins/{payinId}': one } = document.paths
    const few = JSON.stringify({ ...document, paths: { '/payins': list, '/payins/{payinId}': one } })
    const broken = few.replace('"operationId":"getPayin"', '"operationId":"listPayins"')
    const found = await lintFromString({ source: broken, absoluteRef: 'openapi.json', config })
    assert.ok(
      found.some((problem) => problem.ruleId === 'operation-operationId-unique'),
      'the linter does look',
    )
  })

  it('is version 1.0, and no path carries a version', () => {
    assert.equal(document.openapi, '3.1.0')
    assert.equal(document.info.version, '1.0')
    for (const path of Object.keys(document.paths))
      assert.doesNotMatch(path, /(?:^|\/)v?\d+(?:\.\d+)*(?:\/|$)/i)
  })

  it('every operation shows both ways to authenticate, the contract’s first', () => {
    for (const { path, method, access } of STAGING_OPERATIONS) {
      if (access === 'public') continue
      const schemes = document.paths[path][method.toLowerCase()].security.map(
        (scheme: object) => Object.keys(scheme)[0],
      )
      assert.equal(schemes[0], path.startsWith('/payment-links') ? 'accessToken' : 'apiKey', path)
      assert.deepEqual(schemes.toSorted(), ['accessToken', 'apiKey'])
    }
  })

  it('a payin has the fields that the contract requires, and takes those it lists', () => {
    const { Payin, CreatePayin } = document.components.schemas
    const required =
      'id amount amountInCents confirmedAmount confirmedAmountInCents currency status settlementStatus rail reference createdAt updatedAt organizationId'
    const optional = 'paymentLinkId inlineCustomer errorCode resultAt chargebackAt sourceData callbackUrl'
    for (const field of required.split(' ')) assert.ok(Payin.required.includes(field), field)
    for (const field of optional.split(' ')) assert.ok(field in Payin.properties, field)
    assert.deepEqual(CreatePayin.required.toSorted(), ['amountInCents', 'currency', 'rail', 'reference'])
    for (const field of ['inlineCustomer', 'pse', 'breb', 'callbackUrl'])
      assert.ok(field in CreatePayin.properties, field)
  })

  it('every example is what its schema says', () => {
    const { validates } = schemasOf(document)
    let checked = 0
    const check = (pointer: string, value: unknown): void => {
      assert.deepEqual(validates(pointer, value), [], `${pointer} ${JSON.stringify(value)}`)
      checked += 1
    }
    for (const { pointer, value: media } of everything(document)) {
      if (media?.schema === undefined) continue
      for (const example of Object.values<Json>(media.examples ?? {}))
        check(`${pointer}/schema`, example.value)
      if (media.example !== undefined) check(`${pointer}/schema`, media.example)
    }
    for (const { pointer, value: schema } of everything(document)) {
      if (!Array.isArray(schema?.examples)) continue
      for (const example of schema.examples) check(pointer, example)
    }
    assert.ok(checked > 100, `only ${checked} examples were found`)
  })
})

describe('the server is what openapi.json says', () => {
  let world: World
  // One for all: an organization may have only so many keys.
  let powerless: Client
  before(async () => {
    world = await createWorld()
    powerless = (await world.key([])).client
  })
  after(() => world[Symbol.asyncDispose]())

  it('it has the routes of the document, and no other that a merchant could use', () => {
    const documented = Object.entries<Json>(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    )
    const served = routesOf(world).filter(({ path, method }) => !OTHERS.test(path) && method !== 'HEAD')
    assert.deepEqual(served.map(({ path, method }) => `${method} ${path}`).sort(), documented.toSorted())
  })

  it('it serves the document under its own address', async () => {
    const { json } = await world.anonymous('GET', '/openapi.json')
    assert.equal(json.servers[0].url, world.config.publicUrl)
    assert.deepEqual(json, openApiDocument(world.config.publicUrl))
  })

  it('every address and every code that answers link to is in the served documentation', async () => {
    const overview = await world.anonymous('GET', '/docs')
    for (const { method, path } of STAGING_OPERATIONS)
      assert.ok(overview.text.replaceAll('<wbr>', '').includes(`${method} ${path}`), path)
    const { text, status } = await world.anonymous('GET', '/docs/errors')
    assert.equal(status, 200)
    for (const code of document.components.schemas.Problem.properties.code.enum) {
      assert.ok(text.includes(`id="${code}"`), code)
    }
  })

  // Every refusal that a test can cause for this operation, besides those below.
  async function refusedAnswers(operation: Operation): Promise<Answer[]> {
    const { client, anonymous } = world
    const { method, path, body } = await exampleCall(world, client, operation)
    const answers = [await anonymous(method, path, body), await powerless(method, path, body)]
    if (operation.params !== undefined) {
      const nobody = callWith(
        operation,
        Object.fromEntries(Object.keys(operation.params).map((name) => [name, randomUUID()])),
      )
      answers.push(await client(method, nobody.path, nobody.body))
    }
    if (operation.operationId === 'lookUpBrebKey') {
      for (const key of ['NOEXISTE1', 'SUSPENDIDA1', 'CAIDA1'])
        answers.push(await client(method, `/breb/keys/%40${key}`))
    }
    if (operation.query !== undefined) {
      const { properties } = operation.query as Json
      const wrong =
        'pageSize' in properties
          ? 'pageSize=0'
          : 'q' in properties
            ? 'q='
            : `${Object.keys(properties)[0]}=%00`
      const [plain] = path.split('?')
      answers.push(await client(method, `${plain}?${wrong}`))
      if ('cursor' in properties) answers.push(await client(method, `${plain}?cursor=x`))
    }
    if (method !== 'GET') {
      answers.push(
        await client(method, path, '{'),
        await client(method, path, 'x', { 'content-type': 'text/plain' }),
        await client(method, path, 'x'.repeat(70_000)),
      )
    }
    if (operation.body !== undefined) answers.push(await client(method, path, '[]'))
    if (operation.idempotent) {
      const key = { 'idempotency-key': randomUUID() }
      await client(method, path, body, key)
      answers.push(await client(method, path, { ...(body as object), other: 1 }, key))
      answers.push(await client(method, path, body, { 'idempotency-key': '' }))
      // The same request without its key: a duplicate, something that is final now, or one more.
      const again = await client(method, path, body)
      if (again.status >= 400) answers.push(again)
    }
    return answers
  }

  it('every operation answers, and refuses, as the document says', async () => {
    const { validates } = schemasOf(closed(openApiDocument(world.config.publicUrl)))
    for (const operation of STAGING_OPERATIONS) {
      const { method, path, body } = await exampleCall(world, world.client, operation)
      const passed = await world.client(method, path, body)
      // Only people succeed, with a proof: test/api/approvals.
      const needsPerson = operation.refusals.includes('PERSON_REQUIRED')
      assert.equal(passed.status, needsPerson ? 403 : operation.success.status, passed.text)
      if (needsPerson) assertProblem(passed, 'PERSON_REQUIRED')
      const refused = await refusedAnswers(operation)
      for (const answer of [passed, ...refused]) {
        const at = `#/paths/${escaped(operation.path)}/${method.toLowerCase()}/responses/${answer.status}`
        const response = at
          .split('/')
          .slice(1)
          .reduce((value, key) => value?.[unescaped(key)], document)
        const message = `${operation.operationId} ${answer.status} ${answer.text}`
        assert.ok(response !== undefined, `not documented: ${message}`)
        const [type = ''] = (answer.headers['content-type'] ?? '').split(';')
        const value = type === 'application/json' ? answer.json : answer.text
        assert.deepEqual(validates(`${at}/content/${escaped(type)}/schema`, value), [], message)
        if (answer === passed && !needsPerson) continue
        assertAnyProblem(answer, message)
        assert.ok(
          answer.json.code in response.content['application/json'].examples,
          `not documented: ${message}`,
        )
      }
      const statuses = new Set(refused.map((answer) => answer.status))
      assert.ok(statuses.has(401) && statuses.has(403), 'the refusals did happen')
    }
  })

  it('payins of every kind are as the document says, alone and in a list', async () => {
    const { validates } = schemasOf(closed(document))
    const bodies = [
      brebPayin(),
      brebPayin({
        breb: { keyType: 'QR_CODE' },
        inlineCustomer: undefined,
        callbackUrl: 'https://shop.example/',
      }),
      psePayin(),
      psePayin({ inlineCustomer: undefined }),
    ]
    for (const body of bodies) {
      const { json } = await world.client('POST', '/payins', body)
      assert.deepEqual(validates('#/components/schemas/Payin', json), [])
    }
    const { json } = await world.client('GET', '/payins?pageSize=3')
    assert.deepEqual(validates('#/components/schemas/PayinList', json), [])
  })

  it('the token endpoint and the published keys answer as the document says', async () => {
    const { validates } = schemasOf(document)
    const { clientId, secret } = await world.oauthClient()
    const good = {
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: secret,
      scope: 'payins:read',
    }
    const responses = '#/paths/~1oauth~1token/post/responses'
    for (const [body, status] of [
      [good, 200],
      [{ ...good, client_secret: 'x' }, 401],
      [{ ...good, scope: 'x' }, 400],
      ['{', 400],
    ] as const) {
      const answer = await world.anonymous('POST', '/oauth/token', body)
      assert.equal(answer.status, status)
      assert.deepEqual(validates(`${responses}/${status}/content/application~1json/schema`, answer.json), [])
    }
    for (const name of ['jwks', 'receipt-keys']) {
      const keys = await world.anonymous('GET', `/.well-known/${name}.json`)
      const at = `#/paths/~1.well-known~1${name}.json/get/responses/200/content/application~1json/schema`
      assert.deepEqual(validates(at, keys.json), [])
    }
  })
})

// The comparisons above are worth what they notice.
describe('the comparison with openapi.json', () => {
  it('notices a field that is missing, unknown, of another type or out of its values', () => {
    const { validates } = schemasOf(closed(document))
    const at = '#/components/schemas/Payout'
    const [example] = Object.values<Json>(
      document.paths['/payouts/{payoutId}'].get.responses[200].content['application/json'].examples,
    )
    const { status: _, ...rest } = example.value
    assert.deepEqual(validates(at, example.value), [])
    for (const wrong of [
      rest,
      { ...example.value, surprise: 1 },
      { ...example.value, amountInCents: '100' },
      { ...example.value, status: 'LOST' },
      { ...example.value, id: 'not an id' },
      { ...example.value, createdAt: 'yesterday' },
      null,
    ])
      assert.notDeepEqual(validates(at, wrong), [], JSON.stringify(wrong))
  })

  it('notices a route that is not in the document, whatever its method', () => {
    const app = Fastify({ exposeHeadRoutes: false })
    app.get('/payins/:payinId', async () => '')
    app.post('/payins/:payinId/secret', async () => '')
    app.delete('/payins', async () => '')
    assert.deepEqual(
      routesOf({ api: { app } })
        .map(({ method, path }) => `${method} ${path}`)
        .sort(),
      ['DELETE /payins', 'GET /payins/{payinId}', 'POST /payins/{payinId}/secret'],
    )
    for (const path of ['/payins', '/payin', '/docsx', '/notifications/nequi', '/paying'])
      assert.doesNotMatch(path, OTHERS)
  })

  it('notices an example that its schema does not allow', () => {
    const broken = structuredClone(document)
    broken.components.schemas.Payout.properties.amountInCents.maximum = 1
    const { validates } = schemasOf(broken)
    const isRefused = ({ pointer, value }: { pointer: string; value: Json }): boolean =>
      value?.schema !== undefined &&
      Object.values<Json>(value.examples ?? {}).some(
        (example) => validates(`${pointer}/schema`, example.value).length > 0,
      )
    // The first one will do: each schema that is looked at has to be compiled.
    assert.ok(everything(broken.paths['/payouts'], '#/paths/~1payouts').some(isRefused))
  })
})

function schemasOf(source: Json): { validates: (pointer: string, value: unknown) => string[] } {
  // Whether a schema could be written in place of its name is not asked: the answer takes longer than all the rest. Nor are the
  // validators made quick, which are used once or twice.
  const options = {
    strict: false,
    allErrors: true,
    formats: FORMATS,
    inlineRefs: false,
    code: { optimize: false },
  }
  const ajv = new Ajv2020(options)
  ajv.addSchema(source, 'openapi.json')
  const schemaAt = (pointer: string): Json =>
    pointer
      .split('/')
      .slice(1)
      .reduce((value, key) => value?.[unescaped(key)], source)
  // What stands in many places is compiled once.
  const firstPlaces = new Map<string, string>()
  const firstPlaceOf = (pointer: string): string => {
    const schema = schemaAt(pointer) ?? assert.fail(`there is no ${pointer}`)
    const { $ref, ...others } = schema
    if ($ref !== undefined && Object.keys(others).length === 0) return firstPlaceOf($ref)
    const text = JSON.stringify(schema)
    const first = firstPlaces.get(text) ?? pointer
    firstPlaces.set(text, first)
    return first
  }
  return {
    validates: (pointer, value) => {
      const validate =
        ajv.getSchema(`openapi.json${firstPlaceOf(pointer)}`) ?? assert.fail(`there is no ${pointer}`)
      return validate(value)
        ? []
        : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
    },
  }
}

// The same document, but with no unnamed field allowed.
function closed(source: Json): Json {
  const copy = structuredClone(source)
  for (const { pointer, value } of everything(copy)) {
    const isCondition = /\/(?:if|then|else|examples)(?:\/|$)/.test(pointer)
    if (value?.type === 'object' && value.properties && !isCondition) value.additionalProperties = false
  }
  return copy
}

function* everything(value: Json, pointer = '#'): Generator<{ pointer: string; value: Json }> {
  yield { pointer, value }
  if (typeof value !== 'object' || value === null) return
  for (const [key, member] of Object.entries(value)) yield* everything(member, `${pointer}/${escaped(key)}`)
}

function escaped(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1')
}

function unescaped(key: string): string {
  return key.replaceAll('~1', '/').replaceAll('~0', '~')
}

// Fastify prints its routes as a tree, one or more segments per line. Nothing else lists them all.
function routesOf(world: { api: { app: FastifyInstance } }): { path: string; method: string }[] {
  const above: string[] = []
  return world.api.app
    .printRoutes({ commonPrefix: false })
    .split('\n')
    .filter((line) => line.trim() !== '')
    .flatMap((line) => {
      const [, indent, segment, methods] =
        /^([│ ]*)[├└]── (\S+)(?: \(([^)]*)\))?/.exec(line) ?? assert.fail(line)
      above.length = (indent as string).length / 4
      above.push(segment as string)
      const path = above.join('').replaceAll(/:(\w+)/g, '{$1}')
      return (methods?.split(', ') ?? []).map((method) => ({ path, method }))
    })
}
