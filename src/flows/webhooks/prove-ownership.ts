// Asks the receiver at an address for the proof that it holds an endpoint's secret (core/webhooks/ownership.ts). The requests go
// to whatever address a merchant names, so they are few: a merchant must not make us flood a stranger.

import { envelopeText } from '../../core/events/event.ts'
import { isoInstant } from '../../core/instant.ts'
import { type Refusal, refuse } from '../../core/refusal.ts'
import { drawProbes, ownershipProblem } from '../../core/webhooks/ownership.ts'
import { lockOrganization } from '../../store/organizations/organizations.ts'
import { hasChallenges, markChallenged, type WebhookEndpoint } from '../../store/webhooks/endpoints.ts'
import type { Needs } from '../context.ts'
import { endpointSecrets } from './endpoint-secrets.ts'

export const CHALLENGE_EVENT = 'webhook.verification'
// An organization has one endpoint asked in this time, six in a minute.
export const CHALLENGE_PAUSE_MS = 10_000

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

function countChallenge(
  ctx: Challenging,
  { organizationId, endpointId }: WebhookEndpoint,
): Promise<Refusal | undefined> {
  return ctx.db.inTransaction(async (tx) => {
    // Locked while we count: of two requests at once, one is too soon.
    await lockOrganization(tx, organizationId)
    const now = ctx.clock.now()
    if (await hasChallenges(tx, organizationId, now - CHALLENGE_PAUSE_MS))
      return refuse('RATE_LIMITED', 'An endpoint was verified a moment ago.', {
        retryAfterSeconds: CHALLENGE_PAUSE_MS / 1_000,
      })
    await markChallenged(tx, organizationId, endpointId, now)
    return undefined
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
