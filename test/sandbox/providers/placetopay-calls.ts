// Calls the simulated PlacetoPay Gateway in tests: with a right auth, and a payment to alter.

import { createHash } from 'node:crypto'
import { isoInstant } from '../../../src/core/instant.ts'
import { placetopay } from '../../../src/sandbox/providers/placetopay/gateway.ts'
import type { ProviderAnswer, Simulated } from './simulated.ts'

export const { login, secretKey } = placetopay.credentials as Record<string, string>
export const sha256 = (text: string) => createHash('sha256').update(text)

let nonces = 0
export function auth(
  simulated: Pick<Simulated, 'now'>,
  { at = simulated.now(), as = login, secret = secretKey } = {},
) {
  nonces += 1
  const nonce = `nonce-${nonces}`
  const seed = isoInstant(at)
  return {
    login: as,
    seed,
    nonce: Buffer.from(nonce).toString('base64'),
    tranKey: sha256(nonce + seed + secret).digest('base64'),
  }
}

export const ask = (
  simulated: Simulated,
  path: string,
  body: Record<string, unknown>,
): Promise<ProviderAnswer> => simulated.call('POST', `/gateway/${path}`, { auth: auth(simulated), ...body })

export type Tree = { [field: string]: unknown }

export function payment(changes: { bank?: string; document?: string; reference?: string } = {}): Tree {
  return {
    locale: 'es_CO',
    payer: {
      documentType: 'CC',
      document: changes.document ?? '1000000001',
      name: 'Ana',
      surname: 'Gómez',
      email: 'ana@example.com',
      mobile: '+573001234567',
    },
    payment: {
      reference: changes.reference ?? 'order-1',
      description: 'Café La Palma',
      amount: { currency: 'COP', total: 24_900.5 },
    },
    instrument: {
      redirection: {
        paymentMethod: '_PSE_',
        returnURL: 'https://shop.example/back?x=1&y=2',
        additional: { bankCode: changes.bank ?? '1022', userType: 'person' },
      },
    },
    ipAddress: '203.0.113.7',
    userAgent: 'Mozilla/5.0',
  }
}

/** The same with one field, named by its path, replaced; undefined takes it out. */
export function altered(tree: Tree, path: string, value: unknown): Tree {
  const [first = '', ...rest] = path.split('.')
  return {
    ...tree,
    [first]: rest.length === 0 ? value : altered((tree[first] ?? {}) as Tree, rest.join('.'), value),
  }
}

export const create = (simulated: Simulated, changes?: Parameters<typeof payment>[0], more: Tree = {}) =>
  ask(simulated, 'process', { ...payment(changes), ...more })

export const read = async (simulated: Simulated, internalReference: number) =>
  (await ask(simulated, 'query', { internalReference })).json

export const PAYMENT_AMOUNT = { currency: 'COP', total: 24_900.5 }
