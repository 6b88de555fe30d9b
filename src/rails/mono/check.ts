// Asks Mono something harmless with the credentials, and says in words what to change. It asks beside the gateway, whose answers do
// not tell why somebody is not served.

import type { Use } from '../../core/connections/provider.ts'
import { Type } from '../../core/json-schema.ts'
import type { Client } from '../access-token.ts'
import type { Connection, Received } from '../connection.ts'
import type { ConnectionCheck, Unknown } from '../rail.ts'
import { reader } from '../wire-format.ts'
import { ACCOUNTS_SCOPE, monoTokenRequest, scopeFor } from './token.ts'
import { COLLECTIONS, TRANSFERS } from './wire.ts'

export type Checked = {
  readonly connection: Connection
  readonly client: Client
  readonly uses: readonly Use[]
  readonly accountId: string
  readonly deadlineMs: number
}

export async function checkMono(checked: Checked): Promise<readonly ConnectionCheck[]> {
  const grant = await askForToken(checked, scopeFor(checked.uses))
  const granted: ConnectionCheck = { what: 'Ask for an access token', problem: grant.problem }
  if (grant.token === null) return [granted]
  const { token } = grant
  const lines = LISTS.filter(({ use }) => checked.uses.includes(use)).map(
    async ({ what, resource, scope }) => ({
      what,
      problem: problemOf(await get(checked, resource, token, EMPTY_SEARCH), scope),
    }),
  )
  const account = checkAccount(checked)
  return [granted, ...(await Promise.all(lines)), ...(await account)]
}

const LISTS: readonly { use: Use; what: string; resource: string; scope: string }[] = [
  { use: 'BRE_B_IN', what: 'List collections', resource: COLLECTIONS, scope: 'collections' },
  { use: 'BRE_B_OUT', what: 'List outgoing transfers', resource: TRANSFERS, scope: 'outgoing_transfers' },
]

type Grant =
  | { readonly token: string; readonly problem: null }
  | { readonly token: null; readonly problem: string }

async function askForToken({ connection, client, deadlineMs }: Checked, scope: string): Promise<Grant> {
  const answer = await connection.send(monoTokenRequest(scope)(client), AbortSignal.timeout(deadlineMs))
  const refused = (problem: string): Grant => ({ token: null, problem })
  if (answer.outcome === 'unknown') return refused(notReached(answer))
  const token = answer.status === 200 ? readToken(answer.json)?.access_token : undefined
  if (token !== undefined) return { token, problem: null }
  const error = readOAuthError(answer.json)?.error
  if (error === 'invalid_scope')
    return refused(
      `Mono does not grant this client what the connection is used for (${scope}). Ask Mono to enable it.`,
    )
  if (answer.status === 401 || error === 'invalid_client')
    return refused(
      'Mono does not know the client id, or the client secret is wrong. Check both, and that they belong to the environment at this address.',
    )
  return refused(notServed(answer))
}

// Finds nothing: what else the merchant does with the account does not concern us, nor our record.
const EMPTY_SEARCH = { external_id: 'recaudo-check', page_number: '1', page_size: '10' }

function get(
  { connection, deadlineMs }: Checked,
  resource: string,
  token: string,
  query: Readonly<Record<string, string>>,
): Promise<Received | Unknown> {
  const headers = { authorization: `Bearer ${token}` }
  return connection.send(
    { method: 'GET', resource, id: null, query, reference: '', headers, body: null, shown: undefined },
    AbortSignal.timeout(deadlineMs),
  )
}

function problemOf(answer: Received | Unknown, scope: string): string | null {
  if (answer.outcome === 'unknown') return notReached(answer)
  if (answer.status === 401 || answer.status === 403)
    return `Mono does not let this client use ${scope}. Ask Mono to enable the product for it.`
  return answer.status === 200 && readPage(answer.json) !== undefined ? null : notServed(answer)
}

const ACCOUNTS = '/api/v1/tenant/accounts'

// A client may do without the right to read accounts. Then nothing is said about the account.
async function checkAccount(checked: Checked): Promise<ConnectionCheck[]> {
  const { token } = await askForToken(checked, ACCOUNTS_SCOPE)
  const answer = token === null ? undefined : await get(checked, ACCOUNTS, token, {})
  const accounts =
    answer?.outcome === 'received' && answer.status === 200 ? readAccounts(answer.json) : undefined
  if (accounts === undefined) return []
  const account = accounts.find(({ id }) => id === checked.accountId)
  const problem =
    account === undefined
      ? 'The account is none of this client’s. Check the account id.'
      : account.state === 'inactive'
        ? 'The account is not active at Mono.'
        : null
  return [{ what: 'Find the account', problem }]
}

function notReached({ why }: Unknown): string {
  return `Mono cannot be reached: ${why}.`
}

function notServed({ status, described }: Received): string {
  return status === 429 || status >= 500
    ? `Mono does not serve anybody for the moment (HTTP ${status}). Check again later.`
    : `What answers is not Mono’s API (HTTP ${status}, ${described}). Check the address.`
}

const readToken = reader(Type.Object({ access_token: Type.String({ pattern: '^[\\x21-\\x7e]{1,8192}$' }) }))
const readOAuthError = reader(Type.Object({ error: Type.String() }))
const readPage = reader(Type.Object({ pagination: Type.Object({}) }))
const readAccounts = reader(
  Type.Array(Type.Object({ id: Type.String(), state: Type.Optional(Type.Unknown()) })),
)
