// What each provider can do and what it asks for, written out again: merchants are told so, and payments rely on it.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  INSTALLATION_ABILITIES,
  minimumOf,
  PROVIDER_DESCRIPTIONS,
  PROVIDERS,
  type Provider,
  payinAbilities,
  payinUse,
  servableUses,
  USES,
} from '../../../src/core/connections/provider.ts'

const PSE_OF = (hasTerms: boolean, minimumInCents: bigint) => ({
  PSE: {
    ...{ cancel: 'none', returnsPayments: false, needsPayerPresent: true, hasTerms, hasBanks: true },
    minimumInCents,
  },
})
const CAN = {
  wompi: {
    ...{ title: 'Wompi', uses: ['PSE_IN', 'BRE_B_OUT'], payins: PSE_OF(true, 150_000n), lists: [] },
    ...{ knowsOrdersForMs: 86_400_000, domains: ['wompi.co'] },
  },
  mono: {
    title: 'Mono',
    uses: ['BRE_B_IN', 'BRE_B_OUT'],
    payins: {
      BRE_B: {
        ...{ cancel: 'asynchronous', returnsPayments: false, needsPayerPresent: false, hasTerms: false },
        ...{ hasBanks: false, minimumInCents: 1n },
      },
    },
    ...{ lists: ['credit'], knowsOrdersForMs: 0, domains: ['mono.la', 'monoban.co'] },
  },
  placetopay: {
    ...{ title: 'PlacetoPay', uses: ['PSE_IN'], payins: PSE_OF(false, 1n), lists: [], knowsOrdersForMs: 0 },
    domains: ['placetopay.ws', 'placetopay.com'],
  },
}

// A field: whether it is secret, what needs it, and what stands for it where nothing is given, in test and in production.
const FIELDS: Readonly<Record<Provider, readonly string[]>> = {
  wompi: [
    'publicKey shown PSE_IN',
    'privateKey secret PSE_IN',
    'eventsSecret secret PSE_IN',
    'integritySecret secret PSE_IN',
    'payoutsApiKey secret BRE_B_OUT',
    'payoutsUserPrincipalId secret BRE_B_OUT',
    'payoutsAccountId shown BRE_B_OUT',
    'payoutsEventsSecret secret BRE_B_OUT',
    'paymentsUrl address PSE_IN https://sandbox.wompi.co/v1 https://production.wompi.co/v1',
    'payoutsUrl address BRE_B_OUT https://api.sandbox.payouts.wompi.co https://api.payouts.wompi.co',
  ],
  mono: [
    'clientId shown BRE_B_IN,BRE_B_OUT',
    'clientSecret secret BRE_B_IN,BRE_B_OUT',
    'webhookSecret secret BRE_B_IN,BRE_B_OUT',
    'accountId shown BRE_B_IN,BRE_B_OUT',
    'keys shown - ours ours',
    'url address BRE_B_IN,BRE_B_OUT https://breb-participant.sandbox.mono.la must-be-given',
  ],
  placetopay: [
    'login shown PSE_IN',
    'secretKey secret PSE_IN',
    'url address PSE_IN https://api-co-dev.placetopay.ws must-be-given',
  ],
}

describe('a provider', () => {
  for (const provider of PROVIDERS) {
    it(`${provider} can do this, and asks for this`, () => {
      const { fields, ...can } = PROVIDER_DESCRIPTIONS[provider]
      assert.deepEqual(can, CAN[provider])
      const asked = fields.map(({ name, isSecret, neededFor, defaults, isAddress }) =>
        [
          ...[name, isSecret ? 'secret' : isAddress === true ? 'address' : 'shown', neededFor.join() || '-'],
          ...(defaults === undefined
            ? []
            : [defaults.test, defaults.live].map((one) => one ?? 'must-be-given')),
        ].join(' '),
      )
      assert.deepEqual(asked, FIELDS[provider])
      assert.ok(fields.every(({ description }) => description !== ''))
    })

    it(`${provider} serves what all the credentials are given for`, () => {
      const { fields, uses } = PROVIDER_DESCRIPTIONS[provider]
      const given = Object.fromEntries(fields.map(({ name }) => [name, 'x']))
      assert.deepEqual(servableUses(provider, given), uses)
      assert.deepEqual(servableUses(provider, {}), [])
      for (const { name, neededFor } of fields) {
        const { [name]: _, ...others } = given
        const left = uses.filter((use) => !neededFor.includes(use))
        assert.deepEqual(servableUses(provider, others), left, name)
      }
    })
  }

  it('takes no less than its minimum of a payin, and a cent of anything else', () => {
    const minimums = PROVIDERS.flatMap((provider) => USES.map((use) => minimumOf(provider, use)))
    assert.deepEqual(minimums, [1n, 1n, 150_000n, 1n, 1n, 1n, 1n, 1n, 1n])
    assert.deepEqual([payinUse('BRE_B'), payinUse('PSE')], ['BRE_B_IN', 'PSE_IN'])
  })

  it('is asked about its own payins, and the installation’s networks about the others', () => {
    assert.deepEqual(INSTALLATION_ABILITIES, {
      ...{ cancel: 'immediate', returnsPayments: true, needsPayerPresent: false, hasTerms: false },
      ...{ hasBanks: false, minimumInCents: 1n },
    })
    assert.equal(payinAbilities(null, 'PSE'), INSTALLATION_ABILITIES)
    assert.equal(payinAbilities('mono', 'PSE'), INSTALLATION_ABILITIES)
    assert.deepEqual(payinAbilities('wompi', 'PSE'), CAN.wompi.payins.PSE)
  })
})
