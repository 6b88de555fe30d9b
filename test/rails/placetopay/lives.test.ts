// PlacetoPay's adapter against the simulated PlacetoPay, over HTTP: payments from the order to their end, and what the gateway tells us
// of them. Lost answers, and orders that come twice, are in the shared contract.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { railReference } from '../../../src/core/connections/reference.ts'
import type { NetworkExchange, PayinOrder, PaymentHandle } from '../../../src/rails/rail.ts'
import { placetopay } from '../../../src/sandbox/providers/placetopay/gateway.ts'
import { type Simulated, simulate } from '../../sandbox/providers/simulated.ts'
import { customer, handle, ORGANIZATION, open, order } from './orders.ts'

const exchanges: NetworkExchange[] = []

function openFor(simulated: Simulated, altered: Record<string, string> = {}, limits = {}) {
  exchanges.length = 0
  return open(
    {
      credentials: { ...placetopay.credentials, url: simulated.url, ...altered },
      notificationUrl: `${simulated.receiverUrl}/connections/7`,
    },
    {
      now: simulated.now,
      wallClock: simulated.now,
      record: (exchange) => void exchanges.push(exchange),
      limits: { pauseFromMs: 1, pauseToMs: 2, breakAfterFailures: 1_000, ...limits },
    },
  )
}

const orderOf = (idNumber: string = customer.idNumber, bank = 'CO_BANCO_DE_PRUEBAS'): PayinOrder => ({
  ...order,
  customer: { ...customer, idNumber },
  source: { rail: 'PSE', bank, personType: 'INDIVIDUAL' },
})

async function submitted(rails: ReturnType<typeof open>, made = orderOf()) {
  const answer = await rails.pse.submit(made)
  assert.equal(answer.outcome, 'accepted', JSON.stringify(answer))
  if (answer.outcome !== 'accepted') throw new Error('not accepted')
  const { providerId } = answer.value
  assert.ok(providerId !== null)
  const asked: PaymentHandle = { ...handle(providerId), amountInCents: made.amountInCents }
  return { opened: answer.value, providerId, asked, paymentId: `placetopay:${providerId}` }
}

const faults = (simulated: Simulated, plan: object | 'none') =>
  simulated.call('PUT', '/control/faults', { plan })

const hintIn = (rails: ReturnType<typeof open>, simulated: Simulated, index: number) => {
  const { headers = {}, body = '' } = simulated.received[index] ?? {}
  return rails.readHint(headers, Buffer.from(body), simulated.now())
}

