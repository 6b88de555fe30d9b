// Nobody starves anybody: what strangers send, finished or not, costs no merchant, payer or network an answer.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { describe, it } from 'node:test'
import { type Answer, brebPayin, clientOf, createWorld, eventually, type World } from '../../world.ts'
import { assertProblem } from './problem.ts'

async function openSockets(
  world: World,
  count: number,
  bytes: string,
): Promise<AsyncDisposable & { sockets: Socket[] }> {
  const sockets = await Promise.all(
    Array.from({ length: count }, async () => {
      const socket = connect(Number(new URL(world.baseUrl).port), '127.0.0.1')
      socket.on('error', () => {})
      await once(socket, 'connect')
      await new Promise((resolve) => socket.write(bytes, resolve))
      return socket
    }),
  )
  return {
    sockets,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy()
    },
  }
}

// Begun, and not finished.
const half = (target: string, headers = '') => {
  const type = target.startsWith('/pay/') ? 'application/x-www-form-urlencoded' : 'application/json'
  return `POST ${target} HTTP/1.1\r\nhost: x\r\ncontent-type: ${type}\r\n${headers}content-length: 100\r\n\r\n{"half":`
}
const openRequests = async (world: World): Promise<number> => {
  const { text } = await world.anonymous('GET', '/metrics')
  return Number(/^recaudo_http_requests_in_flight (\d+)$/m.exec(text)?.[1])
}

// One of each kind, and what it answers while all is well.
async function everyKind(world: World): Promise<Answer[]> {
  const { clientId, secret } = await world.oauthClient()
  const token = { grant_type: 'client_credentials', client_id: clientId, client_secret: secret }
  const { json: link } = await world.client('POST', '/payment-links', {
    amountType: 'FIXED',
    amountInCents: 5_000_000,
    reference: 'one of each kind',
    callbackUrl: 'https://shop.example/back',
  })
  return [
    await world.client('GET', '/organization'),
    await world.client('POST', '/payins', brebPayin()),
    await world.anonymous('POST', '/oauth/token', token),
    await world.anonymous('GET', new URL(link.paymentLinkUrl).pathname),
    await world.anonymous('GET', '/docs/errors'),
    await world.anonymous('GET', '/readyz'),
    await world.anonymous('POST', '/notifications/breb', {}),
  ]
}
const ALL_WELL = [200, 201, 200, 200, 200, 200, 401]

describe('unfinished requests', () => {
  for (const target of ['/oauth/token', '/payins', '/pay/token', '/notifications/breb', '/nowhere']) {
    it(`to ${target} take nothing from anybody, however many there are`, async () => {
      await using world = await createWorld({ env: { MAX_IN_FLIGHT: '10' } })
      await using _open = await openSockets(world, 40, half(target))
      await eventually(
        () => openRequests(world),
        // A request without a credential is refused before its body.
        (open) => open > (target === '/payins' ? 0 : 40),
      )
      assert.deepEqual(
        (await everyKind(world)).map(({ status }) => status),
        ALL_WELL,
      )
    })
  }

  it('of a merchant take nothing from the others either', async () => {
    await using world = await createWorld({ env: { MAX_IN_FLIGHT: '10' } })
    const other = await world.newMerchant()
    await using _open = await openSockets(world, 40, half('/payins', `x-api-key: ${other.apiKey}\r\n`))
    await eventually(
      () => openRequests(world),
      (open) => open > 40,
    )
    assert.deepEqual(
      (await everyKind(world)).map(({ status }) => status),
      ALL_WELL,
    )
  })
})

