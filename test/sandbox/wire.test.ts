// The networks keep the wire contract: one reference is one payment, closed stays closed, wrong requests are refused,
// and money leaves at most once.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  caller,
  collection,
  DELAY_MS,
  newReference,
  session,
  startHarness,
  tokenOf,
  transfer,
} from './harness.ts'

describe('a reference', () => {
  it('identifies one collection, however often it is put', async () => {
    await using harness = await startHarness()
    const body = collection()
    const first = await harness.breb('PUT', '/collections/P1', body)
    const second = await harness.breb('PUT', '/collections/P1', body)
    assert.deepEqual([first.status, second.status], [201, 200])
    assert.deepEqual(first.json, second.json)
    await harness.sandbox.advance(DELAY_MS)
    const paid = await harness.breb('PUT', '/collections/P1', body)
    assert.deepEqual([paid.status, paid.json.status], [200, 'PAID'])
    await harness.sandbox.advance(DELAY_MS)
    assert.equal(harness.sandbox.log().length, 1)
  })

  it('identifies one session, with one CUS and one page', async () => {
    await using harness = await startHarness()
    const first = await harness.pse('PUT', '/sessions/P1', session())
    const second = await harness.pse('PUT', '/sessions/P1', session())
    assert.deepEqual([first.status, second.status], [201, 200])
    assert.deepEqual(first.json, second.json)
    assert.match(first.json.cus, /^\d{10}$/)
    assert.match(first.json.bankUrl, new RegExp(`^${harness.sandbox.url}/bank/[\\w-]{32}$`))
  })

  it('cannot be reused for a different payment', async () => {
    await using harness = await startHarness()
    const body = collection()
    await harness.breb('PUT', '/collections/P1', body)
    await harness.breb('PUT', '/transfers/O1', transfer())
    await harness.pse('PUT', '/sessions/P2', session())
    const others = [
      await harness.breb('PUT', '/collections/P1', { ...body, amount: '50000.01' }),
      await harness.breb('PUT', '/transfers/O1', transfer('1000000003')),
      await harness.pse('PUT', '/sessions/P2', session(null, { amount: '1.00' })),
    ]
    for (const { status, json } of others)
      assert.deepEqual([status, json.status, json.code], [409, 'ERROR', 'REFERENCE_REUSED'])
  })

  it('that nobody has used is not found', async () => {
    await using harness = await startHarness()
    const queries = [
      await harness.breb('GET', '/collections/P1'),
      await harness.breb('DELETE', '/collections/P1'),
      await harness.breb('GET', '/transfers/O1'),
      await harness.pse('GET', '/sessions/P1'),
      await harness.pse('DELETE', '/sessions/P1'),
    ]
    for (const { status, json } of queries)
      assert.deepEqual([status, json.status, json.code], [404, 'ERROR', 'NOT_FOUND'])
  })
})

