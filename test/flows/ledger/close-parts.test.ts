// A day with more movements than are summed at once is the same day.

import assert from 'node:assert/strict'
import { it } from 'node:test'
import { startOfDay } from '../../../src/core/bogota-day.ts'
import { firstIdAt } from '../../../src/core/ids.ts'
import { DAY_MS, MINUTE_MS } from '../../../src/core/instant.ts'
import { movementsDigest } from '../../../src/core/ledger/daily-close.ts'
import { sumDay } from '../../../src/flows/ledger/close-days.ts'
import { brebPayin, endPayin } from '../../world.ts'
import { openDay, today } from './reconciling.ts'

it('is summed in parts, with a rest between them, to the same sums and the same digest', async () => {
  await using world = await openDay()
  const { organizationId } = world.organization
  const range = {
    fromId: firstIdAt(startOfDay(today(world))),
    beforeId: firstIdAt(startOfDay(today(world)) + DAY_MS),
  }
  for (let count = 0; count < 8; count += 1) {
    const { json } = await world.client('POST', '/payins', brebPayin({ amountInCents: 100_000 + count }))
    await endPayin(world, world.client, json.id, 'confirmed')
    await world.passTime(3 * MINUTE_MS)
  }
  let rests = 0
  const rest = async () => {
    rests += 1
  }
  const whole = await sumDay(world.ctx, organizationId, range, rest)
  assert.equal(rests, 0)
  assert.equal(
    whole.bookings.reduce((sum, { movements }) => sum + movements, 0),
    8,
  )
  const parted = await sumDay(world.ctx, organizationId, range, rest, 2)
  assert.ok(rests >= 2, `${rests} rests between parts of two`)
  assert.deepEqual(parted.bookings, whole.bookings)
  assert.equal(movementsDigest(parted.parts), movementsDigest(whole.parts))
})
