// A file may pay out all that there is, to the cent, where its payouts leave from.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { checkedBatch, goodRow } from '../../api/payout-batches/files.ts'
import { createWorld } from '../../world.ts'
import { moveToProviders } from '../connections/funds.ts'
import { accepted, connect } from '../connections/scripted-provider.ts'

const PAID = 1_000_000

describe('a file of payouts', () => {
  for (const isConnected of [false, true])
    it(`pays all that there is ${isConnected ? 'at providers' : 'in the balance'}, and not a cent more`, async () => {
      await using world = await createWorld()
      const balance = async () => (await world.client('GET', '/balance')).json
      const { availableInCents } = await balance()
      if (isConnected) {
        const provider = await connect(world, { uses: ['BRE_B_OUT'] })
        provider.submitPayout = () => accepted({ state: 'completed', traceId: 'mono:T-1' })
      }
      await moveToProviders(world, isConnected ? BigInt(PAID) : BigInt(availableInCents - PAID))
      const submit = (id: string) =>
        world.client('POST', `/payout-batches/${id}/submit`, { acceptWarnings: true })
      const tooMuch = await checkedBatch(world, world.client, goodRow(1, '10.000,01'))
      const refused = await submit(tooMuch.id)
      assert.equal(refused.status, 422)
      assert.match(refused.json.detail, /needs 10000.01 pesos, and 10000.00 are available: 0.01 are missing/)
      const all = await checkedBatch(world, world.client, goodRow(1, '10.000'))
      const { status, text } = await submit(all.id)
      assert.equal(status, 200, text)
      const { availableInCents: available, depositedInCents, reservedInCents } = await balance()
      assert.equal(isConnected ? depositedInCents : available, 0)
      assert.equal(reservedInCents, PAID)
    })
})
