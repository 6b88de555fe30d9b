// What each simulated provider says it moved, asked for as anybody would who has the credentials. Our books are held against it.

import type { Provider } from '../../src/core/connections/provider.ts'
import { parseRailReference } from '../../src/core/connections/reference.ts'
import { shortReference } from '../../src/rails/provider.ts'
import { tokenRequest } from '../sandbox/providers/mono-caller.ts'
import { auth } from '../sandbox/providers/placetopay-calls.ts'
import type { Simulated } from '../sandbox/providers/simulated.ts'
import type { ConnectedWorld } from './connected.ts'

// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects and fails where it is not there
type Json = any

// `made` is what was ordered under our reference: one for each order that the provider took. `paid` is what was paid of it: one amount
// for each time, so that a payment twice is two of them.
export type Books = {
  readonly made: (world: ConnectedWorld, ordered: Ordered) => Promise<number>
  readonly paid: (world: ConnectedWorld, ordered: Ordered) => Promise<bigint[]>
}
type Ordered = { readonly reference: string; readonly amountInCents: number }

export const PAYIN_BOOKS: Readonly<Record<Provider, Books>> = {
  mono: {
    made: async (world, { reference }) => (await collectionsOf(world, reference)).length,
    paid: async (world, { reference }) => {
      const attempts: Json[] = []
      for (const { id } of await collectionsOf(world, reference))
        attempts.push(...(await askMono(world, `/collections/${id}/attempts?page_size=100`)).attempts)
      const successful = attempts.filter(({ state }) => state === 'successful')
      return successful.map(({ amount }) => BigInt(amount.amount))
    },
  },
  wompi: {
    made: async (world, { reference }) => (await transactionsOf(world, reference)).length,
    paid: async (world, { reference }) =>
      (await transactionsOf(world, reference))
        .filter(({ status }) => status === 'APPROVED')
        .map((each) => BigInt(each.amount_in_cents)),
  },
  placetopay: {
    made: async (world, ordered) => (await gatewayTransactionsOf(world, ordered)).length,
    paid: async (world, ordered) =>
      (await gatewayTransactionsOf(world, ordered))
        .filter(({ status }) => status.status === 'APPROVED')
        .map(({ amount }) => BigInt(Math.round(amount.total * 100))),
  },
}

export const PAYOUT_BOOKS: Readonly<Partial<Record<Provider, Books>>> = {
  mono: {
    made: async (world, { reference }) => (await transfersOf(world, reference)).length,
    paid: async (world, { reference }) =>
      (await transfersOf(world, reference))
        .filter(({ state }) => state === 'successful')
        .map(({ amount }) => BigInt(amount.amount)),
  },
  wompi: {
    made: async (world, { reference }) => (await batchesOf(world, reference)).length,
    paid: async (world, { reference }) => {
      const paid: bigint[] = []
      for (const { id } of await batchesOf(world, reference))
        for (const { status, amountInCents } of await payoutRecords(world, `/v2/payouts/${id}/transactions`))
          if (status === 'APPROVED') paid.push(BigInt(amountInCents))
      return paid
    },
  },
}

async function collectionsOf(world: ConnectedWorld, reference: string): Promise<Json[]> {
  return (await askMono(world, `/collections?external_id=${reference}&page_size=100`)).collections
}

async function transfersOf(world: ConnectedWorld, reference: string): Promise<Json[]> {
  const listed = await askMono(world, `/outgoing_transfers?external_id=${reference}&page_size=100`)
  return listed.transfers ?? listed.outgoing_transfers
}

async function transactionsOf(world: ConnectedWorld, reference: string): Promise<Json[]> {
  const headers = { authorization: `Bearer ${world.credentials.wompi.privateKey}` }
  const path = `/v1/transactions?reference=${reference}`
  return (await call(urlOf(world, 'wompi'), 'GET', path, undefined, headers)).json.data
}

function batchesOf(world: ConnectedWorld, reference: string): Promise<Json[]> {
  return payoutRecords(world, `/v1/payouts?reference=${parseRailReference(reference)?.id}`)
}

// Answers come bare or in an envelope.
async function payoutRecords(world: ConnectedWorld, path: string): Promise<Json[]> {
  const { apiKey = '', userPrincipalId = '' } = world.credentials['wompi-payouts']
  const headers = { 'x-api-key': apiKey, 'user-principal-id': userPrincipalId }
  const { json } = await call(urlOf(world, 'wompi-payouts'), 'GET', path, undefined, headers)
  return (json.data ?? json).records
}

async function gatewayTransactionsOf(
  world: ConnectedWorld,
  { reference, amountInCents }: Ordered,
): Promise<Json[]> {
  const simulator = world.simulators.placetopay as unknown as Simulated
  const { json } = await call(simulator.url, 'POST', '/gateway/search', {
    auth: auth(simulator),
    reference: shortReference(reference),
    amount: { currency: 'COP', total: amountInCents / 100 },
  })
  return json.transactions
}

// Somebody pays a key of a collection. False if it cannot be paid yet, or if no answer came.
export async function payKey(
  world: ConnectedWorld,
  keyString: string,
  amountInCents: number,
): Promise<boolean> {
  const answer = await mono(world, 'POST', '/sandbox/collections/attempts', {
    amount: { amount: amountInCents, currency: 'COP' },
    creditor_key_value: keyString,
  })
  return answer.status < 300
}

async function askMono(world: ConnectedWorld, path: string): Promise<Json> {
  return (await mono(world, 'GET', path)).json
}

// The simulated Mono may be in a storm, where a token takes several tries.
async function mono(world: ConnectedWorld, method: string, path: string, body?: unknown) {
  const url = urlOf(world, 'mono')
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

function urlOf({ simulators }: ConnectedWorld, name: keyof ConnectedWorld['simulators']): string {
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
