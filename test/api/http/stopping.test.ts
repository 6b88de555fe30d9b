// What a process that stops still writes: otherwise the last half minute of its credentials, and its last requests, would be lost.

import assert from 'node:assert/strict'
import { it } from 'node:test'
import { getApiKey } from '../../../src/store/organizations/credentials.ts'
import { brebPayin, clientOf, createWorld } from '../../world.ts'
import { addNode } from './node.ts'

it('a process that stops has written when its keys were last used, and the requests that it answered', async () => {
  await using world = await createWorld({ env: { SECRETS_KEY: 'a'.repeat(64) } })
  const { apiKey, apiKeyId } = await world.key(null)
  const requestId = world.ctx.ids.next()
  {
    await using node = await addNode(world)
    const client = clientOf(node.baseUrl, { 'x-api-key': apiKey })
    const answer = await client('POST', '/payins', brebPayin(), { 'x-request-id': requestId })
    assert.equal(answer.status, 201)
    assert.equal((await getApiKey(world.db, apiKeyId))?.lastUsedAt, null, 'not yet')
  }
  assert.equal(typeof (await getApiKey(world.db, apiKeyId))?.lastUsedAt, 'number')
  const { rowCount } = await world.db.query({
    text: 'select from request_log where request_id = $1',
    values: [requestId],
  })
  assert.equal(rowCount, 1)
})
