// PSE payments by Wompi against its simulator: whole lives, refusals, and the terms and banks that come before. Lost answers, and orders
// that come twice, are in the shared contract.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { PayinOrder } from '../../../src/rails/rail.ts'
import { wompi } from '../../../src/sandbox/providers/wompi/payments.ts'
import { type Simulated, simulate } from '../../sandbox/providers/simulated.ts'
import {
  accepted,
  assertRecords,
  assertUnknown,
  CUSTOMER,
  handle,
  type Opened,
  open,
  payinOrder,
  payinReference,
  rejection,
} from './wompi.ts'

const OUTCOME_DELAY_MS = 2_000

const openAt = (simulated: Simulated, changes: Parameters<typeof open>[1] = {}) =>
  open({ payments: `${simulated.url}/v1` }, changes)

// As the payer's page does it: the terms are shown, accepted, and handed over with the order.
async function orderFor(rails: Opened, changes: Partial<PayinOrder> = {}): Promise<PayinOrder> {
  const terms = accepted(await (rails.terms as NonNullable<Opened['terms']>)())
  return payinOrder({ acceptedTerms: terms.map(({ url }) => url), ...changes })
}

const payerWith = (idNumber: string) => ({ customer: { ...CUSTOMER, idNumber } })

async function transactionsOf(simulated: Simulated, reference: string) {
  const headers = { authorization: `Bearer ${wompi.credentials.privateKey}` }
  const { json } = await simulated.call('GET', `/v1/transactions?reference=${reference}`, undefined, headers)
  return json.data as { id: string; payment_method: { financial_institution_code: string } }[]
}

