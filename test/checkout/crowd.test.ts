// Many payers, and many who listen: what they wait for is not what merchants and workers need.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Listener, listen } from '../api/events/listen.ts'
import { brebPayin, createWorld, eventually, type World } from '../world.ts'

const PAGES = 40
const LINK = {
  amountType: 'FIXED',
  amountInCents: 5_000_000,
  reference: 'crowd',
  callbackUrl: 'https://shop.example/back',
}

describe('a crowd', () => {
  let world: World
  before(async () => {
    world = await createWorld()
  })
  after(() => world[Symbol.asyncDispose]())

  const waitingForLocks = async (): Promise<number> => {
    const { rows } = await world.db.query<{ count: bigint }>({
      text: `select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    })
    return Number(rows[0]?.count)
  }

  it('of payers whose pages hang leaves merchants and workers their connections', async () => {
    const other = await world.newMerchant()
    const { json } = await world.client('POST', '/payment-links', LINK)
    const path = new URL(json.paymentLinkUrl).pathname
    const crowd = await world.db.inTransaction(async (tx) => {
      await tx.query({ text: 'lock table payment_links in access exclusive mode' })
      const pages = Promise.all(
        Array.from({ length: PAGES }, (_, at) =>
          world.anonymous('GET', `${path}${at % 2 === 0 ? '' : '/stream?version=x'}`),
        ),
      )
      await eventually(waitingForLocks, (count) => count > 0)
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => other.client('POST', '/payins', brebPayin())),
      )
      assert.deepEqual([...new Set(answers.map(({ status }) => status))], [201])
      assert.ok(
        (await waitingForLocks()) <= world.config.databasePool / 2,
        'pages have their part and no more',
      )
      return { pages }
    })
    const shown = await crowd.pages
    for (const { status } of shown) assert.ok(status === 200 || status === 503, String(status))
    assert.equal((await world.anonymous('GET', path)).status, 200, 'and then all is well again')
  })

  it('of merchants who listen to events leaves the others their connections', async () => {
    const other = await world.newMerchant()
    await world.client('POST', '/payins', brebPayin())
    const merchants = await Promise.all(Array.from({ length: PAGES }, () => world.newMerchant()))
    for (const { client } of merchants) {
      const { json } = await client('POST', '/payins', brebPayin())
      await client('POST', `/payins/${json.id}/cancel`)
    }
    await world.work()
    const opening: Promise<Listener>[] = []
    await world.db.inTransaction(async (tx) => {
      await tx.query({ text: 'lock table events in access exclusive mode' })
      for (const { apiKey } of merchants)
        opening.push(listen(`${world.baseUrl}/events/stream?after=0`, { 'x-api-key': apiKey }))
      await eventually(waitingForLocks, (count) => count > 0)
      for (let look = 0; look < 20; look += 1) {
        assert.ok(
          (await waitingForLocks()) <= world.config.databasePool / 2,
          'they have their part and no more',
        )
        assert.equal((await other.client('POST', '/payment-links', LINK)).status, 201)
      }
    })
    const streams = await Promise.all(opening)
    for (const { status } of streams) assert.ok(status === 200 || status === 503, String(status))
    for (const stream of streams) stream.close()
    const [{ apiKey } = { apiKey: '' }] = merchants
    const again = await listen(`${world.baseUrl}/events/stream?after=0`, { 'x-api-key': apiKey })
    assert.equal((await again.received(1))[0]?.event, 'payin.canceled', 'and then all is well again')
    again.close()
  })
})