describe('a transfer', () => {
  it('takes money once, whatever is repeated', async () => {
    await using harness = await startHarness()
    const put = () => harness.breb('PUT', '/transfers/O1', transfer())
    const answers = await Promise.all(Array.from({ length: 30 }, put))
    assert.equal(answers.filter(({ status }) => status === 202).length, 1)
    assert.ok(answers.every(({ status }) => status === 200 || status === 202))
    const decided = await Promise.all(
      Array.from({ length: 10 }, () => harness.simulate('O1', { outcome: 'confirmed' })),
    )
    assert.equal(decided.filter(({ status }) => status === 200).length, 1)
    await Promise.all([harness.sandbox.advance(DELAY_MS), put(), put()])
    await harness.sandbox.advance(86_400_000)
    assert.equal((await put()).json.status, 'COMPLETED')
    const debits = harness.sandbox.log().filter(({ movement }) => movement === 'debit')
    assert.deepEqual(
      debits.map(({ reference, amountInCents }) => [reference, amountInCents]),
      [['O1', 2_000_000n]],
    )
  })

  it('is refused if the key or the amount is invalid, and nothing is stored', async () => {
    await using harness = await startHarness()
    const refusals = [
      [{ key: '@NOEXISTE1', keyType: 'O' }, 'DIFE-0004'],
      [{ key: '@suspendida1', keyType: 'O' }, 'DIFE-0005'],
      [{ key: '@AB', keyType: 'O' }, 'DIFE-5005'],
      [{ keyType: 'X' }, 'DIFE-5005'],
      [{ amount: '12110000.01' }, 'B108'],
    ] as const
    for (const [changes, code] of refusals) {
      const { status, json } = await harness.breb('PUT', '/transfers/O1', transfer('1000000001', changes))
      assert.deepEqual([status, json.status, json.code], [200, 'ERROR', code])
    }
    assert.equal((await harness.breb('GET', '/transfers/O1')).status, 404)
    const most = await harness.breb('PUT', '/transfers/O1', transfer('1000000001', { amount: '12110000.00' }))
    assert.equal(most.status, 202)
  })

  it('to a participant that is down is rejected in the end', async () => {
    await using harness = await startHarness()
    await harness.breb('PUT', '/transfers/O1', transfer('1000000001', { key: '@CAIDA1', keyType: 'O' }))
    await harness.sandbox.advance(DELAY_MS)
    const { json } = await harness.breb('GET', '/transfers/O1')
    assert.deepEqual([json.status, json.reasonCode], ['REJECTED', 'U122'])
  })

  it('to a single-use key that was used already is refused', async () => {
    await using harness = await startHarness()
    await harness.breb('PUT', '/collections/P1', collection(null, { key: '@RCUSED' }))
    await harness.sandbox.advance(DELAY_MS)
    const order = transfer('1000000001', { key: '@RCUSED', keyType: 'O' })
    assert.equal((await harness.breb('PUT', '/transfers/O1', order)).json.code, 'DIFE-0004')
  })
})

describe('closing', () => {
  it('ends an open collection: the timer does nothing afterwards, and no notice is sent', async () => {
    await using harness = await startHarness()
    await harness.breb('PUT', '/collections/P1', collection())
    const closed = await harness.breb('DELETE', '/collections/P1')
    assert.deepEqual([closed.status, closed.json.status, closed.json.reasonCode], [200, 'CANCELED', null])
    await harness.sandbox.advance(3_600_000)
    assert.deepEqual(harness.listener.received, [])
    assert.deepEqual(harness.sandbox.log(), [])
    assert.equal((await harness.breb('DELETE', '/collections/P1')).json.status, 'CANCELED')
  })

  it('leaves a paid collection unchanged', async () => {
    await using harness = await startHarness()
    await harness.breb('PUT', '/collections/P1', collection())
    await harness.sandbox.advance(DELAY_MS)
    assert.equal((await harness.breb('DELETE', '/collections/P1')).json.status, 'PAID')
  })

  it('ends a session that no payer has opened, and only that', async () => {
    await using harness = await startHarness()
    await harness.pse('PUT', '/sessions/P1', session())
    await harness.pse('PUT', '/sessions/P2', session())
    assert.equal(harness.sandbox.openedByPayer('P2'), true)
    assert.equal((await harness.pse('DELETE', '/sessions/P1')).json.status, 'EXPIRED')
    assert.equal((await harness.pse('DELETE', '/sessions/P2')).json.status, 'PENDING')
    await harness.sandbox.advance(DELAY_MS)
    assert.deepEqual(harness.sandbox.log(), [])
  })
})