describe('requests whose clients are gone', () => {
  it('take nothing from anybody, also those that went while their credential was looked up', async () => {
    await using world = await createWorld({ env: { MAX_IN_FLIGHT: '10' } })
    const { apiKey, client } = await world.newMerchant()
    await world.db.inTransaction(async (tx) => {
      // Whoever comes with a key that is not known yet waits.
      await tx.query({ text: 'lock table api_keys in access exclusive mode' })
      const whole = `GET /organization HTTP/1.1\r\nhost: x\r\nx-api-key: ${apiKey}\r\n\r\n`
      const gone = await openSockets(world, 20, whole)
      await eventually(
        () => openRequests(world),
        (open) => open > 20,
      )
      await gone[Symbol.asyncDispose]()
      await eventually(
        () => openRequests(world),
        (open) => open === 1,
      )
    })
    // The first waits behind the look-up of those that are gone.
    for (let at = 0; at < 3; at += 1) assert.equal((await client('GET', '/organization')).status, 200)
  })
})

describe('a flood of one kind', () => {
  it('is refused beyond its own budget, and no other kind notices', async () => {
    await using world = await createWorld({ env: { MAX_IN_FLIGHT: '10' } })
    const { clientId, secret } = await world.oauthClient()
    const token = { grant_type: 'client_credentials', client_id: clientId, client_secret: secret }
    const answers: Answer[] = []
    const ask = async (): Promise<void> =>
      void answers.push(await world.anonymous('POST', '/oauth/token', token))
    await world.client('GET', '/organization')
    const flood = await world.db.inTransaction(async (tx) => {
      // Whoever asks for a token waits.
      await tx.query({ text: 'lock table oauth_clients in access exclusive mode' })
      const asked = Promise.all(Array.from({ length: 60 }, ask))
      await eventually(
        async () => answers.length,
        (count) => count >= 50,
      )
      assert.equal((await world.client('POST', '/payins', brebPayin())).status, 201)
      assert.equal((await world.anonymous('GET', '/docs/errors')).status, 200)
      assert.equal((await world.anonymous('GET', '/pay/nobody')).status, 404)
      assert.equal((await world.anonymous('POST', '/notifications/pse', {})).status, 401)
      return { asked }
    })
    await flood.asked
    const refused = answers.filter(({ status }) => status === 503)
    assert.equal(refused.length, 50)
    for (const answer of refused) assertProblem(answer, 'OVERLOADED')
    assert.equal(answers.filter(({ status }) => status === 200).length, 10)
  })
})

