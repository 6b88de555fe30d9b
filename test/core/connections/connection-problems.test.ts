// What is refused in a connection, and with which words. No word repeats a value that was sent.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ConnectionRules } from '../../../src/core/connections/address-problem.ts'
import {
  newConnectionProblems,
  type WantedConnection,
} from '../../../src/core/connections/connection-problems.ts'
import { PROVIDER_DESCRIPTIONS, PROVIDERS } from '../../../src/core/connections/provider.ts'

const STAGING: ConnectionRules = { environment: 'staging', connectionHosts: null }
const PRODUCTION: ConnectionRules = { environment: 'production', connectionHosts: ['pay.example'] }

const TEST_KEYS = {
  publicKey: 'pub_test_0001',
  privateKey: 'prv_test_0001',
  eventsSecret: 'test_events_0001',
  integritySecret: 'test_integrity_0001',
}
const LIVE_KEYS = {
  publicKey: 'pub_prod_0001',
  privateKey: 'prv_prod_0001',
  eventsSecret: 'prod_events_0001',
  integritySecret: 'prod_integrity_0001',
}
const PAYOUTS = {
  payoutsApiKey: 'key',
  payoutsUserPrincipalId: 'principal',
  payoutsAccountId: 'account',
  payoutsEventsSecret: 'secret',
}
const wompi: WantedConnection = {
  provider: 'wompi',
  environment: 'test',
  uses: ['PSE_IN'],
  minimumInCents: null,
  maximumInCents: null,
  credentials: TEST_KEYS,
}
const liveWompi: WantedConnection = { ...wompi, environment: 'live', credentials: LIVE_KEYS }
const liveMono: WantedConnection = {
  ...wompi,
  provider: 'mono',
  environment: 'live',
  uses: ['BRE_B_IN'],
  credentials: {
    clientId: 'client',
    clientSecret: 'secret',
    webhookSecret: 'whsec_0001',
    accountId: 'bbtacc_0123456789abcdefghijkl',
    url: 'https://breb-participant.mono.la',
  },
}

const told = (wanted: object, rules: ConnectionRules) =>
  newConnectionProblems(wanted as WantedConnection, rules).map(
    ({ path, code, message }) => `${path} ${code}: ${message}`,
  )
const withKeys = (wanted: WantedConnection, changes: Record<string, string | undefined>) => ({
  ...wanted,
  credentials: Object.fromEntries(
    Object.entries({ ...wanted.credentials, ...changes }).filter(([, value]) => value !== undefined),
  ),
})