describe('a payment at the simulated PlacetoPay', () => {
  it('is opened at the bank, found by number and by reference, and paid', async () => {
    await using simulated = await simulate(placetopay)
    await using rails = openFor(simulated)
    const { opened, providerId, asked, paymentId } = await submitted(rails)
    assert.equal(opened.traceId, paymentId)
    assert.equal(opened.instructions.isReady, true)
    const page = opened.instructions.pageUrl ?? ''
    assert.equal((await simulated.call('GET', page.slice(simulated.url.length))).status, 200)
    const isOpen = { outcome: 'accepted', value: { state: 'open', opened } }
    assert.deepEqual(await rails.pse.query(asked), isOpen)
    assert.deepEqual(await rails.pse.query({ ...asked, providerId: null }), isOpen)
    // It cannot be called off.
    assert.deepEqual(await rails.pse.cancel(asked), isOpen)
    await simulated.advance(2_000)
    const paid = {
      outcome: 'accepted',
      value: {
        state: 'paid',
        payments: [{ amountInCents: 8_000_050n, paymentId }],
        networkCode: String(3_000_000_000 + Number(providerId)),
      },
    }
    assert.deepEqual(await rails.pse.query(asked), paid)
    assert.deepEqual(await rails.pse.query({ ...asked, providerId: null }), paid)
    assert.deepEqual(await rails.pse.cancel(asked), paid)
    assert.deepEqual(
      simulated.received.map(({ path }) => path),
      ['/connections/7'],
    )
    assert.deepEqual(hintIn(rails, simulated, 0), {
      ask: [{ kind: 'payin', providerId }],
      kind: 'APPROVED',
    })
  })

  it('of every amount is paid with that amount', async () => {
    await using simulated = await simulate(placetopay)
    await using rails = openFor(simulated)
    for (const amountInCents of [1n, 10n, 99n, 100n, 123_456n, 99_999_999_999_999n]) {
      const id = `0198c0de-0000-7000-8000-${String(amountInCents).padStart(12, '0').slice(-12)}`
      const made = { ...orderOf(), reference: railReference('payin', ORGANIZATION, id), amountInCents }
      const { asked } = await submitted(rails, made)
      await simulated.advance(2_000)
      for (const providerId of [asked.providerId, null]) {
        const answer = await rails.pse.query({ ...asked, reference: made.reference, providerId })
        assert.ok(answer.outcome === 'accepted' && answer.value.state === 'paid')
        assert.equal(answer.value.payments[0].amountInCents, amountInCents)
      }
    }
  })

  it('ends or goes on as the gateway says', async () => {
    const isOpen = { state: 'open' }
    const declined = (networkCode: string) => ({
      state: 'ended',
      how: 'declined',
      reason: 'BANK_DECLINED',
      networkCode,
    })
    const paid = { state: 'paid' }
    const lives: [idNumber: string, bank: string, steps: (object | 'undecided')[]][] = [
      [customer.idNumber, 'CO_NEQUI', [declined('05')]],
      ['9000000001', 'CO_BANCO_DE_PRUEBAS', [isOpen, isOpen, isOpen, paid]],
      ['9000000002', 'CO_BANCO_DE_PRUEBAS', [declined('61')]],
      ['9000000003', 'CO_BANCO_DE_PRUEBAS', ['undecided']],
      ['9000000004', 'CO_BANCO_DE_PRUEBAS', ['undecided']],
      ['9000000005', 'CO_BANCO_DE_PRUEBAS', ['undecided', paid]],
      ['9000000006', 'CO_BANCO_DE_PRUEBAS', ['undecided']],
      ['9000000007', 'CO_BANCO_DE_PRUEBAS', [paid, { ...paid, chargebacks: 'REFUNDED' }]],
      ['9000000008', 'CO_BANCO_DE_PRUEBAS', [paid, { ...paid, chargebacks: 'REVERSED' }]],
      ['9000000009', 'CO_BANCO_DE_PRUEBAS', [paid, paid]],
    ]
    for (const [idNumber, bank, steps] of lives) {
      await using simulated = await simulate(placetopay)
      await using rails = openFor(simulated)
      const { asked, opened, paymentId, providerId } = await submitted(rails, orderOf(idNumber, bank))
      for (const [index, step] of steps.entries()) {
        await simulated.advance(2_000)
        for (const by of [asked, { ...asked, providerId: null }]) {
          const answer = await rails.pse.query(by)
          if (step === 'undecided') {
            assert.ok(answer.outcome === 'unknown' && answer.kind === 'undecided', idNumber)
            continue
          }
          assert.ok(answer.outcome === 'accepted', idNumber)
          const payment = { amountInCents: 8_000_050n, paymentId }
          const state = 'state' in step ? step.state : ''
          const expected =
            state === 'open'
              ? { ...isOpen, opened }
              : state === 'paid'
                ? {
                    state: 'paid',
                    payments: [payment],
                    networkCode: String(3_000_000_000 + Number(providerId)),
                    ...('chargebacks' in step && {
                      chargebacks: [{ ...payment, chargebackId: `${providerId}:${step.chargebacks}` }],
                    }),
                  }
                : step
          assert.deepEqual(answer.value, expected, `${idNumber} at ${index}`)
        }
        const hint = hintIn(rails, simulated, index)
        assert.ok(hint !== undefined && 'ask' in hint)
        assert.deepEqual(hint.ask, [{ kind: 'payin', providerId }])
      }
    }
  })

  it('that fails at once may have been debited', async () => {
    await using simulated = await simulate(placetopay)
    await using rails = openFor(simulated)
    for (const asking of [
      () => rails.pse.submit(orderOf('9000000010')),
      () => rails.pse.query(handle(null)),
    ]) {
      const answer = await asking()
      assert.ok(answer.outcome === 'unknown' && answer.kind === 'undecided')
      assert.match(answer.why, /FAILED \(XN\)/)
    }
  })

  it('that is ordered again after a rejection is found beside it', async () => {
    await using simulated = await simulate(placetopay)
    await using rails = openFor(simulated)
    const first = await submitted(rails, orderOf(customer.idNumber, 'CO_NEQUI'))
    await simulated.advance(2_000)
    const second = await submitted(rails)
    assert.notEqual(second.providerId, first.providerId)
    const bySearch = await rails.pse.query({ ...second.asked, providerId: null })
    assert.ok(bySearch.outcome === 'accepted' && bySearch.value.state === 'open')
    assert.equal(bySearch.value.opened?.providerId, second.providerId)
    await simulated.advance(2_000)
    const paid = await rails.pse.query({ ...second.asked, providerId: null })
    assert.ok(paid.outcome === 'accepted' && paid.value.state === 'paid')
    assert.deepEqual(
      paid.value.payments.map(({ paymentId }) => paymentId),
      [second.paymentId],
    )
  })

  it('that nobody ordered is not found by a search, and undecided by a number', async () => {
    await using simulated = await simulate(placetopay)
    await using rails = openFor(simulated)
    const notFound = {
      outcome: 'accepted',
      value: { state: 'ended', how: 'not-found', reason: 'EXPIRED', networkCode: 'NOT_FOUND' },
    }
    assert.deepEqual(await rails.pse.query(handle(null)), notFound)
    assert.deepEqual(await rails.pse.cancel(handle(null)), notFound)
    const byNumber = await rails.pse.query(handle('1000000001'))
    assert.ok(byNumber.outcome === 'unknown' && byNumber.kind === 'undecided')
    await submitted(rails)
    assert.deepEqual(await rails.pse.query({ ...handle(null), amountInCents: 8_000_051n }), notFound)
  })

  it('is refused for a bank that the gateway does not list, and for wrong fields', async () => {
    await using simulated = await simulate(placetopay)
    await using rails = openFor(simulated)
    assert.deepEqual(await rails.pse.submit(orderOf(customer.idNumber, 'CO_BANCOLOMBIA')), {
      outcome: 'rejected',
      reason: 'BANK_UNAVAILABLE',
      networkCode: 'BANK_NOT_LISTED',
    })
    const wrong = { ...orderOf(), device: { ipAddress: 'somewhere', userAgent: 'x' } }
    assert.deepEqual(await rails.pse.submit(wrong), {
      outcome: 'rejected',
      reason: 'RAIL_ERROR',
      networkCode: '400',
    })
    const search = await rails.pse.query(handle(null))
    assert.ok(search.outcome === 'accepted' && search.value.state === 'ended')
  })
})

