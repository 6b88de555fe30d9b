// Whoever says nothing about himself that holds is counted by his address, whatever he asks and however he writes it.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, it } from 'node:test'
import { type Answer, createWorld, eventually, type World } from '../../world.ts'
import { assertProblem } from './problem.ts'
import { speak } from './wire.ts'

const FLOOD = 60
const ADDRESS = { 'x-forwarded-for': '203.0.113.9' }

const limitedWorld = (env: Record<string, string> = {}): Promise<World> =>
  createWorld({ env: { UNAUTHENTICATED_PER_SECOND: '1', ...env } })

async function flood(ask: () => Promise<Answer>): Promise<{ limited: Answer[]; served: Answer[] }> {
  const answers: Answer[] = []
  for (let sent = 0; sent < FLOOD; sent += 1) answers.push(await ask())
  return {
    limited: answers.filter(({ status }) => status === 429),
    served: answers.filter(({ status }) => status !== 429),
  }
}

describe('an address that cannot be parsed', () => {
  const ask = (target: string) => `GET ${target} HTTP/1.1\r\nhost: x\r\n\r\n`

  for (const target of ['/pay/%zz', '/nowhere/%zz'])
    it(`is limited as every other: ${target}, asked for at once on one connection`, async () => {
      await using world = await limitedWorld({ TRUSTED_PROXIES: 'none' })
      const answers = await speak(world.baseUrl, ask(target).repeat(FLOOD), { answers: FLOOD })
      const limited = answers.filter(({ status }) => status === 429)
      assert.ok(limited.length >= FLOOD - 10, `${limited.length} of ${FLOOD}`)
      // A page of ten kilobytes is not written for whoever is told to wait.
      for (const answer of limited) assertProblem(answer, 'RATE_LIMITED')
      assert.ok(answers.some(({ status }) => status === 404))
      const { text } = await world.anonymous('GET', '/metrics')
      assert.match(text, /^recaudo_requests_refused_total\{reason="address"\} [45]\d$/m)
    })

  it('counts for whom a proxy names, and costs others nothing', async () => {
    await using world = await limitedWorld()
    const { limited } = await flood(() => world.anonymous('GET', '/pay/%zz', undefined, ADDRESS))
    assert.ok(limited.length >= FLOOD - 10, `${limited.length} of ${FLOOD}`)
    assertProblem(await world.anonymous('GET', '/docs/errors', undefined, ADDRESS), 'RATE_LIMITED')
    const page = await world.anonymous('GET', '/pay/%zz', undefined, { 'x-forwarded-for': '203.0.113.10' })
    assert.equal(page.status, 404)
    assert.match(page.text, /<h1>/)
  })

  it('holds a part of a budget, and the payers’ pages have another', async () => {
    await using world = await createWorld({ env: { MAX_IN_FLIGHT: '10' } })
    const [answers, page] = await Promise.all([
      speak(world.baseUrl, ask('/pay/%zz').repeat(FLOOD), { answers: FLOOD }),
      world.anonymous('GET', '/pay/nobody'),
    ])
    const refused = answers.filter(({ status }) => status === 503)
    assert.equal(refused.length, FLOOD - 10)
    for (const answer of refused) assertProblem(answer, 'OVERLOADED')
    assert.equal(page.status, 404)
    // It is given back: the next one is answered.
    assert.equal((await world.anonymous('GET', '/pay/%zz')).status, 404)
  })
})

describe('the address that a proxy names', () => {
  it('is limited, whatever its client wrote into the header before the proxy added to it', async () => {
    await using world = await limitedWorld()
    const forged = Array.from({ length: 200 }, (_, at) => `1.1.1.${at}`).join(', ')
    const named = { 'x-forwarded-for': `${forged}, 203.0.113.9` }
    const { limited } = await flood(() => world.anonymous('GET', '/nowhere', undefined, named))
    assert.ok(limited.length >= FLOOD - 10, `${limited.length} of ${FLOOD}`)
    assertProblem(await world.anonymous('GET', '/nowhere', undefined, ADDRESS), 'RATE_LIMITED')
  })
})

