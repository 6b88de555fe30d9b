// The adapter of the guide "Writing an adapter", against a server that speaks Bold's wire format: it never orders twice, and never
// guesses.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, beforeEach, describe, it } from 'node:test'
import { openBold } from '../../examples/adapter-bold/bold.ts'
import { railReference } from '../../src/core/connections/reference.ts'
import type { NetworkExchange, PayinOrder, PayinRail, ProviderRails } from '../../src/rails/rail.ts'
import { guideOf } from '../guides/guide.ts'
import { type FakeBold, IDENTITY_KEY, openFakeBold } from './fake-bold.ts'
import { ROOT } from './workspace.ts'

const ORGANIZATION = '01890a5d-ac96-774b-bcce-b302099a8057'
const NOW = Date.UTC(2026, 10, 15, 13)
const QUICK = { pauseFromMs: 1, pauseToMs: 2, breakAfterFailures: 1_000 }
const SECRET = 'secret-key-of-the-test'
const HTML = { status: 200, text: '<html><p>Ana Pérez</p></html>' }

let count = 0
function orderOf(changes: Partial<PayinOrder> = {}): PayinOrder {
  count += 1
  const id = `01890a5d-ac96-774b-bcce-${String(count).padStart(12, '0')}`
  return {
    reference: railReference('payin', ORGANIZATION, id),
    amountInCents: 5_000_000n,
    merchantName: 'Café La Palma',
    expiresAt: NOW + 900_000,
    customer: {
      name: 'Ana Pérez',
      idType: 'CO_CC',
      idNumber: '1.020.304.050',
      phone: '+573001234567',
      email: 'ana@example.com',
    },
    device: null,
    acceptedTerms: [],
    returnUrl: 'https://pay.example.com/back',
    source: { rail: 'PSE', bank: 'CO_BANCOLOMBIA', personType: 'INDIVIDUAL' },
    ...changes,
  }
}

