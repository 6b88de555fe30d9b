// Calls the simulated Mono as a merchant would: with a token of its own, and in Mono's words.

import assert from 'node:assert/strict'
import { mono } from '../../../src/sandbox/providers/mono/mono.ts'
import { type ProviderAnswer, type Simulated, simulate } from './simulated.ts'

export const {
  clientId,
  clientSecret,
  webhookSecret,
  accountId: tenantAccountId,
} = mono.credentials as {
  clientId: string
  clientSecret: string
  webhookSecret: string
  accountId: string
}
export const ALL_SCOPES = 'collections outgoing_transfers target_resolutions tenant_accounts:readonly'
export const OUTCOME_DELAY_MS = 2_000
export const pesos = (amount: number) => ({ amount: amount * 100, currency: 'COP' })

export const tokenRequest = (scope: string = ALL_SCOPES) => ({
  client_id: clientId,
  client_secret: clientSecret,
  grant_type: 'client_credentials',
  scope,
})

export type Mono = Simulated & {
  send: (method: string, path: string, body?: unknown) => Promise<ProviderAnswer>
  /** Creates one collection of 24,900 pesos, single use, and returns it as created. */
  collect: (changes?: Record<string, unknown>) => Promise<ProviderAnswer['json']>
  pay: (key: string, changes?: Record<string, unknown>) => Promise<ProviderAnswer>
  /** One transfer, as the answer to its batch shows it. */
  transfer: (
    changes?: Record<string, unknown>,
    batch?: Record<string, unknown>,
  ) => Promise<ProviderAnswer['json']>
  read: (path: string) => Promise<ProviderAnswer['json']>
  /** The types of the events that came, in their order, and their data. */
  events: () => { type: string; data: ProviderAnswer['json'] }[]
}

export async function simulateMono(
  options: Parameters<typeof simulate>[1] = {},
  scope?: string,
): Promise<Mono> {
  const simulated = await simulate(mono, options)
  const { json } = await simulated.call('POST', '/api/v1/oauth/token', tokenRequest(scope))
  const headers = { authorization: `Bearer ${json?.access_token}` }
  const send: Mono['send'] = (method, path, body) => simulated.call(method, `/api/v1${path}`, body, headers)
  return Object.assign(simulated, {
    send,
    collect: async (changes = {}) => {
      const made = await send('POST', '/collections', collectionBatch(changes))
      assert.equal(made.status, 201, made.text)
      return made.json.created[0]
    },
    pay: (key: string, changes = {}) =>
      send('POST', '/sandbox/collections/attempts', {
        amount: pesos(24_900),
        creditor_key_value: key,
        ...changes,
      }),
    transfer: async (changes = {}, batch = {}) => {
      const made = await send('POST', '/outgoing_transfers', transferBatch(changes, batch))
      assert.equal(made.status, 202, made.text)
      return (made.json.accepted_transfers ?? made.json.transfers)[0]
    },
    read: async (path: string) => {
      const { status, json: read, text } = await send('GET', path)
      assert.equal(status, 200, text)
      return read
    },
    events: () => simulated.received.map(({ body }) => JSON.parse(body).event),
  } satisfies Omit<Mono, keyof Simulated>)
}

export const collectionBatch = (changes: Record<string, unknown> = {}) => ({
  tenant_account_id: tenantAccountId,
  collections: [
    {
      external_id: 'order-1',
      usage_mode: 'single_use',
      total_minimum_amount: pesos(24_900),
      total_maximum_amount: pesos(24_900),
      ...changes,
    },
  ],
})

export const transferBatch = (
  changes: Record<string, unknown> = {},
  batch: Record<string, unknown> = {},
) => ({
  tenant_account_id: tenantAccountId,
  ...batch,
  transfers: [
    {
      external_id: 'payout-1',
      amount: pesos(50_000),
      ...(changes.target_id === undefined && { query: { format: 'plain_key', value: '3001234567' } }),
      ...changes,
    },
  ],
})

/** What Mono calls wrong in a refusal, by path. */
export const pathsIn = (refused: ProviderAnswer): string[] =>
  refused.json.errors.map(({ path }: { path: string }) => path).sort()

/** A collection whose key is registered. */
export async function ready(simulated: Mono, changes?: Record<string, unknown>) {
  const { id } = await simulated.collect(changes)
  await simulated.advance(OUTCOME_DELAY_MS)
  const { keys, state } = await simulated.read(`/collections/${id}`)
  assert.equal(state, 'ready')
  return { id, path: `/collections/${id}`, key: keys[0].value as string }
}

/** What an attempt to pay came to: its state and reason, and the collection's state. */
export async function outcome(simulated: Mono, path: string, key: string, changes?: Record<string, unknown>) {
  const made = await simulated.pay(key, changes)
  assert.deepEqual([made.status, made.json?.state], [201, 'created'], made.text)
  await simulated.advance(OUTCOME_DELAY_MS / 2)
  const { attempts } = await simulated.read(`${path}/attempts?page_size=500`)
  const { state, state_reason: reason } = attempts.at(-1)
  return [state, reason, (await simulated.read(path)).state]
}

export const idPattern = (prefix: string) => new RegExp(`^${prefix}_[\\w-]{22}$`)
