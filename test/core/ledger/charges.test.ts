// What is charged of a payin: fixed and percent, the IVA on the fee, and taxes by day; never more than the payin.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import {
  type Charges,
  chargesOf,
  NO_CHARGES,
  parsePercent,
  parseWithholding,
  payoutFeeOf,
  readCharges,
  writtenCharges,
} from '../../../src/core/ledger/charges.ts'
import { estimatedMovementTax } from '../../../src/core/ledger/movement-tax.ts'
import type { Payin } from '../../../src/core/payins/payin.ts'
import { settleFunds } from '../../../src/core/payins/settle.ts'

const CHARGES: Charges = {
  fees: { PSE: { fixedInCents: 90_000n, basisPoints: 265, taxBasisPoints: 1_900 } },
  payoutFees: { BRE_B: { fixedInCents: 50_000n, basisPoints: 33, taxBasisPoints: 1_900 } },
  withholdings: [
    { rail: 'PSE', from: '2027-01-01', basisPoints: 150 },
    { rail: 'PSE', from: '2027-06-01', basisPoints: 0 },
  ],
}

describe('charges', () => {
  it('without rates nothing is charged', () => {
    assert.deepEqual(chargesOf(NO_CHARGES, 'PSE', 5_000_000n, '2026-11-14'), [])
    assert.deepEqual(chargesOf(CHARGES, 'BRE_B', 5_000_000n, '2026-11-14'), [])
  })

  it('a fee is fixed plus percent, and its IVA is a booking of its own', () => {
    assert.deepEqual(chargesOf(CHARGES, 'PSE', 5_000_000n, '2026-11-14'), [
      { booking: 'payin fee', amountInCents: 222_500n },
      { booking: 'payin fee tax', amountInCents: 42_275n },
    ])
  })

  it('a tax is withheld from its first day until the day of the next rate', () => {
    const withheld = (day: string) =>
      chargesOf(CHARGES, 'PSE', 1_000_000n, day).filter(({ booking }) => booking === 'payin withholding')
    assert.deepEqual(withheld('2026-12-31'), [])
    assert.deepEqual(withheld('2027-01-01'), [{ booking: 'payin withholding', amountInCents: 15_000n }])
    assert.deepEqual(withheld('2027-05-31'), [{ booking: 'payin withholding', amountInCents: 15_000n }])
    assert.deepEqual(withheld('2027-06-01'), [])
  })

  it('the newest rate that has begun counts, in whatever order the rates were set', () => {
    const charges = { ...CHARGES, withholdings: CHARGES.withholdings.toReversed() }
    for (const day of ['2026-12-31', '2027-01-01', '2027-05-31', '2027-06-01'])
      assert.deepEqual(chargesOf(charges, 'PSE', 1_000_000n, day), chargesOf(CHARGES, 'PSE', 1_000_000n, day))
  })

  it('a payin over a connection is charged by its provider, and not by us', () => {
    const payin = {
      ...{ version: 1, settlementStatus: 'PENDING_SETTLEMENT', confirmedAmountInCents: 1_000_000n },
      ...{ chargedBackInCents: 0n, source: { rail: 'PSE' }, connection: null },
    } as unknown as Payin
    const at = Date.UTC(2027, 1, 1)
    assert.equal(settleFunds(payin, CHARGES, at).charges?.length, 3)
    const connection = { connectionId: 'one', provider: 'WOMPI' } as unknown as Payin['connection']
    assert.deepEqual(settleFunds({ ...payin, connection }, CHARGES, at).charges, [])
  })

  it('a payout costs its fee with the IVA on it, over the rail that has one', () => {
    const fee = { feeInCents: 53_300n, feeTaxInCents: 10_127n }
    assert.deepEqual(payoutFeeOf(CHARGES, 'BRE_B', 1_000_000n), fee)
    assert.deepEqual(payoutFeeOf(CHARGES, 'PSE', 1_000_000n), { feeInCents: 0n, feeTaxInCents: 0n })
  })

  it('where a payin is too small for all of them, the tax office is first and our fee before its IVA', () => {
    const rates = (fixedInCents: bigint, basisPoints: number): Charges => ({
      fees: { PSE: { fixedInCents, basisPoints: 0, taxBasisPoints: 10_000 } },
      payoutFees: {},
      withholdings: [{ rail: 'PSE', from: '2026-01-01', basisPoints }],
    })
    const booked = (charges: Charges) =>
      chargesOf(charges, 'PSE', 100n, '2026-11-14').map(({ booking, amountInCents }) => [
        booking,
        amountInCents,
      ])
    assert.deepEqual(booked(rates(60n, 2_000)), [
      ['payin withholding', 20n],
      ['payin fee', 60n],
      ['payin fee tax', 20n],
    ])
    assert.deepEqual(booked(rates(60n, 5_000)), [
      ['payin withholding', 50n],
      ['payin fee', 50n],
    ])
    assert.deepEqual(booked(rates(60n, 10_000)), [['payin withholding', 100n]])
    const other: Charges = {
      ...rates(1n, 0),
      withholdings: [{ rail: 'BRE_B', from: '2026-01-01', basisPoints: 100 }],
    }
    assert.deepEqual(booked(other), [
      ['payin fee', 1n],
      ['payin fee tax', 1n],
    ])
  })

  it('half a cent is rounded up', () => {
    const charges = { ...NO_CHARGES, fees: { PSE: { fixedInCents: 0n, basisPoints: 50, taxBasisPoints: 0 } } }
    assert.deepEqual(chargesOf(charges, 'PSE', 100n, '2026-11-14'), [
      { booking: 'payin fee', amountInCents: 1n },
    ])
    assert.deepEqual(chargesOf(charges, 'PSE', 99n, '2026-11-14'), [])
  })

  it('together they are never more than the payin', () => {
    fc.assert(
      fc.property(fc.bigInt(1n, 200_000n), fc.constantFrom('2026-11-14', '2027-02-01'), (amount, day) => {
        const charged = chargesOf(CHARGES, 'PSE', amount, day)
        assert.ok(charged.every(({ amountInCents }) => amountInCents > 0n))
        assert.ok(charged.reduce((sum, { amountInCents }) => sum + amountInCents, 0n) <= amount)
      }),
    )
  })

  it('rates are read as they were written', () => {
    assert.deepEqual(readCharges(JSON.parse(JSON.stringify(writtenCharges(CHARGES)))), CHARGES)
    assert.deepEqual(readCharges({}), NO_CHARGES)
  })

  it('percentages and days are read strictly', () => {
    assert.deepEqual(['2.65', '19', '0', '100', '1.5'].map(parsePercent), [265, 1_900, 0, 10_000, 150])
    assert.deepEqual(['', '-1', '1,5', '2.655', '100.01', '1e1'].map(parsePercent), Array(6).fill(undefined))
    assert.deepEqual(parseWithholding('PSE', '2027-01-01:1.5'), CHARGES.withholdings[0])
    assert.equal(parseWithholding('PSE', '2027-02-30:1.5'), undefined)
    assert.equal(parseWithholding('PSE', '2027-01-01'), undefined)
  })

  it('the tax on movements is four per thousand, to the nearest cent', () => {
    assert.equal(estimatedMovementTax(1_000_000n, '2026-11-14'), 4_000n)
    assert.equal(estimatedMovementTax(125n, '2026-11-14'), 1n)
    assert.equal(estimatedMovementTax(124n, '2026-11-14'), 0n)
    assert.equal(estimatedMovementTax(1_000_000n, '2000-01-01'), 0n)
  })
})
