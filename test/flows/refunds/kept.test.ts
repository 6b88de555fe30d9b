// What is kept of a refund and shown: whose key was named, until when its payer may come, when it ended, and the network's own words.

import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { DAY_MS } from '../../../src/core/instant.ts'
import type { PayinRail } from '../../../src/rails/rail.ts'
import { CUSTOMER, createWorld, type World } from '../../world.ts'
import { refunding } from './refunding.ts'

const OWN = '1020304050'
const PAYER = { ...CUSTOMER, idNumber: OWN }

describe('what is kept of a refund', () => {
  let world: World
  before(async () => {
    world = await createWorld()
  })
  after(() => world[Symbol.asyncDispose]())
  const { asked, confirmed, ends, proven } = refunding(() => world)
  afterEach(() => proven())

  const networkOf = async (refundId: string) => {
    const { rows } = await world.db.query<Record<string, string | null>>({
      text: 'select trace_id, network_code from refunds where refund_id = $1',
      values: [refundId],
    })
    return rows[0]
  }
  const givenBackBy = async (returnPayment: unknown, status: string) => {
    const rail = world.ctx.networks.payins.BRE_B as { returnPayment: PayinRail['returnPayment'] }
    const original = rail.returnPayment
    rail.returnPayment = returnPayment as PayinRail['returnPayment']
    try {
      const { id } = await asked(await confirmed())
      await ends(id, status)
      return await networkOf(id)
    } finally {
      rail.returnPayment = original
    }
  }

  it('is the network’s id of what it gave back, and its code for what it did not', async () => {
    const declined = await givenBackBy(
      async () => ({ outcome: 'rejected', reason: 'RAIL_ERROR', networkCode: 'B106' }),
      'DECLINED',
    )
    assert.deepEqual(declined, { trace_id: null, network_code: 'B106' })
    const really = world.ctx.networks.payins.BRE_B.returnPayment
    let said: string | null = null
    const confirmedIds = await givenBackBy(async (...call: Parameters<NonNullable<typeof really>>) => {
      const answer = await really?.(...call)
      if (answer?.outcome === 'accepted') said = answer.value.traceId
      return answer
    }, 'CONFIRMED')
    assert.notEqual(said, null)
    assert.deepEqual(confirmedIds, { trace_id: said, network_code: null })
  })

  it('is whose the key was, as a look-up shows it', async () => {
    const { json: found } = await world.client('GET', `/breb/keys/${OWN}`)
    const { claim } = await asked(await confirmed({ inlineCustomer: PAYER }), { breb: { keyString: OWN } })
    const { holderName, participant, lastFour } = claim
    assert.deepEqual(
      { holderName, participant, lastFour },
      {
        holderName: found.holder.name,
        participant: found.participant.name,
        lastFour: found.account.lastFour,
      },
    )
    assert.match(lastFour, /^\d{4}$/)
  })

  it('is until when its payer may claim it, and when it ended', async () => {
    const made = await asked(await confirmed(), { way: 'CLAIM' })
    assert.equal(Date.parse(made.claimExpiresAt) - Date.parse(made.createdAt), 30 * DAY_MS)
    world.advance(DAY_MS)
    const canceledAt = world.ctx.clock.now()
    const { json } = await world.client('POST', `/refunds/${made.id}/cancel`)
    assert.equal(json.claimExpiresAt, null)
    assert.ok(Date.parse(json.resultAt) >= canceledAt)
  })
})
