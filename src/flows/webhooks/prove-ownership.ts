// Asks the receiver at an address for the proof that it holds an endpoint's secret (core/webhooks/ownership.ts). The requests go
// to whatever address a merchant names, so they are few: a merchant must not make us flood a stranger.

import { envelopeText } from '../../core/events/event.ts'
import { isoInstant, MINUTE_MS } from '../../core/instant.ts'
import { type Refusal, refuse } from '../../core/refusal.ts'
import { drawProbes, ownershipProblem } from '../../core/webhooks/ownership.ts'
import { lockOrganization } from '../../store/organizations/organizations.ts'
import {
  countChallenges,
  lockEndpoint,
  markChallenged,
  type WebhookEndpoint,
} from '../../store/webhooks/endpoints.ts'
import type { Needs } from '../context.ts'
import { endpointSecrets } from './endpoint-secrets.ts'

export const CHALLENGE_EVENT = 'webhook.verification'
// An endpoint may be asked again after the pause, and an organization has so many asked a minute.
export const CHALLENGE_PAUSE_MS = 10_000
export const CHALLENGES_PER_MINUTE = 6

type Challenging = Needs<'clock' | 'ids' | 'db' | 'settings' | 'networks'>

export async function proveOwnership(
  ctx: Challenging,
  endpoint: WebhookEndpoint,
  url: string,
): Promise<Refusal | undefined> {
  const tooSoon = await countChallenge(ctx, endpoint)
  if (tooSoon !== undefined) return tooSoon
  const probes = drawProbes(ctx.ids.random)
  const results = await ctx.networks.probeEndpoint(
    probes.map((isGenuine) => probeOf(ctx, endpoint, url, isGenuine)),
  )
  const problem = ownershipProblem(probes, results)
  return problem === undefined
    ? undefined
    : refuse('ENDPOINT_NOT_VERIFIED', `${problem} Nothing was changed.`)
}

function countChallenge(ctx: Challenging, endpoint: WebhookEndpoint): Promise<Refusal | undefined> {
  const { organizationId, endpointId } = endpoint
  return ctx.db.inTransaction(async (tx) => {
    await lockOrganization(tx, organizationId)
    const now = ctx.clock.now()
    const locked = await lockEndpoint(tx, organizationId, endpointId)
    const again = (locked?.challengedAt ?? 0) + CHALLENGE_PAUSE_MS
    if (again > now) return refuseTooSoon(again - now)
    if ((await countChallenges(tx, organizationId, now - MINUTE_MS)) >= CHALLENGES_PER_MINUTE)
      return refuseTooSoon(MINUTE_MS)
    await markChallenged(tx, organizationId, endpointId, now)
    return undefined
  })
}

function refuseTooSoon(waitMs: number): Refusal {
  return refuse('RATE_LIMITED', 'Endpoints were verified a moment ago.', {
    retryAfterSeconds: Math.ceil(waitMs / 1_000),
  })
}

function probeOf(ctx: Challenging, endpoint: WebhookEndpoint, url: string, isGenuine: boolean) {
  const id = ctx.ids.next()
  const { secrets } = endpointSecrets(ctx, endpoint)
  const envelope = {
    id,
    event: CHALLENGE_EVENT,
    resource: 'webhook' as const,
    sequence: 0,
    version: 1,
    createdAt: isoInstant(ctx.clock.now()),
  }
  return {
    url,
    id,
    timestampSeconds: Math.floor(ctx.clock.wallClock() / 1_000),
    body: envelopeText(envelope, JSON.stringify({ endpointId: endpoint.endpointId })),
    // As many signatures of the same form, by secrets that nobody has.
    secrets: isGenuine ? secrets : secrets.map(({ length }) => ctx.ids.randomBytes(length)),
  }
}
