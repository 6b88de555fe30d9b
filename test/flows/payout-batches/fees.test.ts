// The fees of a batch are set aside with its money when it is submitted, are part of what people approve, and what its payouts do not
// cost comes back.

import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { type Charges, NO_CHARGES } from '../../../src/core/ledger/charges.ts'
import { changeCharges } from '../../../src/flows/organizations/change-charges.ts'
import { changeOrganizationLimits } from '../../../src/flows/organizations/change-limits.ts'
import { verifyLedger } from '../../../src/store/ledger/verify.ts'
import { newPayout } from '../../api/http/calls.ts'
import { checkedBatch, goodRow } from '../../api/payout-batches/files.ts'
import { createWorld, type World } from '../../world.ts'
import { approvalOf, setRules } from '../approvals/approving.ts'
import { moveToProviders } from '../connections/funds.ts'
import { connect } from '../connections/scripted-provider.ts'
import { peopleIn, SITE } from '../team/people.ts'

const AMOUNT = 5_000_000
const charging = (fixedInCents: bigint): Charges => ({
  ...NO_CHARGES,
  payoutFees: { BRE_B: { fixedInCents, basisPoints: 33, taxBasisPoints: 1_900 } },
})
const CHARGES = charging(50_000n)
// 0.33 % of the amount on top, and 19 % of that.
const FEE = 79_135
const RULE = { kind: 'payout-batch', tiers: [{ fromAmountInCents: 0, approvers: 1 }] } as const
// Of one payout.
const MOST = 1_211_000_000

