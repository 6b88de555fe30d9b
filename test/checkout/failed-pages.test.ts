// A page that fails through a fault of ours: the visitor reads that it did, and the log says of which request and why.

import assert from 'node:assert/strict'
import { it } from 'node:test'
import { brebPayin, createWorld, endPayin } from '../world.ts'

it('a page that cannot be made is a 503 for its visitor, and a line of the log with its request', async () => {
  await using world = await createWorld()
  const { json: payin } = await world.client('POST', '/payins', brebPayin())
  await endPayin(world, world.client, payin.id, 'confirmed')
  const { json: receipt } = await world.client('GET', `/payins/${payin.id}/receipt`)
  const offer = { name: 'Café', reference: 'cafe', amountType: 'FIXED', amountInCents: 100_000 }
  const { json: page } = await world.client('POST', '/payment-pages', offer)
  const paths = [payin.sourceData.checkoutUrl, receipt.url, page.paymentPageUrl].map(
    (url) => new URL(url).pathname,
  )
  await world.db.query({ text: 'alter table organizations rename to organizations_away' })
  try {
    for (const path of paths) {
      const requestId = world.ctx.ids.next()
      const headers = { accept: 'text/html', 'x-request-id': requestId }
      const answer = await world.anonymous('GET', path, undefined, headers)
      assert.equal(answer.status, 503, path)
      assert.match(answer.headers['content-type'] ?? '', /^text\/html/)
      assert.doesNotMatch(answer.text, /organizations/)
      const lines = world.logLines().filter(({ msg }) => msg === 'page failed')
      assert.deepEqual(
        lines.filter((line) => line.requestId === requestId).map(({ level, error }) => [level, error]),
        [[50, 'relation "organizations" does not exist']],
        path,
      )
    }
  } finally {
    await world.db.query({ text: 'alter table organizations_away rename to organizations' })
  }
})
