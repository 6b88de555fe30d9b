// Keys that refunds are paid to: as they were typed, and compared with the payer as far as the directory tells whose they are.

import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { CUSTOMER, createWorld, type World } from '../../world.ts'
import { heldBy, withDirectory } from '../payouts/key-holders.ts'
import { refunding } from './refunding.ts'

const OWN = '1020304050'
const PAYER = { ...CUSTOMER, idNumber: OWN }

describe('a key that a merchant names for a refund', () => {
  let world: World
  before(async () => {
    world = await createWorld()
  })
  after(() => world[Symbol.asyncDispose]())
  const { asked, confirmed, ends, proven } = refunding(() => world)
  afterEach(() => proven())

  it('is shown on its payout as it was typed', async () => {
    const made = await asked(await confirmed({ inlineCustomer: PAYER }), {
      breb: { keyString: '1.020.304.050' },
    })
    const { payoutId } = await ends(made.id, 'CONFIRMED')
    const { json } = await world.client('GET', `/payouts/${payoutId}`)
    assert.equal(json.sourceData.keyString, '1.020.304.050')
  })

  it('is nobody’s known where the directory masks its holder, whatever their document looks like', async () => {
    const id = await confirmed({ inlineCustomer: PAYER })
    await withDirectory(world, heldBy(world, 'Ana*** Góm***', OWN, true), async () => {
      const made = await asked(id, { breb: { keyString: '@OTRAPERSONA' } })
      assert.deepEqual([made.claim.match, made.stage], ['UNKNOWN', 'AWAITING_APPROVAL'])
      await world.client('POST', `/refunds/${made.id}/cancel`)
    })
  })
})
