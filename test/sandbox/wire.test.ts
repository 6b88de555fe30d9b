// The networks keep to the wire: a reference is one thing, closed is closed, what is wrong is refused, and money goes out
// at most once.

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
  it('names one collection, however often it is put', async () => {
    await using stage = await startHarness()
    const body = collection()
    const first = await stage.breb('PUT', '/collections/P1', body)
    const second = await stage.breb('PUT', '/collections/P1', body)
    assert.deepEqual([first.status, second.status], [201, 200])
    assert.deepEqual(first.json, second.json)
    await stage.sandbox.advance(DELAY_MS)
    const paid = await stage.breb('PUT', '/collections/P1', body)
    assert.deepEqual([paid.status, paid.json.status], [200, 'PAID'])
    await stage.sandbox.advance(DELAY_MS)
    assert.equal(stage.sandbox.log().length, 1)
  })

  it('names one session, with one CUS and one page', async () => {
    await using stage = await startHarness()
    const first = await stage.pse('PUT', '/sessions/P1', session())
    const second = await stage.pse('PUT', '/sessions/P1', session())
    assert.deepEqual([first.status, second.status], [201, 200])
    assert.deepEqual(first.json, second.json)
    assert.match(first.json.cus, /^\d{10}$/)
    assert.match(first.json.bankUrl, new RegExp(`^${stage.sandbox.url}/bank/[\\w-]{32}$`))
  })

  it('refuses to become something else', async () => {
    await using stage = await startHarness()
    const body = collection()
    await stage.breb('PUT', '/collections/P1', body)
    await stage.breb('PUT', '/transfers/O1', transfer())
    await stage.pse('PUT', '/sessions/P2', session())
    const others = [
      await stage.breb('PUT', '/collections/P1', { ...body, amount: '50000.01' }),
      await stage.breb('PUT', '/transfers/O1', transfer('1000000003')),
      await stage.pse('PUT', '/sessions/P2', session(null, { amount: '1.00' })),
    ]
    for (const { status, json } of others)
      assert.deepEqual([status, json.status, json.code], [409, 'ERROR', 'REFERENCE_REUSED'])
  })

  it('that nobody has used is not found', async () => {
    await using stage = await startHarness()
    const queries = [
      await stage.breb('GET', '/collections/P1'),
      await stage.breb('DELETE', '/collections/P1'),
      await stage.breb('GET', '/transfers/O1'),
      await stage.pse('GET', '/sessions/P1'),
      await stage.pse('DELETE', '/sessions/P1'),
    ]
    for (const { status, json } of queries)
      assert.deepEqual([status, json.status, json.code], [404, 'ERROR', 'NOT_FOUND'])
  })
})

