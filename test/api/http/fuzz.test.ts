// Every address with random requests: never a 5xx, and always our own body on a refusal. The seed is fixed so that
// failures repeat; FUZZ_SEED sets another, and FUZZ_REQUESTS=300 sends more to each.

import assert from 'node:assert/strict'
import { Agent, request as httpRequest } from 'node:http'
import { after, before, describe, it, type TestContext } from 'node:test'
import fc from 'fast-check'
import type { Operation } from '../../../src/api/http/operation.ts'
import { byDepth } from '../../depth.ts'
import { type Answer, brebPayin, createWorld, type World } from '../../world.ts'
import { callWith, exampleBodies, makeSubjects, STAGING_OPERATIONS } from './calls.ts'
import { assertAnyProblem, assertProblem } from './problem.ts'

const SEED = Number(process.env.FUZZ_SEED ?? 20_261_115)
// Requests per address, this many at a time; fewer if only the headers are read.
const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? byDepth(40, 120))
const REQUESTS_OF_HEADERS = Math.ceil(REQUESTS / 5)
const AT_ONCE = 20

const NASTY_TEXT = [
  '',
  ' ',
  '\u0000',
  '\n',
  '\u202e',
  '\ud800',
  '\udfff',
  '💸',
  'é'.repeat(300),
  'x'.repeat(5_000),
  '__proto__',
  'constructor',
  'toString',
  '../../etc/passwd',
  "'; drop table payins; --",
  '<script>',
  '%00',
  '{{7*7}}',
  'null',
  'NaN',
  '-1',
  '1e400',
  'COP',
  'BRE_B',
  'PSE',
  'PENDING',
  '+573001234567',
  'https://a.example/',
  'http://[',
  'javascript:1',
  'a@b.co',
  '890903938-7',
  '019a5c3e-7b1f-7c2a-9d4e-3f1b2a6c8d90',
  '2026-02-30T25:61:61Z',
  '0000-00-00T00:00:00Z',
  '9999-12-31T23:59:59.999999999+14:00',
  '\ufeff',
  '\u0130',
  'ﬀ',
  '٣',
]
const NUMBERS = [
  0,
  -0,
  1,
  -1,
  0.1,
  1.5,
  4,
  5,
  15,
  1_440,
  1_441,
  2 ** 31,
  2 ** 32,
  2 ** 53 - 1,
  2 ** 53,
  1e20,
  1e308,
  5e-324,
  -(2 ** 53),
]

const nastyText = fc.oneof(
  fc.constantFrom(...NASTY_TEXT),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string(),
)
const nastyValue: fc.Arbitrary<unknown> = fc.oneof(
  nastyText,
  fc.constantFrom<unknown>(...NUMBERS, null, true, false, undefined, [], {}, [null], [[]], { toString: 1 }),
  fc.jsonValue({ maxDepth: 4 }),
)

// A valid body with some of its fields dropped, replaced, added or nested. `makeBodies` makes new ones each time,
// because a reference is used once.
function mutated(makeBodies: () => unknown[]): fc.Arbitrary<unknown> {
  const change = fc.record({
    at: fc.nat(),
    kind: fc.constantFrom('drop', 'replace', 'replace', 'replace', 'wrap', 'add'),
    name: nastyText,
    value: nastyValue,
  })
  return fc.tuple(fc.nat(), fc.array(change, { maxLength: 3 })).map(([which, changes]) => {
    const bodies = makeBodies()
    const body = structuredClone(bodies[which % bodies.length]) as Record<string, unknown>
    for (const { at, kind, name, value } of changes) {
      const places = placesIn(body)
      const place = places[at % places.length]
      if (place === undefined || kind === 'add') body[name] = structuredClone(value)
      else if (kind === 'drop') delete place.holder[place.key]
      else place.holder[place.key] = kind === 'wrap' ? [place.holder[place.key]] : structuredClone(value)
    }
    return body
  })
}

// The documented request and response bodies: clients often read an object, change it and send it back.
function bodiesOf(operation: Operation): unknown[] {
  const answered = Object.values(operation.success.examples).map((example) => example.value)
  return operation.body === undefined
    ? [{}]
    : [...exampleBodies(operation), ...exampleBodies(operation), ...answered]
}

type Place = { holder: Record<string, unknown>; key: string }

