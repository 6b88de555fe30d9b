// How the Wompi adapter reads what comes back about a PSE payment, good and broken, from a scripted server.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Gateway } from '../../../src/rails/gateway.ts'
import { LIMITS } from '../../../src/rails/limits.ts'
import type { PayinOrder } from '../../../src/rails/rail.ts'
import { paymentsAccount } from '../../../src/rails/wompi/account.ts'
import { institutionOf, wompiBanks } from '../../../src/rails/wompi/banks.ts'
import { type Answer, type FakeNetwork, openFakeNetwork } from '../fake-network.ts'
import {
  TRANSACTION_ID as ID,
  invalid,
  list,
  merchant,
  ok,
  PAGE,
  refusal,
  transaction,
  used,
  withPage,
} from './answers.ts'
import {
  accepted,
  assertUnknown,
  CONDITIONS,
  handle,
  type Opened,
  open,
  PAYMENTS,
  payinOrder,
  payinReference,
  rejection,
} from './wompi.ts'

const order = payinOrder()

// Answers about another payment, or about none.
const NOT_THE_ONE: Readonly<Record<string, object>> = {
  'another reference': { reference: payinReference(2) },
  'no reference': { reference: undefined },
  'another amount': { amount_in_cents: 2_490_001 },
  'an amount as a text': { amount_in_cents: '2490000' },
  'half a cent': { amount_in_cents: 2_490_000.5 },
  'no amount': { amount_in_cents: undefined },
  'an amount of nothing': { amount_in_cents: 0 },
  'another currency': { currency: 'USD' },
  'no currency': { currency: undefined },
  'another way to pay': { payment_method_type: 'CARD' },
  'no id': { id: null },
  'an id with a blank': { id: '12 92' },
  'an id as a number': { id: 1292 },
  'no status': { status: undefined },
  'a status that is a sentence': { status: 'Canaria said no' },
}

