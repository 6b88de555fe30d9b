// All of an organization's new events get their numbers now, without a worker.

import type { Context } from '../src/flows/context.ts'
import { numberNewEvents } from '../src/flows/events/sequence.ts'

export async function numberAllEvents(ctx: Context, organizationId: string): Promise<void> {
  while ((await numberNewEvents(ctx, [organizationId])) > 0);
}
