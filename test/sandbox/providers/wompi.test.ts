// The simulated Wompi, held against Wompi's documentation: what it promises of PSE payments, and the vectors of its signatures.

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { HOUR_MS, MINUTE_MS } from '../../../src/core/instant.ts'
import { wompi } from '../../../src/sandbox/providers/wompi/payments.ts'
import { eventChecksum, integritySignature } from '../../../src/sandbox/providers/wompi/transaction.ts'
import { type Simulated, simulate } from './simulated.ts'

const { publicKey, privateKey, eventsSecret, integritySecret } = wompi.credentials as Record<string, string>
const PUBLIC = { authorization: `Bearer ${publicKey}` }
const PRIVATE = { authorization: `Bearer ${privateKey}` }
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

async function terms(simulated: Simulated) {
  const { json } = await simulated.call('GET', `/v1/merchants/${publicKey}`)
  return {
    acceptance_token: json.data.presigned_acceptance.acceptance_token,
    accept_personal_auth: json.data.presigned_personal_data_auth.acceptance_token,
  }
}

async function body(simulated: Simulated, changes: Record<string, unknown> = {}, bank = '1') {
  const sent = {
    ...(await terms(simulated)),
    amount_in_cents: 2_490_000,
    currency: 'COP',
    customer_email: 'ana@example.com',
    reference: 'order-1',
    redirect_url: 'https://shop.example/back?x=1',
    customer_data: { full_name: 'Ana Gómez', phone_number: '573001234567' },
    payment_method: {
      type: 'PSE',
      user_type: 0,
      user_legal_id_type: 'CC',
      user_legal_id: '1000000001',
      financial_institution_code: bank,
      payment_description: 'Pago a Café La Palma',
    },
    ...changes,
  }
  const signed = [sent.reference, sent.amount_in_cents, sent.currency].map((one) =>
    typeof one === 'object' ? '' : one,
  )
  const signature = sha256(signed.join('') + integritySecret)
  return { signature, ...sent }
}

const create = async (simulated: Simulated, changes?: Record<string, unknown>, bank?: string) =>
  simulated.call('POST', '/v1/transactions', await body(simulated, changes, bank), PUBLIC)