describe('what Wompi answers about a PSE payment', () => {
  let server: FakeNetwork
  let rails: Opened
  before(async () => {
    server = await openFakeNetwork()
    rails = open({ payments: server.url }, { limits: { breakAfterFailures: 1_000 } })
  })
  after(async () => {
    await rails.close()
    await server[Symbol.asyncDispose]()
  })

  const submit = (answers: Answer[], changes: Partial<PayinOrder> = {}) => {
    server.willAnswer(...answers)
    return rails.pse.submit({ ...order, ...changes })
  }
  const byId = (answer: Answer) => {
    server.willAnswer(answer)
    return rails.pse.query(handle(order, ID))
  }
  const search = (answer: Answer) => {
    server.willAnswer(answer)
    return rails.pse.query(handle(order))
  }
  const opened = (pageUrl: string | null) => ({
    providerId: ID,
    traceId: `wompi:${ID}`,
    instructions: { keyString: null, qrPayload: null, pageUrl, isReady: pageUrl !== null },
  })

  it('a submit reads a new transaction, with its page or without', async () => {
    assert.deepEqual(accepted(await submit([merchant(), ok({}, 201)])), opened(null))
    assert.deepEqual(accepted(await submit([merchant(), ok(withPage(PAGE), 201)])), opened(PAGE))
    for (const nothing of [
      withPage(null),
      withPage(undefined),
      { payment_method: null },
      { payment_method: undefined },
      { payment_method: { extra: null } },
    ])
      assert.deepEqual(accepted(await submit([merchant(), ok(nothing, 201)])), opened(null))
  })

  it('a submit reads a transaction that has its outcome', async () => {
    const approved = await submit([merchant(), ok({ status: 'APPROVED', ...withPage(PAGE) }, 201)])
    assert.deepEqual(accepted(approved), opened(PAGE))
    const declined = await submit([merchant(), ok({ status: 'DECLINED' }, 201)])
    assert.deepEqual(declined, rejection('BANK_DECLINED', 'DECLINED'))
    for (const status of ['ERROR', 'VOIDED', 'HELD'])
      assertUnknown(await submit([merchant(), ok({ status }, 201)]), 'undecided', status)
  })

  it('a query reads every status', async () => {
    for (const ask of [byId, (answer: Answer) => search(listed(answer))]) {
      assert.deepEqual(accepted(await ask(ok())), { state: 'open', opened: opened(null) })
      assert.deepEqual(accepted(await ask(ok(withPage(PAGE)))), { state: 'open', opened: opened(PAGE) })
      assert.deepEqual(accepted(await ask(ok({ status: 'APPROVED', ...withPage('javascript:1') }))), {
        state: 'paid',
        payments: [{ amountInCents: 2_490_000n, paymentId: `wompi:${ID}` }],
        networkCode: 'APPROVED',
      })
      assert.deepEqual(accepted(await ask(ok({ status: 'DECLINED' }))), {
        state: 'ended',
        how: 'declined',
        reason: 'BANK_DECLINED',
        networkCode: 'DECLINED',
      })
      for (const status of ['ERROR', 'VOIDED', 'HELD', 'approved', 'toString'])
        assertUnknown(await ask(ok({ status })), 'undecided', status)
    }
  })
  const listed = (answer: Answer) =>
    typeof answer === 'object' && 'json' in answer ? list((answer.json as { data: object }).data) : answer

  it('a page that no payer may be sent to is no answer', async () => {
    for (const url of [
      'javascript:alert(1)',
      'ftp://bank.example.com',
      'https://a:b@bank.example.com',
      '/start',
      '',
      `https://bank.example.com/${'x'.repeat(2_048)}`,
    ]) {
      assertUnknown(await submit([merchant(), ok(withPage(url), 201)]), 'unreadable', url)
      assertUnknown(await byId(ok(withPage(url))), 'unreadable', url)
    }
    assertUnknown(await byId(ok(withPage(7))), 'unreadable')
  })

  it('another payment is no answer', async () => {
    for (const [what, changes] of Object.entries(NOT_THE_ONE)) {
      assertUnknown(await submit([merchant(), ok(changes, 201)]), 'unreadable', what)
      assertUnknown(await byId(ok({ status: 'APPROVED', ...changes })), 'unreadable', what)
      assertUnknown(
        await search(list({ ...transaction, status: 'APPROVED', ...changes })),
        'unreadable',
        what,
      )
      assertUnknown(
        await submit([merchant(), used, list({ ...transaction, ...changes })]),
        'unreadable',
        what,
      )
    }
    assertUnknown(await byId(ok({ status: 'APPROVED', id: '1292-1-1' })), 'unreadable')
  })

  it('a search finds one, none, or says nothing', async () => {
    assert.deepEqual(accepted(await search(list())), {
      state: 'ended',
      how: 'not-found',
      reason: 'EXPIRED',
      networkCode: 'NOT_FOUND',
    })
    const others = { ...transaction, reference: 'order-7' }
    assertUnknown(await search(list(others)), 'unreadable')
    assertUnknown(await search(list(transaction, others)), 'unreadable')
    assertUnknown(await search(list(transaction, { ...transaction, id: '1292-1-1' })), 'undecided')
    assertUnknown(await search({ status: 200, json: { data: [], meta: { total_results: 1 } } }), 'unreadable')
    assertUnknown(await search({ status: 200, json: { data: transaction } }), 'unreadable')
    assertUnknown(
      await search(refusal(404, { type: 'NOT_FOUND_ERROR', reason: 'Canaria del Campo no existe' })),
      'undecided',
    )
    assertUnknown(
      await byId(refusal(404, { type: 'NOT_FOUND_ERROR', reason: 'Canaria del Campo no existe' })),
      'undecided',
    )
  })

  it('a used reference leads to what was made, and a refusal only to what was not', async () => {
    const found = await submit([merchant(), used, list({ ...transaction, ...withPage(PAGE) })])
    assert.deepEqual(accepted(found), opened(PAGE))
    assertUnknown(await submit([merchant(), used, list()]), 'undecided')
    assertUnknown(await submit([merchant(), used, 'reset']), 'unavailable')
    const other = invalid({ amount_in_cents: ['El monto mínimo es 150000'] })
    assert.deepEqual(
      await submit([merchant(), other, list()]),
      rejection('RAIL_ERROR', 'INPUT_VALIDATION_ERROR'),
    )
    assert.deepEqual(accepted(await submit([merchant(), other, list(transaction)])), opened(null))
    assertUnknown(await submit([merchant(), other, { status: 503, bytes: '' }]), 'unavailable')
    // About the address or an order that exists, and no end of this one.
    for (const status of [404, 409])
      assertUnknown(await submit([merchant(), refusal(status, { type: 'ANY' }), list()]), 'undecided')
  })

  it('terms without a token, or that no payer may be sent to, are none', async () => {
    const acceptance = { acceptance_token: 'a.b.c', permalink: CONDITIONS }
    for (const changes of [
      { presigned_acceptance: undefined },
      { presigned_personal_data_auth: null },
      { presigned_personal_data_auth: { ...acceptance, acceptance_token: undefined } },
      { presigned_acceptance: { ...acceptance, acceptance_token: 'a b' } },
      { presigned_acceptance: { ...acceptance, permalink: 'javascript:alert(1)' } },
      { presigned_personal_data_auth: { ...acceptance, permalink: 7 } },
    ])
      assertUnknown(await submit([merchant(changes)]), 'unreadable', JSON.stringify(changes))
    assertUnknown(await submit([refusal(404, { type: 'NOT_FOUND_ERROR' })]), 'undecided')
  })

  it('plain http pages and terms are not taken over https', async () => {
    const account = paymentsAccount({ ...PAYMENTS, paymentsUrl: 'https://production.wompi.co/v1' }, 'live')
    const { wompiTerms } = await import('../../../src/rails/wompi/terms.ts')
    const answered = merchant() as { json: unknown }
    const gateway: Gateway = {
      ask: async () => ({ outcome: 'answered', httpStatus: 200, body: answered.json }),
      isAway: () => false,
    }
    assertUnknown(await wompiTerms(gateway, LIMITS, account)(''), 'unreadable')
  })
})