describe('a connection', () => {
  it('that is right is refused nothing, in either environment', () => {
    assert.deepEqual(told(wompi, STAGING), [])
    assert.deepEqual(told(liveWompi, PRODUCTION), [])
    assert.deepEqual(told(liveMono, PRODUCTION), [])
    assert.deepEqual(
      told({ ...withKeys(wompi, PAYOUTS), uses: ['PSE_IN', 'BRE_B_OUT'], minimumInCents: 5n }, STAGING),
      [],
    )
    assert.deepEqual(told({ ...wompi, uses: ['BRE_B_OUT'], credentials: PAYOUTS }, STAGING), [])
  })

  it('is of the test environment in staging and of the live one in production, and is told why', () => {
    assert.deepEqual(told(liveWompi, STAGING), [
      '/environment NOT_ALLOWED: must be test: this is staging, which has play money and moves no real money',
    ])
    assert.deepEqual(told(wompi, PRODUCTION), [
      '/environment NOT_ALLOWED: must be live: this is production, whose books must hold only real money',
    ])
  })

  it('with a key of the other environment is told so by name', () => {
    assert.deepEqual(told(withKeys(wompi, LIVE_KEYS), STAGING), [
      '/credentials/publicKey NOT_ALLOWED: publicKey is a key of Wompi’s production; this connection is a test one',
      '/credentials/privateKey NOT_ALLOWED: privateKey is a key of Wompi’s production; this connection is a test one',
      '/credentials/eventsSecret NOT_ALLOWED: eventsSecret is a key of Wompi’s production; this connection is a test one',
      '/credentials/integritySecret NOT_ALLOWED: integritySecret is a key of Wompi’s production; this connection is a test one',
    ])
    assert.deepEqual(told(withKeys(liveWompi, { privateKey: TEST_KEYS.privateKey }), PRODUCTION), [
      '/credentials/privateKey NOT_ALLOWED: privateKey is a key of Wompi’s test environment; this connection is a live one',
    ])
  })

  it('needs what its uses need, and takes nothing that its provider does not have', () => {
    assert.deepEqual(told({ ...wompi, provider: 'stripe' }, STAGING), [
      '/provider NOT_ALLOWED: must be one of wompi, mono, placetopay',
    ])
    assert.deepEqual(told({ ...wompi, uses: ['PSE_IN', 'BRE_B_IN'] }, STAGING), [
      '/uses/1 NOT_ALLOWED: is nothing that Wompi does; it does PSE_IN, BRE_B_OUT',
    ])
    assert.deepEqual(
      told({ ...withKeys(wompi, { privateKey: undefined }), uses: ['PSE_IN', 'BRE_B_OUT'] }, STAGING),
      [
        '/credentials/privateKey REQUIRED: is needed for PSE_IN',
        ...Object.keys(PAYOUTS).map((name) => `/credentials/${name} REQUIRED: is needed for BRE_B_OUT`),
      ],
    )
    const [unknown = ''] = told(withKeys(wompi, { secretKey: 'x' }), STAGING)
    assert.match(
      unknown,
      /^\/credentials\/secretKey NOT_ALLOWED: is no field of Wompi; its fields are publicKey, /,
    )
    // The address has a usual value in one environment, and none in the other.
    assert.deepEqual(told(withKeys(liveMono, { url: undefined }), PRODUCTION), [
      '/credentials/url REQUIRED: is needed for BRE_B_IN',
    ])
    assert.deepEqual(told({ ...withKeys(liveMono, { url: undefined }), environment: 'test' }, STAGING), [])
  })

  it('has values of the right form', () => {
    assert.deepEqual(
      told(
        withKeys(liveMono, { accountId: 'bbtacc_short', keys: 'mine', webhookSecret: 'whsec_' }),
        PRODUCTION,
      ),
      [
        '/credentials/webhookSecret WRONG_FORMAT: must match ^whsec_[\\x21-\\x7e]{4,400}$',
        '/credentials/accountId WRONG_FORMAT: must match ^bbtacc_[\\w-]{22}$',
        '/credentials/keys WRONG_FORMAT: must match ^(ours|theirs)$',
      ],
    )
    assert.deepEqual(told(withKeys(wompi, { publicKey: 'pub_test_0001\n' }), STAGING), [
      '/credentials/publicKey WRONG_FORMAT: must match ^pub_test_[\\x21-\\x7e]{4,400}$',
    ])
  })

  it('has a minimum that is not above its maximum, and a maximum that its provider’s minimum fits under', () => {
    const limits = (minimumInCents: bigint | null, maximumInCents: bigint | null) =>
      told({ ...wompi, minimumInCents, maximumInCents }, STAGING)
    assert.deepEqual(limits(200_000n, 200_000n), [])
    assert.deepEqual(limits(200_001n, 200_000n), [
      '/minimumInCents OUT_OF_RANGE: must be at most maximumInCents',
    ])
    assert.deepEqual(limits(null, 150_000n), [])
    assert.deepEqual(limits(null, 149_999n), [
      '/maximumInCents OUT_OF_RANGE: must be at least 150000: Wompi takes nothing below for PSE_IN',
    ])
  })

  it('calls only addresses of its provider, or such as the operator allows', () => {
    const address = (paymentsUrl: string, rules: ConnectionRules) =>
      told(withKeys(rules === PRODUCTION ? liveWompi : wompi, { paymentsUrl }), rules)
    for (const url of [
      'https://wompi.co/v1',
      'https://production.wompi.co',
      'https://a.b.wompi.co:8443/',
      'https://PAY.example/v1',
    ])
      assert.deepEqual(address(url, PRODUCTION), [], url)
    const elsewhere =
      'must be on wompi.co, where Wompi is, or on a host that the operator allows with CONNECTION_HOSTS'
    const refused: [string, string][] = [
      ['http://production.wompi.co/v1', 'must begin with https://'],
      ['ftp://production.wompi.co/v1', 'must begin with https://'],
      ['production.wompi.co', 'must begin with https://'],
      ['https://', 'must begin with https://'],
      ['https://wompi.co.evil.example', elsewhere],
      ['https://evilwompi.co', elsewhere],
      ['https://other.pay.example', elsewhere],
      ['https://169.254.169.254/latest', elsewhere],
      ['https://[::1]/', elsewhere],
      ['https://evil.example\\.wompi.co', elsewhere],
      ['https://wompi.co@evil.example', 'must not contain a user name or password'],
      ['https://user:pass@wompi.co', 'must not contain a user name or password'],
      ['https://@wompi.co', 'must not contain a user name or password'],
      ['https://wompi.co/v1?key=1', 'must not contain a query or a fragment'],
      ['https://wompi.co/v1#', 'must not contain a query or a fragment'],
      ['https://wompi.co/v1 ', 'must be an address such as https://api.example/v1'],
      ['https://wómpi.wompi.co', 'must be an address such as https://api.example/v1'],
    ]
    for (const [url, message] of refused)
      assert.deepEqual(address(url, PRODUCTION), [`/credentials/paymentsUrl WRONG_FORMAT: ${message}`], url)
    assert.deepEqual(address('http://127.0.0.1:4010/wompi/v1', STAGING), [])
    assert.deepEqual(address('http://user@127.0.0.1:4010', STAGING), [
      '/credentials/paymentsUrl WRONG_FORMAT: must not contain a user name or password',
    ])
  })

  it('is told every mistake at once', () => {
    const wrong = {
      ...withKeys(wompi, {
        publicKey: undefined,
        privateKey: LIVE_KEYS.privateKey,
        more: 'x',
        paymentsUrl: 'x',
      }),
      environment: 'test',
      uses: ['BRE_B_IN', 'PSE_IN'],
      minimumInCents: 900_000n,
      maximumInCents: 800_000n,
    }
    assert.deepEqual(
      told(wrong, { environment: 'production', connectionHosts: [] }).map((line) => line.split(' ')[0]),
      [
        '/environment',
        '/uses/0',
        '/minimumInCents',
        '/credentials/more',
        '/credentials/publicKey',
        '/credentials/privateKey',
        '/credentials/paymentsUrl',
      ],
    )
  })

  it('is never told a value that it sent, not even one in the place of a name', () => {
    const secret = 'prv_prod_5ecret-5ecret'
    const url = `https://${secret}@evil.example/?${secret}`
    for (const provider of PROVIDERS) {
      const names = PROVIDER_DESCRIPTIONS[provider].fields.map(({ name }) => name)
      const credentials = {
        ...Object.fromEntries(names.map((name) => [name, secret])),
        [secret]: secret,
        url,
        paymentsUrl: url,
      }
      for (const rules of [STAGING, PRODUCTION])
        for (const environment of ['test', 'live'])
          for (const line of told({ ...wompi, provider, environment, credentials }, rules))
            assert.ok(!line.includes('5ecret'), line)
    }
    assert.ok(
      told(withKeys(wompi, { [secret]: 'x' }), STAGING)[0]?.startsWith(
        '/credentials NOT_ALLOWED: has something that is no field of Wompi',
      ),
    )
  })

  it('says nothing of what its schema refuses', () => {
    for (const wanted of [
      {},
      { provider: 'wompi' },
      { provider: 'wompi', environment: 'x', credentials: {} },
      { provider: 'wompi', environment: 'test', uses: [], credentials: {} },
      { provider: 'wompi', environment: 'test', uses: [], credentials: { publicKey: 7 } },
    ])
      assert.deepEqual(told(wanted, STAGING), [], JSON.stringify(wanted))
  })
})
