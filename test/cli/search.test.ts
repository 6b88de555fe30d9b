// recaudo search: finds by what is typed, in one kind or all, and says so where there is nothing.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { brebPayin, CUSTOMER, createWorld, type World } from '../world.ts'
import type { Merchant } from './binary.ts'
import { merchantInProcess } from './in-process.ts'

describe('recaudo search', () => {
  let world: World
  let merchant: Merchant
  let payinId: string
  before(async () => {
    world = await createWorld()
    merchant = merchantInProcess(world)
    const body = brebPayin({ reference: 'order-1042', amountInCents: 125_000_000 })
    payinId = (await world.client('POST', '/payins', body)).json.id
    await world.client('POST', '/payins', brebPayin({ reference: 'order-1043' }))
  })
  after(async () => {
    merchant[Symbol.dispose]()
    await world[Symbol.asyncDispose]()
  })

  it('shows what was found, and by what', async () => {
    for (const [typed, by] of [
      ['$ 1.250.000', 'amount'],
      ['ORDER-1042', 'reference'],
      [payinId, 'id'],
    ] as const) {
      const { stdout, code, stderr } = await merchant.run(['search', typed])
      assert.equal(code, 0, stderr)
      assert.match(stdout, new RegExp(`^payin +${payinId} +order-1042 +PROCESSING .* ${by}$`, 'm'), typed)
    }
    const { found } = await merchant.json('search', CUSTOMER.email)
    assert.equal(found.length, 2)
  })

  it('of one kind, so many, and says that there are more', async () => {
    assert.deepEqual((await merchant.json('search', 'order', '--kind', 'payout')).found, [])
    const { stdout } = await merchant.run(['search', 'order', '--limit', '1'])
    assert.match(stdout, /There are more of: payin\. --limit 50 shows them\./)
    assert.match((await merchant.run(['search', 'nothing-at-all'])).stdout, /^none$/m)
  })

  it('refuses a wrong limit or nothing at all, and the server a wrong kind', async () => {
    for (const typed of [['search'], ['search', 'x', '--limit', '51']])
      assert.equal((await merchant.run(typed)).code, 2, typed.join(' '))
    assert.equal((await merchant.run(['search', 'x', '--kind', 'user'])).code, 1)
  })
})