describe('an address', () => {
  const from = (world: World, address: string, headers: Record<string, string> = {}) =>
    clientOf(world.baseUrl, { 'x-forwarded-for': address, ...headers })

  it('may open so many connections, and others are closed at once', async () => {
    const env = { TRUSTED_PROXIES: 'none', MAX_CONNECTIONS_PER_ADDRESS: '20' }
    await using world = await createWorld({ env })
    // The connections of our own client count too.
    await using open = await openSockets(world, 40, 'GET /healthz HTTP/1.1\r\nhost: ')
    const closed = () => open.sockets.filter((socket) => socket.closed || socket.destroyed).length
    await eventually(
      async () => closed(),
      (count) => count >= 20,
    )
    assert.ok(open.sockets.length - closed() <= 20, 'no more than that are open')
    for (const socket of open.sockets) socket.destroy()
    await eventually(
      () => world.client('GET', '/organization').catch(() => undefined),
      (answer) => answer?.status === 200,
    )
    const { text } = await world.anonymous('GET', '/metrics')
    assert.match(text, /^recaudo_requests_refused_total\{reason="address"\} 2\d$/m)
  })

  it('behind a proxy may have so many requests open, and the proxy any number', async () => {
    await using world = await createWorld({ env: { MAX_CONNECTIONS_PER_ADDRESS: '20' } })
    const named = (address: string) => half('/oauth/token', `x-forwarded-for: ${address}\r\n`)
    await using one = await openSockets(world, 20, named('203.0.113.7'))
    await using _more = await openSockets(world, 40, half('/oauth/token'))
    await eventually(
      () => openRequests(world),
      (open) => open > 60,
    )
    const refused = await from(world, '203.0.113.7')('GET', '/docs/errors')
    assertProblem(refused, 'RATE_LIMITED')
    assert.equal(refused.headers['retry-after'], '1')
    assert.equal((await from(world, '203.0.113.8')('GET', '/docs/errors')).status, 200)
    assert.equal((await world.anonymous('GET', '/docs/errors')).status, 200)
    // What is broken off is open no more.
    for (const socket of one.sockets) socket.destroy()
    await eventually(
      () => openRequests(world),
      (open) => open <= 41,
    )
    assert.equal((await from(world, '203.0.113.7')('GET', '/docs/errors')).status, 200)
  })

  it('may ask so often without a credential, and is told to wait, in the words of what it asks', async () => {
    await using world = await createWorld({ env: { UNAUTHENTICATED_PER_SECOND: '1' } })
    const stranger = from(world, '203.0.113.7')
    const paths = ['/docs/errors', '/nowhere', '/.well-known/jwks.json', '/pay/nobody']
    for (const path of paths) {
      const address = `203.0.113.${paths.indexOf(path)}`
      const answers = await Promise.all(Array.from({ length: 20 }, () => from(world, address)('GET', path)))
      const limited = answers.filter(({ status }) => status === 429)
      assert.ok(limited.length >= 10 && limited.length <= 18, `${path}: ${limited.length} of 20`)
      for (const answer of limited) {
        assert.ok(Number(answer.headers['retry-after']) >= 1)
        if (!path.startsWith('/pay')) assertProblem(answer, 'RATE_LIMITED')
        else assert.match(answer.text, /<h1>Espera un momento<\/h1>/)
      }
    }
    const english = await Promise.all(
      Array.from({ length: 10 }, () =>
        stranger('GET', '/pay/nobody', undefined, { 'accept-language': 'en' }),
      ),
    )
    assert.match(english.find(({ status }) => status === 429)?.text ?? '', /<h1>One moment, please<\/h1>/)
    assert.equal((await stranger('GET', '/healthz')).status, 200, 'probes are not counted')
    assert.equal((await from(world, '203.0.113.99')('GET', '/docs/errors')).status, 200, 'nor are others')
  })

  it('whose credentials fail is told to wait, and those that hold are served on', async () => {
    await using world = await createWorld({ env: { UNAUTHENTICATED_PER_SECOND: '1' } })
    const address = '203.0.113.7'
    const good = from(world, address, { 'x-api-key': world.apiKey })
    const guess = (at: number) =>
      from(world, address, { 'x-api-key': `rk_stg_guess_${at}` })('GET', '/payins')
    assert.equal((await good('GET', '/organization')).status, 200)
    const guesses: Answer[] = []
    for (let at = 0; at < 12; at += 1) {
      guesses.push(await guess(at))
      assert.equal((await good('GET', '/organization')).status, 200)
    }
    const limited = guesses.filter(({ status }) => status === 429)
    assert.ok(limited.length >= 6, `${limited.length} of 12`)
    for (const answer of limited) assertProblem(answer, 'RATE_LIMITED')
    for (const answer of guesses) if (answer.status !== 429) assertProblem(answer, 'UNAUTHORIZED')
    // So is one who forges notifications, or guesses at the metrics.
    const forged = Array.from({ length: 12 }, () =>
      from(world, '203.0.113.8')('POST', '/notifications/breb', {}),
    )
    await Promise.all(forged)
    assertProblem(await from(world, '203.0.113.8')('GET', '/docs/errors'), 'RATE_LIMITED')
  })

  it('of IPv6 is one with all of its /64', async () => {
    await using world = await createWorld({ env: { UNAUTHENTICATED_PER_SECOND: '1' } })
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) => from(world, `2001:db8:1:2::${at}`)('GET', '/docs/errors')),
    )
    assert.ok(answers.filter(({ status }) => status === 429).length >= 10)
    assert.equal((await from(world, '2001:db8:1:3::1')('GET', '/docs/errors')).status, 200)
  })

  it('that a stranger names is not believed', async () => {
    const env = { TRUSTED_PROXIES: '192.0.2.0/24', UNAUTHENTICATED_PER_SECOND: '1' }
    await using world = await createWorld({ env })
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) => from(world, `203.0.113.${at}`)('GET', '/docs/errors')),
    )
    assert.ok(answers.filter(({ status }) => status === 429).length >= 10, 'they are all from here')
  })
})
