// Keeps an endpoint's own limit of deliveries a second, over all processes: what a claim may take is counted in the endpoint's
// row first, and what it did not find is given back. If another process has just counted, this one comes back a moment later.

import { grantSends } from '../core/webhooks/send-rate.ts'
import type { Needs } from '../flows/context.ts'
import { giveBackSends, moveSendsUntil, type WebhookEndpoint } from '../store/webhooks/endpoints.ts'

export type CapacityWithinRate = {
  readonly capacity: number
  readonly giveBack: (claimed: number) => Promise<void>
}

export async function capacityWithinRate(
  ctx: Needs<'clock' | 'db'>,
  endpoint: WebhookEndpoint,
  wanted: number,
): Promise<CapacityWithinRate> {
  const { maxPerSecond, sendsUntil: from } = endpoint
  if (maxPerSecond === null) return { capacity: wanted, giveBack: async () => {} }
  const now = ctx.clock.now()
  const granted = grantSends(maxPerSecond, from, now, wanted)
  const isCounted = granted.count > 0 && (await moveSendsUntil(ctx.db, endpoint, from, granted.sendsUntil))
  return {
    capacity: isCounted ? granted.count : 0,
    giveBack: async (claimed) => {
      if (!isCounted || claimed >= granted.count) return
      const [used, givenBackAt] = [grantSends(maxPerSecond, from, now, claimed), ctx.clock.now()]
      // Once their time has passed, nobody counts from them any more.
      if (givenBackAt >= granted.sendsUntil) return
      await giveBackSends(ctx.db, endpoint, granted.sendsUntil - used.sendsUntil, givenBackAt)
    },
  }
}
