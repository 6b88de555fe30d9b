// Parks what is due for a disabled endpoint: nothing is lost, and no worker looks at it again before the endpoint is enabled.

import type { EndpointAddress } from '../../store/webhooks/deliveries.ts'
import { lockEndpoint } from '../../store/webhooks/endpoints.ts'
import { markParked, parkDeliveries, parkFirstAttempts } from '../../store/webhooks/parked.ts'
import type { Needs } from '../context.ts'

// An endpoint that failed for days may have very many deliveries waiting. They are parked in steps, each far within a
// statement's timeout, and at most so many at a time: other endpoints wait meanwhile.
const ROWS_PER_STEP = 1_000
const STEPS = 10

export async function parkDueDeliveries(ctx: Needs<'clock' | 'db'>, address: EndpointAddress): Promise<void> {
  for (let step = 1; step <= STEPS; step += 1) {
    const parked = await ctx.db.inTransaction(async (tx) => {
      const endpoint = await lockEndpoint(tx, address.organizationId, address.endpointId)
      if (endpoint?.state !== 'DISABLED') return 0
      const now = ctx.clock.now()
      const deliveries = await parkDeliveries(tx, address, now, ROWS_PER_STEP)
      const batches = await parkFirstAttempts(tx, address, now, ROWS_PER_STEP)
      if (deliveries + batches > 0) await markParked(tx, address, true)
      return Math.max(deliveries, batches)
    })
    if (parked < ROWS_PER_STEP) return
  }
}
