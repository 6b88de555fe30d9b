// Events without a cause, for tests that are about the log and not about payments.

import type { World } from '../../world.ts'

// They have no sequence yet. `padding` makes each that many characters longer.
export async function insertEvents(
  world: World,
  organizationId: string,
  types: string[],
  padding = 0,
): Promise<void> {
  const at = new Date(world.ctx.clock.now()).toISOString()
  await world.db.query({
    text: `insert into events (organization_id, event_id, type, resource, object_id, version, data, created_at)
           select $1, event_id, type, split_part(type, '.', 1), event_id, 1,
                  '{"id":"' || event_id || '","padding":"' || repeat('x', $5) || '"}', $4
             from unnest($2::uuid[], $3::text[]) as e (event_id, type)`,
    values: [organizationId, types.map(() => world.ctx.ids.next()), types, at, padding],
  })
}
