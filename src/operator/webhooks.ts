// recaudo webhooks: shows and repairs merchants' endpoints that do not accept their events.

import { isUuid } from '../core/ids.ts'
import { isoInstant, isoOrNull } from '../core/instant.ts'
import { isRefusal } from '../core/refusal.ts'
import type { Context } from '../flows/context.ts'
import { changeWebhookEndpoint } from '../flows/webhooks/change-endpoint.ts'
import { recoverWebhookEndpoint } from '../flows/webhooks/recover-endpoint.ts'
import { listOrganizations } from '../store/organizations/organizations.ts'
import { listBacklog } from '../store/webhooks/delivery-views.ts'
import { getEndpoint, listEndpoints, type WebhookEndpoint } from '../store/webhooks/endpoints.ts'
import { organizationOf } from './credentials.ts'
import { OperatorFailure } from './failure.ts'
import { type Flags, type Row, timeOf } from './flags.ts'

export async function showEndpoints(ctx: Context, flags: Flags): Promise<Row[]> {
  const organizationIds =
    typeof flags.org === 'string'
      ? [await organizationOf(ctx, flags)]
      : (await listOrganizations(ctx.db)).map(({ organizationId }) => organizationId)
  const rows: Row[] = []
  for (const id of organizationIds) rows.push(...(await listEndpoints(ctx.db, id)).map(endpointRow))
  return rows
}

export async function showBacklog(ctx: Context): Promise<Row[]> {
  return (await listBacklog(ctx.db, ctx.clock.now())).map(({ state, oldestDueAt, ...backlog }) => ({
    ...backlog,
    status: state,
    oldestDueAt: isoOrNull(oldestDueAt),
  }))
}

export async function enableEndpoint(ctx: Context, _flags: Flags, endpointId: string): Promise<Row> {
  const { organizationId } = await knownEndpoint(ctx, endpointId)
  const changes = { state: 'ENABLED' } as const
  const all = { held: null, grantable: null }
  const enabled = await changeWebhookEndpoint(ctx, organizationId, endpointId.toLowerCase(), changes, all)
  if (isRefusal(enabled)) throw new OperatorFailure(enabled.detail)
  return endpointRow(enabled)
}

export async function recoverEndpoint(ctx: Context, flags: Flags, endpointId: string): Promise<Row> {
  const since = timeOf(flags, 'since')
  const { organizationId, endpointId: id } = await knownEndpoint(ctx, endpointId)
  const done = await recoverWebhookEndpoint(ctx, organizationId, id, since, null, null)
  if (isRefusal(done)) throw new OperatorFailure(`${done.detail} \`recaudo webhooks enable ${id}\` first.`)
  return { endpointId: id, since: isoInstant(since), scheduled: done.scheduled }
}

// The operator knows the endpoint's id but not always its organization.
async function knownEndpoint(ctx: Context, endpointId: string): Promise<WebhookEndpoint> {
  if (isUuid(endpointId)) {
    for (const { organizationId } of await listOrganizations(ctx.db)) {
      const endpoint = await getEndpoint(ctx.db, organizationId, endpointId.toLowerCase())
      if (endpoint !== undefined) return endpoint
    }
  }
  throw new OperatorFailure(
    `No webhook endpoint has the id ${endpointId}: \`recaudo webhooks overview\` shows them.`,
  )
}

function endpointRow(endpoint: WebhookEndpoint): Row {
  return {
    endpointId: endpoint.endpointId,
    organizationId: endpoint.organizationId,
    url: endpoint.url,
    events: endpoint.events?.join(',') ?? 'usual',
    status: endpoint.state,
    disabledReason: endpoint.disabledReason,
    failingSince: isoOrNull(endpoint.failingSince),
    createdAt: isoInstant(endpoint.createdAt),
  }
}