describe('an address that no route has as it is written', () => {
  const asked: [string, string, string][] = [
    ['a page', 'GET', '/%70ay/nobody'],
    ['the stream of a page', 'GET', '/%70ay/nobody/stream'],
    ['a key set', 'GET', '/.well-known/%6awks.json'],
    ['a notification that nobody sends', 'GET', '/notifications/breb'],
    ['a probe that there is not', 'POST', '/healthz'],
  ]
  for (const [what, method, path] of asked)
    it(`is limited by what the router finds: ${what}, ${method} ${path}`, async () => {
      await using world = await limitedWorld()
      const { limited } = await flood(() => world.anonymous(method, path, undefined, ADDRESS))
      assert.ok(limited.length >= FLOOD - 15, `${limited.length} of ${FLOOD}`)
    })

  it('is a probe where the router finds one, and is served on', async () => {
    await using world = await limitedWorld()
    const { served } = await flood(() => world.anonymous('GET', '/%68ealthz', undefined, ADDRESS))
    assert.equal(served.length, FLOOD)
  })
})

describe('an address that fails to prove itself', () => {
  const forged = { 'x-forwarded-for': '203.0.113.9', 'content-type': 'application/json' }

  for (const rail of ['breb', 'pse'])
    it(`is told to wait when it forges notifications of ${rail}, before another is read`, async () => {
      await using world = await limitedWorld()
      const path = `/notifications/${rail}`
      const { limited, served } = await flood(() => world.anonymous('POST', path, {}, forged))
      assert.ok(limited.length >= FLOOD - 10, `${limited.length} of ${FLOOD}`)
      for (const answer of limited) assertProblem(answer, 'RATE_LIMITED')
      for (const answer of served) assertProblem(answer, 'UNAUTHORIZED')
      // The body of this one never comes.
      const head = `POST ${path} HTTP/1.1\r\nhost: x\r\nx-forwarded-for: 203.0.113.9\r\ncontent-length: 9\r\n\r\n`
      const [answer] = await speak(world.baseUrl, head)
      assert.equal(answer?.status, 429)
      const other = await world.anonymous('POST', path, {}, { 'x-forwarded-for': '203.0.113.10' })
      assertProblem(other, 'UNAUTHORIZED')
    })

  it('is told to wait also when it began all of them before the first had failed', async () => {
    await using world = await limitedWorld()
    const head = `POST /notifications/breb HTTP/1.1\r\nhost: x\r\nx-forwarded-for: 203.0.113.9\r\n`
    const type = 'content-type: application/json\r\ncontent-length: 2\r\n\r\n'
    const sockets = Array.from({ length: FLOOD }, () =>
      connect(Number(new URL(world.baseUrl).port), '127.0.0.1'),
    )
    const statuses = sockets.map(async (socket) => {
      socket.write(`${head}${type}{`)
      const [chunk] = await once(socket, 'data')
      socket.destroy()
      return String(chunk).split(' ', 2)[1]
    })
    await eventually(
      () => world.anonymous('GET', '/metrics'),
      ({ text }) => Number(/^recaudo_http_requests_in_flight (\d+)$/m.exec(text)?.[1]) > FLOOD,
    )
    for (const socket of sockets) socket.write('}')
    const limited = (await Promise.all(statuses)).filter((status) => status === '429')
    assert.ok(limited.length >= FLOOD - 10, `${limited.length} of ${FLOOD}`)
  })

  it('is told to wait when it guesses at the token of the metrics, and is not told which guess is right', async () => {
    const token = 'a-token-of-sixteen-letters'
    await using world = await limitedWorld({ METRICS_TOKEN: token })
    const ask = (guess: string, headers = ADDRESS) =>
      world.anonymous('GET', '/metrics', undefined, { ...headers, authorization: `Bearer ${guess}` })
    assert.equal((await ask(token)).status, 200)
    const { limited, served } = await flood(() => ask('guess'))
    assert.ok(limited.length >= FLOOD - 10, `${limited.length} of ${FLOOD}`)
    for (const answer of served) assertProblem(answer, 'UNAUTHORIZED')
    assertProblem(await ask(token), 'RATE_LIMITED')
    assert.equal((await ask(token, { 'x-forwarded-for': '203.0.113.10' })).status, 200, 'the monitor')
    assert.equal((await world.anonymous('GET', '/readyz', undefined, ADDRESS)).status, 200)
  })

  it('reads the metrics where anybody may, however often it asks', async () => {
    await using world = await limitedWorld()
    await flood(() => world.anonymous('POST', '/notifications/breb', {}, forged))
    const { served } = await flood(() => world.anonymous('GET', '/metrics', undefined, ADDRESS))
    assert.equal(served.length, FLOOD)
  })
})
