// The merchant's accounts at Wompi, out of the credentials of a connection: one for payments and one for payouts.

import type { Credentials } from '../../core/connections/connection.ts'
import type { ProviderEnvironment } from '../../core/connections/provider.ts'

export type PaymentsAccount = {
  readonly environment: ProviderEnvironment
  readonly url: string
  readonly publicKey: string
  readonly privateKey: string
  readonly integritySecret: string
}

export type PayoutsAccount = {
  readonly url: string
  readonly apiKey: string
  readonly userPrincipalId: string
  readonly accountId: string
}

export function paymentsAccount(credentials: Credentials, environment: ProviderEnvironment): PaymentsAccount {
  return {
    environment,
    url: fieldOf(credentials, 'paymentsUrl'),
    publicKey: fieldOf(credentials, 'publicKey'),
    privateKey: fieldOf(credentials, 'privateKey'),
    integritySecret: fieldOf(credentials, 'integritySecret'),
  }
}

export function payoutsAccount(credentials: Credentials): PayoutsAccount {
  return {
    url: fieldOf(credentials, 'payoutsUrl'),
    apiKey: fieldOf(credentials, 'payoutsApiKey'),
    userPrincipalId: fieldOf(credentials, 'payoutsUserPrincipalId'),
    accountId: fieldOf(credentials, 'payoutsAccountId'),
  }
}

// The public key is enough to ask for a payment. What became of it is told only to the private one.
export const bearer = (key: string): Record<string, string> => ({ authorization: `Bearer ${key}` })

export function payoutsHeaders({ apiKey, userPrincipalId }: PayoutsAccount): Record<string, string> {
  return { 'x-api-key': apiKey, 'user-principal-id': userPrincipalId }
}

// A connection is not made without what its uses need.
function fieldOf(credentials: Credentials, name: string): string {
  const value = credentials[name]
  if (value === undefined) throw new Error(`the connection to Wompi has no ${name}`)
  return value
}