function placesIn(value: unknown): Place[] {
  if (typeof value !== 'object' || value === null) return []
  const holder = value as Record<string, unknown>
  return Object.keys(holder).flatMap((key) => [{ holder, key }, ...placesIn(holder[key])])
}

// Body bytes: mostly its JSON, sometimes damaged, sometimes random.
function bytesOf(body: fc.Arbitrary<unknown>): fc.Arbitrary<Buffer> {
  const text = body.map((value) => JSON.stringify(value) ?? '')
  const damage = fc.record({ text, at: fc.nat(), byte: fc.nat({ max: 255 }), cut: fc.boolean() })
  return fc.oneof(
    { weight: 7, arbitrary: text.map((one) => Buffer.from(one)) },
    {
      weight: 2,
      arbitrary: damage.map((one) => {
        const bytes = Buffer.from(one.text)
        if (bytes.length === 0) return bytes
        if (one.cut) return bytes.subarray(0, one.at % bytes.length)
        bytes[one.at % bytes.length] = one.byte
        return bytes
      }),
    },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)) },
    { weight: 1, arbitrary: text.map((one) => Buffer.from(one.replace(/\d+/, '1e400'))) },
  )
}

// Only what HTTP allows in header values and addresses. The rest is in bad-input.test.ts.
const headerValue = nastyText.map((text) =>
  text
    .replaceAll(/[^\x20-\x7e\x80-\xff]/g, '')
    .slice(0, 3_000)
    .trim(),
)
const pathText = fc.oneof(
  nastyText.map((text) => encodeURIComponent(text.toWellFormed())),
  nastyText.map((text) => text.replaceAll(/[^\x21-\x7e]/g, '').replaceAll(/[#?/]/g, '')),
  fc.constantFrom('%', '%zz', '%ff', '%c0%af', '..', '.', '%2e%2e', '%2f', '%00', '*', ':payinId'),
)
const headers = fc.dictionary(
  fc.constantFrom(
    'idempotency-key',
    'x-request-id',
    'content-type',
    'accept',
    'accept-encoding',
    'x-forwarded-for',
    'prefer',
    'cookie',
    'range',
    'if-none-match',
    'x-http-method-override',
  ),
  headerValue,
  { maxKeys: 3 },
)
// The filters that lists have. An operation's own come to them.
const LIST_FILTERS = [
  'cursor',
  'pageSize',
  'status',
  'rail',
  'reference',
  'paymentLinkId',
  'createdFrom',
  'createdTo',
  'q',
  '__proto__',
  'a[b]',
  '',
]
const queryOf = (own: readonly string[]): fc.Arbitrary<[string, string][]> =>
  fc.array(fc.tuple(fc.constantFrom(...own, ...LIST_FILTERS), pathText), { maxLength: 4 })

type Sent = { method: string; path: string; headers: Record<string, string>; body: Buffer | undefined }

describe('fuzz', () => {
  let world: World
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE })
  before(async () => {
    world = await createWorld()
  })
  after(async () => {
    agent.destroy()
    await world[Symbol.asyncDispose]()
  })

  const ask = ({ method, path, headers: sent, body }: Sent): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const options = {
        agent,
        method,
        path,
        headers: { host: 'x', ...sent, ...(body && { 'content-length': body.length }) },
      }
      const outgoing = httpRequest(world.baseUrl, options, (incoming) => {
        const chunks: Buffer[] = []
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
        incoming.on('error', reject)
        incoming.on('end', () => {
          const text = Buffer.concat(chunks).toString()
          const isJson = /^application\/json/.test(incoming.headers['content-type'] ?? '') && text !== ''
          resolve({
            status: incoming.statusCode ?? 0,
            headers: incoming.headers as Record<string, string>,
            text,
            json: isJson ? JSON.parse(text) : undefined,
          })
        })
      })
      outgoing.on('error', reject)
      outgoing.end(body)
    })

  // Returns how often each status came, so that a test can check that it met more than one kind of refusal.
  async function bombard(
    t: TestContext,
    requests: fc.Arbitrary<Sent>,
    count = REQUESTS,
  ): Promise<Map<number, number>> {
    const counts = new Map<number, number>()
    const check = async (sent: Sent): Promise<void> => {
      const answer = await ask(sent)
      counts.set(answer.status, (counts.get(answer.status) ?? 0) + 1)
      const message = `${sent.method} ${sent.path} ${answer.status} ${answer.text}`
      assert.ok(answer.status >= 200 && answer.status < 500, message)
      assert.ok((answer.headers['x-request-id'] ?? '') !== '', message)
      if (answer.status >= 400) assertAnyProblem(answer, message)
    }
    const crowd = fc.array(requests, { minLength: AT_ONCE, maxLength: AT_ONCE })
    const property = fc.asyncProperty(crowd, async (sent) => void (await Promise.all(sent.map(check))))
    await fc.assert(property, { seed: SEED, numRuns: Math.ceil(count / AT_ONCE) })
    t.diagnostic(
      `seed ${SEED}: ${[...counts]
        .sort(([a], [b]) => a - b)
        .map(([status, times]) => `${status}×${times}`)
        .join(' ')}`,
    )
    return counts
  }

  const sentTo = (
    method: string,
    path: fc.Arbitrary<string>,
    credential: Record<string, string>,
    body: fc.Arbitrary<Buffer | undefined>,
    filters: readonly string[] = [],
  ): fc.Arbitrary<Sent> =>
    fc
      .record({ path, query: queryOf(filters), headers, body, asJson: fc.integer({ min: 0, max: 9 }) })
      .map((made) => {
        const text = made.query.map(([name, value]) => `${name}=${value}`).join('&')
        const type: Record<string, string> =
          made.body !== undefined && made.asJson > 0 ? { 'content-type': 'application/json' } : {}
        return {
          method,
          path: text === '' ? made.path : `${made.path}?${text}`,
          headers: { ...made.headers, ...type, ...credential },
          body: made.body,
        }
      })

  // The operation's address, sometimes with the ids of existing objects.
  const pathOf = (operation: Operation, ids: Record<string, string>): fc.Arbitrary<string> => {
    const names = Object.keys(operation.params ?? {})
    return fc
      .tuple(...names.map((name) => fc.oneof(fc.constant(ids[name] as string), pathText)))
      .map((values) =>
        names.reduce(
          (path, name, index) => path.replace(`{${name}}`, values[index] as string),
          operation.path,
        ),
      )
  }

  for (const operation of STAGING_OPERATIONS) {
    it(`${operation.method} ${operation.path}`, async (t) => {
      const merchant = await world.newMerchant()
      const ids = await makeSubjects(world, merchant.client, operation)
      const { method, path, body: valid } = callWith(operation, ids)
      const untouched = await merchant.client(method, path, valid)
      // A key decides nothing, but whatever it sends is answered.
      const needsPerson = operation.refusals.includes('PERSON_REQUIRED')
      if (needsPerson) assertProblem(untouched, 'PERSON_REQUIRED')
      else assert.equal(untouched.status, operation.success.status, 'what is mutated below is valid')
      const body: fc.Arbitrary<Buffer | undefined> =
        operation.method === 'GET'
          ? fc.constant(undefined)
          : fc.oneof(bytesOf(mutated(() => bodiesOf(operation))), fc.constant(undefined))
      const credential = { 'x-api-key': merchant.apiKey }
      const isPlain =
        operation.method === 'GET' && operation.params === undefined && operation.query === undefined
      const filters = Object.keys((operation.query as { properties?: object } | undefined)?.properties ?? {})
      const requests = sentTo(operation.method, pathOf(operation, ids), credential, body, filters)
      const counts = await bombard(t, requests, isPlain ? REQUESTS_OF_HEADERS : REQUESTS)
      assert.ok(isPlain || counts.size > 1, 'chance has met more than one answer')
    })
  }

  it('POST /oauth/token', async (t) => {
    const { clientId, secret } = await world.oauthClient()
    const valid = {
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: secret,
      scope: 'payins:read',
    }
    const counts = await bombard(
      t,
      sentTo('POST', fc.constant('/oauth/token'), {}, bytesOf(mutated(() => [valid]))),
    )
    for (const status of [200, 400, 401]) assert.ok(counts.has(status), String(status))
    const form = fc.dictionary(fc.constantFrom(...Object.keys(valid)), nastyText).map((changes) => {
      const fields = Object.entries({ ...valid, ...changes }).map(([name, value]) => [
        name,
        value.toWellFormed(),
      ])
      return Buffer.from(new URLSearchParams(fields as [string, string][]).toString())
    })
    const basic = nastyText.map((text) => `Basic ${Buffer.from(text).toString('base64')}`)
    const requests = fc.record({ body: form, basic: fc.option(basic, { nil: undefined }) }).map(
      (made): Sent => ({
        method: 'POST',
        path: '/oauth/token',
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          ...(made.basic !== undefined && { authorization: made.basic }),
        },
        body: made.body,
      }),
    )
    await bombard(t, requests)
  })

  it('the addresses that need no credential', async (t) => {
    const paths = [
      '/healthz',
      '/readyz',
      '/metrics',
      '/openapi.json',
      '/docs',
      '/docs/errors',
      '/.well-known/jwks.json',
    ]
    const counts = await bombard(
      t,
      sentTo('GET', fc.constantFrom(...paths), {}, fc.constant(undefined)),
      REQUESTS_OF_HEADERS,
    )
    assert.deepEqual([...counts.keys()], [200])
  })

  it('notifications that no network signed', async (t) => {
    const path = fc.constantFrom('/notifications/breb', '/notifications/pse')
    const counts = await bombard(
      t,
      sentTo('POST', path, {}, bytesOf(mutated(() => [{ id: 'x', status: 'PAID' }]))),
    )
    for (const status of counts.keys()) assert.ok(status === 401 || status === 415, String(status))
  })

  it('credentials', async (t) => {
    const credential = fc.record(
      {
        'x-api-key': headerValue,
        authorization: fc.oneof(
          headerValue,
          headerValue.map((text) => `Bearer ${text}`),
        ),
      },
      { requiredKeys: [] },
    )
    const requests = credential.map(
      (sent): Sent => ({ method: 'GET', path: '/payins', headers: sent, body: undefined }),
    )
    const counts = await bombard(t, requests)
    assert.deepEqual([...counts.keys()], [401])
  })

  it('addresses that exist or not, with any method', async (t) => {
    const path = fc.oneof(
      fc.array(pathText, { maxLength: 4 }).map((parts) => `/${parts.join('/')}`),
      fc
        .tuple(fc.constantFrom(...STAGING_OPERATIONS.map((operation) => operation.path)), pathText)
        .map(([one, text]) => one + text),
      fc
        .tuple(fc.constantFrom('/payins/', '/oauth/', '/docs/', '/.well-known/'), pathText)
        .map((parts) => parts.join('')),
    )
    const method = fc.constantFrom(
      'GET',
      'POST',
      'PUT',
      'PATCH',
      'DELETE',
      'OPTIONS',
      'PROPFIND',
      'MKCOL',
      'TRACE',
    )
    const requests = fc
      .record({ method, path })
      .chain((made) =>
        sentTo(made.method, fc.constant(made.path), { 'x-api-key': world.apiKey }, fc.constant(undefined)),
      )
    const counts = await bombard(t, requests)
    for (const status of [404, 405]) assert.ok(counts.has(status), String(status))
  })

  it('a QR is drawn for a merchant of any name that settings take', async (t) => {
    const names = fc.oneof(
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }),
      fc.constantFrom('💸💸💸', 'ÑandÚ', '株式会社', 'ﬀ', '\u0301', ' ', '-', 'x'.repeat(120)),
    )
    let drawn = 0
    const property = fc.asyncProperty(names, async (name) => {
      const changed = await world.client('PATCH', '/organization', { name })
      assert.ok(changed.status === 200 || changed.status === 400, changed.text)
      if (changed.status !== 200) return
      // A credential's organization is cached for a moment. A fresh key reads the new name.
      const { client } = await world.key(null)
      assert.equal((await client('GET', '/organization')).json.name, name)
      const { status, text, json } = await client(
        'POST',
        '/payins',
        brebPayin({ breb: { keyType: 'QR_CODE' } }),
      )
      assert.equal(status, 201, text)
      assert.match(json.sourceData.qrString, /^data:image\/png;base64,/)
      drawn += 1
    })
    await fc.assert(property, { seed: SEED, numRuns: byDepth(15, 30) })
    t.diagnostic(`seed ${SEED}: ${drawn} drawn`)
    assert.ok(drawn > 5)
  })

  it('the server logged no unexpected error, and nothing is left running', async () => {
    assert.deepEqual(
      world.logLines().filter((line) => Number(line.level) > 30),
      [],
    )
    const { text } = await world.anonymous('GET', '/metrics')
    assert.match(text, /^recaudo_http_requests_in_flight 1$/m)
  })
})
