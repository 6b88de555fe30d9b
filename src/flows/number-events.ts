// Gives an organization's new events their numbers, and puts them in the parcels of the endpoints that want them.

import { numberEvents } from '../store/events.ts'
import type { Context } from './context.ts'

// Enough to keep up with any rate at which events come, few enough to hold the counter for milliseconds.
const NUMBER_AT_ONCE = 500

// True where there may be more: those that have their numbers are sent, and other organizations served, before the next
// get theirs.
export async function numberNewEvents(ctx: Context, organizationId: string): Promise<boolean> {
  const numbered = await numberEvents(ctx.db, organizationId, NUMBER_AT_ONCE, ctx.now())
  if (numbered > 0) {
    ctx.hint('deliveries')
    ctx.hint('streams', organizationId)
  }
  return numbered === NUMBER_AT_ONCE
}
