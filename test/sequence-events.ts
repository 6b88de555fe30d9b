// Gives all new events of an organization their sequence now, without a worker.

import type { Context } from '../src/flows/context.ts'
import { sequenceNewEvents } from '../src/flows/events/sequence.ts'

export async function sequenceAllEvents(ctx: Context, organizationId: string): Promise<void> {
  while ((await sequenceNewEvents(ctx, [organizationId])) > 0);
}