describe('the banks of Wompi', () => {
  const account = paymentsAccount({ ...PAYMENTS, paymentsUrl: 'https://sandbox.wompi.co/v1' }, 'live')
  const institution = (code: string, name: unknown = 'BANCO') => ({
    financial_institution_code: code,
    financial_institution_name: name,
  })
  const gatewayWith = (answers: unknown[]): Gateway & { asked: () => number } => {
    let asked = 0
    return {
      ask: async () => {
        const body = answers[Math.min(asked, answers.length - 1)]
        asked += 1
        return body === undefined
          ? { outcome: 'unknown', kind: 'unavailable', why: 'away' }
          : { outcome: 'answered', httpStatus: 200, body }
      },
      isAway: () => false,
      asked: () => asked,
    }
  }

  it('are kept for an hour, and asked for again after it', async () => {
    let nowMs = 5
    const gateway = gatewayWith([
      { data: [institution('0', 'A continuación seleccione su banco'), institution('1007')] },
      { data: [institution('1051')] },
    ])
    const askBanks = wompiBanks(gateway, LIMITS, account, () => nowMs)
    for (nowMs of [5, 3_600_004])
      assert.deepEqual(accepted(await askBanks()), [{ code: '1007', name: 'BANCO' }])
    assert.equal(gateway.asked(), 1)
    nowMs = 3_600_005
    assert.deepEqual(accepted(await askBanks()), [{ code: '1051', name: 'BANCO' }])
    assert.equal(gateway.asked(), 2)
  })

  it('are not known by a broken list, which is not kept', async () => {
    for (const broken of [
      undefined,
      {},
      { data: [] },
      { data: [institution('1007', null)] },
      { data: [institution('10 07')] },
      { data: [{ ...institution('1'), financial_institution_code: 1007 }] },
    ]) {
      const gateway = gatewayWith([broken, { data: [institution('1007')] }])
      const askBanks = wompiBanks(gateway, LIMITS, account, () => 0)
      assert.equal((await askBanks()).outcome, 'unknown', JSON.stringify(broken))
      accepted(await askBanks())
    }
  })

  it('are found by their number in the network, which has to do without the list', async () => {
    const listOf =
      (...codes: string[]) =>
      async () =>
        ({ outcome: 'accepted', value: codes.map((code) => ({ code, name: code })) }) as const
    const away = async () => ({ outcome: 'unknown', kind: 'timeout', why: '' }) as const
    assert.equal(await institutionOf('CO_BANCOLOMBIA', '1', 'live', listOf('1001', '1007')), '1007')
    assert.equal(await institutionOf('CO_HELM_BANK', '1', 'live', listOf('1006')), '1006')
    assert.equal(await institutionOf('CO_BANCOLOMBIA', '1', 'live', listOf('1001')), undefined)
    assert.equal(await institutionOf('CO_BANCOLOMBIA', '1', 'live', away), '1007')
    assert.equal(await institutionOf('CO_PAYCASH', '1', 'live', away), undefined)
    assert.equal(await institutionOf('CO_NOWHERE', '1', 'live', away), undefined)
    const testBank = (idNumber: string) => institutionOf('CO_BANCO_DE_PRUEBAS', idNumber, 'test', away)
    assert.deepEqual(
      [await testBank('1000000001'), await testBank('1000000003'), await testBank('1000000015')],
      ['1', '2', '3'],
    )
    assert.equal(await institutionOf('CO_BANCO_DE_PRUEBAS', '1', 'live', listOf('1', '1022')), undefined)
  })
})
