// Where an organization pays only to keys that it looked up, a file of payouts does too.

import assert from 'node:assert/strict'
import { it } from 'node:test'
import { MINUTE_MS } from '../../../src/core/instant.ts'
import { checkedBatch, goodRow } from '../../api/payout-batches/files.ts'
import { createWorld } from '../../world.ts'

it('a file whose keys were looked up more than half an hour ago is not submitted', async () => {
  await using world = await createWorld()
  await world.client('PATCH', '/organization', { requireKeyLookup: true })
  const batch = await checkedBatch(world, world.client, goodRow(1), goodRow(2))
  const submit = () => world.client('POST', `/payout-batches/${batch.id}/submit`)
  await world.passTime(31 * MINUTE_MS)
  const refused = await submit()
  assert.equal(refused.json.code, 'BATCH_NOT_READY', refused.text)
  assert.match(refused.json.detail, /the last 30 minutes, and 2 were not/)
  assert.deepEqual((await world.client('GET', '/payouts')).json.data, [])
})
