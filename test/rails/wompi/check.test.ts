// What a check of a connection to Wompi says: which credential was tried, and what has to be changed.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Credentials } from '../../../src/core/connections/connection.ts'
import { OPEN_PROVIDER } from '../../../src/rails/providers.ts'
import type { ConnectionCheck } from '../../../src/rails/rail.ts'
import { openWompi } from '../../../src/rails/wompi/wompi.ts'
import { wompi } from '../../../src/sandbox/providers/wompi/payments.ts'
import { wompiPayouts } from '../../../src/sandbox/providers/wompi/payouts.ts'
import { simulate } from '../../sandbox/providers/simulated.ts'
import { type Answer, openFakeNetwork } from '../fake-network.ts'
import { assertNothingPersonal, open, PAYMENTS, SECRETS } from './wompi.ts'

const problems = (checks: readonly ConnectionCheck[]): Record<string, string | null> => {
  for (const { problem } of checks) assertNothingPersonal(problem ?? '')
  return Object.fromEntries(checks.map(({ what, problem }) => [what, problem]))
}
const PAYOUTS_KEY = 'API key and user principal id of payouts'
const PAYOUTS_ACCOUNT = 'account that payouts are paid from'

describe('a check of a connection to Wompi', () => {
  it('is content with what is right, use by use', async () => {
    await using payments = await simulate(wompi)
    await using payouts = await simulate(wompiPayouts)
    await using both = open({ payments: `${payments.url}/v1`, payouts: payouts.url })
    assert.deepEqual(problems(await both.check()), {
      'public key': null,
      'private key': null,
      [PAYOUTS_KEY]: null,
      [PAYOUTS_ACCOUNT]: null,
    })
    await using pse = open({ payments: `${payments.url}/v1` })
    assert.deepEqual(Object.keys(problems(await pse.check())), ['public key', 'private key'])
    await using out = open({ payouts: payouts.url })
    assert.deepEqual(Object.keys(problems(await out.check())), [PAYOUTS_KEY, PAYOUTS_ACCOUNT])
    for (const { exchanges } of [both, pse, out])
      for (const exchange of exchanges)
        for (const secret of SECRETS) assert.ok(!JSON.stringify(exchange).includes(secret))
  })

  it('names the credential that is wrong, and where to copy it', async () => {
    await using payments = await simulate(wompi)
    await using payouts = await simulate(wompiPayouts)
    const check = async (credentials: Record<string, string>, environment: 'test' | 'live' = 'test') => {
      const addresses = { payments: `${payments.url}/v1`, payouts: payouts.url }
      await using rails = open(addresses, { credentials, environment })
      return problems(await rails.check())
    }
    const publicKey = await check({ publicKey: 'pub_test_else' })
    assert.match(publicKey['public key'] ?? '', /refuses the public key\. .* from its test environment/)
    assert.equal(publicKey['private key'], null)
    const privateKey = await check({ privateKey: 'prv_prod_else' }, 'live')
    assert.match(privateKey['private key'] ?? '', /refuses the private key\. .* production environment/)
    assert.equal(privateKey['public key'], null)
    const apiKey = await check({ payoutsApiKey: 'else' })
    assert.match(apiKey[PAYOUTS_KEY] ?? '', /refuses the API key or the user principal id/)
    assert.ok(!(PAYOUTS_ACCOUNT in apiKey))
    const account = await check({ payoutsAccountId: 'else' })
    assert.match(account[PAYOUTS_ACCOUNT] ?? '', /does not list this account/)
    assert.equal(account[PAYOUTS_KEY], null)
  })

  it('tells a wrong address from a provider that is away', async () => {
    await using server = await openFakeNetwork()
    const check = async (answer: Answer) => {
      server.willAnswer(answer)
      await using rails = open(
        { payments: server.url, payouts: server.url },
        { limits: answer === 'silent' ? { queryMs: 200 } : {} },
      )
      return Object.values(problems(await rails.check()))
    }
    const html = '<html>Canaria</html>'
    for (const [answer, words] of [
      ['reset', /cannot be reached/],
      ['silent', /cannot be reached/],
      ['no HTTP', /cannot be reached/],
      [{ status: 503, bytes: html }, /for the moment \(HTTP 503\)/],
      [{ status: 429, json: {} }, /for the moment \(HTTP 429\)/],
      [{ status: 200, bytes: html }, /is not Wompi \(HTTP 200\)/],
      [{ status: 200, json: { data: 7, code: 'OK' } }, /is not Wompi/],
      [{ status: 302, bytes: '', headers: { location: '/' } }, /is not Wompi \(HTTP 302\)/],
      [{ status: 404, bytes: html }, /is not Wompi \(HTTP 404\)/],
    ] as const) {
      const said = await check(answer)
      assert.equal(said.length, 3)
      for (const problem of said) assert.match(problem ?? '', words)
    }
    await using nowhere = open({ payments: 'http://127.0.0.1:1' })
    for (const problem of Object.values(problems(await nowhere.check())))
      assert.match(problem ?? '', /cannot be reached: no answer \(ECONNREFUSED\)/)
  })

  it('says that an account does not take PSE', async () => {
    await using server = await openFakeNetwork()
    const acceptance = { acceptance_token: 'a.b.c', permalink: 'https://wompi.example/terms.pdf' }
    const merchant = (methods: object) => ({
      data: { ...methods, presigned_acceptance: acceptance, presigned_personal_data_auth: acceptance },
    })
    const check = async (methods: object) => {
      server.willAnswer({ status: 200, json: merchant(methods) })
      await using rails = open({ payments: server.url })
      return problems(await rails.check())['public key']
    }
    assert.equal(await check({}), null)
    assert.equal(await check({ accepted_payment_methods: ['CARD', 'PSE'] }), null)
    assert.match((await check({ accepted_payment_methods: ['CARD'] })) ?? '', /does not take PSE/)
  })
})

describe('a connection to Wompi', () => {
  it('is opened by the name of its provider', () => {
    assert.equal(OPEN_PROVIDER.wompi, openWompi)
  })

  it('is not opened without what its uses need', () => {
    for (const missing of ['publicKey', 'privateKey', 'integritySecret']) {
      const given: Credentials = { ...PAYMENTS, paymentsUrl: 'http://127.0.0.1:1' }
      const { [missing]: _, ...credentials } = given
      const settings = {
        organizationId: '',
        environment: 'test',
        uses: ['PSE_IN'],
        credentials,
        previousCredentials: null,
        notificationUrl: '',
      } as const
      const dependencies = {
        now: () => 0,
        wallClock: () => 0,
        randomBytes: (count: number) => Buffer.alloc(count),
        record: () => {},
      }
      assert.throws(() => openWompi(settings, dependencies), new RegExp(`has no ${missing}`))
    }
  })
})
