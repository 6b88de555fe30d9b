// The operator changes what a credential or an organization may. In force here at once, and on every other node within a second:
// what nodes remember of a credential is renewed within that time.

import type { CredentialLimits, OrganizationLimits } from '../../core/organizations/limits.ts'
import { lockApiKey, lockOAuthClient } from '../../store/organizations/credentials.ts'
import {
  updateApiKeyLimits,
  updateOAuthClientLimits,
  updateOrganizationLimits,
} from '../../store/organizations/limits.ts'
import { lockOrganization } from '../../store/organizations/organizations.ts'
import type { Needs } from '../context.ts'
import { recordAct } from '../record-act.ts'

type Changer = Needs<'actor' | 'clock' | 'ids' | 'db' | 'signals'>

export async function changeApiKeyLimits(
  ctx: Changer,
  key: { apiKeyId: string; organizationId: string },
  changes: Partial<CredentialLimits>,
): Promise<void> {
  const { organizationId, apiKeyId: objectId } = key
  await ctx.db.inTransaction(async (tx) => {
    const before = (await lockApiKey(tx, objectId)) ?? null
    await updateApiKeyLimits(tx, objectId, changes)
    const after = { ...before, ...changes }
    await recordAct(ctx, tx, { organizationId, act: 'apikey.limits', objectId, before, after })
  })
  ctx.signals.workAdded('settings', key.organizationId)
}

export async function changeOAuthClientLimits(
  ctx: Changer,
  client: { clientId: string; organizationId: string },
  changes: Partial<CredentialLimits>,
): Promise<void> {
  const { organizationId, clientId: objectId } = client
  await ctx.db.inTransaction(async (tx) => {
    const before = (await lockOAuthClient(tx, objectId)) ?? null
    await updateOAuthClientLimits(tx, objectId, changes)
    const after = { ...before, ...changes }
    await recordAct(ctx, tx, { organizationId, act: 'client.limits', objectId, before, after })
  })
  ctx.signals.workAdded('settings', client.organizationId)
}

export async function changeOrganizationLimits(
  ctx: Changer,
  organizationId: string,
  changes: Partial<OrganizationLimits>,
): Promise<void> {
  await ctx.db.inTransaction(async (tx) => {
    const before = (await lockOrganization(tx, organizationId))?.limits ?? null
    await updateOrganizationLimits(tx, organizationId, changes)
    const act = { act: 'organization.limits', before, after: { ...before, ...changes } } as const
    await recordAct(ctx, tx, { ...act, organizationId, objectId: organizationId })
  })
  ctx.signals.workAdded('settings', organizationId)
}
