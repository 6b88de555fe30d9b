// How to sign in, what is stored and who can read it; and every mistake gets a sentence that says what to do.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { endApiKey } from '../../src/store/organizations/credentials.ts'
import { freePort } from '../free-port.ts'
import { type FaultyProxy, startProxy } from '../sdk/proxy.ts'
import { createWorld, eventually, type World } from '../world.ts'
import { asMerchant, ROOT } from './binary.ts'
import { merchantInProcess } from './in-process.ts'
import { PRODUCTION } from './production.ts'

// Runs a program in a terminal.
const SCRIPT = '/usr/bin/script'

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8)

describe('signing in', () => {
  let world: World
  let production: World
  let proxy: FaultyProxy
  before(async () => {
    world = await createWorld()
    production = await createWorld({ env: PRODUCTION })
    proxy = await startProxy(world.baseUrl)
  })
  after(async () => {
    await proxy[Symbol.asyncDispose]()
    await production[Symbol.asyncDispose]()
    await world[Symbol.asyncDispose]()
  })

  it('stores a key that works, for its owner only, and deletes it', async () => {
    using merchant = asMerchant()
    const end = await merchant.run(['login', '--base-url', world.baseUrl, '--api-key', '-'], {
      input: `${world.apiKey}\n`,
    })
    assert.deepEqual(
      [end.code, end.stderr, end.stdout],
      [0, '', `Signed in as Café La Palma on ${world.baseUrl} (staging). Kept in ${merchant.file}.\n`],
    )
    assert.deepEqual([modeOf(merchant.file), modeOf(dirname(merchant.file))], ['600', '700'])
    assert.equal((await merchant.json('balance')).currency, 'COP')
    assert.deepEqual(await merchant.json('logout'), { forgotten: true, file: merchant.file })
    assert.equal(existsSync(merchant.file), false)
    assert.equal((await merchant.run(['balance'])).code, 3)
    assert.equal((await merchant.run(['logout'])).stdout, 'There was nothing to forget.\n')
  })

  it('again keeps the secret that forwarded events are signed with', async () => {
    using merchant = merchantInProcess()
    const login = () => merchant.run(['login', '--base-url', world.baseUrl, '--api-key', world.apiKey])
    assert.equal((await login()).code, 0)
    const stored = () => JSON.parse(readFileSync(merchant.file, 'utf8'))
    const listenSecret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
    writeFileSync(merchant.file, JSON.stringify({ ...stored(), listenSecret }), { mode: 0o600 })
    assert.equal((await login()).code, 0)
    assert.equal(stored().listenSecret, listenSecret)
    assert.equal(stored().apiKey, world.apiKey)
  })

  it('with a client’s id and secret fetches tokens, from the file and from the environment', async () => {
    using merchant = merchantInProcess()
    const { clientId, secret } = await world.oauthClient()
    const given = ['--client-id', clientId, '--client-secret', '-']
    const end = await merchant.run(['login', '--base-url', world.baseUrl, ...given], { input: secret })
    assert.equal(end.code, 0, end.stderr)
    assert.equal((await merchant.json('balance')).currency, 'COP')
    using other = merchantInProcess()
    const env = {
      RECAUDO_CLIENT_ID: clientId,
      RECAUDO_CLIENT_SECRET: secret,
      RECAUDO_BASE_URL: world.baseUrl,
    }
    assert.equal((await other.run(['balance'], { env })).code, 0)
    const half = await other.run(['balance'], { env: { ...env, RECAUDO_CLIENT_SECRET: '' } })
    assert.deepEqual(
      [half.code, half.stderr],
      [3, 'recaudo: RECAUDO_CLIENT_SECRET is not set: a client needs both its id and its secret.\n'],
    )
  })

  it('the environment takes precedence over the file, and a stored key goes to its own address only', async () => {
    using merchant = merchantInProcess()
    await merchant.run(['login', '--base-url', world.baseUrl, '--api-key', world.apiKey])
    const { apiKey, organization } = await world.newMerchant()
    const env = { RECAUDO_API_KEY: apiKey, RECAUDO_BASE_URL: world.baseUrl }
    const made = [
      'payins',
      'create',
      '--rail',
      'BRE_B',
      '--amount-in-cents',
      '1',
      '--reference',
      'r',
      '--json',
    ]
    assert.equal((await merchant.run(made, { env })).json.organizationId, organization.organizationId)
    proxy.seen.length = 0
    writeFileSync(merchant.file, JSON.stringify({ baseUrl: proxy.url, apiKey: world.apiKey }), {
      mode: 0o600,
    })
    await merchant.run(['balance'], { env: { RECAUDO_API_KEY: apiKey, RECAUDO_BASE_URL: '' } })
    assert.equal(proxy.seen.length, 0, 'the address of the file belongs to the key of the file')
    await merchant.run(['balance'])
    assert.equal(proxy.seen[0]?.headers['x-api-key'], world.apiKey)
  })

  it('is not stored if it does not work', async () => {
    using merchant = merchantInProcess()
    const login = (...args: string[]) => merchant.run(['login', ...args])
    const wrong = await login('--base-url', world.baseUrl, '--api-key', 'rk_stg_wrong')
    assert.deepEqual([wrong.code, existsSync(merchant.file)], [3, false])
    assert.match(wrong.stderr, /^recaudo: The API key is not known\. Check that it was copied whole/)
    assert.ok(!wrong.stderr.includes('rk_stg_wrong'), 'a secret is not shown')
    const down = await login('--base-url', `http://127.0.0.1:${await freePort()}`, '--api-key', 'x')
    assert.deepEqual([down.code, existsSync(merchant.file)], [4, false])
  })

  it('does not prompt where nobody can answer', async () => {
    // Whether anybody can is a matter of the process.
    using merchant = asMerchant()
    for (const args of [
      [],
      ['--client-id', 'rc_stg_x'],
      ['--client-secret', 'x'],
      ['--api-key', 'k', '--client-id', 'i'],
    ]) {
      const end = await merchant.run(['login', '--base-url', world.baseUrl, ...args])
      assert.deepEqual([end.code, end.stdout], [2, ''], args.join(' '))
      assert.match(end.stderr, /--(?:api-key|client-id|client-secret)/)
    }
    const blanks = await merchant.run(['login', '--base-url', world.baseUrl, '--api-key', 'two words'])
    assert.deepEqual([blanks.code, existsSync(merchant.file)], [3, false])
  })

  it('prompts in a terminal, and does not show secrets', { skip: !existsSync(SCRIPT) }, async () => {
    using merchant = asMerchant()
    const command = `${process.execPath} ${join(ROOT, 'bin/recaudo.mjs')} login`
    const child = spawn(SCRIPT, ['-qec', command, '/dev/null'], { stdio: 'pipe', env: merchant.env })
    let shown = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      shown += text
    })
    const ended = once(child, 'close')
    for (const [question, answer] of [
      ['Address of the server', world.baseUrl],
      ['API key: ', world.apiKey],
    ] as const) {
      await eventually(
        async () => shown,
        (text) => text.includes(question),
      )
      child.stdin.write(`${answer}\r`)
    }
    await eventually(
      async () => shown,
      (text) => text.includes('Signed in as '),
    )
    child.stdin.end()
    await ended
    assert.ok(!shown.includes(world.apiKey), shown)
    assert.equal(JSON.parse(readFileSync(merchant.file, 'utf8')).apiKey, world.apiKey)
  })

  it('a file that others can read is closed to them, and its owner is warned', async () => {
    using merchant = merchantInProcess()
    await merchant.run(['login', '--base-url', world.baseUrl, '--api-key', world.apiKey])
    chmodSync(merchant.file, 0o644)
    const end = await merchant.run(['balance'])
    assert.equal(end.code, 0)
    assert.match(
      end.stderr,
      /^recaudo: others could read .+; now only you can\. If anybody may have, make a new key\.$/m,
    )
    assert.equal(modeOf(merchant.file), '600')
    writeFileSync(merchant.file, 'not json')
    const damaged = await merchant.run(['balance'])
    assert.deepEqual(
      [damaged.code, damaged.stderr],
      [3, `recaudo: ${merchant.file} is damaged: delete it and run \`recaudo login\`.\n`],
    )
  })

  const cases: [string, () => Record<string, string>, number, RegExp][] = [
    [
      'a wrong key',
      () => ({ RECAUDO_API_KEY: 'rk_stg_wrong' }),
      3,
      /^recaudo: The API key is not known\. Check that it was copied whole and made on http.+\.\n {2}UNAUTHORIZED · status 401 · request \S+ · /,
    ],
    [
      'a live key on staging',
      () => ({ RECAUDO_API_KEY: production.apiKey }),
      3,
      /rk_live_… is for production, and http\S+ is staging: use a credential or an address of the other\.$/m,
    ],
    [
      'a staging key on production',
      () => ({ RECAUDO_BASE_URL: production.baseUrl }),
      3,
      /rk_stg_… is for staging, and http\S+ is production: use a credential or an address of the other\.$/m,
    ],
    [
      'a wrong path in the address',
      () => ({ RECAUDO_BASE_URL: `${world.baseUrl}/v1` }),
      1,
      /^recaudo: No such address.+ Check the address \(RECAUDO_BASE_URL, or `recaudo login --base-url`\), http\S+\/v1\.$/m,
    ],
    [
      'an address that is none',
      () => ({ RECAUDO_BASE_URL: 'localhost:4000' }),
      2,
      /^recaudo: The address "localhost:4000", from RECAUDO_BASE_URL, must be like https:\/\/pay\.example\.com\.$/m,
    ],
    [
      'another server at the address',
      () => ({
        RECAUDO_BASE_URL: world.config.sandbox ? `http://127.0.0.1:${world.config.sandbox.port}` : '',
      }),
      4,
      /answered GET \/balance with 404 \S+: not how Recaudo answers\. Check the address/,
    ],
    [
      'a key with a line break in it',
      () => ({ RECAUDO_API_KEY: 'rk_stg_x\n' }),
      3,
      /^recaudo: RECAUDO_API_KEY has blanks or other signs in it that no credential has\.$/m,
    ],
  ]
  for (const [slip, env, code, said] of cases)
    it(`${slip} is reported`, async () => {
      using merchant = merchantInProcess(world)
      const end = await merchant.run(['balance'], { env: env() })
      assert.deepEqual([end.code, end.stdout], [code, ''], end.stderr)
      assert.match(end.stderr, said)
      const json = await merchant.run(['balance', '--json'], { env: env() })
      assert.equal(typeof json.json.error.message, 'string', json.stderr)
      assert.equal(json.code, code)
    })

  it('a server that is down is reported within a few seconds, with what may have been done', async () => {
    using merchant = merchantInProcess({
      apiKey: 'rk_stg_x',
      baseUrl: `http://127.0.0.1:${await freePort()}`,
    })
    const line = ['payins', 'create', '--rail', 'BRE_B', '--amount-in-cents', '1', '--reference', 'r']
    const end = await merchant.run(line)
    assert.deepEqual([end.code, end.stdout], [4, ''])
    assert.match(
      end.stderr,
      /^recaudo: http\S+ cannot be reached \(ECONNREFUSED\), at try 3\. Check the address \(RECAUDO_BASE_URL, or `recaudo login --base-url`\), and that the server runs\. It may have been done: repeat it with --idempotency-key \S+, and it is done once at most\.$/m,
    )
    assert.equal((await merchant.run([...line, '--json'])).json.error.code, 'UNREACHABLE')
  })

  it('a token that has expired is renewed, and a revoked key is reported', async () => {
    const { clientId, secret } = await world.oauthClient()
    using merchant = merchantInProcess()
    await merchant.run([
      'login',
      '--base-url',
      world.baseUrl,
      '--client-id',
      clientId,
      '--client-secret',
      secret,
    ])
    world.advance(2 * 3_600_000)
    assert.equal((await merchant.run(['balance'])).code, 0)
    const { apiKey, apiKeyId } = await world.key(null)
    await endApiKey(world.db, apiKeyId, { revokedAt: world.ctx.clock.now() })
    const revoked = await merchant.run(['balance'], {
      env: { RECAUDO_API_KEY: apiKey, RECAUDO_BASE_URL: world.baseUrl },
    })
    assert.equal(revoked.code, 3)
    assert.match(revoked.stderr, /^recaudo: The API key/)
  })
})