describe('the fees of a batch', () => {
  let world: World
  let merchant: Pick<World, 'client' | 'organization'>
  before(async () => {
    world = await createWorld({ env: { PUBLIC_URL: SITE.origin } })
  })
  after(() => world[Symbol.asyncDispose]())
  afterEach(async () => assert.deepEqual(await verifyLedger(world.db), []))

  const set = (charges: Charges) =>
    changeCharges(world.ctx, merchant.organization.organizationId, () => charges)
  const newMerchant = async () => {
    merchant = await world.newMerchant()
    await set(CHARGES)
  }
  const call: World['client'] = (...args) => merchant.client(...args)
  const itsWorld = (): World => ({ ...world, client: call, organization: merchant.organization })
  const balance = async () => {
    const { availableInCents, reservedInCents } = (await call('GET', '/balance')).json
    return { availableInCents, reservedInCents }
  }
  let count = 0
  const submitted = async (rows: number) => {
    count += rows
    const file = Array.from({ length: rows }, (_, at) => goodRow(count + at))
    const { id } = await checkedBatch(world, call, ...file)
    const { status, json, text } = await call('POST', `/payout-batches/${id}/submit`, {
      acceptWarnings: true,
    })
    assert.equal(status, 200, text)
    return json
  }
  const turns = async () => {
    for (let turn = 0; turn < 6; turn += 1) await world.passTime(2_000)
  }
  const read = async (id: string) => (await call('GET', `/payout-batches/${id}`)).json

  it('are set aside with its amounts, so that nothing else takes them, and each payout takes its own', async () => {
    await newMerchant()
    const before = await balance()
    const batch = await submitted(3)
    assert.deepEqual([batch.reservedInCents, batch.reservedFeesInCents], [3 * (AMOUNT + FEE), 3 * FEE])
    assert.deepEqual(await balance(), {
      availableInCents: before.availableInCents - 3 * (AMOUNT + FEE),
      reservedInCents: before.reservedInCents + 3 * (AMOUNT + FEE),
    })
    await turns()
    const { status, payoutsConfirmed, reservedInCents, reservedFeesInCents } = await read(batch.id)
    assert.deepEqual(
      { status, payoutsConfirmed, reservedInCents, reservedFeesInCents },
      { status: 'COMPLETED', payoutsConfirmed: 3, reservedInCents: 0, reservedFeesInCents: 0 },
    )
    assert.deepEqual(await balance(), {
      availableInCents: before.availableInCents - 3 * (AMOUNT + FEE),
      reservedInCents: before.reservedInCents,
    })
  })

  it('are there for its last row, whatever is paid beside it', async () => {
    await newMerchant()
    await set({
      ...NO_CHARGES,
      payoutFees: { BRE_B: { fixedInCents: 50_000n, basisPoints: 0, taxBasisPoints: 0 } },
    })
    const batch = await submitted(3)
    // All that is left.
    let { availableInCents } = await balance()
    while (availableInCents > 0) {
      const amountInCents = Math.min(MOST, availableInCents - 50_000)
      assert.equal((await call('POST', '/payouts', newPayout({ amountInCents }))).status, 201)
      availableInCents -= amountInCents + 50_000
    }
    await turns()
    assert.equal((await read(batch.id)).payoutsConfirmed, 3)
    assert.deepEqual((await call('GET', '/payouts?status=DECLINED')).json.data, [])
    assert.deepEqual(await balance(), { availableInCents: 0, reservedInCents: 0 })
  })

  it('are part of what people approve, and come back when it is canceled', async () => {
    merchant = world
    await set(CHARGES)
    await peopleIn(world).newMember('approver')
    await setRules(world, [RULE])
    const before = await balance()
    const batch = await submitted(2)
    assert.equal(batch.status, 'WAITING')
    const approval = await approvalOf(world, batch.id)
    assert.deepEqual(
      [approval.amountInCents, approval.document.totalInCents, approval.document.feesInCents],
      [2 * AMOUNT, 2 * AMOUNT, 2 * FEE].map((cents, at) => (at === 0 ? cents : String(cents))),
    )
    assert.equal((await balance()).reservedInCents, before.reservedInCents + 2 * (AMOUNT + FEE))
    assert.equal((await call('POST', `/payout-batches/${batch.id}/cancel`)).status, 200)
    assert.deepEqual(await balance(), before)
    assert.equal((await read(batch.id)).reservedFeesInCents, 0)
  })

  it('cost what the tariff says when the payouts are made: less comes back, and more is taken', async () => {
    await newMerchant()
    for (const [tariff, fee] of [
      [charging(0n), 19_635],
      [charging(100_000n), 138_635],
    ] as const) {
      const { availableInCents } = await balance()
      const batch = await submitted(2)
      await set(tariff)
      await turns()
      assert.equal((await read(batch.id)).payoutsConfirmed, 2)
      assert.deepEqual(await balance(), {
        availableInCents: availableInCents - 2 * (AMOUNT + fee),
        reservedInCents: 0,
      })
      await set(CHARGES)
    }
  })

  it('of rows that become no payouts come back as soon as no row waits', async () => {
    await newMerchant()
    const { availableInCents } = await balance()
    const batch = await submitted(2)
    const limit = (payoutsPerDay: number | null) =>
      changeOrganizationLimits(world.ctx, merchant.organization.organizationId, { payoutsPerDay })
    await limit(1)
    await turns()
    const { payoutsConfirmed, payoutsFailed } = await read(batch.id)
    assert.deepEqual([payoutsConfirmed, payoutsFailed], [1, 1])
    assert.deepEqual(await balance(), {
      availableInCents: availableInCents - AMOUNT - FEE,
      reservedInCents: 0,
    })
  })

  it('are none over a connection, where the provider charges', async () => {
    await newMerchant()
    await connect(itsWorld(), { uses: ['BRE_B_OUT'] })
    await moveToProviders(itsWorld())
    const { reservedInCents, reservedFeesInCents } = await submitted(1)
    assert.deepEqual([reservedInCents, reservedFeesInCents], [AMOUNT, 0])
  })

  it('leave deposits alone: over a connection a batch sets those aside and nothing else, and its payouts take just what it had', async () => {
    await newMerchant()
    const { connectionId } = await connect(itsWorld(), { uses: ['BRE_B_OUT'] })
    const atProvider = 2 * AMOUNT + 1
    const deposit = { amountInCents: atProvider, reference: 'bank transfer' }
    assert.equal((await call('POST', `/connections/${connectionId}/deposits`, deposit)).status, 201)
    const held = async () => {
      const { availableInCents, depositedInCents, reservedInCents } = (await call('GET', '/balance')).json
      return { availableInCents, depositedInCents, reservedInCents }
    }
    const { availableInCents } = await held()
    const { id } = await submitted(2)
    const setAside = {
      availableInCents,
      depositedInCents: 1,
      reservedInCents: 2 * AMOUNT,
    }
    assert.deepEqual(await held(), setAside)
    await world.passTime(2_000)
    assert.deepEqual([(await read(id)).reservedInCents, await held()], [0, setAside])
  })

  it('and the deposits that were set aside for a batch are there again once it is canceled', async () => {
    await newMerchant()
    const { connectionId } = await connect(itsWorld(), { uses: ['BRE_B_OUT'] })
    const deposit = { amountInCents: 2 * AMOUNT, reference: 'bank transfer' }
    assert.equal((await call('POST', `/connections/${connectionId}/deposits`, deposit)).status, 201)
    await peopleIn(itsWorld()).newMember('approver')
    await setRules(itsWorld(), [RULE])
    const { id, status } = await submitted(1)
    const deposited = async () => (await call('GET', '/balance')).json.depositedInCents
    assert.deepEqual([status, await deposited()], ['WAITING', AMOUNT])
    assert.equal((await call('POST', `/payout-batches/${id}/cancel`)).status, 200)
    assert.equal(await deposited(), 2 * AMOUNT)
  })

  it('cannot be left set aside by a batch that has ended, whatever code writes it', async () => {
    await newMerchant()
    const { id } = await submitted(1)
    const text = `update payout_batches set status = 'COMPLETED' where batch_id = $1`
    await assert.rejects(world.db.query({ text, values: [id] }), /payout_batches_reserved_status_check/)
    await turns()
    assert.equal((await read(id)).status, 'COMPLETED')
  })
})
