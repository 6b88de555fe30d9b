// Payouts by Wompi against its simulator: whole lives, refusals, lost answers, and orders that come twice.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { HOUR_MS } from '../../../src/core/instant.ts'
import type { RailPayoutStatus } from '../../../src/rails/rail.ts'
import { wompiPayouts } from '../../../src/sandbox/providers/wompi/payouts.ts'
import { type Simulated, simulate } from '../../sandbox/providers/simulated.ts'
import { batch, create, OUTCOME_DELAY_MS, payouts, read } from '../../sandbox/providers/wompi-payouts.ts'
import {
  accepted,
  assertRecords,
  assertUnknown,
  CUSTOMER,
  handle,
  idAt,
  NOW,
  type Opened,
  open,
  payoutOrder,
  payoutReference,
  rejection,
} from './wompi.ts'

const openAt = (simulated: Simulated, changes: Parameters<typeof open>[1] = {}) =>
  open({ payouts: simulated.url }, { now: simulated.now, ...changes })
const faultsOn = (simulated: Simulated, plan: unknown) =>
  simulated.call('PUT', '/control/faults', { plan, seed: 1 })
const batchesOf = async (simulated: Simulated, ordinal = 1) =>
  (await read(simulated, `/v1/payouts?reference=${idAt(NOW, ordinal)}`)).records as { id: string }[]
const ENDED: RailPayoutStatus['state'][] = ['completed', 'rejected', 'canceled']

