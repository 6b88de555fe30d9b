// The day from which networks' statements are compared: that of the first organization, or of a payment that is older.

import assert from 'node:assert/strict'
import { it } from 'node:test'
import { bogotaDay, daysAfter } from '../../../src/core/bogota-day.ts'
import { DAY_MS, isoInstant } from '../../../src/core/instant.ts'
import { firstDay } from '../../../src/flows/ledger/reconcile-due.ts'
import { brebPayin, createWorld } from '../../world.ts'

it('is the day on which something could first be paid here', async () => {
  await using world = await createWorld()
  const began = bogotaDay(world.ctx.clock.now())
  assert.equal(await firstDay(world.ctx), began)
  await world.passTime(3 * DAY_MS)
  const { json } = await world.client('POST', '/payins', brebPayin())
  assert.equal(await firstDay(world.ctx), began)
  // As after a restore into an installation whose organizations are younger.
  await world.db.query({
    text: 'update payins set created_at = $2 where payin_id = $1',
    values: [json.id, isoInstant(world.ctx.clock.now() - 8 * DAY_MS)],
  })
  assert.equal(await firstDay(world.ctx), daysAfter(began, -5))
})
