import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accessTokens } from '../../src/rails/access-token.ts'
import type { Connection, Received, Sent } from '../../src/rails/connection.ts'
import { LIMITS } from '../../src/rails/limits.ts'

// A network that grants numbered tokens, at a moment that the test controls.
function network(expiresInSeconds: number, grant: object = {}, status = 200) {
  const clock = { ms: 0 }
  const sent: Sent[] = []
  let release: (() => void) | undefined
  const connection: Connection = {
    send: async (request) => {
      sent.push(request)
      const json = { access_token: `token-${sent.length}`, expires_in: expiresInSeconds, ...grant }
      await new Promise<void>((resolve) => {
        release = resolve
      })
      return { outcome: 'received', status, json, isEmpty: false, described: '' } satisfies Received
    },
    recordUnsent: () => {},
    close: async () => {},
  }
  const client = { clientId: 'a client', clientSecret: 'p:ss/wörd' }
  const tokens = accessTokens(connection, client, { monotonicMs: () => clock.ms, limits: LIMITS })
  const get = async () => {
    const token = tokens.get(new AbortController().signal)
    release?.()
    return token
  }
  return { clock, sent, tokens, get, release: () => release?.() }
}

test('however many callers wait for a token, one is requested', async () => {
  const { sent, tokens, release } = network(3_600)
  const { signal } = new AbortController()
  const waiting = Promise.all(Array.from({ length: 20 }, () => tokens.get(signal)))
  release()
  assert.deepEqual(new Set(await waiting), new Set(['token-1']))
  assert.equal(sent.length, 1)
})

test('a token is renewed a minute before it expires', async () => {
  const { clock, get } = network(3_600)
  assert.equal(await get(), 'token-1')
  clock.ms = 3_539_999
  assert.equal(await get(), 'token-1')
  clock.ms = 3_540_000
  assert.equal(await get(), 'token-2')
})

test('a short-lived token is used for half of its lifetime', async () => {
  const { clock, get } = network(30)
  assert.equal(await get(), 'token-1')
  clock.ms = 14_999
  assert.equal(await get(), 'token-1')
  clock.ms = 15_000
  assert.equal(await get(), 'token-2')
})

test('a token that would live for years is renewed every day', async () => {
  const { clock, get } = network(1e9)
  await get()
  clock.ms = 86_400_000 - 60_001
  assert.equal(await get(), 'token-1')
  clock.ms += 1
  assert.equal(await get(), 'token-2')
})

test('a token counts only in an answer that grants it, and a refusal says whether we are known', async () => {
  for (const [status, isLockedOut] of [
    [400, true],
    [401, true],
    [403, true],
    [201, undefined],
    [500, undefined],
  ] as const) {
    const answer = await network(3_600, {}, status).get()
    assert.ok(typeof answer === 'object')
    assert.deepEqual([answer.kind, answer.isLockedOut], ['unavailable', isLockedOut], String(status))
  }
})

test('a refused token is dropped, but a newer one is kept', async () => {
  const { tokens, get } = network(3_600)
  await get()
  tokens.drop('token-1')
  assert.equal(await get(), 'token-2')
  tokens.drop('token-1')
  assert.equal(await get(), 'token-2')
})

test('a caller that cannot wait for the token goes without, and the renewal continues', async () => {
  const { tokens, sent, get } = network(3_600)
  const impatient = await tokens.get(AbortSignal.abort())
  assert.ok(typeof impatient === 'object' && impatient.kind === 'timeout')
  assert.equal(await get(), 'token-1')
  assert.equal(sent.length, 1)
})

test('a malformed token is not accepted', async () => {
  for (const grant of [
    { access_token: 'a\r\nx-injected: b' },
    { access_token: '' },
    { access_token: 7 },
    { expires_in: 0 },
    { expires_in: '3600' },
  ])
    assert.equal(typeof (await network(3_600, grant).get()), 'object')
})

test('client id and secret are form-encoded in the Basic header', async () => {
  const { sent, get } = network(3_600)
  await get()
  const [, encoded = ''] = sent[0]?.headers.authorization?.split(' ') ?? []
  assert.equal(Buffer.from(encoded, 'base64').toString(), 'a%20client:p%3Ass%2Fw%C3%B6rd')
  assert.deepEqual(sent[0], {
    method: 'POST',
    resource: '/oauth/token',
    id: null,
    reference: '',
    headers: {
      authorization: `Basic ${encoded}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: 'grant_type=client_credentials',
    shown: { grant_type: 'client_credentials' },
  })
})