describe('examples/adapter-bold', () => {
  let bold: FakeBold
  let rails: ProviderRails
  let payins: PayinRail
  const exchanges: NetworkExchange[] = []
  const open = (identityKey = IDENTITY_KEY): ProviderRails =>
    openBold(
      {
        organizationId: ORGANIZATION,
        environment: 'test',
        uses: ['PSE_IN'],
        credentials: { identityKey, secretKey: SECRET, url: bold.url },
        previousCredentials: null,
        notificationUrl: 'https://pay.example.com/notifications/a/b',
      },
      {
        now: () => NOW,
        wallClock: () => NOW,
        randomBytes: (length) => Buffer.alloc(length),
        record: (exchange) => void exchanges.push(exchange),
        limits: QUICK,
      },
    )
  before(async () => {
    bold = await openFakeBold()
    rails = open()
    payins = rails.payins.PSE as PayinRail
  })
  after(async () => {
    await rails?.close()
    await bold?.[Symbol.asyncDispose]()
  })
  beforeEach(() => {
    bold.asked.length = 0
    bold.bodies.length = 0
  })

  const handle = ({ reference, amountInCents }: PayinOrder, providerId: string | null = null) => ({
    reference,
    amountInCents,
    providerId,
  })
  const ordered = () => bold.asked.filter((operation) => operation === 'POST /v1/payment').length
  const paymentOf = ({ reference }: PayinOrder) => bold.payments.get(reference) ?? assert.fail('no payment')
  const assertUnknown = (answer: { outcome: string; kind?: string }, kind: string) =>
    assert.deepEqual([answer.outcome, answer.kind], ['unknown', kind])

  it('orders in two steps, and returns the bank’s page and Bold’s id', async () => {
    const order = orderOf()
    const answer = await payins.submit(order)
    const { transaction_id: id } = paymentOf(order)
    const instructions = {
      keyString: null,
      qrPayload: null,
      pageUrl: `https://registro.pse.example/pagar?id=${id}`,
      isReady: true,
    }
    const value = { providerId: id, traceId: `bold:${id}`, instructions }
    assert.deepEqual(answer, { outcome: 'accepted', value })
    const person = { name: 'Ana Pérez', phone: '+573001234567', email: 'ana@example.com' }
    const document = { document_type: 'CEDULA', document_number: '1020304050' }
    assert.deepEqual(bold.bodies, [
      {
        reference_id: order.reference,
        amount: { currency: 'COP', total_amount: 50_000 },
        description: 'Pago a Café La Palma',
        callback_url: order.returnUrl,
        customer: person,
      },
      {
        reference_id: order.reference,
        payer: { person_type: 'NATURAL_PERSON', ...person, ...document },
        payment_method: { name: 'PSE', bank_code: 1007, bank_name: 'Bancolombia' },
      },
    ])
  })

  it('reads approved, rejected and processing, and decides nothing about any other word', async () => {
    const order = orderOf()
    await payins.submit(order)
    const payment = paymentOf(order)
    const read = async (status: string) => {
      payment.status = status
      return payins.query(handle(order, payment.transaction_id))
    }
    const paid = { amountInCents: 5_000_000n, paymentId: `bold:${payment.transaction_id}` }
    assert.deepEqual(await read('APPROVED'), {
      outcome: 'accepted',
      value: { state: 'paid', payments: [paid], networkCode: 'APPROVED' },
    })
    assert.deepEqual(await read('REJECTED'), {
      outcome: 'accepted',
      value: { state: 'ended', how: 'declined', reason: 'BANK_DECLINED', networkCode: 'REJECTED' },
    })
    const open = await read('PROCESSING')
    assert.equal(open.outcome === 'accepted' && open.value.state, 'open')
    for (const status of ['VOIDED', 'FAILED', 'toString']) assertUnknown(await read(status), 'undecided')
    assert.deepEqual(await payins.cancel(handle(order)), await payins.query(handle(order)))
  })

  it('reports another amount if it was paid, and believes no answer about an open payment that has one', async () => {
    const order = orderOf()
    await payins.submit(order)
    const payment = paymentOf(order)
    payment.total_amount = 49_999
    assertUnknown(await payins.query(handle(order)), 'unreadable')
    payment.status = 'APPROVED'
    const answer = await payins.query(handle(order))
    const status = answer.outcome === 'accepted' ? answer.value : undefined
    assert.equal(status?.state === 'paid' && status.payments[0].amountInCents, 4_999_900n)
  })

  it('a lost answer is unknown. The payment is found by our reference, and is not ordered again', async () => {
    const order = orderOf()
    bold.fail('POST /v1/payment', 'lost')
    assertUnknown(await payins.submit(order), 'unavailable')
    assert.equal(ordered(), 1)
    const { transaction_id: id } = paymentOf(order)
    const found = await payins.query(handle(order))
    const opened = found.outcome === 'accepted' && found.value.state === 'open' ? found.value.opened : null
    assert.equal(opened?.providerId, id)
    assert.equal(opened?.instructions.isReady, false, 'nobody has the bank’s page')
    // The reference is used, so it asks instead of ordering a second payment.
    assert.deepEqual(await payins.submit(order), { outcome: 'accepted', value: opened })
    assert.equal(ordered(), 1)
    paymentOf(order).status = 'APPROVED'
    assert.equal((await payins.submit(order)).outcome, 'accepted')
    paymentOf(order).status = 'REJECTED'
    const rejected = { outcome: 'rejected', reason: 'BANK_DECLINED', networkCode: 'REJECTED' }
    assert.deepEqual(await payins.submit(order), rejected)
    assert.equal(ordered(), 1)
  })

  it('a used reference without a payment goes on where the earlier try ended', async () => {
    const order = orderOf()
    bold.fail('POST /v1/payment-intent', 'lost')
    assertUnknown(await payins.submit(order), 'unavailable')
    assert.equal(ordered(), 0)
    const answer = await payins.submit(order)
    assert.equal(answer.outcome === 'accepted' && answer.value.instructions.isReady, true)
    assert.deepEqual(bold.asked.slice(1), [
      'POST /v1/payment-intent',
      'GET /v1/payment/{reference}',
      'POST /v1/payment',
    ])
  })

  it('while a search does not answer, nothing more is ordered', async () => {
    const order = orderOf()
    bold.fail('POST /v1/payment-intent', 'lost')
    await payins.submit(order)
    bold.fail('GET /v1/payment/{reference}', { status: 200, text: '{"payload":{},"errors":[]}' })
    assertUnknown(await payins.submit(order), 'unreadable')
    assert.equal(ordered(), 0)
  })

  it('only a search says that an order never arrived, and not after Bold has given it an id', async () => {
    const order = orderOf()
    const answer = await payins.query(handle(order))
    const status = answer.outcome === 'accepted' ? answer.value : undefined
    assert.equal(status?.state === 'ended' && status.how, 'not-found')
    assertUnknown(await payins.query(handle(order, 'TX1')), 'undecided')
    bold.fail('GET /v1/payment/{reference}', { status: 400, text: '{"errors":[{"code":"PI_001"}]}' })
    assertUnknown(await payins.query(handle(order)), 'undecided')
  })

  it('does not take another payment for the one that was asked for', async () => {
    const [asked, other] = [orderOf(), orderOf()]
    await payins.submit(asked)
    const amount = { currency: 'COP', total_amount: 50_000 }
    const payload = { reference_id: other.reference, transaction_id: 'TX', status: 'APPROVED', amount }
    bold.fail('GET /v1/payment/{reference}', { status: 200, text: JSON.stringify({ payload, errors: [] }) })
    assertUnknown(await payins.query(handle(asked)), 'unreadable')
  })

  it('a bad field ends the payin, and any other refusal settles nothing', async () => {
    const refusal = (code: string) => JSON.stringify({ payload: {}, errors: [{ code }] })
    for (const operation of ['POST /v1/payment-intent', 'POST /v1/payment']) {
      bold.fail(operation, { status: 400, text: refusal('PI_001') })
      const rejected = { outcome: 'rejected', reason: 'RAIL_ERROR', networkCode: 'PI_001' }
      assert.deepEqual(await payins.submit(orderOf()), rejected)
      assert.equal(bold.asked.at(-1), 'GET /v1/payment/{reference}', 'it has searched before')
      for (const status of [200, 404]) {
        bold.fail(operation, { status, text: refusal('PI_001') })
        assertUnknown(await payins.submit(orderOf()), 'undecided')
      }
    }
    bold.fail('POST /v1/payment', { status: 409, text: refusal('PI_002') })
    assertUnknown(await payins.submit(orderOf()), 'undecided')
  })

  it('HTML, a server in trouble and a closed door are no answers', async () => {
    const order = orderOf()
    for (const operation of ['POST /v1/payment-intent', 'POST /v1/payment']) {
      bold.fail(operation, { ...HTML, status: 404 })
      assertUnknown(await payins.submit(orderOf()), 'unreadable')
      bold.fail(operation, { status: 403, text: '{"errors":[{"code":"PI_001"}]}' })
      assertUnknown(await payins.submit(orderOf()), 'unavailable')
    }
    bold.fail('POST /v1/payment', HTML)
    assertUnknown(await payins.submit(orderOf()), 'unreadable')
    for (const status of [200, 404]) {
      bold.fail('GET /v1/payment/{reference}', { ...HTML, status })
      assertUnknown(await payins.query(handle(order)), 'unreadable')
    }
    bold.fail('GET /v1/payment/pse/banks', HTML)
    assertUnknown((await rails.banks?.()) ?? assert.fail('no banks'), 'unreadable')
  })

  it('without the bank’s page, nobody can pay yet', async () => {
    const payload = { transaction_id: 'TX', status: 'running' }
    bold.fail('POST /v1/payment', { status: 200, text: JSON.stringify({ payload, errors: [] }) })
    const answer = await payins.submit(orderOf())
    assert.equal(answer.outcome === 'accepted' && answer.value.instructions.isReady, false)
  })

  it('does not send a payer to an unsafe page', async () => {
    const payload = {
      transaction_id: 'TX',
      status: 'running',
      next_actions: { redirect_url: 'javascript:1' },
    }
    bold.fail('POST /v1/payment', { status: 200, text: JSON.stringify({ payload, errors: [] }) })
    assertUnknown(await payins.submit(orderOf()), 'unreadable')
  })

  it('refuses what it cannot say to Bold, and asks nobody', async () => {
    const { customer } = orderOf()
    const pse = { rail: 'PSE', bank: 'CO_BANCOLOMBIA', personType: 'INDIVIDUAL' } as const
    const orders: [string, Partial<PayinOrder>][] = [
      ['PAYER_MISSING', { customer: null }],
      ['AMOUNT_NOT_IN_WHOLE_PESOS', { amountInCents: 5_000_001n }],
      ['PAYER_NOT_ACCEPTED', { source: { ...pse, personType: 'BUSINESS' } }],
      ['PAYER_NOT_ACCEPTED', { customer: { ...(customer ?? assert.fail()), idType: 'PASSPORT' } }],
      ['BANK_NOT_ACCEPTED', { source: { ...pse, bank: 'CO_BANCO_DE_PRUEBAS' } }],
    ]
    for (const [networkCode, changes] of orders)
      assert.deepEqual(await payins.submit(orderOf(changes)), {
        outcome: 'rejected',
        reason: 'RAIL_ERROR',
        networkCode,
      })
    assert.deepEqual(bold.asked, [])
  })

  it('names the banks, and says whether the key works', async () => {
    assert.deepEqual(await rails.banks?.(), {
      outcome: 'accepted',
      value: [
        { code: '1007', name: 'BANCOLOMBIA' },
        { code: '1051', name: 'BANCO DAVIVIENDA' },
      ],
    })
    assert.deepEqual(await rails.check(), [{ what: 'identity key', problem: null }])
    const stranger = open('another-key')
    const [line] = await stranger.check()
    assert.match(line?.problem ?? '', /HTTP 403/)
    await stranger.close()
  })

  it('records every exchange without people and secrets', () => {
    assert.ok(exchanges.length > 50)
    const text = JSON.stringify(exchanges)
    for (const hidden of ['Ana', 'ana@', '1020304050', '573001234567', IDENTITY_KEY, SECRET])
      assert.ok(!text.includes(hidden), hidden)
  })

  it('is what the guide shows, in both languages', () => {
    const file = readFileSync(join(ROOT, 'examples/adapter-bold/bold.ts'), 'utf8')
    for (const language of ['en', 'es'] as const) {
      const shown = guideOf('writing-an-adapter', language).blocks.filter((block) => block.language === 'ts')
      assert.deepEqual(
        shown.map(({ text }) => text),
        [file],
      )
    }
  })
})