describe('a PSE payment by Wompi', () => {
  it('opens without the bank’s page, learns it by asking, and is paid', async () => {
    await using simulated = await simulate(wompi)
    await using rails = openAt(simulated)
    // Which of them have their page before the outcome is the simulator's choice.
    const pages: boolean[] = []
    for (let ordinal = 1; ordinal <= 8; ordinal += 1) {
      const order = await orderFor(rails, { reference: payinReference(ordinal) })
      const opened = accepted(await rails.pse.submit(order))
      const id = opened.providerId as string
      assert.match(id, /^1292-\d+-\d+$/)
      const instructions = { keyString: null, qrPayload: null, pageUrl: null, isReady: false }
      assert.deepEqual(opened, { providerId: id, traceId: `wompi:${id}`, instructions })
      assert.deepEqual(accepted(await rails.pse.query(handle(order, id))), { state: 'open', opened })

      await simulated.advance(OUTCOME_DELAY_MS - 1)
      const before = accepted(await rails.pse.query(handle(order, id)))
      assert.ok(before.state === 'open' && before.opened !== undefined)
      const { pageUrl, isReady } = before.opened.instructions
      assert.equal(isReady, pageUrl !== null)
      pages.push(isReady)
      if (pageUrl !== null)
        assert.equal(pageUrl, `${simulated.url}/v1/pse/redirect?ticket_id=${id.replaceAll('-', '')}`)

      await simulated.advance(1)
      const paid = {
        state: 'paid',
        payments: [{ amountInCents: 2_490_000n, paymentId: opened.traceId }],
        networkCode: 'APPROVED',
      }
      assert.deepEqual(accepted(await rails.pse.query(handle(order, id))), paid)
      assert.deepEqual(accepted(await rails.pse.query(handle(order))), paid, 'by our reference')
      assert.deepEqual(accepted(await rails.pse.cancel(handle(order, id))), paid)
    }
    assert.deepEqual([...new Set(pages)].sort(), [false, true])
  })

  it('is declined by the bank, or stays undecided', async () => {
    await using simulated = await simulate(wompi)
    await using rails = openAt(simulated)
    const declined = await orderFor(rails, payerWith('1000000003'))
    const undecided = await orderFor(rails, {
      ...payerWith('1000000015'),
      reference: payinReference(2),
    })
    const declinedId = accepted(await rails.pse.submit(declined)).providerId
    const undecidedId = accepted(await rails.pse.submit(undecided)).providerId
    await simulated.advance(OUTCOME_DELAY_MS)
    assert.deepEqual(accepted(await rails.pse.query(handle(declined, declinedId))), {
      state: 'ended',
      how: 'declined',
      reason: 'BANK_DECLINED',
      networkCode: 'DECLINED',
    })
    assertUnknown(await rails.pse.query(handle(undecided, undecidedId)), 'undecided')
    assertUnknown(await rails.pse.cancel(handle(undecided)), 'undecided')
    // An order that comes again learns what became of the first.
    assert.deepEqual(await rails.pse.submit(declined), rejection('BANK_DECLINED', 'DECLINED'))
    assertUnknown(await rails.pse.submit(undecided), 'undecided')
  })

  it('is unknown to Wompi until it is ordered', async () => {
    await using simulated = await simulate(wompi)
    await using rails = openAt(simulated)
    const nothing = { state: 'ended', how: 'not-found', reason: 'EXPIRED', networkCode: 'NOT_FOUND' }
    assert.deepEqual(accepted(await rails.pse.query(handle(payinOrder()))), nothing)
    assert.deepEqual(accepted(await rails.pse.cancel(handle(payinOrder()))), nothing)
    assertUnknown(await rails.pse.query(handle(payinOrder(), '1292-1-1')), 'undecided')
  })

  it('does not pass for another payment of the same reference', async () => {
    await using simulated = await simulate(wompi)
    await using rails = openAt(simulated)
    const order = await orderFor(rails)
    const { providerId } = accepted(await rails.pse.submit(order))
    const dearer = { ...order, amountInCents: 2_490_001n }
    assertUnknown(await rails.pse.submit(dearer), 'unreadable')
    assertUnknown(await rails.pse.query(handle(dearer)), 'unreadable')
    assertUnknown(await rails.pse.query(handle(dearer, providerId)), 'unreadable')
    const other = { ...order, reference: payinReference(2) }
    assertUnknown(await rails.pse.query(handle(other, providerId)), 'unreadable')
  })

  it('is refused for good if Wompi refuses what it is, and nothing was made before', async () => {
    await using simulated = await simulate(wompi)
    await using rails = openAt(simulated)
    const refused = rejection('RAIL_ERROR', 'INPUT_VALIDATION_ERROR')
    const tooSmall = await orderFor(rails, { amountInCents: 149_999n })
    assert.deepEqual(await rails.pse.submit(tooSmall), refused)
    const expired = await orderFor(rails, { expiresAt: simulated.now() })
    assert.deepEqual(await rails.pse.submit(expired), refused)
    // The same refusal of an order that arrived before does not end it.
    const order = await orderFor(rails)
    const first = accepted(await rails.pse.submit(order))
    const late = { ...order, expiresAt: simulated.now() - 1 }
    assert.deepEqual(accepted(await rails.pse.submit(late)), first)
  })

  it('is not refused by a key that Wompi does not know', async () => {
    await using simulated = await simulate(wompi)
    await using rails = openAt(simulated)
    const order = await orderFor(rails)
    await using wrong = openAt(simulated, { credentials: { privateKey: 'prv_test_else' } })
    assertUnknown(await wrong.pse.query(handle(order)), 'unavailable')
    await using forged = openAt(simulated, { credentials: { integritySecret: 'test_integrity_else' } })
    assert.deepEqual(await forged.pse.submit(order), rejection('RAIL_ERROR', 'INPUT_VALIDATION_ERROR'))
  })

  it('is not ordered without a payer, nor by terms that the payer has not accepted', async () => {
    await using simulated = await simulate(wompi)
    await using rails = openAt(simulated)
    const order = await orderFor(rails)
    const [conditions = '', personalData = ''] = order.acceptedTerms
    const older = 'https://wompi.example/terms-of-last-year.pdf'
    for (const [changes, networkCode] of [
      [{ customer: null }, 'PAYER_MISSING'],
      [{ acceptedTerms: [] }, 'TERMS_NOT_ACCEPTED'],
      [{ acceptedTerms: [conditions] }, 'TERMS_NOT_ACCEPTED'],
      [{ acceptedTerms: [personalData] }, 'TERMS_NOT_ACCEPTED'],
    ] as const)
      assert.deepEqual(await rails.pse.submit({ ...order, ...changes }), rejection('RAIL_ERROR', networkCode))
    for (const acceptedTerms of [
      [older, personalData],
      [conditions, older],
    ])
      assert.deepEqual(await rails.pse.submit({ ...order, acceptedTerms }), {
        ...rejection('RAIL_ERROR', 'TERMS_CHANGED'),
        hasNewTerms: true,
      })
    assert.deepEqual(await transactionsOf(simulated, order.reference), [])
    const first = accepted(
      await rails.pse.submit({ ...order, acceptedTerms: [personalData, older, conditions] }),
    )
    // Terms that changed after the order do not end it.
    const later = await rails.pse.submit({ ...order, acceptedTerms: [older, personalData] })
    assert.deepEqual(accepted(later), first)
  })

  it('shows the payer two texts, and fetches a token for each payment', async () => {
    await using simulated = await simulate(wompi)
    await using rails = openAt(simulated)
    assert.deepEqual(accepted(await (rails.terms as NonNullable<Opened['terms']>)()), [
      { kind: 'conditions', url: `${simulated.url}/v1/terms/terminos-y-condiciones.pdf` },
      { kind: 'personal-data', url: `${simulated.url}/v1/terms/autorizacion-datos-personales.pdf` },
    ])
    for (const ordinal of [1, 2])
      accepted(await rails.pse.submit(await orderFor(rails, { reference: payinReference(ordinal) })))
  })

  it('goes to a bank that Wompi has, by its number in the network', async () => {
    await using simulated = await simulate(wompi)
    await using rails = openAt(simulated)
    assert.deepEqual(accepted(await (rails.banks as NonNullable<Opened['banks']>)()), [
      { code: '1', name: 'Banco que aprueba' },
      { code: '2', name: 'Banco que declina' },
      { code: '3', name: 'Banco que simula un error' },
    ])
    const to = (bank: string) => ({ source: { rail: 'PSE', bank, personType: 'INDIVIDUAL' } as const })
    const notListed = rejection('BANK_UNAVAILABLE', 'BANK_NOT_LISTED')
    for (const bank of ['CO_BANCOLOMBIA', 'CO_PAYCASH', 'CO_NO_SUCH_BANK'])
      assert.deepEqual(await rails.pse.submit(await orderFor(rails, to(bank))), notListed, bank)
    await using live = openAt(simulated, { environment: 'live' })
    assert.deepEqual(await live.pse.submit(await orderFor(live)), notListed)
    // A bank that left the list after the order does not end it.
    const order = await orderFor(rails)
    const first = accepted(await rails.pse.submit(order))
    assert.deepEqual(accepted(await rails.pse.submit({ ...order, ...to('CO_BANCOLOMBIA') })), first)
  })

  it('is recorded under our reference, without the payer', async () => {
    await using simulated = await simulate(wompi)
    await using rails = openAt(simulated)
    const order = await orderFor(rails)
    rails.exchanges.length = 0
    const { providerId } = accepted(await rails.pse.submit(order))
    await rails.pse.submit(order)
    await rails.pse.query(handle(order, providerId))
    await rails.pse.query(handle(order))
    assertRecords(rails.exchanges, order.reference)
    assert.deepEqual(
      rails.exchanges.map(({ operation, rail }) => `${rail} ${operation}`),
      [
        'PSE GET /merchants',
        'PSE POST /transactions',
        'PSE GET /merchants',
        'PSE POST /transactions',
        'PSE GET /transactions',
        'PSE GET /transactions',
        'PSE GET /transactions',
      ],
    )
  })

  it('cannot be returned, and is the only thing of a connection for PSE', async () => {
    await using simulated = await simulate(wompi)
    await using rails = openAt(simulated)
    assert.equal(rails.pse.returnPayment, null)
    assert.deepEqual([rails.payouts, rails.directory, rails.statement], [null, null, {}])
    assert.equal(rails.payins.BRE_B, undefined)
    await assert.rejects(
      rails.pse.submit(payinOrder({ source: { rail: 'BRE_B', keyString: '@RC1' } })),
      /BRE_B order/,
    )
  })

  it('is not asked for while Wompi does not answer', async () => {
    await using rails = open(
      { payments: 'http://127.0.0.1:1/v1' },
      { limits: { tries: 1, breakAfterFailures: 2 } },
    )
    assert.equal(rails.isAway('PSE_IN'), false)
    for (const _ of [1, 2]) assertUnknown(await rails.pse.query(handle(payinOrder())), 'unavailable')
    assert.deepEqual(
      [rails.isAway('PSE_IN'), rails.isAway('BRE_B_OUT'), rails.isAway('BRE_B_IN')],
      [true, false, false],
    )
  })
})
