// A mistake in the settings gets a sentence that names it and says what to do.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import {
  ApiError,
  type ClientOptions,
  type Credentials,
  Recaudo,
  RecaudoError,
} from '../../sdk/src/recaudo.ts'
import { createWorld, type World } from '../world.ts'
import { type FaultyProxy, startProxy } from './proxy.ts'

const PRODUCTION = {
  RECAUDO_ENV: 'production',
  PUBLIC_URL: 'https://pay.example',
  SECRETS_KEY: randomBytes(32).toString('hex'),
  ...Object.fromEntries(
    ['BREB', 'PSE'].flatMap((rail) => [
      [`${rail}_BASE_URL`, 'https://network.example'],
      [`${rail}_CLIENT_ID`, 'id'],
      [`${rail}_CLIENT_SECRET`, 'secret'],
      [`${rail}_NOTIFICATION_KEY`, randomBytes(32).toString('hex')],
    ]),
  ),
}

describe('the client reports', () => {
  let staging: World
  let production: World
  let proxy: FaultyProxy
  before(async () => {
    staging = await createWorld()
    production = await createWorld({ env: PRODUCTION })
    proxy = await startProxy(staging.baseUrl)
  })
  after(async () => {
    await proxy[Symbol.asyncDispose]()
    await production[Symbol.asyncDispose]()
    await staging[Symbol.asyncDispose]()
  })

  const refusal = async (credentials: Credentials, options: ClientOptions): Promise<ApiError> => {
    const error = await new Recaudo(credentials, { maxRetries: 0, ...options }).balance.get().then(
      () => assert.fail('it succeeded'),
      (thrown: unknown) => thrown,
    )
    assert.ok(error instanceof ApiError, String(error))
    return error
  }
  const message = async (credentials: Credentials, baseUrl: string): Promise<string> =>
    (await refusal(credentials, { baseUrl })).message.replace(/ \[.*\]$/, '')

  it('a wrong key', async () => {
    const advice = `Check that it was copied whole and made on ${staging.baseUrl}.`
    assert.equal(
      await message({ apiKey: staging.apiKey.slice(0, -1) }, staging.baseUrl),
      `The API key is not known. ${advice}`,
    )
    assert.equal(
      await message({ apiKey: 'something' }, staging.baseUrl),
      `The API key is not known. ${advice}`,
    )
    const error = await refusal({ apiKey: 'rk_stg_wrong' }, { baseUrl: staging.baseUrl })
    assert.deepEqual([error.status, error.code], [401, 'UNAUTHORIZED'])
  })

  it('a live key on staging, and the reverse', async () => {
    assert.match(production.apiKey, /^rk_live_/)
    assert.equal(
      await message({ apiKey: production.apiKey }, staging.baseUrl),
      `The API key is not known. rk_live_… is for production, and ${staging.baseUrl} is staging: use a credential or a baseUrl of the other.`,
    )
    assert.equal(
      await message({ apiKey: staging.apiKey }, production.baseUrl),
      `The API key is not known. rk_stg_… is for staging, and ${production.baseUrl} is production: use a credential or a baseUrl of the other.`,
    )
    const { clientId, secret: clientSecret } = await production.oauthClient()
    assert.match(
      await message({ clientId, clientSecret }, staging.baseUrl),
      /client id or secret is wrong.* rc_live_… is for production, and /,
    )
  })

  it('a wrong base address', async () => {
    const credentials = { apiKey: staging.apiKey }
    assert.equal(
      await message(credentials, `${staging.baseUrl}/v1/`),
      `No such address: /docs lists what there is. Check baseUrl, ${staging.baseUrl}/v1.`,
    )
    const answers: [Parameters<FaultyProxy['next']>[0], string][] = [
      [{ status: 200, headers: { 'content-type': 'text/html' }, body: '<html>' }, '200 text/html'],
      [{ status: 404, headers: { 'content-type': 'text/plain' }, body: 'nothing here' }, '404 text/plain'],
      [
        { status: 404, headers: { 'content-type': 'application/json' }, body: '{"code":"NOT_FOUND"}' },
        '404 application/json',
      ],
      [{ status: 200, headers: { 'content-type': 'application/json' }, body: '' }, '200 application/json'],
      [{ status: 301, headers: { location: 'https://pay.example/' } }, '301 https://pay.example/'],
    ]
    for (const [answer, seen] of answers) {
      proxy.next(answer)
      const error = await refusal(credentials, { baseUrl: proxy.url })
      assert.equal(
        error.message,
        `${proxy.url} answered GET /balance with ${seen}: not how Recaudo answers. Check baseUrl. [UNEXPECTED_ANSWER ]`,
      )
      assert.deepEqual([error.code, error.requestId, error.errors], ['UNEXPECTED_ANSWER', '', []])
    }
  })

  it('a redirect, which gets no credential', async () => {
    proxy.seen.length = 0
    proxy.next({ status: 307, headers: { location: `${proxy.url}/elsewhere` } })
    await refusal({ apiKey: staging.apiKey }, { baseUrl: proxy.url })
    assert.deepEqual(
      proxy.seen.map(({ path }) => path),
      ['/balance'],
    )
  })

  it('nothing where the address comes from RECAUDO_BASE_URL; the address in the code counts for more', async () => {
    process.env.RECAUDO_BASE_URL = staging.baseUrl
    try {
      assert.equal((await new Recaudo({ apiKey: staging.apiKey }).balance.get()).currency, 'COP')
      const apiKey = production.apiKey
      assert.ok(await new Recaudo({ apiKey }, { baseUrl: production.baseUrl }).balance.get())
      process.env.RECAUDO_BASE_URL = 'pay.example'
      assert.throws(() => new Recaudo({ apiKey: 'x' }), /baseUrl must be like .*, not "pay\.example"/)
      process.env.RECAUDO_BASE_URL = ''
      assert.ok(new Recaudo({ apiKey: 'x' }), 'an empty one is none')
    } finally {
      delete process.env.RECAUDO_BASE_URL
    }
  })

  it('what only staging has', async () => {
    const live = new Recaudo({ apiKey: production.apiKey }, { baseUrl: production.baseUrl })
    await assert.rejects(live.sandbox.advanceClock({ seconds: 1 }), /No such address.* Only staging has it\./)
  })

  it('what is missing or misspelt, before the first call', () => {
    const made = (credentials: unknown, options?: ClientOptions) => () =>
      new Recaudo(credentials as Credentials, options)
    const is = (text: string) => (error: unknown) => {
      assert.ok(error instanceof RecaudoError)
      assert.equal(error.message, text)
      return true
    }
    const missing = (name: string) =>
      is(`${name} is missing or has blanks in it: check the variable it comes from.`)
    for (const wrong of [
      undefined,
      null,
      {},
      { apiKey: undefined },
      { apiKey: '' },
      { apiKey: 'rk_stg_x\n' },
    ])
      assert.throws(made(wrong), missing('apiKey'))
    assert.throws(made({ clientId: 'rc_stg_x' }), missing('clientSecret'))
    assert.throws(made({ clientId: undefined, clientSecret: 'rs_stg_x' }), missing('clientId'))
    for (const baseUrl of ['', 'pay.example', 'localhost:4000', 'ftp://pay.example'])
      assert.throws(
        made({ apiKey: 'x' }, { baseUrl }),
        is(`baseUrl must be like https://pay.example.com, not "${baseUrl}".`),
      )
    made({ apiKey: 'x' })()
  })

  it('no secret: neither the key nor the body is in an error', async () => {
    const apiKey = 'rk_stg_very-secret'
    const error = await refusal({ apiKey }, { baseUrl: staging.baseUrl })
    assert.ok(!JSON.stringify({ ...error, message: error.message, stack: error.stack }).includes(apiKey))
  })
})
