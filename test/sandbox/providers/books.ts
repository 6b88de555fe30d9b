// What each simulated provider says it moved, asked for as anybody would who has the credentials. Our books are held against it.

import type { Provider } from '../../../src/core/connections/provider.ts'
import { parseRailReference } from '../../../src/core/connections/reference.ts'
import { shortReference } from '../../../src/rails/provider.ts'
import { PROVIDERS } from '../../../src/sandbox/providers/providers.ts'
import type { SimulatedProvider } from '../../../src/sandbox/providers/server.ts'
import { tokenRequest } from './mono-caller.ts'
import { auth } from './placetopay-calls.ts'

// A provider may have several: Wompi's payments and payouts are two.
export type SimulatorName = 'wompi' | 'wompi-payouts' | 'mono' | 'placetopay'
export type Simulators = Readonly<Partial<Record<SimulatorName, Pick<SimulatedProvider, 'url' | 'now'>>>>

// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects and fails where it is not there
type Json = any

// `made` is what was ordered under our reference: one for each order that the provider took. `paid` is what was paid of it: one amount
// for each time, so that a payment twice is two of them.
export type Books = {
  readonly made: (simulators: Simulators, ordered: Ordered) => Promise<number>
  readonly paid: (simulators: Simulators, ordered: Ordered) => Promise<bigint[]>
}
type Ordered = { readonly reference: string; readonly amountInCents: number }

export const PAYIN_BOOKS: Readonly<Record<Provider, Books>> = {
  mono: {
    made: async (simulators, { reference }) => (await collectionsOf(simulators, reference)).length,
    paid: async (simulators, { reference }) => {
      const attempts: Json[] = []
      for (const { id } of await collectionsOf(simulators, reference))
        attempts.push(...(await askMono(simulators, `/collections/${id}/attempts?page_size=100`)).attempts)
      const successful = attempts.filter(({ state }) => state === 'successful')
      return successful.map(({ amount }) => BigInt(amount.amount))
    },
  },
  wompi: {
    made: async (simulators, { reference }) => (await transactionsOf(simulators, reference)).length,
    paid: async (simulators, { reference }) =>
      (await transactionsOf(simulators, reference))
        .filter(({ status }) => status === 'APPROVED')
        .map((each) => BigInt(each.amount_in_cents)),
  },
  placetopay: {
    made: async (simulators, ordered) => (await gatewayTransactionsOf(simulators, ordered)).length,
    paid: async (simulators, ordered) =>
      (await gatewayTransactionsOf(simulators, ordered))
        .filter(({ status }) => status.status === 'APPROVED')
        .map(({ amount }) => BigInt(Math.round(amount.total * 100))),
  },
}

export const PAYOUT_BOOKS: Readonly<Partial<Record<Provider, Books>>> = {
  mono: {
    made: async (simulators, { reference }) => (await transfersOf(simulators, reference)).length,
    paid: async (simulators, { reference }) =>
      (await transfersOf(simulators, reference))
        .filter(({ state }) => state === 'successful')
        .map(({ amount }) => BigInt(amount.amount)),
  },
  wompi: {
    made: async (simulators, { reference }) => (await batchesOf(simulators, reference)).length,
    paid: async (simulators, { reference }) => {
      const paid: bigint[] = []
      for (const { id } of await batchesOf(simulators, reference))
        for (const { status, amountInCents } of await payoutRecords(
          simulators,
          `/v2/payouts/${id}/transactions`,
        ))
          if (status === 'APPROVED') paid.push(BigInt(amountInCents))
      return paid
    },
  },
}

async function collectionsOf(simulators: Simulators, reference: string): Promise<Json[]> {
  return (await askMono(simulators, `/collections?external_id=${reference}&page_size=100`)).collections
}

async function transfersOf(simulators: Simulators, reference: string): Promise<Json[]> {
  const listed = await askMono(simulators, `/outgoing_transfers?external_id=${reference}&page_size=100`)
  return listed.transfers ?? listed.outgoing_transfers
}

async function transactionsOf(simulators: Simulators, reference: string): Promise<Json[]> {
  const headers = { authorization: `Bearer ${credentialsOf('wompi').privateKey}` }
  const path = `/v1/transactions?reference=${reference}`
  return (await call(urlOf(simulators, 'wompi'), 'GET', path, undefined, headers)).json.data
}

function batchesOf(simulators: Simulators, reference: string): Promise<Json[]> {
  return payoutRecords(simulators, `/v1/payouts?reference=${parseRailReference(reference)?.id}`)
}

// Answers come bare or in an envelope.
async function payoutRecords(simulators: Simulators, path: string): Promise<Json[]> {
  const { payoutsApiKey = '', payoutsUserPrincipalId = '' } = credentialsOf('wompi-payouts')
  const headers = { 'x-api-key': payoutsApiKey, 'user-principal-id': payoutsUserPrincipalId }
  const { json } = await call(urlOf(simulators, 'wompi-payouts'), 'GET', path, undefined, headers)
  return (json.data ?? json).records
}

async function gatewayTransactionsOf(
  simulators: Simulators,
  { reference, amountInCents }: Ordered,
): Promise<Json[]> {
  const { json } = await call(urlOf(simulators, 'placetopay'), 'POST', '/gateway/search', {
    auth: auth({ now: () => simulators.placetopay?.now() ?? 0 }),
    reference: shortReference(reference),
    amount: { currency: 'COP', total: amountInCents / 100 },
  })
  return json.transactions
}

// Somebody pays a key of a collection. False if it cannot be paid yet, or if no answer came.
export async function payKey(
  simulators: Simulators,
  keyString: string,
  amountInCents: number,
): Promise<boolean> {
  const answer = await mono(simulators, 'POST', '/sandbox/collections/attempts', {
    amount: { amount: amountInCents, currency: 'COP' },
    creditor_key_value: keyString,
  })
  return answer.status < 300
}

async function askMono(simulators: Simulators, path: string): Promise<Json> {
  return (await mono(simulators, 'GET', path)).json
}

// The simulated Mono may be in a storm, where a token takes several tries.
async function mono(simulators: Simulators, method: string, path: string, body?: unknown) {
  const url = urlOf(simulators, 'mono')
  for (;;) {
    const token = await call(url, 'POST', '/api/v1/oauth/token', tokenRequest()).catch(() => undefined)
    if (token?.json?.access_token === undefined) continue
    const headers = { authorization: `Bearer ${token.json.access_token}` }
    return await call(url, method, `/api/v1${path}`, body, headers).catch(() => ({
      status: 599,
      json: undefined,
    }))
  }
}

function credentialsOf(name: SimulatorName): Readonly<Record<string, string>> {
  return PROVIDERS[name]?.credentials ?? {}
}

function urlOf(simulators: Simulators, name: SimulatorName): string {
  const url = simulators[name]?.url
  if (url === undefined) throw new Error(`${name} is not simulated here`)
  return url
}

async function call(
  url: string,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<{ status: number; json: Json }> {
  const answer = await fetch(url + path, {
    method,
    headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(1_000),
  })
  const text = await answer.text()
  return {
    status: answer.status,
    json: text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : undefined,
  }
}
