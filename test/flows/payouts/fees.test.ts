// What a payout costs beside its amount: agreed when it is made, set aside with it, booked when it is paid, and not given back.

import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { type Charges, NO_CHARGES } from '../../../src/core/ledger/charges.ts'
import { returnPayout } from '../../../src/core/payouts/settle.ts'
import { verifyCloses } from '../../../src/flows/ledger/verify-closes.ts'
import { changeCharges } from '../../../src/flows/organizations/change-charges.ts'
import { payoutWrite } from '../../../src/flows/payouts/write.ts'
import { closesBetween } from '../../../src/store/ledger/daily-closes.ts'
import { readBalances } from '../../../src/store/ledger/transfers.ts'
import { verifyLedger } from '../../../src/store/ledger/verify.ts'
import { newPayout } from '../../api/http/calls.ts'
import { checkedBatch, goodRow } from '../../api/payout-batches/files.ts'
import { CUSTOMER, createWorld, eventually, type World } from '../../world.ts'
import { connect } from '../connections/scripted-provider.ts'
import { closeToday } from '../ledger/closing.ts'
import { refunding } from '../refunds/refunding.ts'

const AMOUNT = 1_000_000
const FEE = 50_000 + 3_300
const TAX = 10_127
const CHARGES: Charges = {
  ...NO_CHARGES,
  payoutFees: { BRE_B: { fixedInCents: 50_000n, basisPoints: 33, taxBasisPoints: 1_900 } },
}