describe('a transfer', () => {
  it('takes money once, whatever is repeated', async () => {
    await using stage = await startHarness()
    const put = () => stage.breb('PUT', '/transfers/O1', transfer())
    const answers = await Promise.all(Array.from({ length: 30 }, put))
    assert.equal(answers.filter(({ status }) => status === 202).length, 1)
    assert.ok(answers.every(({ status }) => status === 200 || status === 202))
    const decided = await Promise.all(
      Array.from({ length: 10 }, () => stage.simulate('O1', { outcome: 'confirmed' })),
    )
    assert.equal(decided.filter(({ status }) => status === 200).length, 1)
    await Promise.all([stage.sandbox.advance(DELAY_MS), put(), put()])
    await stage.sandbox.advance(86_400_000)
    assert.equal((await put()).json.status, 'COMPLETED')
    const debits = stage.sandbox.log().filter(({ movement }) => movement === 'debit')
    assert.deepEqual(
      debits.map(({ reference, amountInCents }) => [reference, amountInCents]),
      [['O1', 2_000_000n]],
    )
  })

  it('is refused where the key or the amount cannot be, and nothing is kept of it', async () => {
    await using stage = await startHarness()
    const refusals = [
      [{ key: '@NOEXISTE1', keyType: 'O' }, 'DIFE-0004'],
      [{ key: '@suspendida1', keyType: 'O' }, 'DIFE-0005'],
      [{ key: '@AB', keyType: 'O' }, 'DIFE-5005'],
      [{ keyType: 'X' }, 'DIFE-5005'],
      [{ amount: '12110000.01' }, 'B108'],
    ] as const
    for (const [changes, code] of refusals) {
      const { status, json } = await stage.breb('PUT', '/transfers/O1', transfer('1000000001', changes))
      assert.deepEqual([status, json.status, json.code], [200, 'ERROR', code])
    }
    assert.equal((await stage.breb('GET', '/transfers/O1')).status, 404)
    const most = await stage.breb('PUT', '/transfers/O1', transfer('1000000001', { amount: '12110000.00' }))
    assert.equal(most.status, 202)
  })

  it('to a participant that is down is rejected in the end', async () => {
    await using stage = await startHarness()
    await stage.breb('PUT', '/transfers/O1', transfer('1000000001', { key: '@CAIDA1', keyType: 'O' }))
    await stage.sandbox.advance(DELAY_MS)
    const { json } = await stage.breb('GET', '/transfers/O1')
    assert.deepEqual([json.status, json.reasonCode], ['REJECTED', 'U122'])
  })

  it('to a single-use key that was used already is refused', async () => {
    await using stage = await startHarness()
    await stage.breb('PUT', '/collections/P1', collection(null, { key: '@RCUSED' }))
    await stage.sandbox.advance(DELAY_MS)
    const order = transfer('1000000001', { key: '@RCUSED', keyType: 'O' })
    assert.equal((await stage.breb('PUT', '/transfers/O1', order)).json.code, 'DIFE-0004')
  })
})

describe('closing', () => {
  it('ends an open collection: the timer does nothing after it, and nobody is told', async () => {
    await using stage = await startHarness()
    await stage.breb('PUT', '/collections/P1', collection())
    const closed = await stage.breb('DELETE', '/collections/P1')
    assert.deepEqual([closed.status, closed.json.status, closed.json.reasonCode], [200, 'CANCELED', null])
    await stage.sandbox.advance(3_600_000)
    assert.deepEqual(stage.listener.heard, [])
    assert.deepEqual(stage.sandbox.log(), [])
    assert.equal((await stage.breb('DELETE', '/collections/P1')).json.status, 'CANCELED')
  })

  it('leaves a paid collection as it stands', async () => {
    await using stage = await startHarness()
    await stage.breb('PUT', '/collections/P1', collection())
    await stage.sandbox.advance(DELAY_MS)
    assert.equal((await stage.breb('DELETE', '/collections/P1')).json.status, 'PAID')
  })

  it('ends a session that no payer has opened, and only that', async () => {
    await using stage = await startHarness()
    await stage.pse('PUT', '/sessions/P1', session())
    await stage.pse('PUT', '/sessions/P2', session())
    assert.equal(stage.sandbox.openedByPayer('P2'), true)
    assert.equal((await stage.pse('DELETE', '/sessions/P1')).json.status, 'EXPIRED')
    assert.equal((await stage.pse('DELETE', '/sessions/P2')).json.status, 'PENDING')
    await stage.sandbox.advance(DELAY_MS)
    assert.deepEqual(stage.sandbox.log(), [])
  })
})

