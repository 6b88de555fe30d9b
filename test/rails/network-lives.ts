// Orders at the simulated networks of the installation, for the shared contract. They know an order by its reference, for ever.

import type { NetworkExchange, PayinOrder, PayoutOrder, Rails } from '../../src/rails/rail.ts'
import { openRails } from '../../src/rails/rails.ts'
import { NO_FAULTS } from '../../src/sandbox/faults.ts'
import { startSandbox } from '../../src/sandbox/server.ts'
import { type FarSide, LIFE_LIMITS, type Life, type LifeRails } from './conformance/lives.ts'

const OUTCOME_DELAY_MS = 2_000
const client = { clientId: 'recaudo', clientSecret: 'a-secret', notificationKey: 'a-key' }
// Nobody listens: what the networks tell us is not looked at here.
const NOWHERE = { breb: 'http://127.0.0.1:1/breb', pse: 'http://127.0.0.1:1/pse' }

type Ordered = {
  readonly network: 'breb' | 'pse'
  readonly resource: string
  readonly reference: string
  readonly movement: 'credit' | 'debit'
  readonly railsOf: (rails: Rails) => Omit<LifeRails, 'close'>
}

async function begin({ network, resource, reference, movement, railsOf }: Ordered): Promise<FarSide> {
  const startedAt = Date.now()
  const sandbox = await startSandbox({
    host: '127.0.0.1',
    port: 0,
    storageFile: ':memory:',
    notifyUrl: NOWHERE,
    credentials: { breb: client, pse: client },
    delayMs: OUTCOME_DELAY_MS,
    seed: 1,
    faults: NO_FAULTS,
    now: () => startedAt,
  })
  const open = (url: string, record: (exchange: NetworkExchange) => void) => {
    const at = (path: string) => ({ ...client, baseUrl: `${url}/${path}` })
    const rails = openRails(
      { breb: at('breb'), pse: at('pse') },
      { now: sandbox.now, record, limits: LIFE_LIMITS },
    )
    return { ...railsOf(rails), close: rails.close }
  }
  return {
    url: sandbox.url,
    open,
    made: async () => {
      const token = await tokenFor(`${sandbox.url}/${network}`)
      const headers = { authorization: `Bearer ${token}` }
      const answer = await fetch(`${sandbox.url}/${network}/${resource}/${reference}`, { headers })
      return answer.status === 200 ? 1 : 0
    },
    paid: async () =>
      sandbox
        .log()
        .filter((entry) => entry.reference === reference && entry.movement === movement)
        .map(({ amountInCents }) => amountInCents),
    letPay: () => sandbox.advance(OUTCOME_DELAY_MS),
    advance: sandbox.advance,
    [Symbol.asyncDispose]: sandbox[Symbol.asyncDispose],
  }
}

async function tokenFor(url: string): Promise<string> {
  const basic = Buffer.from(`${client.clientId}:${client.clientSecret}`).toString('base64')
  const grant = await fetch(`${url}/oauth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${basic}`, 'content-type': 'application/x-www-form-urlencoded' },
    body: 'grant_type=client_credentials',
  })
  return ((await grant.json()) as { access_token: string }).access_token
}

// The payer of this document pays.
const PAYER = '1000000001'

export function payinLife(order: PayinOrder): Life {
  const { reference, amountInCents, source } = order
  const { rail } = source
  const customer = order.customer && { ...order.customer, idNumber: PAYER }
  const fresh = { ...order, customer, expiresAt: Date.now() + 900_000 }
  const handle = { reference, amountInCents, providerId: null }
  const [network, resource] =
    rail === 'BRE_B' ? (['breb', 'collections'] as const) : (['pse', 'sessions'] as const)
  return {
    name: 'a payin',
    amountInCents,
    begin: () =>
      begin({
        network,
        resource,
        reference,
        movement: 'credit',
        railsOf: ({ payins }) => ({
          submit: () => payins[rail].submit(fresh),
          search: () => payins[rail].query(handle),
        }),
      }),
    isOrder: (method, path) => method === 'PUT' && path.includes(resource),
    again: { status: 200, orders: 1 },
    againAfterADay: { status: 200, orders: 1 },
  }
}

export function payoutLife(order: PayoutOrder): Life {
  const { reference, amountInCents } = order
  return {
    name: 'a payout',
    amountInCents,
    begin: () =>
      begin({
        network: 'breb',
        resource: 'transfers',
        reference,
        movement: 'debit',
        railsOf: ({ payouts }) => ({
          submit: () => payouts.submit(order),
          search: () => payouts.query({ reference, amountInCents, providerId: null }),
        }),
      }),
    isOrder: (method, path) => method === 'PUT' && path.includes('transfers'),
    again: { status: 200, orders: 1 },
    againAfterADay: { status: 200, orders: 1 },
  }
}