describe('a payer who opens the page', () => {
  it('stops the timer from deciding', async () => {
    await using harness = await startHarness()
    await harness.breb('PUT', '/collections/P1', collection())
    assert.equal(harness.sandbox.openedByPayer('P1'), true)
    await harness.sandbox.advance(DELAY_MS)
    assert.equal((await harness.breb('GET', '/collections/P1')).json.status, 'READY')
    await harness.sandbox.advance(3_600_000)
    assert.equal((await harness.breb('GET', '/collections/P1')).json.status, 'EXPIRED')
    assert.equal(harness.sandbox.openedByPayer('P1'), false)
    assert.equal(harness.sandbox.openedByPayer('P9'), false)
  })

  it('and never decides is sent away by PSE some time after the session ends', async () => {
    await using harness = await startHarness()
    await harness.pse('PUT', '/sessions/P1', session())
    harness.sandbox.openedByPayer('P1')
    await harness.sandbox.advance(15 * 60_000)
    assert.equal((await harness.pse('GET', '/sessions/P1')).json.status, 'PENDING')
    await harness.sandbox.advance(10 * 60_000)
    const { json } = await harness.pse('GET', '/sessions/P1')
    assert.deepEqual([json.status, json.causeCode], ['NOT_AUTHORIZED', '00014'])
  })
})

describe('a key', () => {
  it('belongs to one open collection, and is free again after it', async () => {
    await using harness = await startHarness()
    const key = '@RCSHARED'
    await harness.breb('PUT', '/collections/P1', collection(null, { key }))
    const second = await harness.breb('PUT', '/collections/P2', collection(null, { key }))
    assert.deepEqual([second.status, second.json.code], [409, 'KEY_IN_USE'])
    await harness.breb('DELETE', '/collections/P1')
    assert.equal((await harness.breb('PUT', '/collections/P2', collection(null, { key }))).status, 201)
  })
})

describe('a request outside the wire contract', () => {
  it('is refused as a request', async () => {
    await using harness = await startHarness()
    const wrong = [
      await harness.breb('PUT', '/collections/P1', collection(null, { amount: '50000' })),
      await harness.breb('PUT', '/collections/P1', collection(null, { amount: '0.00' })),
      await harness.breb('PUT', '/collections/P1', collection(null, { amount: 50000 })),
      await harness.breb('PUT', '/collections/P1', collection(null, { currency: 'USD' })),
      await harness.breb('PUT', '/collections/P1', collection(null, { key: '3001234567' })),
      await harness.breb('PUT', '/collections/P1', collection(null, { expiresAt: 'soon' })),
      await harness.breb('PUT', '/collections/P1', []),
      await harness.breb('PUT', '/transfers/P1', transfer('1000000001', { beneficiary: null })),
      await harness.pse('PUT', '/sessions/P1', session(null, { personType: 'INDIVIDUAL' })),
      await harness.pse('PUT', '/sessions/P1', session(null, { returnUrl: 'javascript:alert(1)' })),
    ]
    for (const { status, json } of wrong)
      assert.deepEqual([status, json.status, json.code], [400, 'ERROR', 'INVALID_REQUEST'])
  })

  it('is refused with the network’s own code where it has one', async () => {
    await using harness = await startHarness()
    const above = await harness.breb('PUT', '/collections/P1', collection(null, { amount: '12110000.01' }))
    assert.deepEqual([above.status, above.json.code], [422, 'B108'])
    const bank = await harness.pse('PUT', '/sessions/P1', session(null, { achCode: '1007' }))
    assert.deepEqual([bank.status, bank.json.code], [422, 'FAIL_BANKNOTEXISTSORDISABLED'])
    const amount = await harness.pse('PUT', '/sessions/P1', session(null, { amount: '0.00' }))
    assert.deepEqual([amount.status, amount.json.code], [422, 'FAIL_INVALIDAMOUNT'])
  })

  it('includes paths and bodies that are too long', async () => {
    await using harness = await startHarness()
    assert.equal((await harness.breb('GET', '/collections')).status, 404)
    assert.equal((await harness.breb('PATCH', '/collections/P1')).status, 404)
    assert.equal((await harness.breb('GET', '/collections/%E0%A4%A')).status, 400)
    assert.equal((await harness.breb('PUT', '/collections/P1', { key: 'x'.repeat(70_000) })).status, 400)
  })
})

