// A merchant renames a key or a client, or changes its limits. One that may do more afterwards waits for approval where the rules say
// so; taking something away never does. The row is locked, so concurrent changes to different fields do not
// undo each other. In force here at once, and on every other node within a second.

import type { Granter } from '../../core/organizations/grant.ts'
import { type CredentialLimits, isLooser } from '../../core/organizations/limits.ts'
import type { Refusal } from '../../core/refusal.ts'
import type { ApiKey, OAuthClient } from '../../store/organizations/credentials.ts'
import {
  lockOwnApiKey,
  lockOwnClient,
  updateApiKey,
  updateOAuthClient,
} from '../../store/organizations/own-credentials.ts'
import type { Needs } from '../context.ts'
import { recordAct } from '../record-act.ts'
import { documentOfExisting, refuseUnapprovedCredential } from './approval.ts'
import { refuseChange, refuseUnknownClient, refuseUnknownKey } from './known.ts'

export type CredentialChanges = Partial<CredentialLimits & { readonly name: string }>

type Changer = Needs<'actor' | 'clock' | 'ids' | 'db' | 'signals'>

export async function changeApiKey(
  ctx: Changer,
  granter: Granter,
  organizationId: string,
  apiKeyId: string,
  changes: CredentialChanges,
): Promise<ApiKey | Refusal> {
  const outcome = await ctx.db.inTransaction(async (tx) => {
    const key = await lockOwnApiKey(tx, organizationId, apiKeyId)
    if (key === undefined) return refuseUnknownKey(apiKeyId)
    const refused = refuseChange(granter, key, ctx.clock.now())
    if (refused !== undefined) return refused
    const changed = { ...key, ...changes }
    if (isLooser(key, changed)) {
      const document = documentOfExisting('apikey.change', key, { changes })
      const waits = await refuseUnapprovedCredential(ctx, tx, organizationId, document)
      if (waits !== undefined) return waits
    }
    await updateApiKey(tx, changed)
    const act = { act: 'apikey.change', before: key, after: changed } as const
    await recordAct(ctx, tx, { ...act, organizationId, objectId: apiKeyId })
    return changed
  })
  ctx.signals.workAdded('settings', organizationId)
  ctx.signals.workAdded('events', organizationId)
  return outcome
}

export async function changeOAuthClient(
  ctx: Changer,
  granter: Granter,
  organizationId: string,
  clientId: string,
  changes: CredentialChanges,
): Promise<OAuthClient | Refusal> {
  const outcome = await ctx.db.inTransaction(async (tx) => {
    const client = await lockOwnClient(tx, organizationId, clientId)
    if (client === undefined) return refuseUnknownClient(clientId)
    const refused = refuseChange(granter, client, ctx.clock.now())
    if (refused !== undefined) return refused
    const changed = { ...client, ...changes }
    if (isLooser(client, changed)) {
      const document = documentOfExisting('client.change', client, { changes })
      const waits = await refuseUnapprovedCredential(ctx, tx, organizationId, document)
      if (waits !== undefined) return waits
    }
    await updateOAuthClient(tx, changed)
    const act = { act: 'client.change', before: client, after: changed } as const
    await recordAct(ctx, tx, { ...act, organizationId, objectId: clientId })
    return changed
  })
  ctx.signals.workAdded('settings', organizationId)
  ctx.signals.workAdded('events', organizationId)
  return outcome
}
