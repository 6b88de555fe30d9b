// Finds out a credential's scopes by making each call with invalid input: a missing scope is refused before the input is
// checked. Nothing is changed, and no key look-up is used up.

import type { ApiError, Recaudo } from '@recaudo/sdk'
import type { Administration } from '@recaudo/sdk/administration'
import type { Audit } from '@recaudo/sdk/audit'
import type { Reports } from '@recaudo/sdk/reports'
import type { Suspense } from '@recaudo/sdk/suspense'
import type { Team } from '@recaudo/sdk/team'
import { openApprovals } from './approvals.ts'
import type { Environment } from './environment.ts'
import { openRefunds } from './refunds.ts'

type Clients = {
  readonly recaudo: Recaudo
  readonly administration: Administration
  readonly audit: Audit
  readonly suspense: Suspense
  readonly team: Team
  readonly reports: Reports
}

export async function allowedScopes(
  clients: Clients,
  environment: Environment,
): Promise<{ readonly allowed: string[]; readonly missing: string[] }> {
  const probes = Object.entries(PROBES).filter(
    ([scope]) => environment === 'staging' || scope !== 'sandbox:write',
  )
  const allowed: string[] = []
  const missing: string[] = []
  await Promise.all(
    probes.map(async ([scope, probe]) => {
      const isMissing = await Promise.resolve(probe(clients)).then(
        () => false,
        (error: Partial<ApiError>) => {
          if (error.status === undefined) throw error
          return error.status === 403
        },
      )
      ;(isMissing ? missing : allowed).push(scope)
    }),
  )
  return { allowed: allowed.sort(), missing: missing.sort() }
}

// An empty body lacks every required field, so it is refused as invalid.
const EMPTY_BODY = {} as never
const INVALID_KEY = '-'
const NOBODYS_ID = '00000000-0000-7000-8000-000000000000'

const PROBES: Readonly<Record<string, (clients: Clients) => PromiseLike<unknown>>> = {
  'payins:read': ({ recaudo }) => recaudo.payins.list({ pageSize: 1 }),
  'payins:write': ({ recaudo }) => recaudo.payins.create(EMPTY_BODY),
  'payouts:read': ({ recaudo }) => recaudo.payouts.list({ pageSize: 1 }),
  'payouts:write': ({ recaudo }) => recaudo.payouts.create(EMPTY_BODY),
  'refunds:write': async () => (await openRefunds()).create(NOBODYS_ID, EMPTY_BODY),
  'approvals:read': async () => (await openApprovals()).list({ pageSize: 1 }),
  'approvals:write': async () => (await openApprovals()).approve(INVALID_KEY, EMPTY_BODY),
  'links:read': ({ recaudo }) => recaudo.paymentLinks.list({ pageSize: 1 }),
  'links:write': ({ recaudo }) => recaudo.paymentLinks.create(EMPTY_BODY),
  'keys:read': ({ recaudo }) => recaudo.keys.lookUp(INVALID_KEY),
  'ledger:read': ({ recaudo }) => recaudo.balance.get(),
  // No id looks so, and nothing has it.
  'suspense:write': ({ suspense }) => suspense.return('-'),
  'alarms:write': ({ administration }) => administration.alarms.take('-'),
  'events:read': ({ recaudo }) => recaudo.events.list({ pageSize: 1, type: 'webhook.test' }),
  'webhooks:read': ({ recaudo }) => recaudo.webhookEndpoints.list(),
  'webhooks:write': ({ recaudo }) => recaudo.webhookEndpoints.create(EMPTY_BODY),
  'connections:read': ({ recaudo }) => recaudo.connections.list(),
  'connections:write': ({ recaudo }) => recaudo.connections.create(EMPTY_BODY),
  'organization:read': ({ recaudo }) => recaudo.organization.get(),
  'organization:write': ({ recaudo }) => recaudo.organization.update({ name: 0 } as never),
  'credentials:read': ({ administration }) => administration.apiKeys.list(),
  'credentials:write': ({ administration }) => administration.apiKeys.create(EMPTY_BODY),
  'team:read': ({ team }) => team.members.list(),
  'team:write': ({ team }) => team.invitations.create(EMPTY_BODY),
  // A day that is none is refused as invalid.
  'reports:write': ({ reports }) => reports.close(INVALID_KEY),
  'audit:read': ({ audit }) => audit.entries({ pageSize: 1 }),
  'sandbox:write': ({ recaudo }) => recaudo.sandbox.advanceClock(EMPTY_BODY),
}
