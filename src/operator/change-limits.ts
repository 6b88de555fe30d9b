// recaudo key update | client update | org limits: changes what a credential or an organization may.

import { bogotaDay, endOfDay } from '../core/bogota-day.ts'
import { isoInstant } from '../core/instant.ts'
import { type CredentialLimits, type PayoutLimits, reachedLimit } from '../core/organizations/limits.ts'
import type { Context } from '../flows/context.ts'
import {
  changeApiKeyLimits,
  changeOAuthClientLimits,
  changeOrganizationLimits,
} from '../flows/organizations/change-limits.ts'
import { findOAuthClients, type OAuthClient } from '../store/organizations/credentials.ts'
import { getOrganization } from '../store/organizations/organizations.ts'
import { readPayoutUsage, WHOLE_ORGANIZATION } from '../store/payouts/usage.ts'
import { clientRow, keyRow, knownKey, organizationOf } from './credentials.ts'
import { OperatorFailure, USAGE_EXIT_CODE } from './failure.ts'
import type { Flags, Row } from './flags.ts'
import { credentialChanges, organizationChanges, payoutLimitRow } from './limits.ts'

// The flags of these commands.
export const PAYOUT_LIMITS = {
  'payouts-per-day': { type: 'string', help: 'payouts a day in Bogotá, or none' },
  'payout-sum-per-day': { type: 'string', help: 'cents that may be paid out in a day in Bogotá, or none' },
} as const
export const CREDENTIAL_LIMITS = {
  'max-per-second': { type: 'string', help: 'requests a second, or none' },
  'allow-from': { type: 'string', help: 'addresses and ranges it may be used from, with commas, or none' },
  ...PAYOUT_LIMITS,
} as const

export async function updateKey(ctx: Context, flags: Flags, apiKeyId: string): Promise<Row> {
  const changes = someChanges(credentialChanges(flags))
  await changeApiKeyLimits(ctx, await knownKey(ctx, apiKeyId), changes)
  const key = await knownKey(ctx, apiKeyId)
  return { ...keyRow(key), ...(await usedToday(ctx, key.organizationId, key.apiKeyId, key)) }
}

export async function updateClient(ctx: Context, flags: Flags, clientId: string): Promise<Row> {
  const changes = someChanges(credentialChanges(flags))
  await changeOAuthClientLimits(ctx, await knownClient(ctx, clientId), changes)
  const client = await knownClient(ctx, clientId)
  return { ...clientRow(client), ...(await usedToday(ctx, client.organizationId, clientId, client)) }
}

// Without a limit it shows those that are set.
export async function organizationLimits(ctx: Context, flags: Flags): Promise<Row> {
  const changes = organizationChanges(flags)
  const organizationId = await organizationOf(ctx, flags)
  if (Object.keys(changes).length > 0) await changeOrganizationLimits(ctx, organizationId, changes)
  const organization = await getOrganization(ctx.db, organizationId)
  if (organization === undefined) throw new Error('an organization that was just read is not there')
  const { name, limits } = organization
  return {
    organizationId,
    name,
    ...payoutLimitRow(limits),
    quietHours: limits.quietHours,
    ...(await usedToday(ctx, organizationId, WHOLE_ORGANIZATION, limits)),
  }
}

function someChanges(changes: Partial<CredentialLimits>): Partial<CredentialLimits> {
  if (Object.keys(changes).length > 0) return changes
  throw new OperatorFailure('Say what to change: --help lists the limits.', USAGE_EXIT_CODE)
}

// A limit may be below what the day has used: then nothing more is sent until it ends, and the operator should know.
async function usedToday(
  ctx: Context,
  organizationId: string,
  credentialId: string,
  limits: PayoutLimits,
): Promise<Row> {
  const day = bogotaDay(ctx.clock.now())
  const used = await readPayoutUsage(ctx.db, { organizationId, day, credentialId })
  const reached = reachedLimit('organization', limits, used, 1n)
  return {
    payoutsToday: used.payouts,
    payoutSumToday: Number(used.sumInCents),
    ...(reached && {
      note: `Nothing more is paid out until ${isoInstant(endOfDay(day))}: today’s is used up.`,
    }),
  }
}

async function knownClient(ctx: Context, clientId: string): Promise<OAuthClient> {
  const [client] = await findOAuthClients(ctx.db, [clientId])
  if (client !== undefined) return client
  throw new OperatorFailure(`No client has the id ${clientId}: \`recaudo client list\` shows them.`)
}