describe('a payer who looks', () => {
  it('makes the timer stand back', async () => {
    await using stage = await startHarness()
    await stage.breb('PUT', '/collections/P1', collection())
    assert.equal(stage.sandbox.openedByPayer('P1'), true)
    await stage.sandbox.advance(DELAY_MS)
    assert.equal((await stage.breb('GET', '/collections/P1')).json.status, 'READY')
    await stage.sandbox.advance(3_600_000)
    assert.equal((await stage.breb('GET', '/collections/P1')).json.status, 'EXPIRED')
    assert.equal(stage.sandbox.openedByPayer('P1'), false)
    assert.equal(stage.sandbox.openedByPayer('P9'), false)
  })

  it('and never decides is sent away by PSE some time after the end', async () => {
    await using stage = await startHarness()
    await stage.pse('PUT', '/sessions/P1', session())
    stage.sandbox.openedByPayer('P1')
    await stage.sandbox.advance(15 * 60_000)
    assert.equal((await stage.pse('GET', '/sessions/P1')).json.status, 'PENDING')
    await stage.sandbox.advance(10 * 60_000)
    const { json } = await stage.pse('GET', '/sessions/P1')
    assert.deepEqual([json.status, json.causeCode], ['NOT_AUTHORIZED', '00014'])
  })
})

describe('a key', () => {
  it('belongs to one open collection, and is free again after it', async () => {
    await using stage = await startHarness()
    const key = '@RCSHARED'
    await stage.breb('PUT', '/collections/P1', collection(null, { key }))
    const second = await stage.breb('PUT', '/collections/P2', collection(null, { key }))
    assert.deepEqual([second.status, second.json.code], [409, 'KEY_IN_USE'])
    await stage.breb('DELETE', '/collections/P1')
    assert.equal((await stage.breb('PUT', '/collections/P2', collection(null, { key }))).status, 201)
  })
})

describe('what the wire does not know', () => {
  it('is refused as a request', async () => {
    await using stage = await startHarness()
    const wrong = [
      await stage.breb('PUT', '/collections/P1', collection(null, { amount: '50000' })),
      await stage.breb('PUT', '/collections/P1', collection(null, { amount: '0.00' })),
      await stage.breb('PUT', '/collections/P1', collection(null, { amount: 50000 })),
      await stage.breb('PUT', '/collections/P1', collection(null, { currency: 'USD' })),
      await stage.breb('PUT', '/collections/P1', collection(null, { key: '3001234567' })),
      await stage.breb('PUT', '/collections/P1', collection(null, { expiresAt: 'soon' })),
      await stage.breb('PUT', '/collections/P1', []),
      await stage.breb('PUT', '/transfers/P1', transfer('1000000001', { beneficiary: null })),
      await stage.pse('PUT', '/sessions/P1', session(null, { personType: 'INDIVIDUAL' })),
      await stage.pse('PUT', '/sessions/P1', session(null, { returnUrl: 'javascript:alert(1)' })),
    ]
    for (const { status, json } of wrong)
      assert.deepEqual([status, json.status, json.code], [400, 'ERROR', 'INVALID_REQUEST'])
  })

  it('is refused in the network’s own words where it has some', async () => {
    await using stage = await startHarness()
    const above = await stage.breb('PUT', '/collections/P1', collection(null, { amount: '12110000.01' }))
    assert.deepEqual([above.status, above.json.code], [422, 'B108'])
    const bank = await stage.pse('PUT', '/sessions/P1', session(null, { achCode: '1007' }))
    assert.deepEqual([bank.status, bank.json.code], [422, 'FAIL_BANKNOTEXISTSORDISABLED'])
    const amount = await stage.pse('PUT', '/sessions/P1', session(null, { amount: '0.00' }))
    assert.deepEqual([amount.status, amount.json.code], [422, 'FAIL_INVALIDAMOUNT'])
  })

  it('includes paths and bodies beyond measure', async () => {
    await using stage = await startHarness()
    assert.equal((await stage.breb('GET', '/collections')).status, 404)
    assert.equal((await stage.breb('PATCH', '/collections/P1')).status, 404)
    assert.equal((await stage.breb('GET', '/collections/%E0%A4%A')).status, 400)
    assert.equal((await stage.breb('PUT', '/collections/P1', { key: 'x'.repeat(70_000) })).status, 400)
  })
})

