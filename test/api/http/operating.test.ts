// What an operator relies on: health, metrics, logs, and correct behaviour when the store is down, when there is too
// much to do, and when a client is slow.

import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, it } from 'node:test'
import { citusUrl } from '../../citus.ts'
import {
  type Answer,
  brebPayin,
  clientOf,
  createWorld,
  eventually,
  onServer,
  type World,
} from '../../world.ts'
import { newPayout } from './calls.ts'
import { addNode } from './node.ts'
import { assertAnyProblem, assertProblem } from './problem.ts'
import { speak } from './wire.ts'

const databaseName = (world: World): string => /\/([^/?]+)(?:\?|$)/.exec(world.databaseUrl)?.[1] as string

// The server runs but the database is gone, as in a failover: connections break and new ones are refused.
// On a cluster a daemon of its own is connected again before the database can be renamed.
const skip = citusUrl() !== undefined && 'a cluster’s database cannot be renamed'

async function disconnectStore(world: World): Promise<{ restore: () => Promise<void> }> {
  const name = databaseName(world)
  const otherName = `${name}_away`
  // New connections arrive as fast as old ones are ended. The database is renamed in between.
  await eventually(
    async () => {
      await onServer(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`)
      return onServer(`alter database ${name} rename to ${otherName}`).then(
        () => true,
        () => false,
      )
    },
    (renamed) => renamed,
  )
  return { restore: () => onServer(`alter database ${otherName} rename to ${name}`) }
}

describe('operating', () => {
  it('/healthz and /readyz report that all is well', async () => {
    await using world = await createWorld()
    assert.deepEqual((await world.anonymous('GET', '/healthz')).json, { status: 'ok' })
    assert.deepEqual((await world.anonymous('GET', '/readyz')).json, { status: 'ready' })
  })

  it('while the store is down every request says so, and works again once it is back', { skip }, async () => {
    await using world = await createWorld()
    const { json: payin } = await world.client('POST', '/payins', brebPayin())
    const away = await disconnectStore(world)
    const body = brebPayin()
    const key = { 'idempotency-key': randomUUID() }
    const token = { grant_type: 'client_credentials', client_id: 'rc_stg_x', client_secret: 'x' }
    try {
      const assertAway = (answer: Answer): void => {
        assertProblem(answer, 'STORE_UNAVAILABLE')
        assert.ok(Number(answer.headers['retry-after']) >= 1)
      }
      assertAway(await world.client('POST', '/payins', body, key))
      assertAway(await world.client('GET', `/payins/${payin.id}`))
      assertAway(await world.client('GET', '/payins'))
      assertAway(await world.client('POST', `/payins/${payin.id}/cancel`))
      assertAway(await world.client('POST', '/payouts', newPayout(), { 'idempotency-key': randomUUID() }))
      assertAway(await world.client('GET', '/balance'))
      assertAway(await world.client('GET', '/breb/keys/%40ANAGOMEZ'))
      assertAway(await world.client('PATCH', '/organization', { payinExpiryMinutes: 30 }))
      assertAway(await world.anonymous('POST', '/oauth/token', token))
      const ready = await world.anonymous('GET', '/readyz')
      assertAway(ready)
      assert.match(ready.text, /The database cannot be reached\./)
      const many = await Promise.all(
        Array.from({ length: 50 }, () => world.client('POST', '/payins', brebPayin())),
      )
      for (const answer of many) assertAway(answer)
      // A credential that cannot be looked up is not a wrong one.
      assertAway(await world.anonymous('GET', '/payins', undefined, { 'x-api-key': 'rk_stg_unknown' }))
      assert.equal((await world.anonymous('GET', '/healthz')).status, 200, 'the process lives')
      assert.equal((await world.anonymous('GET', '/docs')).status, 200)
    } finally {
      await away.restore()
    }
    await eventually(
      () => world.anonymous('GET', '/readyz'),
      (answer) => answer.status === 200,
    )
    assert.equal((await world.client('GET', `/payins/${payin.id}`)).json.status, 'PROCESSING')
    assert.equal(
      (await world.client('POST', '/payins', body, key)).status,
      201,
      'the refused request left no trace',
    )
    assert.deepEqual(
      world.logLines().filter((line) => Number(line.level) >= 50),
      [],
      'an absence is not a bug',
    )
  })

  it('a process on a database that is not migrated is alive but not ready', async () => {
    await using world = await createWorld()
    await world.db.query({ text: 'delete from schema_migrations' })
    const unmigrated = await world.anonymous('GET', '/readyz')
    assertProblem(unmigrated, 'STORE_UNAVAILABLE')
    assert.match(unmigrated.text, /The database is not migrated yet\./)
    await world.db.query({ text: 'alter table schema_migrations rename to missing' })
    assertProblem(await world.anonymous('GET', '/readyz'), 'STORE_UNAVAILABLE')
    await world.db.query({ text: 'alter table missing rename to schema_migrations' })
    assert.equal((await world.anonymous('GET', '/healthz')).status, 200)
  })

  it('/metrics counts requests, times them, and shows pool, batches and the event loop', async () => {
    await using world = await createWorld()
    await Promise.all(Array.from({ length: 20 }, () => world.client('POST', '/payins', brebPayin())))
    await world.client('GET', `/payins/${randomUUID()}`)
    await world.anonymous('GET', '/events/stream')
    const { status, text, headers } = await world.anonymous('GET', '/metrics')
    assert.equal(status, 200)
    assert.match(headers['content-type'] ?? '', /^text\/plain/)
    const value = (line: string): number => {
      const found = text.split('\n').find((one) => one.startsWith(`${line} `))
      return Number(found?.slice(line.length + 1) ?? Number.NaN)
    }
    assert.equal(value('recaudo_http_requests_total{method="POST",route="/payins",status="201"}'), 20)
    assert.equal(value('recaudo_http_requests_total{method="GET",route="/payins/:payinId",status="404"}'), 1)
    assert.equal(value('recaudo_http_requests_total{method="GET",route="/events/stream",status="401"}'), 1)
    assert.equal(value('recaudo_http_request_seconds_count{method="POST",route="/payins"}'), 20)
    assert.ok(value('recaudo_http_request_seconds_bucket{le="5",method="POST",route="/payins"}') > 0)
    assert.ok(value('recaudo_db_pool_connections{state="open"}') >= 1)
    assert.equal(value('recaudo_db_pool_connections{state="limit"}'), world.config.databasePool)
    assert.equal(value('recaudo_db_pool_connections{state="waiting"}'), 0)
    assert.equal(value('recaudo_batch_size_sum{statement="insert_payins"}'), 20)
    const batches = value('recaudo_batch_size_count{statement="insert_payins"}')
    assert.ok(batches < 20, 'requests at once share a statement')
    assert.ok(
      value('recaudo_batch_size_bucket{le="1",statement="insert_payins"}') < batches,
      'those that came alone are told apart',
    )
    assert.equal(value('recaudo_http_requests_in_flight'), 1)
    assert.ok(value('nodejs_eventloop_lag_p99_seconds') >= 0)
    assert.ok(
      !text.includes(world.organization.organizationId),
      'no label grows with the number of merchants',
    )
  })

  it('production shows its metrics only to the holder of METRICS_TOKEN', async () => {
    await using world = await createWorld({ env: { SECRETS_KEY: randomBytes(32).toString('hex') } })
    const environment = 'production'
    await using without = await addNode(world, { config: { environment, metricsToken: null } })
    await using holding = await addNode(world, {
      config: { environment, metricsToken: 'a-token-of-metrics' },
    })
    const ask = (node: { baseUrl: string }, headers = {}) =>
      clientOf(node.baseUrl, headers)('GET', '/metrics')
    const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
    assertProblem(await ask(without), 'UNAUTHORIZED')
    assertProblem(await ask(without, bearer('')), 'UNAUTHORIZED')
    assertProblem(await ask(without, bearer('null')), 'UNAUTHORIZED')
    assertProblem(await ask(holding), 'UNAUTHORIZED')
    assertProblem(await ask(holding, bearer('another')), 'UNAUTHORIZED')
    assertProblem(await ask(holding, { 'x-api-key': world.apiKey }), 'UNAUTHORIZED')
    assert.equal((await ask(holding, bearer('a-token-of-metrics'))).status, 200)
  })

  it('a request makes one log line that says who asked what, how it ended and how long it took', async () => {
    await using world = await createWorld()
    const other = await world.newMerchant()
    const ids = Array.from({ length: 6 }, () => randomUUID())
    const as = (index: number) => ({ 'x-request-id': ids[index] as string })
    const { json } = await world.client('POST', '/payins', brebPayin(), as(0))
    await other.client('GET', `/payins/${json.id}?a=b`, undefined, as(1))
    await world.anonymous('GET', '/payins', undefined, as(2))
    await world.client('POST', '/payins', '{', as(3))
    await world.client('GET', '/nowhere/at/all', undefined, as(4))
    await world.client('GET', '/payins/%zz', undefined, as(5))
    const mine = world.organization.organizationId
    const theirs = other.organization.organizationId
    const expected = [
      { organizationId: mine, method: 'POST', route: '/payins', status: 201 },
      { organizationId: theirs, method: 'GET', route: '/payins/:payinId', status: 404 },
      { organizationId: undefined, method: 'GET', route: '/payins', status: 401 },
      { organizationId: mine, method: 'POST', route: '/payins', status: 400 },
      { organizationId: undefined, method: 'GET', route: 'unknown', status: 404 },
      { organizationId: undefined, method: 'GET', route: 'unknown', status: 404 },
    ]
    for (const [index, requestId] of ids.entries()) {
      const [line, ...more] = await eventually(
        async () => world.logLines().filter((one) => one.requestId === requestId),
        (lines) => lines.length > 0,
      )
      assert.equal(more.length, 0, 'one line')
      const { organizationId, method, route, status, ms } = line as Record<string, unknown>
      assert.deepEqual({ organizationId, method, route, status }, expected[index])
      assert.ok(typeof ms === 'number' && ms >= 0 && ms < 60_000)
    }
  })

  it('no log line contains customer data, a merchant’s secret or an address', async () => {
    await using world = await createWorld()
    const canary = (name: string) => `canary-${name}-${randomUUID()}`
    const customer = {
      name: canary('name'),
      idType: 'PASSPORT',
      idNumber: `CNRY${randomBytes(6).toString('hex')}`,
      phone: `+57${Date.now()}`,
      email: `${canary('email')}@example.com`,
    }
    const secrets = [
      customer.name,
      customer.idNumber,
      customer.phone,
      customer.email,
      canary('reference'),
      canary('callback'),
      canary('key'),
      canary('idempotency'),
      canary('token'),
      canary('body'),
      canary('query'),
      canary('path'),
      canary('client'),
      canary('organization'),
      world.apiKey,
    ]
    const [, , , , reference, callback, key, idempotency, token, body, query, path, client, name] =
      secrets as string[]
    const payin = brebPayin({
      reference,
      inlineCustomer: customer,
      callbackUrl: `https://shop.example/${callback}`,
    })
    const headers = { 'idempotency-key': idempotency as string }
    const { json } = await world.client('POST', '/payins', payin, headers)
    assert.equal(json.inlineCustomer.name, customer.name)
    await world.client('POST', '/payins', payin)
    await world.client('POST', '/payins', { ...payin, amountInCents: 7 }, headers)
    await world.client('POST', '/payins', { ...payin, reference: `${reference}\u0000`, rail: body })
    await world.client('POST', '/payins', `{"broken":"${body}`)
    await world.client('GET', `/payins?reference=${query}&cursor=${query}`)
    await world.client('GET', `/payins/${path}`)
    await world.client('GET', `/${path}/%zz`)
    await world.client('GET', `/pay/${token}`)
    await world.client('PATCH', '/organization', { name })
    await world.anonymous('GET', '/payins', undefined, {
      'x-api-key': key as string,
      authorization: `Bearer ${token}`,
    })
    await world.anonymous('POST', '/oauth/token', {
      client_id: client,
      client_secret: token,
      grant_type: 'client_credentials',
    })
    // An internal failure: the table is gone, and the database's error quotes its input.
    await world.db.query({ text: 'alter table payins rename to payins_gone' })
    assertProblem(
      await world.client('POST', '/payins', { ...payin, reference: canary('reference') }),
      'INTERNAL_ERROR',
    )
    await world.db.query({ text: 'alter table payins_gone rename to payins' })
    await world.db.query({ text: `alter table payins add constraint refuses check (amount_cents <> 777)` })
    assertProblem(
      await world.client('POST', '/payins', {
        ...payin,
        reference: secrets[4]?.slice(1),
        amountInCents: 777,
      }),
      'INTERNAL_ERROR',
    )
    await eventually(
      async () => world.logLines(),
      (lines) => lines.filter((line) => line.status === 500).length === 2,
    )
    const log = JSON.stringify(world.logLines())
    for (const secret of [...secrets, 'canary']) assert.ok(!log.includes(secret), `the log holds ${secret}`)
    assert.ok(log.includes('unexpected error'), 'the failure itself is in the log')
  })

  it('beyond MAX_IN_FLIGHT requests are refused at once, and none is lost', async () => {
    await using world = await createWorld({ env: { MAX_IN_FLIGHT: '10' } })
    await world.client('GET', '/organization')
    // On a busy machine the lock may last longer than a statement may: then what was accepted is answered with 503, and not stored.
    const accepted: Answer[] = []
    const refused: Answer[] = []
    const create = async (): Promise<void> => {
      const answer = await world.client('POST', '/payins', brebPayin())
      if (answer.json.code === 'OVERLOADED') refused.push(answer)
      else accepted.push(answer)
    }
    // The store is slow: accepted requests wait, the others are refused at once.
    const everyone = await world.db.inTransaction(async (tx) => {
      await tx.query({ text: 'lock table payins in exclusive mode' })
      const asked = Promise.all(Array.from({ length: 60 }, create))
      await eventually(
        async () => refused.length,
        (count) => count >= 50,
      )
      return { asked }
    })
    await everyone.asked
    assert.deepEqual([accepted.length, refused.length], [10, 50])
    const created = accepted.filter(({ status }) => status === 201)
    for (const answer of accepted) if (answer.status !== 201) assertProblem(answer, 'STORE_UNAVAILABLE')
    for (const answer of refused) {
      assertProblem(answer, 'OVERLOADED')
      assert.ok(Number(answer.headers['retry-after']) >= 1)
    }
    const { rows } = await world.db.query<{ count: bigint }>({ text: 'select count(*) from payins' })
    assert.equal(rows[0]?.count, BigInt(created.length))
    const { text } = await world.anonymous('GET', '/metrics')
    assert.ok(text.includes(`recaudo_requests_refused_total{reason="overload"} ${refused.length}`))
    assert.equal(
      (await world.client('POST', '/payins', brebPayin())).status,
      201,
      'and then all is well again',
    )
  })

  it('clients that disconnect in the middle leave nothing running', async () => {
    await using world = await createWorld({ env: { MAX_IN_FLIGHT: '10' } })
    const head = `POST /payins HTTP/1.1\r\nhost: x\r\nx-api-key: ${world.apiKey}\r\ncontent-type: application/json\r\n`
    for (let client = 0; client < 40; client += 1) {
      const body = JSON.stringify(brebPayin())
      const length = Buffer.byteLength(body)
      const socket = connect(Number(new URL(world.baseUrl).port), '127.0.0.1')
      await once(socket, 'connect')
      // Some leave in the middle of the body, some right after it.
      const said = client % 2 === 0 ? body.slice(0, 20) : body
      await new Promise((resolve) => socket.write(`${head}content-length: ${length}\r\n\r\n${said}`, resolve))
      socket.resetAndDestroy()
    }
    const inFlight = async () =>
      /^recaudo_http_requests_in_flight (\d+)$/m.exec((await world.anonymous('GET', '/metrics')).text)?.[1]
    await eventually(inFlight, (count) => count === '1')
    assert.equal((await world.client('POST', '/payins', brebPayin())).status, 201)
  })

  it('an organization above its rate is asked to wait, and the others are not', async () => {
    await using world = await createWorld({ env: { RATE_LIMIT_PER_SECOND: '5' } })
    const other = await world.newMerchant()
    // All at once, and far more than a slow machine lets through meanwhile. All operations share one bucket.
    const answers: Answer[] = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        index % 2 === 0
          ? world.client('GET', '/organization')
          : world.client('POST', '/payins', brebPayin({ reference: `burst-${index}` })),
      ),
    )
    const allowed = answers.filter((answer) => answer.status < 300)
    const refused = answers.filter((answer) => answer.status >= 300)
    assert.ok(allowed.length >= 10, 'a burst of twice the rate')
    assert.ok(refused.length > 5)
    for (const answer of refused) {
      assertProblem(answer, 'RATE_LIMITED')
      assert.equal(answer.headers['retry-after'], '1')
      assert.match(answer.headers.ratelimit ?? '', /^"organization";r=0;t=1$/)
    }
    for (const answer of answers) assert.equal(answer.headers['ratelimit-policy'], '"organization";q=10;w=2')
    assert.ok(allowed.some((answer) => answer.headers.ratelimit === '"organization";r=9;t=1'))
    const theirs = await other.client('GET', '/organization')
    assert.equal(theirs.status, 200)
    assert.match(theirs.headers.ratelimit ?? '', /^"organization";r=9;/)
    await eventually(
      () => world.client('GET', '/organization'),
      (answer) => answer.status === 200,
    )
  })

  it('every answer forbids sniffing, framing, scripts and caching', async () => {
    await using world = await createWorld()
    const answers = [
      await world.client('GET', '/organization'),
      await world.client('POST', '/payins', brebPayin()),
      await world.client('POST', '/payins', '{'),
      await world.anonymous('GET', '/payins'),
      await world.client('GET', '/nowhere'),
      await world.client('PUT', '/payins'),
      await world.client('GET', '/payins/%zz'),
      await world.anonymous('GET', '/healthz'),
      await world.anonymous('GET', '/metrics'),
      await world.anonymous('GET', '/docs'),
      await world.anonymous('GET', '/docs/errors'),
      await world.anonymous('GET', '/pay/token'),
      await world.anonymous('POST', '/oauth/token', {}),
      ...(await speak(world.baseUrl, 'nonsense\r\n\r\n')),
    ]
    for (const { headers, text } of answers) {
      assert.equal(headers['x-content-type-options'], 'nosniff', text)
      assert.equal(headers['x-frame-options'], 'DENY', text)
      assert.match(
        headers['content-security-policy'] ?? '',
        /^default-src 'none'.*frame-ancestors 'none'/,
        text,
      )
      assert.equal(headers['referrer-policy'], 'no-referrer', text)
      // The documentation is public: it is cached, and revalidated each time.
      const expected = headers.etag === undefined ? 'no-store' : 'no-cache'
      assert.equal(headers['cache-control'], expected, text)
      assert.match(headers['x-request-id'] ?? '', /^[0-9a-f-]{36}$/, text)
      assert.equal(headers['x-powered-by'] ?? headers.server, undefined)
      assert.equal(headers['strict-transport-security'], undefined, 'not over plain HTTP')
    }
    await using secure = await createWorld({ env: { PUBLIC_URL: 'https://recaudo.example' } })
    for (const { headers } of [
      await secure.client('GET', '/organization'),
      ...(await speak(secure.baseUrl, 'nonsense\r\n\r\n')),
    ]) {
      assert.match(headers['strict-transport-security'] ?? '', /^max-age=\d{8}/)
    }
  })

  it('a client that does not finish its headers or its body is cut off', async () => {
    await using world = await createWorld({ timeouts: { headersMs: 300, requestMs: 600 } })
    const body = JSON.stringify(brebPayin())
    const head = `POST /payins HTTP/1.1\r\nhost: x\r\nx-api-key: ${world.apiKey}\r\ncontent-type: application/json\r\n`
    const halves = [
      'POST /pay',
      head,
      `${head}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body.slice(0, 30)}`,
      `${head}transfer-encoding: chunked\r\n\r\n5\r\n{"amo`,
    ]
    const answers = await Promise.all(halves.map((half) => speak(world.baseUrl, half)))
    for (const [answer] of answers) {
      assertProblem(answer as Answer, 'REQUEST_TIMEOUT')
      assert.equal(answer?.headers.connection, 'close')
    }
    assert.equal((await world.client('POST', '/payins', body)).status, 201, 'the half request left no trace')
  })

  it('a body without a length is read up to 64 KiB and no further', async () => {
    await using world = await createWorld()
    const head = `POST /payins HTTP/1.1\r\nhost: x\r\nx-api-key: ${world.apiKey}\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n`
    const [tooLarge] = await speak(world.baseUrl, [
      head,
      ...Array.from({ length: 20 }, () => `2000\r\n${'x'.repeat(0x2000)}\r\n`),
    ])
    assertProblem(tooLarge as Answer, 'BODY_TOO_LARGE')
    assert.equal(tooLarge?.headers.connection, 'close')
    const body = Buffer.from(JSON.stringify(brebPayin()))
    const [small] = await speak(world.baseUrl, [
      head,
      `${body.length.toString(16)}\r\n`,
      body,
      '\r\n0\r\n\r\n',
    ])
    assert.equal(small?.status, 201)
  })

  it('while it stops, a running request is answered and its connection is closed afterwards', async () => {
    await using world = await createWorld()
    const body = JSON.stringify(brebPayin())
    const head = (path: string) => `${path} HTTP/1.1\r\nhost: x\r\nx-api-key: ${world.apiKey}\r\n`
    const socket = connect(Number(new URL(world.baseUrl).port), '127.0.0.1')
    await once(socket, 'connect')
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk
    })
    const post = `${head('POST /payins')}content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n`
    socket.write(post + body.slice(0, 10))
    const inFlight = async () =>
      /^recaudo_http_requests_in_flight (\d+)$/m.exec((await world.anonymous('GET', '/metrics')).text)?.[1]
    await eventually(inFlight, (count) => count === '2')
    const stopped = world.api.close()
    socket.write(body.slice(10))
    await once(socket, 'close')
    await stopped
    const statuses = [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map((match) => match[1])
    assert.deepEqual(statuses, ['201'], text)
    assert.match(text, /^connection: close\r$/im)
  })

  it('a request that waits too long for a row is asked to try again, and changes nothing', async () => {
    await using world = await createWorld()
    const { json } = await world.client('POST', '/payins', brebPayin())
    await world.db.inTransaction(async (tx) => {
      await tx.query({
        text: 'select 1 from payins where organization_id = $1 and payin_id = $2 for update',
        values: [world.organization.organizationId, json.id],
      })
      const answer = await world.client('POST', `/payins/${json.id}/cancel`)
      assertProblem(answer, 'OVERLOADED')
      assert.ok(Number(answer.headers['retry-after']) >= 1)
    })
    assert.equal((await world.client('GET', `/payins/${json.id}`)).json.status, 'PROCESSING')
    assert.equal((await world.client('POST', `/payins/${json.id}/cancel`)).status, 200)
  })

  it('an internal failure is reported without internal details', async () => {
    await using world = await createWorld()
    await world.db.query({ text: 'alter table payins rename to payins_gone' })
    for (const answer of [
      await world.client('POST', '/payins', brebPayin()),
      await world.client('GET', '/payins'),
    ]) {
      assertAnyProblem(answer)
      assert.equal(answer.status, 500)
      assert.ok(
        world.logLines().some((line) => line.requestId === answer.json.requestId && line.level === 50),
      )
    }
    await world.db.query({ text: 'alter table payins_gone rename to payins' })
  })
})