describe('the simulated Wompi', () => {
  it('signs as the documentation does', () => {
    assert.equal(
      integritySignature('rcd-0001', 2_490_000, 'COP', undefined, 'test_integrity_EXAMPLE'),
      '19e1516b7bc920d4c1fc9f9bdc68a39aae7a968f1201b6503b2dbe7f7f490a82',
    )
    assert.equal(
      eventChecksum(['1-1767225600-1', 'APPROVED', 2_490_000], 1_767_225_600, 'test_events_EXAMPLE'),
      '40726a4245d31a09dca6689155a2178d2c26e546f300503db2150b729f31260a',
    )
  })

  it('lists its banks and the terms, and refuses keys of another environment', async () => {
    await using simulated = await simulate(wompi)
    const { json } = await simulated.call('GET', '/v1/pse/financial_institutions', undefined, PUBLIC)
    assert.deepEqual(
      json.data.map((bank: { financial_institution_code: string }) => bank.financial_institution_code),
      ['1', '2', '3'],
    )
    const merchant = (await simulated.call('GET', `/v1/merchants/${publicKey}`)).json.data
    for (const one of [merchant.presigned_acceptance, merchant.presigned_personal_data_auth])
      assert.equal((await fetch(one.permalink)).status, 200)
    for (const path of [
      '/v1/pse/financial_institutions',
      '/v1/transactions/x',
      '/v1/transactions?reference=x',
    ]) {
      const other = { authorization: 'Bearer prv_prod_else' }
      const refused = await simulated.call('GET', path, undefined, other)
      assert.deepEqual([refused.status, refused.json.error.type], [401, 'INVALID_ACCESS_TOKEN'], path)
    }
  })

  it('approves, declines or fails by the bank, and tells it in a signed event', async () => {
    for (const [bank, status] of [
      ['1', 'APPROVED'],
      ['2', 'DECLINED'],
      ['3', 'ERROR'],
    ] as const) {
      await using simulated = await simulate(wompi)
      const made = await create(simulated, {}, bank)
      assert.equal(made.status, 201, made.text)
      const { id, payment_method: method } = made.json.data
      assert.deepEqual([made.json.data.status, method.extra], ['PENDING', undefined])
      await simulated.advance(2_000)
      const { json } = await simulated.call('GET', `/v1/transactions/${id}`, undefined, PRIVATE)
      assert.equal(json.data.status, status)
      assert.equal(typeof json.data.finalized_at, 'string')
      const [event] = simulated.received
      const told = JSON.parse(event?.body ?? '')
      assert.deepEqual(
        [told.event, told.data.transaction.id, told.data.transaction.status, told.environment],
        ['transaction.updated', id, status, 'test'],
      )
      const signed = `${id}${status}2490000${told.timestamp}${eventsSecret}`
      assert.deepEqual(told.signature, {
        properties: ['transaction.id', 'transaction.status', 'transaction.amount_in_cents'],
        checksum: sha256(signed),
      })
      assert.equal(event?.headers['x-event-checksum'], told.signature.checksum)
      assert.equal(simulated.received.length, 1)
    }
  })

  it('shows the bank’s page on a later read, sometimes only with the outcome, and leads the payer back', async () => {
    await using simulated = await simulate(wompi)
    const early: boolean[] = []
    for (let count = 0; count < 12; count += 1) {
      const { json } = await create(simulated, { reference: `order-${count}` })
      await simulated.advance(1_999)
      const { json: read } = await simulated.call(
        'GET',
        `/v1/transactions/${json.data.id}`,
        undefined,
        PRIVATE,
      )
      assert.equal(read.data.status, 'PENDING')
      early.push(read.data.payment_method.extra !== undefined)
      await simulated.advance(1)
      const { json: ended } = await simulated.call(
        'GET',
        `/v1/transactions/${json.data.id}`,
        undefined,
        PRIVATE,
      )
      const { async_payment_url: url, ticket_id: ticket } = ended.data.payment_method.extra
      assert.equal(url, `${simulated.url}/v1/pse/redirect?ticket_id=${json.data.id.replaceAll('-', '')}`)
      assert.equal(ticket, json.data.id.replaceAll('-', ''))
      const visit = await fetch(url, { redirect: 'manual' })
      assert.deepEqual(
        [visit.status, visit.headers.get('location')],
        [302, `https://shop.example/back?x=1&id=${json.data.id}`],
      )
    }
    assert.deepEqual(new Set(early), new Set([true, false]))
  })

  it('takes a reference and a token of its terms once, and says which field is wrong', async () => {
    await using simulated = await simulate(wompi)
    assert.equal((await create(simulated)).status, 201)
    const used = await body(simulated, { reference: 'order-2' })
    assert.equal((await simulated.call('POST', '/v1/transactions', used, PUBLIC)).status, 201)
    const again = { ...used, reference: 'order-3' }
    const wrong: [changes: Record<string, unknown>, fields: string[]][] = [
      [{ reference: 'order-1' }, ['reference']],
      [{ signature: 'x' }, ['signature']],
      [{ amount_in_cents: 149_999 }, ['amount_in_cents']],
      [{ amount_in_cents: '2490000' }, ['amount_in_cents']],
      [{ currency: 'USD' }, ['currency']],
      [{ reference: { toString: 1 } }, ['reference']],
      [{ currency: { toString: 1 } }, ['currency']],
      [{ customer_email: 'ana' }, ['customer_email']],
      [{ expiration_time: '2020-01-01T00:00:00Z' }, ['expiration_time', 'signature']],
      [{ customer_data: undefined }, ['customer_data']],
      [{ redirect_url: 'nowhere' }, ['redirect_url']],
      [{ acceptance_token: used.accept_personal_auth }, ['acceptance_token']],
      [
        { acceptance_token: again.acceptance_token, accept_personal_auth: again.accept_personal_auth },
        ['acceptance_token', 'accept_personal_auth'],
      ],
      [{ payment_method: { type: 'PSE' } }, ['payment_method']],
    ]
    for (const [changes, fields] of wrong) {
      const refused = await create(simulated, { reference: 'order-9', ...changes })
      assert.equal(refused.status, 422, JSON.stringify(changes))
      assert.equal(refused.json.error.type, 'INPUT_VALIDATION_ERROR')
      assert.deepEqual(Object.keys(refused.json.error.messages).sort(), fields.sort())
    }
    const { json } = await create(simulated)
    assert.deepEqual(json.error.messages, { reference: ['La referencia ya ha sido usada'] })
    const notJson = await simulated.call('POST', '/v1/transactions', '{', PUBLIC)
    assert.equal(notJson.status, 422)
  })

  it('is searched by reference, and read, with the private key only', async () => {
    await using simulated = await simulate(wompi)
    const { json } = await create(simulated)
    const search = '/v1/transactions?reference=order-1'
    const found = await simulated.call('GET', search, undefined, PRIVATE)
    assert.deepEqual(
      found.json.data.map(({ id }: { id: string }) => id),
      [json.data.id],
    )
    const none = await simulated.call('GET', '/v1/transactions?reference=order-2', undefined, PRIVATE)
    assert.deepEqual(none.json.data, [])
    assert.equal((await simulated.call('GET', search, undefined, PUBLIC)).status, 401)
    const one = `/v1/transactions/${json.data.id}`
    assert.equal((await simulated.call('GET', one, undefined, PUBLIC)).status, 404)
    const unknown = await simulated.call('GET', '/v1/transactions/1-2-3', undefined, PRIVATE)
    assert.deepEqual([unknown.status, unknown.json.error.type], [404, 'NOT_FOUND_ERROR'])
  })

  it('repeats an event after 30 minutes, 3 hours and 24 hours, with the text of the first', async () => {
    await using simulated = await simulate(wompi)
    simulated.answerNotices(500)
    await create(simulated)
    await simulated.advance(2_000)
    for (const [passed, times] of [
      [30 * MINUTE_MS - 1, 1],
      [1, 2],
      [3 * HOUR_MS, 3],
      [24 * HOUR_MS, 4],
      [240 * HOUR_MS, 4],
    ] as const) {
      await simulated.advance(passed)
      assert.equal(simulated.received.length, times)
    }
    assert.equal(new Set(simulated.received.map((one) => one.body)).size, 1)
  })

  it('keeps what was asked and what is due over a restart', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'recaudo-wompi-'))
    try {
      const storageFile = join(directory, 'wompi.sqlite')
      let id = ''
      {
        await using before = await simulate(wompi, { storageFile })
        id = (await create(before)).json.data.id
      }
      await using simulated = await simulate(wompi, { storageFile })
      await simulated.advance(2_000)
      const { json } = await simulated.call('GET', `/v1/transactions/${id}`, undefined, PRIVATE)
      assert.equal(json.data.status, 'APPROVED')
      assert.equal(simulated.received.length, 1)
    } finally {
      rmSync(directory, { recursive: true, force: true })
    }
  })

  it('loses answers and notices by the fault plan, the same with the same seed, and does what was asked', async () => {
    const run = async (seed: number) => {
      await using simulated = await simulate(wompi, {
        seed,
        faults: {
          unavailable: 0.2,
          errorAfterAcceptance: 0.2,
          droppedAnswer: 0.2,
          malformedAnswer: 0.1,
          noticeLost: 0.5,
        },
      })
      const answers: string[] = []
      for (let count = 0; count < 20; count += 1) {
        const reference = `order-${count}`
        const sent = await body(await withoutFaults(simulated), { reference })
        await simulated.call('PUT', '/control/faults', { seed, plan: FAULTY })
        const made = await simulated.call('POST', '/v1/transactions', sent, PUBLIC).catch(() => undefined)
        answers.push(made === undefined ? 'broken' : String(made.status))
      }
      await simulated.advance(2_000)
      await withoutFaults(simulated)
      const kept = await Promise.all(
        answers.map(
          async (_answer, count) =>
            (await simulated.call('GET', `/v1/transactions?reference=order-${count}`, undefined, PRIVATE))
              .json.data.length,
        ),
      )
      return { answers, kept, told: simulated.received.length }
    }
    const FAULTY = {
      unavailable: 0.2,
      errorAfterAcceptance: 0.2,
      droppedAnswer: 0.2,
      malformedAnswer: 0.1,
      noticeLost: 0.5,
    }
    const withoutFaults = async (simulated: Simulated) => {
      await simulated.call('PUT', '/control/faults', { plan: 'none' })
      return simulated
    }
    const first = await run(7)
    assert.deepEqual(await run(7), first)
    assert.ok(new Set(first.answers).size >= 4, first.answers.join())
    first.answers.forEach((answer, at) => {
      assert.equal(first.kept[at], answer === '503' ? 0 : 1, `${answer} at ${at}`)
    })
    assert.ok(first.told > 0 && first.told < first.kept.filter((one) => one === 1).length)
  })

  it('obeys its control by JSON only, and says what is wrong', async () => {
    await using simulated = await simulate(wompi)
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    assert.equal((await simulated.call('POST', '/control/clock/advance', 'seconds=5', form)).status, 415)
    const moved = await simulated.call('POST', '/control/clock/advance', { seconds: 60 })
    assert.equal(moved.json.now, '2026-11-16T15:01:00.000Z')
    for (const body of [{ seconds: -1 }, { seconds: 'x' }, {}])
      assert.equal((await simulated.call('POST', '/control/clock/advance', body)).status, 400)
    assert.equal((await simulated.call('PUT', '/control/faults', { plan: 'worst' })).status, 400)
    assert.equal((await simulated.call('GET', '/control/nothing')).status, 404)
    assert.equal((await simulated.call('GET', '/v2/else', undefined, PUBLIC)).status, 404)
  })
})
