// Makes due what was parked while an endpoint was disabled. It is sent at once, as it would be if it had just become due.

import type { EndpointAddress } from '../../store/webhooks/deliveries.ts'
import { lockEndpoint } from '../../store/webhooks/endpoints.ts'
import { markParked, resumeDeliveries, resumeFirstAttempts } from '../../store/webhooks/parked.ts'
import type { Needs } from '../context.ts'

// One step a call, far within a statement's timeout. A worker comes back for the rest, even after a crash: the endpoint stays
// marked until nothing is left.
const ROWS_PER_STEP = 1_000

export async function resumeParkedDeliveries(
  ctx: Needs<'clock' | 'db'>,
  address: EndpointAddress,
): Promise<void> {
  await ctx.db.inTransaction(async (tx) => {
    const endpoint = await lockEndpoint(tx, address.organizationId, address.endpointId)
    if (endpoint?.state !== 'ENABLED') return
    const now = ctx.clock.now()
    const deliveries = await resumeDeliveries(tx, address, now, ROWS_PER_STEP)
    const batches = await resumeFirstAttempts(tx, address, now, ROWS_PER_STEP)
    if (Math.max(deliveries, batches) < ROWS_PER_STEP) await markParked(tx, address, false)
  })
}
