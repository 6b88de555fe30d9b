// Where events go once the address of their endpoint has changed.

import assert from 'node:assert/strict'
import { it } from 'node:test'
import { createSender } from '../../src/webhooks/send.ts'
import { answering, type Received, receiver } from './receiver.ts'

const event = (url: string, id: string) => ({
  url,
  endpointId: 'endpoint',
  id,
  timestampSeconds: 1_800_000_000,
  body: '{}',
  secrets: [Buffer.alloc(32, 7)],
})
const idsAt = ({ requests }: { requests: Received[] }) => requests.map(({ headers }) => headers['webhook-id'])

it('an endpoint that moves to another host gets its events there, although its old connection is still open', async () => {
  await using before = await receiver(answering('200 OK'))
  await using after = await receiver(answering('200 OK'))
  const sender = createSender({ allowPrivate: true })
  try {
    await sender.send(event(before.url, 'first'))
    assert.equal((await sender.send(event(after.url, 'second'))).delivered, true)
    await sender.send(event(`${after.url}/another/path`, 'third'))
    assert.deepEqual([idsAt(before), idsAt(after)], [['first'], ['second', 'third']])
    assert.equal(after.connections.opened, 1, 'a path of the same host needs no other connection')
    await before.abandoned()
  } finally {
    await sender.close()
  }
})