describe('access', () => {
  it('requires a token of this network', async () => {
    await using harness = await startHarness()
    const { brebUrl, pseUrl } = harness.sandbox
    const ofPse = await tokenOf('pse', pseUrl)
    for (const bearer of ['', 'guess', ofPse]) {
      const { status, json } = await caller(brebUrl, bearer)('GET', '/collections/P1')
      assert.deepEqual([status, json.status], [401, 'ERROR'])
    }
    assert.equal(
      (await caller(brebUrl, await tokenOf('breb', brebUrl))('GET', '/collections/P1')).status,
      404,
    )
  })

  it('ends with the token, and a wrong secret gets no token', async () => {
    let now = Date.parse('2026-03-02T15:00:00.000Z')
    await using harness = await startHarness({ now: () => now })
    now += 3_599_000
    assert.equal((await harness.breb('GET', '/collections/P1')).status, 404)
    now += 1_000
    assert.equal((await harness.breb('GET', '/collections/P1')).status, 401)
    const ask = (pair: string, grant: string) =>
      fetch(`${harness.sandbox.brebUrl}/oauth/token`, {
        method: 'POST',
        headers: { authorization: `Basic ${Buffer.from(pair).toString('base64')}` },
        body: new URLSearchParams({ grant_type: grant }),
      })
    assert.equal((await ask('breb-client:wrong', 'client_credentials')).status, 401)
    assert.equal((await ask('breb-client:breb secret: %', 'password')).status, 400)
    // RFC 6749 asks for both parts form-encoded.
    const encoded = await ask('breb-client:breb%20secret%3A%20%25', 'client_credentials')
    assert.equal(encoded.status, 200)
    assert.equal(((await encoded.json()) as { expires_in: number }).expires_in, 3_600)
  })
})

describe('a return', () => {
  it('returns Bre-B money once, and never more than was paid', async () => {
    await using harness = await startHarness()
    await harness.breb('PUT', '/collections/P1', collection())
    await harness.sandbox.advance(DELAY_MS)
    const { paymentId } = (await harness.breb('GET', '/collections/P1')).json.payments[0]
    const order = { paymentId, amount: '30000.00', currency: 'COP' }
    const first = await harness.breb('PUT', '/returns/R1', order)
    const second = await harness.breb('PUT', '/returns/R1', order)
    assert.deepEqual([first.status, second.status, first.json.status], [201, 200, 'COMPLETED'])
    assert.deepEqual(first.json, second.json)
    assert.equal((await harness.breb('PUT', '/returns/R1', { ...order, amount: '1.00' })).status, 409)
    const tooMuch = await harness.breb('PUT', '/returns/R2', { ...order, amount: '20000.01' })
    assert.deepEqual([tooMuch.status, tooMuch.json.code], [422, 'ABOVE_PAYMENT'])
    assert.equal((await harness.breb('PUT', '/returns/R3', { ...order, paymentId: 'PAY0' })).status, 404)
    assert.deepEqual(
      harness.sandbox.log().map(({ movement, amountInCents }) => [movement, amountInCents]),
      [
        ['credit', 5_000_000n],
        ['return', 3_000_000n],
      ],
    )
  })

  it('returns PSE money by its CUS, but not money that was charged back', async () => {
    await using harness = await startHarness()
    const { cus } = (await harness.pse('PUT', '/sessions/P1', session())).json
    await harness.sandbox.advance(DELAY_MS)
    const order = { cus, amount: '80000.00', currency: 'COP' }
    await harness.pse('PUT', '/sessions/P2', session())
    assert.deepEqual((await harness.pse('PUT', '/returns/R1', order)).json, {
      reference: 'R1',
      status: 'COMPLETED',
    })
    const other = (await harness.pse('GET', '/sessions/P2')).json.cus
    await harness.simulate('P2', { outcome: 'confirmed' })
    await harness.simulate('P2', { outcome: 'chargeback' })
    const late = await harness.pse('PUT', '/returns/R2', { ...order, cus: other })
    assert.deepEqual([late.status, late.json.code], [422, 'CHARGED_BACK'])
  })
})

it('references may be any word of the trade', async () => {
  await using harness = await startHarness()
  const reference = `${newReference()}_-Az09`
  assert.equal((await harness.breb('PUT', `/collections/${reference}`, collection())).status, 201)
})
