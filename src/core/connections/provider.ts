// The providers a merchant can connect, and what each can do. A provider is a company with an API of its own; its adapter is the
// folder of the same name in rails/. Everything else learns here what a provider can do, and never asks which one it is.

import { DAY_MS } from '../instant.ts'
import type { Rail } from './rail.ts'

export const PROVIDERS = ['wompi', 'mono', 'placetopay'] as const
export type Provider = (typeof PROVIDERS)[number]

// A provider's test environment moves no money. Staging takes only test connections, and production only live ones.
export const PROVIDER_ENVIRONMENTS = ['test', 'live'] as const
export type ProviderEnvironment = (typeof PROVIDER_ENVIRONMENTS)[number]

// What a connection may be used for. A key is looked up where payouts go.
export const USES = ['BRE_B_IN', 'BRE_B_OUT', 'PSE_IN'] as const
export type Use = (typeof USES)[number]

export function payinUse(rail: Rail): Use {
  return rail === 'BRE_B' ? 'BRE_B_IN' : 'PSE_IN'
}

export type PayinAbilities = {
  // none: a payment that was begun ends by itself. asynchronous: the provider takes the order and ends the payment later.
  readonly cancel: 'none' | 'asynchronous' | 'immediate'
  // Money that came too late can be sent back the way it came.
  readonly returnsPayments: boolean
  // The payer's browser must have been on our page before the order: to accept the provider's terms, or because the provider
  // asks for the browser's address.
  readonly needsPayerPresent: boolean
  // Two links to the provider's terms must be shown to the payer, who accepts them.
  readonly hasTerms: boolean
  // It has its own list of banks.
  readonly hasBanks: boolean
  readonly minimumInCents: bigint
}

export type CredentialField = {
  readonly name: string
  readonly description: string
  readonly isSecret: boolean
  // The uses that need it. A field of no use is optional.
  readonly neededFor: readonly Use[]
  // What the value looks like in each environment. A value that matches only the other one is refused by that name.
  readonly patterns: Readonly<Record<ProviderEnvironment, string>>
  // Used where nothing is given. Null: it must be given where it is needed.
  readonly defaults?: Readonly<Record<ProviderEnvironment, string | null>>
  // An address that we call.
  readonly isAddress?: true
}

export type ProviderDescription = {
  readonly title: string
  readonly uses: readonly Use[]
  readonly payins: Readonly<Partial<Record<Rail, PayinAbilities>>>
  // What its own lists show, which is compared with our books by day.
  readonly lists: readonly ('credit' | 'debit')[]
  // How long it surely knows the order of a payout again, and does not pay it a second time. Zero: it does not say.
  readonly knowsOrdersForMs: number
  // The provider's own domains. An address of another one is refused, unless the operator allows it.
  readonly domains: readonly string[]
  readonly fields: readonly CredentialField[]
}

const anything = '^[\\x21-\\x7e]{1,500}$'
const sameInBoth = (pattern: string) => ({ test: pattern, live: pattern })
const prefixed = (test: string, live: string) => ({
  test: `^${test}[\\x21-\\x7e]{4,400}$`,
  live: `^${live}[\\x21-\\x7e]{4,400}$`,
})
const ADDRESS = '^https?://[A-Za-z0-9.\\[\\]:-]{1,255}(/[A-Za-z0-9._/-]*)?$'

const address = (
  name: string,
  description: string,
  neededFor: readonly Use[],
  test: string | null,
  live: string | null,
): CredentialField => ({
  name,
  description,
  isSecret: false,
  neededFor,
  patterns: sameInBoth(ADDRESS),
  defaults: { test, live },
  isAddress: true,
})

const secret = (
  name: string,
  description: string,
  neededFor: readonly Use[],
  patterns: CredentialField['patterns'] = sameInBoth(anything),
): CredentialField => ({ name, description, isSecret: true, neededFor, patterns })

