// Asks Wompi something harmless with each of the credentials, and says in words what has to be changed.

import type { ProviderEnvironment } from '../../core/connections/provider.ts'
import type { Connection, Received, Sent } from '../connection.ts'
import type { Limits } from '../limits.ts'
import type { ConnectionCheck, Unknown } from '../rail.ts'
import { bearer, type PaymentsAccount, type PayoutsAccount, payoutsHeaders } from './account.ts'
import { readAccounts, readMerchant, readTransactions } from './wire.ts'

// Nobody's.
const NO_REFERENCE = 'recaudo-connection-check'

export async function checkPayments(
  connection: Connection,
  limits: Limits,
  { environment, publicKey, privateKey }: PaymentsAccount,
): Promise<ConnectionCheck[]> {
  const [merchant, search] = await Promise.all([
    send(connection, limits, { resource: '/merchants', id: publicKey, headers: bearer(publicKey) }),
    send(connection, limits, {
      resource: '/transactions',
      id: null,
      query: { reference: NO_REFERENCE },
      headers: bearer(privateKey),
    }),
  ])
  return [
    { what: 'public key', problem: merchantProblem(merchant, environment) },
    {
      what: 'private key',
      problem: problemOf(search, environment, 'private key', (json) => readTransactions(json) !== undefined),
    },
  ]
}

function merchantProblem(answer: Received | Unknown, environment: ProviderEnvironment): string | null {
  if (answer.outcome === 'received' && answer.status === 404 && answer.json !== undefined)
    return refusedCredential('public key', environment)
  const problem = problemOf(answer, environment, 'public key', (json) => readMerchant(json) !== undefined)
  if (problem !== null || answer.outcome === 'unknown') return problem
  const methods = readMerchant(answer.json)?.data.accepted_payment_methods
  return methods === undefined || methods.includes('PSE')
    ? null
    : 'The account does not take PSE. Ask Wompi to enable it.'
}

export async function checkPayouts(
  connection: Connection,
  limits: Limits,
  environment: ProviderEnvironment,
  account: PayoutsAccount,
): Promise<ConnectionCheck[]> {
  const answer = await send(connection, limits, {
    resource: '/v1/accounts',
    id: null,
    headers: payoutsHeaders(account),
  })
  const what = 'API key and user principal id of payouts'
  const problem = problemOf(
    answer,
    environment,
    'API key or the user principal id of payouts',
    (json) => readAccounts(json) !== undefined,
  )
  if (problem !== null || answer.outcome === 'unknown') return [{ what, problem }]
  const isKnown = readAccounts(answer.json)?.some(({ id }) => id === account.accountId)
  return [
    { what, problem },
    {
      what: 'account that payouts are paid from',
      problem: isKnown ? null : 'Wompi does not list this account. Copy the id of one that it lists.',
    },
  ]
}

type Asked = Pick<Sent, 'resource' | 'id' | 'headers'> & { readonly query?: Readonly<Record<string, string>> }

function send(connection: Connection, limits: Limits, asked: Asked): Promise<Received | Unknown> {
  return connection.send(
    { method: 'GET', reference: '', body: null, shown: undefined, ...asked },
    AbortSignal.timeout(limits.queryMs),
  )
}

function problemOf(
  answer: Received | Unknown,
  environment: ProviderEnvironment,
  credential: string,
  isRight: (json: unknown) => boolean,
): string | null {
  if (answer.outcome === 'unknown')
    return `Wompi cannot be reached: ${answer.why}. Check the address, or try again later.`
  const { status, json } = answer
  if (status === 401 || status === 403) return refusedCredential(credential, environment)
  if (status === 429 || status >= 500)
    return `Wompi does not answer for the moment (HTTP ${status}). Try again later.`
  return status === 200 && isRight(json)
    ? null
    : `What answers is not Wompi (HTTP ${status}). Check the address.`
}

function refusedCredential(credential: string, environment: ProviderEnvironment): string {
  const where = environment === 'test' ? 'test environment' : 'production environment'
  return `Wompi refuses the ${credential}. Copy it again from the dashboard, from its ${where}.`
}
