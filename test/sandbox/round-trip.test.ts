// Both sides of the wire against each other: the service's own adapters understand what the networks send.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { KeyType } from '../../src/core/directory/breb-key.ts'
import type { PayinOrder, PayoutOrder, Rails } from '../../src/rails/rail.ts'
import { openRails } from '../../src/rails/rails.ts'
import { NO_FAULTS } from '../../src/sandbox/faults.ts'
import type { PaymentKind } from '../../src/sandbox/records.ts'
import { knownErrorCodes } from '../../src/sandbox/scenarios.ts'
import { handleOf, returnPayment } from '../rails/port.ts'
import { CREDENTIALS, DELAY_MS, type Harness, newReference, START, startHarness } from './harness.ts'

function railsOf({ sandbox }: Harness): Rails {
  const settings = {
    breb: { baseUrl: sandbox.brebUrl, ...CREDENTIALS.breb },
    pse: { baseUrl: sandbox.pseUrl, ...CREDENTIALS.pse },
  }
  return openRails(settings, { now: sandbox.now, record: () => {}, limits: { pauseFromMs: 1, pauseToMs: 2 } })
}

const CUSTOMER = {
  name: 'Ana Gómez',
  idType: 'CO_CC',
  idNumber: '1000000007',
  phone: '+573001234567',
  email: 'ana@example.com',
}

function payinOrder(reference: string, rail: 'BRE_B' | 'PSE', changes: Partial<PayinOrder> = {}): PayinOrder {
  return {
    reference,
    amountInCents: 5_000_000n,
    merchantName: 'Café La Palma',
    expiresAt: START + 900_000,
    customer: CUSTOMER,
    device: null,
    acceptedTerms: [],
    returnUrl: 'http://127.0.0.1:4000/back',
    source:
      rail === 'BRE_B'
        ? { rail, keyString: `@RCTRIP${reference.toUpperCase()}` }
        : { rail, bank: 'CO_BANCO_DE_PRUEBAS', personType: 'INDIVIDUAL' },
    ...changes,
  }
}

function payoutOrder(reference: string, changes: Partial<PayoutOrder> = {}): PayoutOrder {
  return {
    reference,
    amountInCents: 2_000_000n,
    keyString: '3001234567',
    keyType: 'PHONE',
    customer: CUSTOMER,
    ...changes,
  }
}

// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects and fails where it is not there
async function railStatus(rails: Rails, kind: PaymentKind, reference: string): Promise<any> {
  const rail = kind === 'session' ? 'PSE' : 'BRE_B'
  const { amountInCents } = kind === 'transfer' ? payoutOrder(reference) : payinOrder(reference, rail)
  const handle = handleOf({ reference, amountInCents })
  const answer = await (kind === 'transfer' ? rails.payouts : rails.payins[rail]).query(handle)
  assert.equal(answer.outcome, 'accepted')
  return answer.outcome === 'accepted' ? answer.value : undefined
}

function readNotices(harness: Harness, rails: Rails) {
  return harness.listener.received.map(({ network, headers, body }) => {
    const reading = rails.readNotice[network === 'pse' ? 'PSE' : 'BRE_B'](
      headers,
      body,
      harness.sandbox.now(),
    )
    assert.ok(reading !== undefined && 'notice' in reading)
    return reading.notice
  })
}

