// How the Wompi adapter reads what comes back about a payout, good and broken, from a scripted server.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { payoutMeaning } from '../../../src/rails/wompi/codes.ts'
import { type Answer, type FakeNetwork, openFakeNetwork } from '../fake-network.ts'
import {
  bare,
  batch,
  created,
  enveloped,
  BATCH_ID as ID,
  page,
  payout,
  payoutRefusal as refusal,
} from './answers.ts'
import {
  accepted,
  assertNothingPersonal,
  assertUnknown,
  handle,
  idAt,
  NOW,
  type Opened,
  open,
  payoutOrder,
  rejection,
} from './wompi.ts'

const order = payoutOrder()

describe('what Wompi answers about a payout', () => {
  let server: FakeNetwork
  let rails: Opened
  before(async () => {
    server = await openFakeNetwork()
    rails = open({ payouts: server.url }, { limits: { breakAfterFailures: 1_000 } })
  })
  after(async () => {
    for (const exchange of rails.exchanges) assertNothingPersonal(JSON.stringify(exchange))
    await rails.close()
    await server[Symbol.asyncDispose]()
  })

  const submit = (...answers: Answer[]) => {
    server.willAnswer(...answers)
    return rails.out.submit(order)
  }
  const byId = (...answers: Answer[]) => {
    server.willAnswer(...answers)
    return rails.out.query(handle(order, ID))
  }
  const search = (...answers: Answer[]) => {
    server.willAnswer(...answers)
    return rails.out.query(handle(order))
  }
  const processing = { state: 'processing', providerId: ID }

  it('a submit reads a batch that was taken, in an envelope or bare', async () => {
    assert.deepEqual(accepted(await submit(enveloped(created))), processing)
    assert.deepEqual(accepted(await submit(bare(created))), processing)
    const refused: Answer = { status: 200, json: { code: 'EXC_008', message: 'no', data: created } }
    assertUnknown(await submit(refused), 'unreadable')
    for (const changes of [
      { payoutId: undefined },
      { payoutId: 'a b' },
      { payoutId: 7 },
      { transactions: 2, success: 2 },
      { transactions: 2 },
      { transactions: 0, success: 0 },
      { transactions: '1' },
      { success: 0 },
      { failed: 1 },
      { success: 2, failed: -1 },
      { failed: undefined },
    ])
      assertUnknown(
        await submit(enveloped({ ...created, ...changes })),
        'unreadable',
        JSON.stringify(changes),
      )
  })

  it('a submit reads why the only payout of a batch was refused, or leaves it to a query', async () => {
    const failed = enveloped({ ...created, success: 0, failed: 1 })
    const reads = (status: string, failureReason: unknown) => [
      bare({ ...batch, status: 'REJECTED' }),
      enveloped(page({ ...payout, status, failureReason })),
    ]
    for (const [failureReason, reason, code] of [
      ['EXC_034', 'KEY_NOT_FOUND', 'EXC_034'],
      [{ code: 'EXC_035', description: 'Canaria' }, 'KEY_SUSPENDED', 'EXC_035'],
      [{ code: 'C01', message: 'Canaria' }, 'RECEIVER_ACCOUNT_INVALID', 'C01'],
      ['MOL-5021', 'RAIL_ERROR', 'MOL-5021'],
      ['EXC_037', 'RAIL_ERROR', 'EXC_037'],
      ['La llave de Canaria está inactiva', 'RAIL_ERROR', 'FAILED'],
      [{ code: 'Canaria said no' }, 'RAIL_ERROR', 'FAILED'],
      [7, 'RAIL_ERROR', 'FAILED'],
    ] as const)
      assert.deepEqual(await submit(failed, ...reads('FAILED', failureReason)), rejection(reason, code))
    for (const answers of [['reset' as const], [refusal(404, 'EXC_000')], reads('PROCESSING', null)])
      assert.deepEqual(accepted(await submit(failed, ...answers)), processing)
  })

  it('a submit that is refused is rejected only if nothing was made', async () => {
    const nothing = bare(page())
    for (const [status, code, reason] of [
      [400, 'EXC_008', 'INSUFFICIENT_FUNDS'],
      [400, 'EXC_017', 'RAIL_ERROR'],
      [400, 'EXC_033', 'KEY_INVALID'],
      [404, 'EXC_034', 'KEY_NOT_FOUND'],
      [400, 'EXC_035', 'KEY_SUSPENDED'],
      [422, 'EXC_999', 'RAIL_ERROR'],
    ] as const) {
      assert.deepEqual(await submit(refusal(status, code), nothing), rejection(reason, code), code)
      assertUnknown(await submit(refusal(status, code), 'reset'), 'unavailable', code)
      const made = await submit(refusal(status, code), enveloped(page(batch)), bare(page(payout)))
      assert.deepEqual(accepted(made), processing, code)
    }
    for (const [status, code] of [
      [404, 'EXC_000'],
      [409, 'EXC_032'],
      [409, 'EXC_999'],
      [409, 'EXC_008'],
      [400, 'EXC_032'],
      [400, 'EXC_022'],
      [400, 'EXC_036'],
    ] as const)
      assertUnknown(await submit(refusal(status, code), nothing), 'undecided', code)
    assertUnknown(await submit(refusal(503, 'EXC_036'), nothing), 'unavailable')
  })

  it('a used key leads to what was made', async () => {
    const key = refusal(409, 'EXC_032')
    const found = (status: string, payoutStatus: string) =>
      submit(key, bare(page({ ...batch, status })), bare(page({ ...payout, status: payoutStatus })))
    assert.deepEqual(accepted(await found('TOTAL_PAYMENT', 'APPROVED')), {
      state: 'completed',
      providerId: ID,
      traceId: 'wompi:payout-1',
      amountInCents: 2_490_000n,
    })
    assert.deepEqual(await found('REJECTED', 'FAILED'), rejection('RAIL_ERROR', 'FAILED'))
    assert.deepEqual(accepted(await found('NOT_APPROVED', 'CANCELLED')), {
      state: 'canceled',
      providerId: ID,
      reason: 'CANCELED_BY_MERCHANT',
      networkCode: 'NOT_APPROVED',
    })
    const other = bare(page({ ...batch, amountInCents: 1 }))
    assertUnknown(await submit(key, other), 'unreadable')
  })

  it('another payout is no answer', async () => {
    const wrongBatches: Record<string, object> = {
      'another id': { id: 'batch-2' },
      'another reference': { reference: idAt(NOW, 2) },
      'no reference': { reference: undefined },
      'another amount': { amountInCents: 2_490_001 },
      'an amount as a text': { amountInCents: '2490000' },
      'no amount': { amountInCents: undefined },
      'another currency': { currency: 'USD' },
      'no status': { status: null },
    }
    for (const [what, changes] of Object.entries(wrongBatches)) {
      const { payoutId: _, ...nameless } = payout
      assertUnknown(await byId(bare({ ...batch, ...changes }), bare(page(nameless))), 'unreadable', what)
      if (what !== 'another id')
        assertUnknown(
          await search(bare(page({ ...batch, ...changes })), bare(page(payout))),
          'unreadable',
          what,
        )
    }
    const wrongPayouts: Record<string, object> = {
      'another batch': { payoutId: 'batch-2' },
      'another reference': { reference: idAt(NOW, 2) },
      'another amount': { amountInCents: 2_490_001 },
      'no amount': { amountInCents: undefined },
      'an amount as a text': { amountInCents: '2490000' },
      'another currency': { currency: 'USD' },
      'no id': { id: undefined },
      'no status': { status: undefined },
    }
    const approved = { ...payout, status: 'APPROVED' }
    const paidBatch = { ...batch, status: 'TOTAL_PAYMENT' }
    for (const [what, changes] of Object.entries(wrongPayouts))
      assertUnknown(await byId(bare(paidBatch), bare(page({ ...approved, ...changes }))), 'unreadable', what)
    assertUnknown(await byId(bare(paidBatch), bare(page(approved, approved))), 'unreadable')
    assertUnknown(await byId(bare(paidBatch), bare({ ...page(approved), total: 2 })), 'unreadable')
    assertUnknown(await byId(bare(paidBatch), bare({ ...page(), total: 1 })), 'unreadable')
    // What is not there cannot be held against anything.
    const { payoutId: _id, reference: _reference, currency: _currency, ...thin } = approved
    assert.equal(accepted(await byId(bare(paidBatch), bare(page(thin)))).state, 'completed')
    const nameless = { ...thin, reference: null }
    assert.equal(accepted(await byId(bare(paidBatch), bare(page(nameless)))).state, 'completed')
  })

  it('a search finds one, none, or says nothing', async () => {
    assert.deepEqual(accepted(await search(bare(page()))), { state: 'absent' })
    assert.deepEqual(accepted(await search(enveloped(page()))), { state: 'absent' })
    assert.deepEqual(accepted(await search(bare(page(batch)), bare(page(payout)))), processing)
    assert.deepEqual(accepted(await search(bare(page(batch)), bare(page()))), processing)
    const others = { ...batch, id: 'batch-2', reference: 'nomina-noviembre' }
    assertUnknown(await search(bare(page(others))), 'unreadable')
    assertUnknown(await search(bare(page(batch, others))), 'unreadable')
    assertUnknown(await search(bare(page(batch, { ...batch, id: 'batch-2' }))), 'undecided')
    assertUnknown(await search(bare({ ...page(), total: 1 })), 'unreadable')
    assertUnknown(await search(bare({ ...page(), total: undefined })), 'unreadable')
    assertUnknown(await search(bare({ ...page(), records: undefined })), 'unreadable')
    assertUnknown(await search(bare([])), 'unreadable')
    assertUnknown(await search(refusal(404, 'EXC_000')), 'undecided')
    assertUnknown(await byId(refusal(404, 'EXC_000')), 'undecided')
    assertUnknown(await byId(bare(batch), refusal(404, 'EXC_000')), 'undecided')
  })
})

