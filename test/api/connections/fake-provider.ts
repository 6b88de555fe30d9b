// A provider for tests of connections: an adapter that stands in for those of all providers, and an HTTP server that it asks. It
// signs notifications with a secret of the connection, as providers do.

import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Credentials } from '../../../src/core/connections/connection.ts'
import { PROVIDERS, type Provider } from '../../../src/core/connections/provider.ts'
import type { Rail } from '../../../src/core/connections/rail.ts'
import { byHeaders } from '../../../src/rails/authorization.ts'
import { type OpenProvider, openGateway, type ProviderSettings } from '../../../src/rails/provider.ts'
import { OPEN_PROVIDER } from '../../../src/rails/providers.ts'
import type {
  PayinRail,
  PayoutRail,
  ProviderBank,
  ProviderRails,
  RailAnswer,
  ReadHint,
} from '../../../src/rails/rail.ts'

export type FakeProvider = AsyncDisposable & {
  url: string
  // With what its adapter was opened, the last one last.
  opened: ProviderSettings[]
  // Keys that its server refuses.
  refused: Set<string>
  banks: RailAnswer<readonly ProviderBank[], never> | null
  // What `check` does instead, if it is set.
  check: ProviderRails['check'] | null
  // References of payins that were ordered here.
  ordered: string[]
}

export const SIGNATURE_HEADER = 'x-fake-signature'

export function signed(secret: string, body: string): Record<string, string> {
  return { [SIGNATURE_HEADER]: createHmac('sha256', secret).update(body).digest('hex') }
}

export async function startFakeProvider(): Promise<FakeProvider> {
  const before = { ...OPEN_PROVIDER }
  const adapters = OPEN_PROVIDER as Partial<Record<Provider, OpenProvider>>
  const refused = new Set<string>()
  const server = createServer((request, response) => {
    const key = (request.headers.authorization ?? '').replace('Bearer ', '')
    response.writeHead(refused.has(key) ? 401 : 200, { 'content-type': 'application/json' }).end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const fake: FakeProvider = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    opened: [],
    refused,
    banks: { outcome: 'accepted', value: [] },
    check: null,
    ordered: [],
    [Symbol.asyncDispose]: async () => {
      for (const provider of PROVIDERS) delete adapters[provider]
      Object.assign(adapters, before)
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  for (const provider of PROVIDERS) adapters[provider] = adapterOf(fake)
  return fake
}

function adapterOf(fake: FakeProvider): OpenProvider {
  return (settings, dependencies) => {
    fake.opened.push(settings)
    const { uses, credentials } = settings
    const secret = secretOf(credentials)
    const opened = openGateway(
      'PSE',
      fake.url,
      byHeaders({ authorization: `Bearer ${secret}` }),
      () => undefined,
      dependencies,
    )
    const rails = (
      [
        ['PSE', 'PSE_IN'],
        ['BRE_B', 'BRE_B_IN'],
      ] as const
    ).filter(([, use]) => uses.includes(use))
    return {
      payins: Object.fromEntries(rails.map(([rail]): [Rail, PayinRail] => [rail, payinsOf(fake)])),
      payouts: uses.includes('BRE_B_OUT') ? PAYOUTS : null,
      directory: null,
      banks: fake.banks && (async () => fake.banks as Exclude<typeof fake.banks, null>),
      terms: null,
      statement: {},
      isAway: () => false,
      check: () => (fake.check ?? checkWith(opened))(),
      readHint: readHint(settings),
      close: () => opened.connection.close(),
    }
  }
}

// The secret that this provider has in all its forms.
function secretOf({ eventsSecret, payoutsEventsSecret, webhookSecret, secretKey }: Credentials): string {
  return eventsSecret ?? payoutsEventsSecret ?? webhookSecret ?? secretKey ?? ''
}

function checkWith({ gateway, limits }: ReturnType<typeof openGateway>): ProviderRails['check'] {
  return async () => {
    const reply = await gateway.ask({
      method: 'GET',
      resource: '/account',
      id: null,
      deadlineMs: limits.queryMs,
      mayAskAgain: false,
    })
    return [{ what: 'secret', problem: reply.outcome === 'answered' ? null : 'The provider refuses it.' }]
  }
}

function readHint({ credentials, previousCredentials }: ProviderSettings): ReadHint {
  const secrets = [credentials, ...(previousCredentials === null ? [] : [previousCredentials])].map(secretOf)
  return (headers, body) => {
    const text = body.toString()
    if (!secrets.some((secret) => signed(secret, text)[SIGNATURE_HEADER] === headers[SIGNATURE_HEADER]))
      return undefined
    return JSON.parse(text) as ReturnType<ReadHint>
  }
}

function payinsOf(fake: FakeProvider): PayinRail {
  const asked: PayinRail['query'] = async () => ({ outcome: 'accepted', value: { state: 'open' } })
  return {
    submit: async ({ reference }) => {
      fake.ordered.push(reference)
      const instructions = {
        keyString: null,
        qrPayload: null,
        pageUrl: 'https://bank.example/',
        isReady: true,
      }
      return { outcome: 'accepted', value: { providerId: `id-${reference}`, traceId: null, instructions } }
    },
    query: asked,
    cancel: async () => ({
      outcome: 'accepted',
      value: { state: 'ended', how: 'canceled', reason: 'CANCELED_BY_MERCHANT', networkCode: '' },
    }),
    returnPayment: null,
  }
}

const PAYOUTS: PayoutRail = {
  submit: async () => ({ outcome: 'accepted', value: { state: 'processing' } }),
  query: async () => ({ outcome: 'accepted', value: { state: 'processing' } }),
}

// What each provider takes in its test environment.
export const WOMPI = {
  name: 'Wompi',
  provider: 'wompi',
  environment: 'test',
  uses: ['PSE_IN'],
  credentials: {
    publicKey: 'pub_test_shown',
    privateKey: 'prv_test_hidden-1',
    eventsSecret: 'test_events_hidden-2',
    integritySecret: 'test_integrity_hidden-3',
  },
}
export const MONO = {
  name: 'Mono',
  provider: 'mono',
  environment: 'test',
  uses: ['BRE_B_IN', 'BRE_B_OUT'],
  credentials: {
    clientId: 'client-shown',
    clientSecret: 'hidden-4',
    webhookSecret: 'whsec_hidden-5',
    accountId: 'bbtacc_0123456789abcdefghijkl',
  },
}
export const PLACETOPAY = {
  name: 'PlacetoPay',
  provider: 'placetopay',
  environment: 'test',
  uses: ['PSE_IN'],
  credentials: { login: 'login-shown', secretKey: 'hidden-6' },
}
