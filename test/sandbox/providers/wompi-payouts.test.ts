// The simulated payouts of Wompi, held against Wompi's documentation: keys, batches, limits, events, and what it does with a request that
// comes twice.

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, it } from 'node:test'
import { DAY_MS } from '../../../src/core/instant.ts'
import { wompiPayouts } from '../../../src/sandbox/providers/wompi/payouts.ts'
import { eventChecksum } from '../../../src/sandbox/providers/wompi/transaction.ts'
import { simulate } from './simulated.ts'
import {
  balance,
  batch,
  CREDENTIAL_HEADERS,
  create,
  eventsSecret,
  get,
  ONE_PAYOUT,
  OPENING_BALANCE_CENTS,
  OUTCOME_DELAY_MS,
  payouts,
  read,
  statusesTold,
} from './wompi-payouts.ts'

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

describe('the simulated payouts of Wompi', () => {
  it('looks a key up and tells little of its holder, or says why not', async () => {
    await using simulated = await simulate(wompiPayouts)
    const resolve = (key: string, type: string) =>
      `/v2/breb/keys/resolve/${encodeURIComponent(key)}?keyType=${type}`
    for (const [key, type] of [
      ['@elias123', 'ALPHANUMERIC'],
      // Bre-B's own form, in which callers send it.
      ['@ELIAS123', 'ALPHANUMERIC'],
      ['ecolon@wompi.com', 'MAIL'],
      ['3001234567', 'PHONE'],
      ['1020304050', 'IDENTIFICATION'],
      ['900123456', 'ESTABLISHMENT_CODE'],
    ] as const) {
      const found = await read(simulated, resolve(key, type))
      assert.deepEqual(Object.keys(found), ['holderName', 'financialEntity', 'keyType', 'keyValue'])
      assert.match(found.holderName, /^[A-Z]{3}\*{3} [A-Z]{3}\*{3}$/)
      assert.deepEqual([found.keyType, found.keyValue], [type, `${key.slice(0, 3)}***`])
      assert.deepEqual(Object.keys(found.financialEntity), ['name', 'code'])
    }
    assert.equal((await read(simulated, resolve('3001234567', 'PHONE'))).holderName, 'JUA*** PER***')
    for (const [key, status, code] of [
      ['noexiste@test.com', 404, 'EXC_034'],
      ['12345', 400, 'EXC_033'],
      ['inactiva@test.com', 400, 'EXC_035'],
      ['timeout@test.com', 503, 'EXC_037'],
      ['error@test.com', 503, 'EXC_036'],
      ['ana@example.com', 404, 'EXC_034'],
      ['3001234567', 404, 'EXC_034'],
      ['a/b', 404, 'EXC_034'],
      ['\u0000', 404, 'EXC_034'],
    ] as const) {
      const refused = await get(simulated, resolve(key, 'MAIL'))
      assert.deepEqual([refused.status, refused.json.code], [status, code], key)
      assert.deepEqual(Object.keys(refused.json), ['code', 'message'])
    }
    for (const type of ['', 'EMAIL', 'mail'])
      assert.equal((await get(simulated, resolve('ecolon@wompi.com', type))).status, 400, type)
    assert.equal((await get(simulated, '/v2/breb/keys/resolve/@elias123')).status, 400)
  })

  it('refuses every path without both credentials', async () => {
    await using simulated = await simulate(wompiPayouts)
    for (const [method, path] of [
      ['GET', '/v1/accounts'],
      ['GET', '/v1/payouts?reference=x'],
      ['GET', '/v1/transactions/x'],
      ['POST', '/v1/accounts/balance-recharge'],
      ['POST', '/v2/payouts'],
      ['GET', '/v2/payouts/x'],
      ['GET', '/v2/payouts/x/transactions'],
      ['GET', '/v2/breb/keys/resolve/@elias123?keyType=ALPHANUMERIC'],
    ] as const)
      for (const wrong of [{ 'x-api-key': 'else' }, { 'user-principal-id': '' }]) {
        const headers = { ...CREDENTIAL_HEADERS, ...wrong, 'idempotency-key': 'a' }
        const refused = await simulated.call(method, path, method === 'POST' ? batch() : undefined, headers)
        assert.equal(refused.status, 401, path)
        assert.deepEqual(Object.keys(refused.json), ['code', 'message'])
      }
    assert.equal((await create(simulated, batch(), 'a')).status, 201, 'a stranger used up a key')
  })

  it('pays a batch: pending, processing, approved, each told in a signed event', async () => {
    await using simulated = await simulate(wompiPayouts)
    const made = await create(
      simulated,
      batch({}, { reference: 'line-1', legalIdType: 'CC', legalId: '1000000001' }),
    )
    assert.equal(made.status, 201, made.text)
    assert.deepEqual(Object.keys(made.json), ['status', 'code', 'message', 'meta', 'data'])
    const { payoutId, ...counts } = made.json.data
    assert.match(payoutId, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
    assert.deepEqual(counts, { transactions: 1, success: 1, failed: 0 })
    assert.equal((await read(simulated, `/v2/payouts/${payoutId}`)).status, 'PENDING')
    assert.equal((await payouts(simulated, payoutId))[0].status, 'PENDING')
    await simulated.advance(OUTCOME_DELAY_MS - 1)
    const [open] = await payouts(simulated, payoutId)
    assert.deepEqual([open.status, open.failureReason], ['PROCESSING', null])
    assert.equal(await balance(simulated), OPENING_BALANCE_CENTS - 2_490_000)
    await simulated.advance(1)
    const ended = await read(simulated, `/v2/payouts/${payoutId}`)
    assert.deepEqual(
      [ended.status, ended.reference, ended.amountInCents],
      ['TOTAL_PAYMENT', 'order-1', 2_490_000],
    )
    const [paid] = await payouts(simulated, payoutId)
    assert.deepEqual([paid.status, paid.payoutId, paid.reference], ['APPROVED', payoutId, 'line-1'])
    assert.equal(await balance(simulated), OPENING_BALANCE_CENTS - 2_490_000)
    assert.deepEqual(statusesTold(simulated), [
      'transaction PROCESSING',
      'transaction APPROVED',
      'payout TOTAL_PAYMENT',
    ])

    const [, approved, whole] = simulated.received.map(({ body }) => JSON.parse(body))
    const { payee, ...told } = approved.data.transaction
    assert.deepEqual(told, {
      id: paid.id,
      payoutId,
      amountInCents: 2_490_000,
      status: 'APPROVED',
      failureReason: null,
    })
    const { keyResolutionId, paymentMethodType, ...person } = payee
    assert.deepEqual(person, {
      key: '@elias123',
      keyType: 'ALPHANUMERIC',
      name: 'Ana Gómez',
      email: 'ana@example.com',
      legalIdType: 'CC',
      legalId: '100***',
    })
    assert.deepEqual([typeof keyResolutionId, typeof paymentMethodType], ['string', 'string'])
    const at = Date.parse('2026-11-16T15:00:02.000Z')
    assert.deepEqual([approved.timestamp, approved.sentAt], [at, '2026-11-16T15:00:02.000Z'])
    assert.deepEqual(approved.signature, {
      properties: ['transaction.id', 'transaction.status', 'transaction.amountInCents'],
      checksum: sha256(`${paid.id}APPROVED2490000${at}${eventsSecret}`),
    })
    assert.deepEqual(whole.signature, {
      properties: ['payout.id', 'payout.status', 'payout.amountInCents'],
      checksum: sha256(`${payoutId}TOTAL_PAYMENT2490000${at}${eventsSecret}`),
    })
    assert.equal(simulated.received[1]?.headers['x-event-checksum'], approved.signature.checksum)
  })

  it('signs as the documentation of Wompi’s events does', () => {
    assert.equal(
      eventChecksum(['1-1767225600-1', 'APPROVED', 2_490_000], 1_767_225_600, 'test_events_EXAMPLE'),
      '40726a4245d31a09dca6689155a2178d2c26e546f300503db2150b729f31260a',
    )
  })

  it('fails a payout as the sandbox is told to, below the minimum, or by its key, and gives the money back', async () => {
    for (const [changes, one, code, isAtOnce] of [
      [{ transactionStatus: 'FAILED' }, {}, 'C01', false],
      [{}, { amount: 149_999 }, 'MOL-5021', false],
      [{}, { key: 'timeout@test.com' }, 'EXC_037', false],
      [{}, { key: 'error@test.com' }, 'EXC_036', false],
      [{}, { key: 'noexiste@test.com' }, 'EXC_034', true],
      [{}, { key: 'inactiva@test.com' }, 'EXC_035', true],
      [{ transactionStatus: 'APPROVED' }, { key: '12345' }, 'EXC_033', true],
    ] as const) {
      await using simulated = await simulate(wompiPayouts)
      const { status, json } = await create(simulated, batch(changes, one))
      assert.equal(status, 201)
      const { payoutId, success, failed } = json.data
      assert.deepEqual([success, failed], isAtOnce ? [0, 1] : [1, 0], code)
      const before = (await read(simulated, `/v2/payouts/${payoutId}`)).status
      assert.equal(before, isAtOnce ? 'REJECTED' : 'PENDING')
      await simulated.advance(OUTCOME_DELAY_MS)
      assert.equal((await read(simulated, `/v2/payouts/${payoutId}`)).status, 'REJECTED')
      const [payout] = await payouts(simulated, payoutId)
      assert.deepEqual([payout.status, typeof payout.failureReason], ['FAILED', 'string'])
      assert.equal(await balance(simulated), OPENING_BALANCE_CENTS)
      assert.deepEqual(statusesTold(simulated).slice(-2), ['transaction FAILED', 'payout REJECTED'])
      const { data } = JSON.parse(simulated.received.at(-2)?.body ?? '')
      assert.deepEqual(data.transaction.failureReason, { code, description: payout.failureReason })
    }
  })

  it('pays what it can of a batch of several, and shows them by pages', async () => {
    await using simulated = await simulate(wompiPayouts)
    const keys = ['@elias123', 'noexiste@test.com', '3001234567', 'timeout@test.com', '1020304050']
    const transactions = keys.map((key) => ({ ...ONE_PAYOUT, key }))
    const { json } = await create(simulated, batch({ transactions, transactionStatus: 'APPROVED' }))
    const { payoutId, ...counts } = json.data
    assert.deepEqual(counts, { transactions: 5, success: 4, failed: 1 })
    await simulated.advance(OUTCOME_DELAY_MS)
    const { status, amountInCents } = await read(simulated, `/v2/payouts/${payoutId}`)
    assert.deepEqual([status, amountInCents], ['PARTIAL_PAYMENT', 5 * 2_490_000])
    assert.equal(await balance(simulated), OPENING_BALANCE_CENTS - 3 * 2_490_000)
    const path = `/v2/payouts/${payoutId}/transactions`
    const { records, ...second } = await read(simulated, `${path}?limit=2&page=2`)
    assert.deepEqual(second, { page: 2, limit: 2, total: 5, pages: 3 })
    assert.deepEqual(
      records.map((one: { payee: { key: string }; status: string }) => [one.payee.key, one.status]),
      [
        ['3001234567', 'APPROVED'],
        ['timeout@test.com', 'FAILED'],
      ],
    )
    assert.deepEqual((await read(simulated, `${path}?page=9`)).records, [])
    for (const wrong of ['limit=0', 'limit=101', 'limit=x', 'page=0', 'page=-1', 'page=1.5'])
      assert.equal((await get(simulated, `${path}?${wrong}`)).status, 400, wrong)
    const ids = (await payouts(simulated, payoutId)).map(({ id }: { id: string }) => id)
    assert.equal(new Set(ids).size, 5)
  })

  it('pays a key in capitals too', async () => {
    await using simulated = await simulate(wompiPayouts)
    const { payoutId } = (await create(simulated, batch({}, { key: '@ELIAS123' }))).json.data
    await simulated.advance(OUTCOME_DELAY_MS)
    const [paid] = await payouts(simulated, payoutId)
    assert.deepEqual([paid.status, paid.payee.key], ['APPROVED', '@ELIAS123'])
  })

  it('shows every state of a payout on its way, those of files too', async () => {
    await using simulated = await simulate(wompiPayouts, { delayMs: 4_000 })
    for (let count = 0; count < 12; count += 1)
      await create(simulated, batch({ reference: `order-${count}` }))
    await simulated.advance(4_000)
    assert.deepEqual(
      new Set(statusesTold(simulated)),
      new Set([
        ...['PROCESSING', 'READY_TO_FILE', 'ADDED_TO_FILE', 'APPROVED'].map((one) => `transaction ${one}`),
        'payout TOTAL_PAYMENT',
      ]),
    )
  })

  it('lets a batch wait for approval or be held, and go on or end', async () => {
    for (const [word, waits, end, payoutEnds] of [
      ['PENDING_APPROVAL', 'PENDING_APPROVAL', 'TOTAL_PAYMENT', 'APPROVED'],
      ['AFE_ON_HOLD', 'AFE_ON_HOLD', 'TOTAL_PAYMENT', 'APPROVED'],
      ['NOT_APPROVED', 'PENDING_APPROVAL', 'NOT_APPROVED', 'CANCELLED'],
      ['AFE_REJECTED', 'AFE_ON_HOLD', 'AFE_REJECTED', 'REJECTED'],
    ] as const) {
      await using simulated = await simulate(wompiPayouts)
      const { payoutId } = (await create(simulated, batch({}, { description: word }))).json.data
      await simulated.advance(OUTCOME_DELAY_MS)
      assert.equal((await read(simulated, `/v2/payouts/${payoutId}`)).status, waits)
      assert.equal((await payouts(simulated, payoutId))[0].status, 'PENDING')
      await simulated.advance(DAY_MS + OUTCOME_DELAY_MS)
      assert.equal((await read(simulated, `/v2/payouts/${payoutId}`)).status, end)
      assert.equal((await payouts(simulated, payoutId))[0].status, payoutEnds)
      const spent = payoutEnds === 'APPROVED' ? 2_490_000 : 0
      assert.equal(await balance(simulated), OPENING_BALANCE_CENTS - spent)
      assert.equal(statusesTold(simulated).at(-1), `payout ${end}`)
    }
  })

  it('takes an idempotency key once in 24 hours, refuses it without a replay, and after that pays again', async () => {
    await using simulated = await simulate(wompiPayouts)
    const first = (await create(simulated, batch(), 'once')).json.data.payoutId
    for (const body of [batch(), batch({ reference: 'order-2' }), '{'])
      assert.equal((await create(simulated, body, 'once')).json.code, 'EXC_032')
    await simulated.advance(DAY_MS - 1)
    assert.equal((await create(simulated, batch(), 'once')).status, 409)
    await simulated.advance(1)
    const again = await create(simulated, batch(), 'once')
    assert.equal(again.status, 201)
    assert.notEqual(again.json.data.payoutId, first)
    await simulated.advance(OUTCOME_DELAY_MS)
    assert.equal(await balance(simulated), OPENING_BALANCE_CENTS - 2 * 2_490_000)
    assert.equal((await create(simulated, batch({ paymentType: 'x' }), 'refused')).status, 400)
    assert.equal((await create(simulated, batch(), 'refused')).status, 409)
    for (const key of ['', 'with_underscore', 'a'.repeat(65), 'é'])
      assert.equal((await create(simulated, batch(), key)).status, 400, key)
    assert.equal((await simulated.call('POST', '/v2/payouts', batch(), CREDENTIAL_HEADERS)).status, 400)
    assert.equal((await create(simulated, batch(), 'a'.repeat(64))).status, 201)
  })

  it('takes a reference twice, as two batches, and finds both by it', async () => {
    await using simulated = await simulate(wompiPayouts)
    const made = [await create(simulated, batch()), await create(simulated, batch({}, { amount: 150_000 }))]
    const ids = made.map(({ json }) => json.data.payoutId)
    assert.equal(new Set(ids).size, 2)
    const found = await read(simulated, '/v1/payouts?reference=order-1')
    assert.deepEqual([found.total, found.records.map(({ id }: { id: string }) => id)], [2, ids])
    const lines = await read(simulated, '/v1/transactions/order-1')
    assert.deepEqual([lines.total, lines.records[0].payoutId], [1, ids[1]])
    assert.deepEqual((await read(simulated, '/v1/payouts?reference=order-2')).records, [])
    for (const path of ['/v1/transactions/order-2', '/v2/payouts/order-1', '/v2/payouts/x/transactions'])
      assert.equal((await get(simulated, path)).status, 404, path)
    assert.equal((await get(simulated, '/v1/payouts')).status, 400)
    for (const path of ['/v2/payouts', '/v2/payouts/x/else', '/v1/else', '/v3/payouts', '/v2/breb/else/x/y'])
      assert.equal((await get(simulated, path)).status, 404, path)
  })
})