describe('a question without an answer, to the simulated PlacetoPay', () => {
  it('is asked for again by the adapter itself where that makes nothing', async () => {
    await using simulated = await simulate(placetopay, { seed: 3 })
    await using rails = openFor(simulated)
    const { asked } = await submitted(rails)
    await faults(simulated, { droppedAnswer: 0.5 })
    const before = exchanges.length
    for (let count = 0; count < 10; count += 1) await rails.pse.query(asked)
    const broken = exchanges.slice(before).filter(({ failure }) => failure !== null)
    // Every try has a nonce of its own: the simulated gateway refuses one that it has seen.
    assert.ok(broken.length > 0 && exchanges.slice(before).every(({ status }) => status !== 401))
  })
})

describe('what the simulated PlacetoPay tells us', () => {
  it('is believed with the current and the previous secret, and never acted upon twice', async () => {
    await using simulated = await simulate(placetopay, { faults: { noticeDoubled: 1 } })
    await using rails = openFor(simulated)
    const { providerId } = await submitted(rails)
    await simulated.advance(60_000)
    assert.equal(simulated.received.length, 2)
    const hint = { ask: [{ kind: 'payin', providerId }], kind: 'APPROVED' }
    assert.deepEqual(
      [0, 1].map((index) => hintIn(rails, simulated, index)),
      [hint, hint],
    )
    await using others = openFor(simulated, { secretKey: 'another' })
    assert.equal(hintIn(others, simulated, 0), undefined)
    await using changed = open({
      credentials: { ...placetopay.credentials, url: simulated.url, secretKey: 'another' },
      previousCredentials: { ...placetopay.credentials, url: simulated.url },
    })
    assert.deepEqual(hintIn(changed, simulated, 0), hint)
  })

  it('of a sale that the site made elsewhere is left alone', async () => {
    await using simulated = await simulate(placetopay)
    await using rails = openFor(simulated)
    await submitted(rails)
    await simulated.advance(2_000)
    const { headers = {}, body = '' } = simulated.received[0] ?? {}
    const elsewhere = Buffer.from(JSON.stringify({ ...JSON.parse(body), reference: 'INV-2026-1' }))
    assert.deepEqual(rails.readHint(headers, elsewhere, simulated.now()), {
      ignored: 'a payment that the site took elsewhere',
    })
    const without = Buffer.from(JSON.stringify({ ...JSON.parse(body), reference: undefined }))
    assert.deepEqual(rails.readHint(headers, without, simulated.now()), {
      fault: 'the notification names no reference',
    })
  })
})