describe('access', () => {
  it('is for whoever holds a token of this network', async () => {
    await using stage = await startHarness()
    const { brebUrl, pseUrl } = stage.sandbox
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

  it('ends with the token, and a token is not given for a wrong secret', async () => {
    let now = Date.parse('2026-03-02T15:00:00.000Z')
    await using stage = await startHarness({ now: () => now })
    now += 3_599_000
    assert.equal((await stage.breb('GET', '/collections/P1')).status, 404)
    now += 1_000
    assert.equal((await stage.breb('GET', '/collections/P1')).status, 401)
    const ask = (pair: string, grant: string) =>
      fetch(`${stage.sandbox.brebUrl}/oauth/token`, {
        method: 'POST',
        headers: { authorization: `Basic ${Buffer.from(pair).toString('base64')}` },
        body: new URLSearchParams({ grant_type: grant }),
      })
    assert.equal((await ask('breb-client:wrong', 'client_credentials')).status, 401)
    assert.equal((await ask('breb-client:breb secret: %', 'password')).status, 400)
    // As RFC 6749 wants it: both parts form-encoded.
    const encoded = await ask('breb-client:breb%20secret%3A%20%25', 'client_credentials')
    assert.equal(encoded.status, 200)
    assert.equal(((await encoded.json()) as { expires_in: number }).expires_in, 3_600)
  })
})

describe('a return', () => {
  it('gives Bre-B money back once, and never more than came', async () => {
    await using stage = await startHarness()
    await stage.breb('PUT', '/collections/P1', collection())
    await stage.sandbox.advance(DELAY_MS)
    const { paymentId } = (await stage.breb('GET', '/collections/P1')).json.payments[0]
    const order = { paymentId, amount: '30000.00', currency: 'COP' }
    const first = await stage.breb('PUT', '/returns/R1', order)
    const second = await stage.breb('PUT', '/returns/R1', order)
    assert.deepEqual([first.status, second.status, first.json.status], [201, 200, 'COMPLETED'])
    assert.deepEqual(first.json, second.json)
    assert.equal((await stage.breb('PUT', '/returns/R1', { ...order, amount: '1.00' })).status, 409)
    const tooMuch = await stage.breb('PUT', '/returns/R2', { ...order, amount: '20000.01' })
    assert.deepEqual([tooMuch.status, tooMuch.json.code], [422, 'ABOVE_PAYMENT'])
    assert.equal((await stage.breb('PUT', '/returns/R3', { ...order, paymentId: 'PAY0' })).status, 404)
    assert.deepEqual(
      stage.sandbox.log().map(({ movement, amountInCents }) => [movement, amountInCents]),
      [
        ['credit', 5_000_000n],
        ['return', 3_000_000n],
      ],
    )
  })

  it('gives PSE money back by its CUS, but not what was charged back', async () => {
    await using stage = await startHarness()
    const { cus } = (await stage.pse('PUT', '/sessions/P1', session())).json
    await stage.sandbox.advance(DELAY_MS)
    const order = { cus, amount: '80000.00', currency: 'COP' }
    await stage.pse('PUT', '/sessions/P2', session())
    assert.deepEqual((await stage.pse('PUT', '/returns/R1', order)).json, {
      reference: 'R1',
      status: 'COMPLETED',
    })
    const other = (await stage.pse('GET', '/sessions/P2')).json.cus
    await stage.simulate('P2', { outcome: 'confirmed' })
    await stage.simulate('P2', { outcome: 'chargeback' })
    const late = await stage.pse('PUT', '/returns/R2', { ...order, cus: other })
    assert.deepEqual([late.status, late.json.code], [422, 'CHARGED_BACK'])
  })
})

it('references may be any word of the trade', async () => {
  await using stage = await startHarness()
  const reference = `${newReference()}_-Az09`
  assert.equal((await stage.breb('PUT', `/collections/${reference}`, collection())).status, 201)
})
