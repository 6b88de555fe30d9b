// recaudo org charges: what is not named stays as it is, and what is wrong changes nothing.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { organizationCharges } from '../../src/operator/charges.ts'
import { OperatorFailure } from '../../src/operator/failure.ts'
import { createWorld, type World } from '../world.ts'

describe('what an organization’s payments cost', () => {
  let world: World
  let org: string
  before(async () => {
    world = await createWorld()
    org = world.organization.organizationId
  })
  after(() => world[Symbol.asyncDispose]())
  const rowOf = async (rail: string, flags: Record<string, string | boolean> = {}) =>
    (await organizationCharges(world.ctx, { org, ...flags })).find((row) => row.rail === rail)
  const PSE = { rail: 'PSE' } as const
  const BRE_B = { rail: 'BRE_B' } as const

  it('is set part by part: a new percentage keeps the fixed part and the IVA', async () => {
    await rowOf('PSE', { ...PSE, 'fee-fixed': '90000', 'fee-percent': '2.65', 'fee-iva': '19' })
    const row = await rowOf('PSE', { ...PSE, 'fee-percent': '3' })
    assert.deepEqual([row?.feeFixedInCents, row?.feePercent, row?.feeIvaPercent], [90_000, '3', '19'])
    const other = await rowOf('BRE_B')
    assert.deepEqual([other?.feeFixedInCents, other?.feePercent, other?.feeIvaPercent], [0, '0', '0'])
  })

  it('is withheld of each rail by itself, and of a day once', async () => {
    await rowOf('PSE', { ...PSE, withhold: '2027-01-01:1.5' })
    await rowOf('BRE_B', { ...BRE_B, withhold: '2027-01-01:2' })
    assert.equal((await rowOf('PSE'))?.withholdings, '2027-01-01:1.5')
    assert.equal((await rowOf('PSE', { ...PSE, withhold: '2027-01-01:0' }))?.withholdings, '2027-01-01:0')
    assert.equal((await rowOf('BRE_B'))?.withholdings, '2027-01-01:2')
  })

  it('of payouts is beside that of payins, and is taken away alone', async () => {
    await rowOf('BRE_B', { ...BRE_B, 'fee-fixed': '1000' })
    await rowOf('BRE_B', { ...BRE_B, payouts: true, 'fee-fixed': '500', 'fee-iva': '19' })
    const row = await rowOf('BRE_B')
    assert.deepEqual(
      [row?.feeFixedInCents, row?.payoutFeeFixedInCents, row?.payoutFeeIvaPercent],
      [1_000, 500, '19'],
    )
    const left = await rowOf('BRE_B', { ...BRE_B, payouts: true, 'no-fee': true })
    assert.deepEqual([left?.feeFixedInCents, left?.payoutFeeFixedInCents], [1_000, 0])
  })

  it('that is wrong is refused, and nothing changes', async () => {
    const before = await organizationCharges(world.ctx, { org })
    const wrong = [
      { 'fee-fixed': '10' },
      { ...PSE, 'fee-percent': '100.01' },
      { ...PSE, 'fee-percent': '2,65' },
      { ...PSE, 'fee-fixed': '-1' },
      { ...PSE, withhold: '2027-02-30:1' },
      { ...PSE, payouts: true, 'fee-fixed': '10' },
      { ...BRE_B, payouts: true, withhold: '2027-01-01:1' },
    ]
    for (const flags of wrong)
      await assert.rejects(organizationCharges(world.ctx, { org, ...flags }), OperatorFailure)
    assert.deepEqual(await organizationCharges(world.ctx, { org }), before)
  })
})