describe('the fee of a payout', () => {
  let world: World
  before(async () => {
    world = await createWorld()
    await set(CHARGES)
  })
  after(() => world[Symbol.asyncDispose]())
  afterEach(async () => assert.deepEqual(await verifyLedger(world.db), []))

  const set = (charges: Charges) => changeCharges(world.ctx, world.organization.organizationId, () => charges)
  const { balance, bookingsOf } = refunding(() => world)
  const made = async (changes: Record<string, unknown> = {}) => {
    const body = newPayout({ amountInCents: AMOUNT, ...changes })
    const { json, status, text } = await world.client('POST', '/payouts', body)
    assert.equal(status, 201, text)
    return json
  }
  const payout = async (id: string) => (await world.client('GET', `/payouts/${id}`)).json
  const ends = (id: string, status: string) =>
    eventually(
      async () => {
        await world.passTime(1_000)
        return payout(id)
      },
      (one) => one.status === status,
    )
  const fees = async () => Number((await readBalances(world.db, world.organization.organizationId)).FEES)

  it('is shown, set aside with the amount, and booked to the cent when it is paid', async () => {
    const before = [await balance(), await fees()] as const
    const { id, feeInCents, feeTaxInCents } = await made({
      inlineCustomer: { ...CUSTOMER, idNumber: '1000000007' },
    })
    assert.deepEqual([feeInCents, feeTaxInCents], [FEE, TAX])
    await world.passTime(1_000)
    const during = await balance()
    assert.equal(during.reservedInCents, before[0].reservedInCents + AMOUNT + FEE + TAX)
    assert.equal(await fees(), before[1])
    await world.client('POST', `/sandbox/payouts/${id}/simulate`, { outcome: 'confirmed' })
    await ends(id, 'CONFIRMED')
    assert.deepEqual((await bookingsOf(id)).sort(), [
      'payout confirmed',
      'payout fee',
      'payout fee tax',
      'payout reserved',
    ])
    assert.equal(await fees(), before[1] + FEE + TAX)
    const left = await balance()
    assert.equal(left.availableInCents, before[0].availableInCents - AMOUNT - FEE - TAX)
    assert.equal(left.reservedInCents, before[0].reservedInCents)
  })

  it('is not charged for a payout that is declined or canceled', async () => {
    const before = [await balance(), await fees()]
    const { id } = await made({ inlineCustomer: { ...CUSTOMER, idNumber: '1000000003' } })
    await ends(id, 'DECLINED')
    const { id: other } = await made()
    await world.client('POST', `/payouts/${other}/cancel`)
    assert.deepEqual([await balance(), await fees()], before)
  })

  it('stays when the money of a paid payout comes back', async () => {
    const { id } = await made()
    await ends(id, 'CONFIRMED')
    const before = [(await balance()).availableInCents, await fees()] as const
    const { organizationId } = world.organization
    const paid = await world.ctx.batched.getPayout({ organizationId, payoutId: id })
    if (paid === undefined) throw new Error('no payout')
    const step = returnPayout(paid, 'RETURNED', world.ctx.clock.now())
    assert.ok(await world.ctx.batched.writePayout(payoutWrite(world.ctx, paid, step, {})))
    assert.deepEqual([(await balance()).availableInCents, await fees()], [before[0] + AMOUNT, before[1]])
  })

  it('is what was agreed when it was made, whatever is set later', async () => {
    const { id } = await made({ inlineCustomer: { ...CUSTOMER, idNumber: '1000000007' } })
    await world.passTime(1_000)
    const before = await fees()
    await set({
      ...NO_CHARGES,
      payoutFees: { BRE_B: { fixedInCents: 1n, basisPoints: 0, taxBasisPoints: 0 } },
    })
    await world.client('POST', `/sandbox/payouts/${id}/simulate`, { outcome: 'confirmed' })
    await ends(id, 'CONFIRMED')
    assert.equal(await fees(), before + FEE + TAX)
    const small = await made()
    assert.deepEqual([small.feeInCents, small.feeTaxInCents], [1, 0])
    await ends(small.id, 'CONFIRMED')
    await set(NO_CHARGES)
    const free = await made()
    assert.deepEqual(['feeInCents' in free, 'feeTaxInCents' in free], [false, false])
    assert.deepEqual((await bookingsOf((await ends(free.id, 'CONFIRMED')).id)).sort(), [
      'payout confirmed',
      'payout reserved',
    ])
    await set(CHARGES)
  })

  it('is not charged for a refund by payout', async () => {
    const { asked, confirmed, ends: refundEnds } = refunding(() => world)
    const id = await confirmed({ inlineCustomer: { ...CUSTOMER, idNumber: '1020304050' } })
    const before = await fees()
    const refund = await asked(id, { amountInCents: 1_000, breb: { keyString: '1020304050' } })
    await refundEnds(refund.id, 'CONFIRMED')
    assert.equal(await fees(), before)
  })

  it('is in the close of its day and in its movements, and the day is proven', async () => {
    // Yesterday is over for the payouts above.
    await closeToday(world)
    const { id } = await made()
    await ends(id, 'CONFIRMED')
    const day = await closeToday(world)
    const { organizationId } = world.organization
    const [close] = await closesBetween(world.db, organizationId, day, day)
    const columns = close?.figures.columns ?? assert.fail('the day is closed')
    assert.deepEqual(
      [columns.paidOut, columns.fees, columns.feeTax].map(({ amountInCents }) => Number(amountInCents)),
      [AMOUNT, FEE, TAX],
    )
    const movements = await world.client('GET', `/reports/days/${day}/movements?column=fees`)
    assert.deepEqual(
      movements.json.data.map((one: { amountInCents: number }) => one.amountInCents),
      [FEE],
    )
    const proof = await verifyCloses(world.ctx, organizationId, day, async () => {})
    assert.equal(proof.problem, null)
  })

  it('must be there too: a payout of all that is available is declined, and says what is missing', async () => {
    const merchant = await world.newMerchant()
    await changeCharges(world.ctx, merchant.organization.organizationId, () => CHARGES)
    const { availableInCents } = (await merchant.client('GET', '/balance')).json
    const cap = 1_211_000_000
    const spend = async (amountInCents: number) =>
      (await merchant.client('POST', '/payouts', newPayout({ amountInCents }))).json.id
    const feeOf = (amount: number) => {
      const fee = 50_000 + Math.round((amount * 33) / 10_000)
      return fee + Math.round(fee * 0.19)
    }
    let left = availableInCents
    while (left > cap) {
      await spend(cap)
      left -= cap + feeOf(cap)
    }
    await world.passTime(60_000)
    assert.equal((await merchant.client('GET', '/balance')).json.availableInCents, left)
    const all = await spend(left)
    await world.passTime(60_000)
    const { errorCode, missingAmountInCents } = (await merchant.client('GET', `/payouts/${all}`)).json
    assert.deepEqual([errorCode, missingAmountInCents], ['INSUFFICIENT_FUNDS', feeOf(left)])
  })

  it('must be there for a whole file: one of all that is available is refused, and says what is missing', async () => {
    const { client, organization } = await world.newMerchant()
    await changeCharges(world.ctx, organization.organizationId, () => CHARGES)
    const { availableInCents } = (await client('GET', '/balance')).json
    const most = 1_211_000_000
    const full = Math.floor(availableInCents / most)
    const rows = Array.from({ length: full }, (_, at) => goodRow(at, '12.110.000'))
    const rest = String((availableInCents - full * most) / 100)
    const batch = await checkedBatch(world, client, ...rows, goodRow(full, rest))
    assert.equal(batch.totalInCents, availableInCents)
    const refused = await client('POST', `/payout-batches/${batch.id}/submit`, { acceptWarnings: true })
    assert.equal(refused.json.code, 'BALANCE_TOO_LOW', refused.text)
    assert.match(refused.json.detail, /are missing/)
    await client('POST', `/payout-batches/${batch.id}/leave-out`, { rows: [full + 2] })
    const sent = await client('POST', `/payout-batches/${batch.id}/submit`, { acceptWarnings: true })
    assert.equal(sent.status, 200, sent.text)
    for (let turn = 0; turn < 5; turn += 1) await world.passTime(2_000)
    const [paid] = (await client('GET', '/payouts?pageSize=1')).json.data
    assert.deepEqual([paid.feeInCents > 0, paid.feeTaxInCents > 0], [true, true])
  })

  it('is the provider’s to charge over a connection', async () => {
    await connect(world, { uses: ['BRE_B_OUT'] })
    const { feeInCents } = await made()
    assert.equal(feeInCents, undefined)
  })
})
