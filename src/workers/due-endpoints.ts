// Which endpoints have deliveries to send: retries, first attempts, or both; and those that were enabled again and still have
// some parked.

import type { Context } from '../flows/context.ts'
import type { EndpointAddress } from '../store/webhooks/deliveries.ts'
import { endpointsToResume } from '../store/webhooks/parked.ts'
import type { DueSearches } from './due-queues.ts'

export type DueEndpoint = EndpointAddress & {
  hasRetries: boolean
  hasFirstAttempts: boolean
  hasParked: boolean
}

// Endpoints are enabled by hand. The rest is found in the next look.
const MAX_TO_RESUME = 100

// By organization and endpoint, joined by a space.
export function searchForDueEndpoints(
  ctx: Context,
  { deliveries: retries, first_attempt_batches: firstAttempts }: DueSearches,
) {
  return {
    look: async (): Promise<Map<string, DueEndpoint>> => {
      const [again, first, toResume] = await Promise.all([
        retries.look(),
        firstAttempts.look(),
        endpointsToResume(ctx.db, MAX_TO_RESUME),
      ])
      const due = new Map<string, DueEndpoint>()
      const add = (owner: string, found: Partial<DueEndpoint>): void => {
        const [organizationId = '', endpointId = ''] = owner.split(' ')
        const nothing = { hasRetries: false, hasFirstAttempts: false, hasParked: false }
        due.set(owner, { organizationId, endpointId, ...nothing, ...due.get(owner), ...found })
      }
      for (const owner of again) add(owner, { hasRetries: true })
      for (const owner of first) add(owner, { hasFirstAttempts: true })
      // What is made due may be of both kinds.
      for (const { organizationId, endpointId } of toResume)
        add(`${organizationId} ${endpointId}`, { hasRetries: true, hasFirstAttempts: true, hasParked: true })
      return due
    },
    forget: ({ organizationId, endpointId }: EndpointAddress): void => {
      const owner = `${organizationId} ${endpointId}`
      retries.forget(owner)
      firstAttempts.forget(owner)
    },
  }
}