describe('the wire', () => {
  for (const rail of ['BRE_B', 'PSE'] as const)
    it(`carries a ${rail} payin from order to payment, and its return`, async () => {
      await using harness = await startHarness()
      const rails = railsOf(harness)
      const kind = rail === 'PSE' ? 'session' : 'collection'
      const order = payinOrder('P1', rail, { customer: null })
      const submitted = await rails.payins[rail].submit(order)
      assert.equal(submitted.outcome, 'accepted')
      assert.deepEqual(await rails.payins[rail].submit(order), submitted)
      assert.equal((await railStatus(rails, kind, 'P1')).state, 'open')
      await harness.sandbox.advance(DELAY_MS)
      const paid = await railStatus(rails, kind, 'P1')
      assert.equal(paid.state, 'paid')
      const [{ amountInCents, paymentId }] = paid.payments
      assert.equal(amountInCents, 5_000_000n)
      const [notice] = readNotices(harness, rails)
      assert.deepEqual(notice?.update, {
        kind: 'payin.paid',
        amountInCents: 5_000_000n,
        paymentId,
      })
      const back = await returnPayment(rails.payins[rail], 'R1', paymentId, 5_000_000n)
      assert.equal(back.outcome, 'accepted')
      const twice = await returnPayment(rails.payins[rail], 'R2', paymentId, 1n)
      assert.equal(twice.outcome, 'rejected')
      await rails.close()
    })

  it('closes a payin that is canceled', async () => {
    await using harness = await startHarness()
    const rails = railsOf(harness)
    for (const rail of ['BRE_B', 'PSE'] as const) {
      const reference = newReference()
      const order = payinOrder(reference, rail)
      await rails.payins[rail].submit(order)
      const ended = await rails.payins[rail].cancel(handleOf(order))
      assert.ok(ended.outcome === 'accepted' && ended.value.state === 'ended')
    }
    await rails.close()
  })

  for (const kind of ['collection', 'session', 'transfer'] as const)
    it(`returns every error code of a ${kind} unchanged`, async () => {
      await using harness = await startHarness()
      const rails = railsOf(harness)
      const ends = (['declined', 'canceled'] as const).flatMap((outcome) =>
        knownErrorCodes(kind, outcome).map((errorCode) => ({ outcome, errorCode })),
      )
      const rail = kind === 'session' ? 'PSE' : 'BRE_B'
      for (const { outcome, errorCode } of ends) {
        const reference = newReference()
        const submitted =
          kind === 'transfer'
            ? await rails.payouts.submit(payoutOrder(reference))
            : await rails.payins[rail].submit(payinOrder(reference, rail))
        assert.equal(submitted.outcome, 'accepted')
        assert.equal((await harness.simulate(reference, { outcome, errorCode })).status, 200)
        const status = await railStatus(rails, kind, reference)
        assert.equal(status.reason, errorCode)
        const isCanceled = 'how' in status ? status.how !== 'declined' : status.state === 'canceled'
        assert.equal(isCanceled, outcome === 'canceled', errorCode)
      }
      await harness.sandbox.advance(0)
      const reasons = readNotices(harness, rails).map(({ update }) => 'reason' in update && update.reason)
      assert.deepEqual(reasons.toSorted(), ends.map(({ errorCode }) => errorCode).toSorted())
      await rails.close()
    })

  it('carries a payout, and reports a missing one as absent', async () => {
    await using harness = await startHarness()
    const rails = railsOf(harness)
    assert.equal((await railStatus(rails, 'transfer', 'O1')).state, 'absent')
    const customer = { ...CUSTOMER, idNumber: '1000000001' }
    const submitted = await rails.payouts.submit(payoutOrder('O1', { customer }))
    assert.deepEqual(submitted, { outcome: 'accepted', value: { state: 'processing' } })
    await harness.sandbox.advance(DELAY_MS)
    assert.equal((await railStatus(rails, 'transfer', 'O1')).state, 'completed')
    assert.equal(readNotices(harness, rails)[0]?.update.kind, 'payout.completed')
    const suspended = { keyString: '@SUSPENDIDA1', keyType: 'ALPHANUMERIC' } as const
    const refused = await rails.payouts.submit(payoutOrder('O2', suspended))
    assert.ok(refused.outcome === 'rejected' && refused.reason === 'KEY_SUSPENDED')
    await rails.close()
  })

  it('resolves keys, and separates refusals from outages', async () => {
    await using harness = await startHarness()
    const rails = railsOf(harness)
    const keys: [string, KeyType][] = [
      ['3001234567', 'PHONE'],
      ['52123456', 'DOCUMENT'],
      ['ana@example.com', 'EMAIL'],
      ['@ANAGOMEZ', 'ALPHANUMERIC'],
      ['0012345678', 'MERCHANT_CODE'],
    ]
    for (const [keyString, keyType] of keys) {
      const found = await rails.directory.lookUp(keyString, keyType)
      assert.ok(found.outcome === 'accepted' && found.value.keyString === keyString, keyString)
    }
    const missing = await rails.directory.lookUp('@NOEXISTE1', 'ALPHANUMERIC')
    assert.ok(missing.outcome === 'rejected' && missing.reason === 'KEY_NOT_FOUND')
    const suspended = await rails.directory.lookUp('@SUSPENDIDA1', 'ALPHANUMERIC')
    assert.ok(suspended.outcome === 'rejected' && suspended.reason === 'KEY_SUSPENDED')
    const down = await rails.directory.lookUp('@CAIDA1', 'ALPHANUMERIC')
    assert.equal(down.outcome, 'unknown')
    await rails.close()
  })

  for (const fault of ['errorAfterAcceptance', 'droppedAnswer', 'malformedAnswer', 'unclearAnswer'] as const)
    it(`leaves a payout unknown, not refused, after ${fault}`, async () => {
      await using harness = await startHarness({ faults: { ...NO_FAULTS, [fault]: 1 } })
      const rails = railsOf(harness)
      const answer = await rails.payouts.submit(payoutOrder('O1'))
      assert.equal(answer.outcome, 'unknown')
      await harness.control('PUT', '/faults', { plan: 'none' })
      assert.equal((await railStatus(rails, 'transfer', 'O1')).state, 'processing')
      await rails.close()
    })
})
