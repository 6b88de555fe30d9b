// A partition that is made after its rows have come: nothing is lost, and the log says that it was late.

import assert from 'node:assert/strict'
import { it } from 'node:test'
import pino from 'pino'
import { DAY_MS } from '../../src/core/instant.ts'
import { applyRetention } from '../../src/workers/retention.ts'
import { insertEvents } from '../api/events/insert-events.ts'
import { citusUrl } from '../citus.ts'
import { createWorld } from '../world.ts'

const skip = citusUrl() !== undefined && 'a partition of what another has taken is made on one machine'

it('the log names the tables whose rows had no partition, once', { skip }, async () => {
  await using world = await createWorld()
  const { organizationId } = world.organization
  // Nobody has made partitions for a year,.
  world.advance(400 * DAY_MS)
  await insertEvents(world, organizationId, ['payin.confirmed'])
  const lines: Record<string, unknown>[] = []
  const log = pino({ level: 'warn', base: null }, { write: (line: string) => lines.push(JSON.parse(line)) })
  while ((await applyRetention(world.ctx, log)) > 0) {}
  const late = lines.filter(({ msg }) => String(msg).startsWith('rows had no partition'))
  const ofEvents = late.filter(({ tables }) => String(tables).split(',').includes('events_default'))
  assert.equal(ofEvents.length, 1, JSON.stringify(lines))
  const { rowCount } = await world.db.query({
    text: 'select from events where organization_id = $1',
    values: [organizationId],
  })
  assert.equal(rowCount, 1)
})
