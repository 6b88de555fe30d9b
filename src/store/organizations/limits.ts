// The operator's limits of credentials and organizations. A change names the limits that it sets and leaves the others, so two at
// once do not undo each other. Null takes a limit away.

import type { CredentialLimits, OrganizationLimits } from '../../core/organizations/limits.ts'
import type { Queryable } from '../db.ts'

const COLUMNS = {
  maxPerSecond: 'max_per_second',
  allowedAddresses: 'allowed_addresses',
  payoutsPerDay: 'payouts_per_day',
  payoutSumPerDay: 'payout_sum_per_day',
  quietHours: 'quiet_hours',
} as const satisfies Record<keyof (CredentialLimits & OrganizationLimits), string>

type Changes = Partial<CredentialLimits & OrganizationLimits>

// Names at least one limit. The row's key is $1, the values follow it.
function assignments(changes: Changes): { set: string; values: unknown[] } {
  const entries = Object.entries(changes) as [keyof Changes, unknown][]
  return {
    set: entries.map(([name], index) => `${COLUMNS[name]} = $${index + 2}`).join(', '),
    values: entries.map(([, value]) => value),
  }
}

export async function updateApiKeyLimits(
  db: Queryable,
  apiKeyId: string,
  changes: Partial<CredentialLimits>,
): Promise<void> {
  const { set, values } = assignments(changes)
  await db.query({
    text: `update api_keys set ${set} where api_key_id = $1`,
    values: [apiKeyId, ...values],
  })
}

export async function updateOAuthClientLimits(
  db: Queryable,
  clientId: string,
  changes: Partial<CredentialLimits>,
): Promise<void> {
  const { set, values } = assignments(changes)
  await db.query({
    text: `update oauth_clients set ${set} where client_id = $1`,
    values: [clientId, ...values],
  })
}

export async function updateOrganizationLimits(
  db: Queryable,
  organizationId: string,
  changes: Partial<OrganizationLimits>,
): Promise<void> {
  const { set, values } = assignments(changes)
  await db.query({
    text: `update organizations set ${set} where organization_id = $1`,
    values: [organizationId, ...values],
  })
}