describe('a payout by Wompi', () => {
  it('is taken, processed and completed', async () => {
    await using simulated = await simulate(wompiPayouts)
    await using rails = openAt(simulated)
    const order = payoutOrder()
    const taken = accepted(await rails.out.submit(order))
    const providerId = taken.providerId as string
    assert.match(providerId, /^[0-9a-f-]{36}$/)
    const processing = { state: 'processing', providerId }
    assert.deepEqual(taken, processing)
    assert.deepEqual(accepted(await rails.out.query(handle(order, providerId))), processing)
    await simulated.advance(OUTCOME_DELAY_MS - 1)
    assert.deepEqual(accepted(await rails.out.query(handle(order))), processing, 'by our reference')
    await simulated.advance(1)
    const [paid] = await payouts(simulated, providerId)
    const completed = {
      state: 'completed',
      providerId,
      traceId: `wompi:${paid.id}`,
      amountInCents: 2_490_000n,
    }
    assert.deepEqual(accepted(await rails.out.query(handle(order, providerId))), completed)
    assert.deepEqual(accepted(await rails.out.query(handle(order))), completed)
    assert.equal(rails.out.resendAfterMs, 120_000)
  })

  it('is refused at once if its key is, inside an answer that takes the batch', async () => {
    await using simulated = await simulate(wompiPayouts)
    await using rails = openAt(simulated)
    // Wompi says why in a sentence only.
    const order = payoutOrder({ keyString: 'inactiva@test.com', keyType: 'EMAIL' })
    assert.deepEqual(await rails.out.submit(order), rejection('RAIL_ERROR', 'FAILED'))
    const [made] = await batchesOf(simulated)
    assert.deepEqual(accepted(await rails.out.query(handle(order))), {
      state: 'rejected',
      providerId: made?.id,
      reason: 'RAIL_ERROR',
      networkCode: 'FAILED',
    })
  })

  it('fails later, and is rejected', async () => {
    await using simulated = await simulate(wompiPayouts)
    await using rails = openAt(simulated)
    const order = payoutOrder({ amountInCents: 149_999n })
    const { providerId } = accepted(await rails.out.submit(order))
    await simulated.advance(OUTCOME_DELAY_MS)
    assert.deepEqual(accepted(await rails.out.query(handle(order, providerId as string))), {
      state: 'rejected',
      providerId,
      reason: 'RAIL_ERROR',
      networkCode: 'FAILED',
    })
  })

  it('waits for approval or for the control of fraud, and ends as they decide', async () => {
    await using simulated = await simulate(wompiPayouts)
    await using rails = openAt(simulated)
    const ends: Record<string, object | undefined> = {
      PENDING_APPROVAL: undefined,
      AFE_ON_HOLD: undefined,
      NOT_APPROVED: { state: 'canceled', reason: 'CANCELED_BY_MERCHANT', networkCode: 'NOT_APPROVED' },
      AFE_REJECTED: { state: 'rejected', reason: 'RISK_REJECTED', networkCode: 'AFE_REJECTED' },
    }
    // The simulator's own words for what no order of ours can bring about.
    for (const [at, [word, end]] of Object.entries(ends).entries()) {
      const order = payoutOrder({ reference: payoutReference(at + 1) })
      const reference = idAt(NOW, at + 1)
      const made = await create(
        simulated,
        batch({ reference }, { key: '3001234567', description: word, reference }),
      )
      const providerId = made.json.data.payoutId
      await simulated.advance(OUTCOME_DELAY_MS)
      const query = () => rails.out.query(handle(order, providerId))
      assert.deepEqual(accepted(await query()), { state: 'processing', providerId }, word)
      await simulated.advance(OUTCOME_DELAY_MS)
      assert.deepEqual(accepted(await query()), { providerId, ...(end ?? { state: 'processing' }) }, word)
    }
  })

  it('is rejected if Wompi refuses the batch and has none', async () => {
    await using simulated = await simulate(wompiPayouts)
    await using rails = openAt(simulated)
    const dear = payoutOrder({ amountInCents: 10_000_000_001n })
    assert.deepEqual(await rails.out.submit(dear), rejection('INSUFFICIENT_FUNDS', 'EXC_008'))
    const nobody = payoutOrder({
      reference: payoutReference(2),
      customer: { ...CUSTOMER, email: 'nobody' },
    })
    assert.deepEqual(await rails.out.submit(nobody), rejection('RAIL_ERROR', 'EXC_000'))
  })

  it('is not ended by an account, or by credentials, that Wompi does not know', async () => {
    await using simulated = await simulate(wompiPayouts)
    await using other = openAt(simulated, { credentials: { payoutsAccountId: 'else' } })
    assertUnknown(await other.out.submit(payoutOrder()), 'undecided')
    await using wrong = openAt(simulated, { credentials: { payoutsApiKey: 'else' } })
    assertUnknown(await wrong.out.submit(payoutOrder()), 'unavailable')
    assertUnknown(await wrong.out.query(handle(payoutOrder())), 'unavailable')
    assertUnknown(await wrong.out.query(handle(payoutOrder(), 'batch')), 'unavailable')
  })

  it('is paid once, however often it is sent', async () => {
    await using simulated = await simulate(wompiPayouts)
    await using rails = openAt(simulated)
    const order = payoutOrder()
    const first = accepted(await rails.out.submit(order))
    assert.deepEqual(accepted(await rails.out.submit(order)), first)
    await simulated.advance(OUTCOME_DELAY_MS)
    assert.equal(accepted(await rails.out.submit(order)).state, 'completed')
    assert.equal((await batchesOf(simulated)).length, 1)
    assertUnknown(await rails.out.submit({ ...order, amountInCents: 1_000_000n }), 'unreadable')
  })

  it('does not learn of a refusal from a key that was used up by it', async () => {
    await using simulated = await simulate(wompiPayouts)
    await using rails = openAt(simulated)
    const order = payoutOrder({ amountInCents: 10_000_000_001n })
    await rails.out.submit(order)
    assertUnknown(await rails.out.submit(order), 'undecided')
  })

  it('is refused only if nothing was made before', async () => {
    await using simulated = await simulate(wompiPayouts)
    await using rails = openAt(simulated)
    const order = payoutOrder()
    const first = accepted(await rails.out.submit(order))
    // Wompi has forgotten the key: the order would be taken as a new one, were it not refused for its e-mail.
    await simulated.advance(25 * HOUR_MS)
    const again = await rails.out.submit({ ...order, customer: { ...CUSTOMER, email: 'nobody' } })
    const answer = accepted(again)
    assert.deepEqual([answer.state, answer.providerId], ['completed', first.providerId])
  })

  it('is absent only from a search that finds nothing', async () => {
    await using simulated = await simulate(wompiPayouts)
    await using rails = openAt(simulated)
    const order = payoutOrder()
    assert.deepEqual(accepted(await rails.out.query(handle(order))), { state: 'absent' })
    assertUnknown(await rails.out.query(handle(order, 'no-such-batch')), 'undecided')
    await faultsOn(simulated, { unavailable: 1 })
    assertUnknown(await rails.out.query(handle(order)), 'unavailable')
  })

  it('is absent after Wompi has forgotten its key only if the search has found a batch of ours', async () => {
    await using simulated = await simulate(wompiPayouts)
    const old = payoutOrder()
    await simulated.advance(23 * HOUR_MS - 1)
    await using fresh = openAt(simulated)
    assert.deepEqual(accepted(await fresh.out.query(handle(old))), { state: 'absent' })
    await simulated.advance(1)
    assertUnknown(await fresh.out.query(handle(old)), 'undecided')
    // Another payout is made. The search is tried with it.
    const other = payoutOrder({ reference: payoutReference(2, simulated.now()) })
    accepted(await fresh.out.submit(other))
    assert.deepEqual(accepted(await fresh.out.query(handle(old))), { state: 'absent' })
    await using another = openAt(simulated)
    assertUnknown(await another.out.query(handle(old)), 'undecided')
    accepted(await another.out.query(handle(other)))
    assert.deepEqual(accepted(await another.out.query(handle(old))), { state: 'absent' })
  })

  it('is not decided where two batches have its reference', async () => {
    await using simulated = await simulate(wompiPayouts)
    await using rails = openAt(simulated)
    const reference = idAt(NOW)
    for (const _ of [1, 2]) await create(simulated, batch({ reference }, { key: '3001234567' }))
    assertUnknown(await rails.out.query(handle(payoutOrder())), 'undecided')
  })

  it('does not pass for another payout', async () => {
    await using simulated = await simulate(wompiPayouts)
    await using rails = openAt(simulated)
    const order = payoutOrder()
    const { providerId } = accepted(await rails.out.submit(order))
    const dearer = { ...order, amountInCents: 2_490_001n }
    const other = { ...order, reference: payoutReference(2) }
    assertUnknown(await rails.out.query(handle(dearer)), 'unreadable')
    assertUnknown(await rails.out.query(handle(dearer, providerId as string)), 'unreadable')
    assertUnknown(await rails.out.query(handle(other, providerId as string)), 'unreadable')
  })

  // What a worker does: it asks before it sends again, and sends again only if nothing is found.
  const bringToItsEnd = async (simulated: Simulated, rails: Opened, ordinal: number) => {
    const order = payoutOrder({ reference: payoutReference(ordinal) })
    let answer = await rails.out.submit(order)
    let providerId: string | null = null
    for (let round = 0; round < 60; round += 1) {
      if (answer.outcome === 'rejected') return 'rejected'
      const status = answer.outcome === 'accepted' ? answer.value : undefined
      providerId = status?.providerId ?? providerId
      if (status !== undefined && ENDED.includes(status.state)) return status.state
      await simulated.advance(120_000)
      answer =
        status?.state === 'absent'
          ? await rails.out.submit(order)
          : await rails.out.query(handle(order, providerId))
    }
    return 'without end'
  }

  it('is paid exactly once through lost, broken and late answers', async () => {
    await using simulated = await simulate(wompiPayouts)
    await using rails = openAt(simulated)
    await faultsOn(simulated, {
      unavailable: 0.15,
      errorAfterAcceptance: 0.15,
      droppedAnswer: 0.1,
      malformedAnswer: 0.1,
      notFoundThenFound: 0.4,
    })
    const ends: string[] = []
    for (let ordinal = 1; ordinal <= 25; ordinal += 1)
      ends.push(await bringToItsEnd(simulated, rails, ordinal))
    const hits = simulated.faultHits()
    for (const fault of ['unavailable', 'errorAfterAcceptance', 'droppedAnswer', 'notFoundThenFound'])
      assert.ok((hits[fault] ?? 0) > 0, fault)
    await faultsOn(simulated, 'none')
    assert.deepEqual(ends, Array(25).fill('completed'))
    for (let ordinal = 1; ordinal <= 25; ordinal += 1)
      assert.equal((await batchesOf(simulated, ordinal)).length, 1, `payout ${ordinal}`)
  })

  it('is recorded under our reference, without the receiver', async () => {
    await using simulated = await simulate(wompiPayouts)
    await using rails = openAt(simulated)
    const order = payoutOrder()
    const { providerId } = accepted(await rails.out.submit(order))
    await rails.out.submit(order)
    await rails.out.query(handle(order, providerId as string))
    assertRecords(rails.exchanges, order.reference)
    assert.deepEqual(
      rails.exchanges.map(({ operation, rail }) => `${rail} ${operation}`),
      [
        'BRE_B POST /v2/payouts',
        'BRE_B POST /v2/payouts',
        'BRE_B GET /v1/payouts',
        'BRE_B GET /v2/payouts/transactions',
        'BRE_B GET /v2/payouts',
        'BRE_B GET /v2/payouts/transactions',
      ],
    )
  })

  it('is the only thing of a connection for payouts, beside the directory', async () => {
    await using simulated = await simulate(wompiPayouts)
    await using rails = openAt(simulated)
    assert.deepEqual([rails.payins, rails.banks, rails.terms, rails.statement], [{}, null, null, {}])
    assert.equal(rails.isAway('BRE_B_OUT'), false)
    await using away = open(
      { payouts: 'http://127.0.0.1:1' },
      { limits: { tries: 1, breakAfterFailures: 1 } },
    )
    assertUnknown(await away.out.query(handle(payoutOrder())), 'unavailable')
    assert.deepEqual([away.isAway('BRE_B_OUT'), away.isAway('PSE_IN')], [true, false])
  })
})