export const PROVIDER_DESCRIPTIONS: Readonly<Record<Provider, ProviderDescription>> = {
  wompi: {
    title: 'Wompi',
    uses: ['PSE_IN', 'BRE_B_OUT'],
    payins: {
      PSE: {
        cancel: 'none',
        returnsPayments: false,
        needsPayerPresent: true,
        hasTerms: true,
        hasBanks: true,
        minimumInCents: 150_000n,
      },
    },
    lists: [],
    knowsOrdersForMs: DAY_MS,
    domains: ['wompi.co'],
    fields: [
      {
        ...secret('publicKey', 'Public key of the account.', ['PSE_IN'], prefixed('pub_test_', 'pub_prod_')),
        isSecret: false,
      },
      secret('privateKey', 'Private key of the account.', ['PSE_IN'], prefixed('prv_test_', 'prv_prod_')),
      secret(
        'eventsSecret',
        'Secret that signs events of payments.',
        ['PSE_IN'],
        prefixed('test_events_', 'prod_events_'),
      ),
      secret(
        'integritySecret',
        'Secret that signs what is charged.',
        ['PSE_IN'],
        prefixed('test_integrity_', 'prod_integrity_'),
      ),
      secret('payoutsApiKey', 'API key of “Pagos a Terceros”.', ['BRE_B_OUT']),
      secret('payoutsUserPrincipalId', 'User principal id of “Pagos a Terceros”.', ['BRE_B_OUT']),
      {
        ...secret('payoutsAccountId', 'Account that payouts are paid from.', ['BRE_B_OUT']),
        isSecret: false,
      },
      secret('payoutsEventsSecret', 'Secret that signs events of payouts.', ['BRE_B_OUT']),
      address(
        'paymentsUrl',
        'Address of the payments API.',
        ['PSE_IN'],
        'https://sandbox.wompi.co/v1',
        'https://production.wompi.co/v1',
      ),
      address(
        'payoutsUrl',
        'Address of the payouts API.',
        ['BRE_B_OUT'],
        'https://api.sandbox.payouts.wompi.co',
        'https://api.payouts.wompi.co',
      ),
    ],
  },
  mono: {
    title: 'Mono',
    uses: ['BRE_B_IN', 'BRE_B_OUT'],
    payins: {
      BRE_B: {
        cancel: 'asynchronous',
        returnsPayments: false,
        needsPayerPresent: false,
        hasTerms: false,
        hasBanks: false,
        minimumInCents: 1n,
      },
    },
    lists: ['credit'],
    knowsOrdersForMs: 0,
    domains: ['mono.la', 'monoban.co'],
    fields: [
      { ...secret('clientId', 'Client id of the API.', ['BRE_B_IN', 'BRE_B_OUT']), isSecret: false },
      secret('clientSecret', 'Client secret of the API.', ['BRE_B_IN', 'BRE_B_OUT']),
      secret(
        'webhookSecret',
        'Secret that signs webhooks.',
        ['BRE_B_IN', 'BRE_B_OUT'],
        sameInBoth('^whsec_[\\x21-\\x7e]{4,400}$'),
      ),
      {
        ...secret(
          'accountId',
          'Tenant account, such as bbtacc_….',
          ['BRE_B_IN', 'BRE_B_OUT'],
          sameInBoth('^bbtacc_[\\w-]{22}$'),
        ),
        isSecret: false,
      },
      {
        name: 'keys',
        description: 'Who names the keys that payers pay to: `ours` (Recaudo does) or `theirs` (Mono does).',
        isSecret: false,
        neededFor: [],
        patterns: sameInBoth('^(ours|theirs)$'),
        defaults: { test: 'ours', live: 'ours' },
      },
      address(
        'url',
        'Address of the API. Production’s comes with the contract.',
        ['BRE_B_IN', 'BRE_B_OUT'],
        'https://breb-participant.sandbox.mono.la',
        null,
      ),
    ],
  },
  placetopay: {
    title: 'PlacetoPay',
    uses: ['PSE_IN'],
    payins: {
      PSE: {
        cancel: 'none',
        returnsPayments: false,
        needsPayerPresent: true,
        hasTerms: false,
        hasBanks: true,
        minimumInCents: 1n,
      },
    },
    lists: [],
    knowsOrdersForMs: 0,
    domains: ['placetopay.ws', 'placetopay.com'],
    fields: [
      { ...secret('login', 'Login of the site.', ['PSE_IN']), isSecret: false },
      secret('secretKey', 'Secret key (tranKey) of the site.', ['PSE_IN']),
      address(
        'url',
        'Address of the gateway. Production’s comes with the contract.',
        ['PSE_IN'],
        'https://api-co-dev.placetopay.ws',
        null,
      ),
    ],
  },
}

// The networks that the installation itself is connected to, for whoever has no connection of their own.
export const INSTALLATION_ABILITIES: PayinAbilities = {
  cancel: 'immediate',
  returnsPayments: true,
  needsPayerPresent: false,
  hasTerms: false,
  hasBanks: false,
  minimumInCents: 1n,
}

// The uses that these credentials are enough for, defaults included.
export function servableUses(provider: Provider, credentials: Readonly<Record<string, string>>): Use[] {
  const { uses, fields } = PROVIDER_DESCRIPTIONS[provider]
  return uses.filter((use) =>
    fields.every(({ name, neededFor }) => !neededFor.includes(use) || Object.hasOwn(credentials, name)),
  )
}

// The least that one payment of this use may carry.
export function minimumOf(provider: Provider, use: Use): bigint {
  const { payins } = PROVIDER_DESCRIPTIONS[provider]
  const rail = (Object.keys(payins) as Rail[]).find((each) => payinUse(each) === use)
  return (rail && payins[rail]?.minimumInCents) ?? 1n
}

export function payinAbilities(provider: Provider | null, rail: Rail): PayinAbilities {
  if (provider === null) return INSTALLATION_ABILITIES
  return PROVIDER_DESCRIPTIONS[provider].payins[rail] ?? INSTALLATION_ABILITIES
}