describe('the states of a batch and its payout', () => {
  const OPEN_BATCHES = ['PENDING', 'PENDING_APPROVAL', 'AFE_ON_HOLD']
  const PAID_BATCHES = ['TOTAL_PAYMENT', 'PARTIAL_PAYMENT']
  const REFUSED_BATCHES = ['NOT_APPROVED', 'AFE_REJECTED', 'REJECTED']
  const OPEN = ['PENDING', 'PROCESSING', 'READY_TO_FILE', 'ADDED_TO_FILE']
  const REFUSED = ['FAILED', 'REJECTED', 'CANCELLED']
  const meaning = (batchStatus: string, status: string, failureCode: string | null = null) =>
    payoutMeaning(batchStatus, { status, failureCode })?.state

  it('are under way together', () => {
    for (const batchStatus of [...OPEN_BATCHES, ...PAID_BATCHES])
      for (const status of OPEN) assert.equal(meaning(batchStatus, status), 'processing')
    for (const batchStatus of OPEN_BATCHES)
      assert.deepEqual(payoutMeaning(batchStatus, null), { state: 'processing' })
  })

  it('are paid by the payout’s word, unless the batch was refused', () => {
    for (const batchStatus of [...OPEN_BATCHES, ...PAID_BATCHES])
      assert.equal(meaning(batchStatus, 'APPROVED'), 'completed')
    for (const batchStatus of REFUSED_BATCHES) assert.equal(meaning(batchStatus, 'APPROVED'), undefined)
  })

  it('are refused by the payout’s word, unless the batch was paid', () => {
    for (const batchStatus of [...OPEN_BATCHES, 'REJECTED']) {
      assert.equal(meaning(batchStatus, 'FAILED'), 'rejected')
      assert.equal(meaning(batchStatus, 'REJECTED'), 'rejected')
      assert.equal(meaning(batchStatus, 'CANCELLED'), 'canceled')
    }
    for (const batchStatus of PAID_BATCHES)
      for (const status of REFUSED) assert.equal(meaning(batchStatus, status), undefined)
  })

  it('are refused by the batch’s word if nobody let it through and its payout was not begun', () => {
    assert.deepEqual(payoutMeaning('NOT_APPROVED', { status: 'PENDING', failureCode: null }), {
      state: 'canceled',
      reason: 'CANCELED_BY_MERCHANT',
      networkCode: 'NOT_APPROVED',
    })
    assert.deepEqual(payoutMeaning('AFE_REJECTED', { status: 'PENDING', failureCode: null }), {
      state: 'rejected',
      reason: 'RISK_REJECTED',
      networkCode: 'AFE_REJECTED',
    })
    assert.equal(meaning('REJECTED', 'PENDING'), undefined)
    for (const batchStatus of REFUSED_BATCHES) {
      for (const status of OPEN.slice(1)) assert.equal(meaning(batchStatus, status), undefined)
      assert.equal(payoutMeaning(batchStatus, null), undefined)
    }
    for (const batchStatus of PAID_BATCHES) assert.equal(payoutMeaning(batchStatus, null), undefined)
  })

  it('say nothing if nobody knows them', () => {
    for (const unknown of ['CANCELED', 'approved', 'toString', '']) {
      assert.equal(meaning('PENDING', unknown), undefined)
      assert.equal(meaning(unknown, 'APPROVED'), undefined)
      assert.equal(payoutMeaning(unknown, null), undefined)
    }
  })

  it('give the failure’s own reason before the batch’s', () => {
    assert.deepEqual(payoutMeaning('AFE_REJECTED', { status: 'REJECTED', failureCode: 'C01' }), {
      state: 'rejected',
      reason: 'RECEIVER_ACCOUNT_INVALID',
      networkCode: 'C01',
    })
  })
})
