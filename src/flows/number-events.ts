// Gives an organization's new events their numbers, and makes their deliveries.

import { numberEvents } from '../store/events.ts'
import type { Context } from './context.ts'

// Enough to keep up with any rate at which events come, few enough to hold the counter for milliseconds.
const NUMBER_AT_ONCE = 500

export async function numberNewEvents(ctx: Context, organizationId: string): Promise<number> {
  let numbered = 0
  for (let some = NUMBER_AT_ONCE; some === NUMBER_AT_ONCE; numbered += some) {
    some = await numberEvents(ctx.db, organizationId, NUMBER_AT_ONCE, ctx.now())
    if (some === 0) break
    // Those that have their numbers are sent while the next get theirs.
    ctx.hint('deliveries')
    ctx.hint('streams', organizationId)
  }
  return numbered
}
