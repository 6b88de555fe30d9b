// The operator changes what a credential or an organization may. In force here at once, and on every other node within a second:
// what nodes remember of a credential is renewed within that time.

import type { CredentialLimits, OrganizationLimits } from '../../core/organizations/limits.ts'
import {
  updateApiKeyLimits,
  updateOAuthClientLimits,
  updateOrganizationLimits,
} from '../../store/organizations/limits.ts'
import type { Needs } from '../context.ts'

type Changer = Needs<'db' | 'signals'>

export async function changeApiKeyLimits(
  ctx: Changer,
  key: { apiKeyId: string; organizationId: string },
  changes: Partial<CredentialLimits>,
): Promise<void> {
  await updateApiKeyLimits(ctx.db, key.apiKeyId, changes)
  ctx.signals.workAdded('settings', key.organizationId)
}

export async function changeOAuthClientLimits(
  ctx: Changer,
  client: { clientId: string; organizationId: string },
  changes: Partial<CredentialLimits>,
): Promise<void> {
  await updateOAuthClientLimits(ctx.db, client.clientId, changes)
  ctx.signals.workAdded('settings', client.organizationId)
}

export async function changeOrganizationLimits(
  ctx: Changer,
  organizationId: string,
  changes: Partial<OrganizationLimits>,
): Promise<void> {
  await updateOrganizationLimits(ctx.db, organizationId, changes)
  ctx.signals.workAdded('settings', organizationId)
}
