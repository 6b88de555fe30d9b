// How many events an endpoint has yet to get.

import assert from 'node:assert/strict'
import { it } from 'node:test'
import { waitingAtEndpoint } from '../../../src/store/webhooks/endpoint-views.ts'
import { startReceiver } from '../../api/webhooks/receiver.ts'
import { brebPayin, createWorld } from '../../world.ts'

it('counts what was tried in vain, and nothing that was delivered', async () => {
  await using world = await createWorld()
  const { organizationId } = world.organization
  await using receiver = await startReceiver()
  receiver.answerWith(500)
  const made = await world.client('POST', '/webhook-endpoints', {
    url: receiver.url,
    events: ['payin.canceled'],
  })
  const waiting = () => waitingAtEndpoint(world.db, { organizationId, endpointId: made.json.id })
  for (let count = 0; count < 3; count += 1) {
    const { json } = await world.client('POST', '/payins', brebPayin())
    await world.client('POST', `/payins/${json.id}/cancel`)
  }
  await world.work()
  assert.equal(await waiting(), 3)
  receiver.answerWith(200)
  await world.passTime(3_600_000)
  assert.equal(await waiting(), 0)
})
