// How an endpoint stands: in a word, in a sentence, and in figures of the last day.

import { firstIdAt } from '../../core/ids.ts'
import { DAY_MS } from '../../core/instant.ts'
import {
  type EndpointHealth,
  healthOfEndpoints,
  waitingAtEndpoint,
} from '../../store/webhooks/endpoint-views.ts'
import type { WebhookEndpoint } from '../../store/webhooks/endpoints.ts'
import { countText, whenText, withFullStop } from '../format.ts'
import type { Visit } from '../visit.ts'
import type { Tone } from '../words/states.ts'
import { WEBHOOK_WORDS } from './words.ts'

export type Standing = {
  readonly endpoint: WebhookEndpoint
  readonly health: Omit<EndpointHealth, 'endpointId'>
  readonly waiting: number
}

export async function standingsOf(
  { ctx, organization }: Pick<Visit, 'ctx' | 'organization'>,
  endpoints: readonly WebhookEndpoint[],
): Promise<Standing[]> {
  const since = firstIdAt(ctx.clock.now() - DAY_MS)
  const [health, ...waiting] = await Promise.all([
    healthOfEndpoints(ctx.db, organization.organizationId, since),
    ...endpoints.map((endpoint) => waitingAtEndpoint(ctx.db, endpoint)),
  ])
  return endpoints.map((endpoint, index) => ({
    endpoint,
    health: health.find(({ endpointId }) => endpointId === endpoint.endpointId) ?? {
      attempts: 0,
      failures: 0,
      p95Ms: null,
    },
    waiting: waiting[index] ?? 0,
  }))
}

export type EndpointState = 'ENABLED' | 'DISABLED' | 'FAILING'

export function stateOf({ state, failingSince }: WebhookEndpoint): EndpointState {
  return state === 'ENABLED' && failingSince !== null ? 'FAILING' : state
}

export function toneOfEndpoint({ endpoint, health }: Standing): Tone {
  const state = stateOf(endpoint)
  if (state !== 'ENABLED') return 'bad'
  return health.failures > 0 ? 'wait' : 'good'
}

export function standingSentence(
  { language, ctx }: Pick<Visit, 'language' | 'ctx'>,
  { endpoint, health, waiting }: Standing,
): string {
  const words = WEBHOOK_WORDS[language]
  const now = ctx.clock.now()
  const first = (): string => {
    if (endpoint.state === 'DISABLED') return words.disabled[endpoint.disabledReason ?? 'BY_MERCHANT']
    if (endpoint.failingSince !== null)
      return words.failing(whenText(endpoint.failingSince, now, language).replace(/^(?:a|at) /, ''))
    if (health.failures > 0) return words.someFail(countText(health.failures, language))
    return health.attempts > 0 ? words.works : words.quiet
  }
  const wait =
    waiting === 0 ? [] : [waiting === 1 ? words.waitingOne : words.waiting(countText(waiting, language))]
  return [first(), ...wait].map(withFullStop).join(' ')
}
