// The simulated payouts of Wompi under bad input, limits, faults and restarts.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/core/instant.ts'
import { createClock } from '../../../src/sandbox/clock.ts'
import { createFaults, NO_FAULTS } from '../../../src/sandbox/faults.ts'
import type { ProviderContext } from '../../../src/sandbox/providers/provider.ts'
import { openDocuments } from '../../../src/sandbox/providers/storage.ts'
import { wompiPayouts } from '../../../src/sandbox/providers/wompi/payouts.ts'
import { type Simulated, simulate } from './simulated.ts'
import {
  accountId,
  balance,
  batch,
  CREDENTIAL_HEADERS,
  create,
  get,
  ONE_PAYOUT,
  OPENING_BALANCE_CENTS,
  OUTCOME_DELAY_MS,
  payouts,
  read,
  statusesTold,
} from './wompi-payouts.ts'

const recharge = (simulated: Simulated, body: unknown) =>
  simulated.call('POST', '/v1/accounts/balance-recharge', body, CREDENTIAL_HEADERS)
const isRefusedWith = async (asked: ReturnType<typeof create>, status: number, code: string) => {
  const refused = await asked
  assert.deepEqual([refused.status, refused.json.code], [status, code], refused.text)
}

// What no field takes, or nearly none. The object with its own toString cannot even be made a text.
const STRANGE: readonly unknown[] = [
  null,
  true,
  7,
  -1,
  0.5,
  '',
  [],
  {},
  { toString: 1 },
  'x'.repeat(300),
  '\u0000',
]

describe('the simulated payouts of Wompi, strained', () => {
  it('says which field of a batch is wrong, and stores nothing', async () => {
    await using simulated = await simulate(wompiPayouts)
    const fieldsRefused = async (body: unknown): Promise<string[]> => {
      const { status, json, text } = await create(simulated, body)
      assert.equal(status, 400, `${JSON.stringify(body)}: ${text}`)
      assert.deepEqual(Object.keys(json), ['code', 'message'])
      return json.message.replace('Campos no válidos: ', '').split(', ')
    }
    for (const field of ['reference', 'accountId', 'paymentType', 'transactions'])
      assert.deepEqual(await fieldsRefused(batch({ [field]: undefined })), [field])
    for (const field of ['key', 'name', 'email', 'amount'])
      assert.deepEqual(await fieldsRefused(batch({}, { [field]: undefined })), [`transactions.0.${field}`])
    for (const field of ['reference', 'accountId', 'paymentType', 'transactionStatus', 'transactions'])
      for (const value of STRANGE.filter((one) => field !== 'accountId' || one !== '\u0000'))
        assert.deepEqual(await fieldsRefused(batch({ [field]: value })), [field])
    const document = { legalIdType: 'CC', legalId: '1000000001' }
    for (const field of [
      'key',
      'name',
      'email',
      'amount',
      'legalId',
      'legalIdType',
      'personType',
      'phone',
      'description',
      'reference',
    ])
      for (const value of STRANGE) {
        if (field === 'amount' && value === 7) continue
        if (['key', 'name', 'description'].includes(field) && value === '\u0000') continue
        const path = `transactions.0.${field}`
        assert.deepEqual(await fieldsRefused(batch({}, { ...document, [field]: value })), [path])
      }
    for (const [changes, one, fields] of [
      [{ reference: 'order_1' }, {}, ['reference']],
      [{ reference: 'a'.repeat(41) }, {}, ['reference']],
      [{ paymentType: 'other' }, {}, ['paymentType']],
      [{ transactionStatus: 'PENDING' }, {}, ['transactionStatus']],
      [{}, { reference: 'a'.repeat(41) }, ['transactions.0.reference']],
      [{}, { amount: '2490000' }, ['transactions.0.amount']],
      [{}, { amount: 0 }, ['transactions.0.amount']],
      [{}, { legalId: '1' }, ['transactions.0.legalIdType']],
      [{}, { legalIdType: 'CC' }, ['transactions.0.legalId']],
      [{}, { legalIdType: 'RUT', legalId: '1' }, ['transactions.0.legalIdType']],
      [{}, { personType: 'LEGAL', email: 'ana' }, ['transactions.0.email', 'transactions.0.personType']],
      [
        { transactions: [ONE_PAYOUT, {}] },
        {},
        ['key', 'name', 'email', 'amount'].map((one) => `transactions.1.${one}`),
      ],
    ] as const)
      assert.deepEqual(await fieldsRefused(batch(changes, one)), fields)
    for (const body of ['', '{', '[]', 'null', '7', '"x"']) await fieldsRefused(body)
    await isRefusedWith(create(simulated, batch({ accountId: 'else' })), 404, 'EXC_000')
    assert.deepEqual((await read(simulated, '/v1/payouts?reference=order-1')).records, [])
    assert.equal(await balance(simulated), OPENING_BALANCE_CENTS)
    const full = {
      ...document,
      personType: 'JURIDICA',
      phone: '+573001234567',
      description: 'Nómina',
      reference: 'a'.repeat(40),
    }
    for (const legalIdType of ['CC', 'CE', 'NIT', 'PP', 'TI', 'DNI'])
      for (const paymentType of ['PAYROLL', 'PROVIDERS', 'OTHER'])
        assert.equal((await create(simulated, batch({ paymentType }, { ...full, legalIdType }))).status, 201)
  })

  it('pays no more than the account has, until it is refilled', async () => {
    await using simulated = await simulate(wompiPayouts)
    await isRefusedWith(create(simulated, batch({}, { amount: OPENING_BALANCE_CENTS + 1 })), 400, 'EXC_008')
    await isRefusedWith(create(simulated, batch({}, { amount: Number.MAX_SAFE_INTEGER })), 400, 'EXC_008')
    assert.equal((await create(simulated, batch({}, { amount: OPENING_BALANCE_CENTS }))).status, 201)
    await isRefusedWith(create(simulated, batch()), 400, 'EXC_008')
    const filled = await recharge(simulated, { accountId, amountInCents: 2_490_000 })
    assert.deepEqual([filled.status, filled.json.data], [201, { accountId, balanceInCents: 2_490_000 }])
    assert.equal((await create(simulated, batch())).status, 201)
    assert.equal(await balance(simulated), 0)
    const [account] = await read(simulated, '/v1/accounts')
    assert.equal(account.id, accountId)
    for (const value of [...STRANGE, Number.MAX_SAFE_INTEGER + 2].filter((one) => one !== 7))
      assert.equal((await recharge(simulated, { accountId, amountInCents: value })).status, 400)
    for (const value of [null, 7, {}, undefined])
      assert.equal((await recharge(simulated, { accountId: value, amountInCents: 1 })).status, 400)
    assert.equal((await recharge(simulated, { accountId: 'else', amountInCents: 1 })).status, 404)
    assert.equal((await recharge(simulated, '{')).status, 400)
    assert.equal(await balance(simulated), 0)
    assert.equal(
      (await recharge(simulated, { accountId, amountInCents: Number.MAX_SAFE_INTEGER })).status,
      201,
    )
    assert.equal((await recharge(simulated, { accountId, amountInCents: 1 })).status, 400)
  })

  it('pays no more than 1,500 million pesos a day, and a new day is Colombia’s', async () => {
    await using simulated = await simulate(wompiPayouts)
    await recharge(simulated, { accountId, amountInCents: 1_000_000_000_000 })
    assert.equal((await create(simulated, batch({}, { amount: 149_999_850_000 }))).status, 201)
    await isRefusedWith(create(simulated, batch({}, { amount: 150_001 })), 400, 'EXC_017')
    assert.equal((await create(simulated, batch({}, { amount: 150_000 }))).status, 201)
    // It is 10 in the morning.
    await simulated.advance(14 * HOUR_MS - 1)
    await isRefusedWith(create(simulated, batch()), 400, 'EXC_017')
    await simulated.advance(1)
    assert.equal((await create(simulated, batch())).status, 201)
  })

  it('takes no more than 3,800 batches a day', () => {
    let now = Date.parse('2026-11-16T15:00:00.000Z')
    const storage = openDocuments(':memory:')
    // Without the frame: nearly four thousand requests over HTTP, with their notices, take a minute.
    const context: ProviderContext = {
      storage,
      clock: createClock(
        () => now,
        0,
        () => {},
      ),
      faults: createFaults(1, NO_FAULTS),
      delayMs: OUTCOME_DELAY_MS,
      publicUrl: '',
      notify: () => {},
      later: () => {},
    }
    const ask = (count: number) =>
      wompiPayouts.answer(context, {
        method: 'POST',
        segments: ['v2', 'payouts'],
        query: new URLSearchParams(),
        authorization: '',
        body: JSON.stringify(batch({}, { amount: 150_000 })),
        header: (name) => ({ ...CREDENTIAL_HEADERS, 'idempotency-key': `key-${count}` })[name] ?? '',
      })
    for (let count = 1; count <= 3_800; count += 1) assert.equal(ask(count)?.status, 201)
    assert.deepEqual(ask(3_801)?.json, { code: 'EXC_017', message: 'Se supera el límite diario' })
    now += DAY_MS
    assert.equal(ask(3_802)?.status, 201)
    assert.equal(storage.count('payout'), 3_801)
    storage.close()
  })

  it('repeats an event three times, with the text of the first, and takes any 2xx', async () => {
    await using simulated = await simulate(wompiPayouts)
    simulated.answerNotices(500)
    await create(simulated, batch({}, { key: 'noexiste@test.com' }))
    await simulated.advance(0)
    for (const [passed, times] of [
      [30 * MINUTE_MS - 1, 2],
      [1, 4],
      [3 * HOUR_MS, 6],
      [24 * HOUR_MS, 8],
      [240 * HOUR_MS, 8],
    ] as const) {
      await simulated.advance(passed)
      assert.equal(simulated.received.length, times)
    }
    assert.equal(new Set(simulated.received.map(({ body }) => body)).size, 2)
    simulated.answerNotices(204)
    await create(simulated, batch({}, { key: 'noexiste@test.com' }))
    await simulated.advance(240 * HOUR_MS)
    assert.equal(simulated.received.length, 10)
  })

  it('keeps what was asked, what is due and the balance over a restart', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'recaudo-wompi-payouts-'))
    try {
      const storageFile = join(directory, 'payouts.sqlite')
      let id = ''
      {
        await using before = await simulate(wompiPayouts, { storageFile })
        id = (await create(before, batch(), 'once')).json.data.payoutId
      }
      await using simulated = await simulate(wompiPayouts, { storageFile })
      assert.equal((await create(simulated, batch(), 'once')).status, 409)
      assert.equal(await balance(simulated), OPENING_BALANCE_CENTS - 2_490_000)
      await simulated.advance(OUTCOME_DELAY_MS)
      assert.equal((await payouts(simulated, id))[0].status, 'APPROVED')
      assert.equal(statusesTold(simulated).at(-1), 'payout TOTAL_PAYMENT')
      assert.notEqual((await create(simulated, batch())).json.data.payoutId, id)
    } finally {
      rmSync(directory, { recursive: true, force: true })
    }
  })

  it('answers some reads in an envelope and some without, the same with the same seed', async () => {
    const run = async (seed: number) => {
      await using simulated = await simulate(wompiPayouts, { seed })
      const shapes: boolean[] = []
      for (let count = 0; count < 12; count += 1) {
        const { json } = await create(simulated, batch({ reference: `order-${count}` }))
        const answer = await get(simulated, `/v2/payouts/${json.data.payoutId}`)
        shapes.push(answer.json.data?.id === json.data.payoutId)
      }
      return shapes
    }
    const first = await run(3)
    assert.deepEqual(await run(3), first)
    assert.deepEqual(new Set(first), new Set([true, false]))
  })

  it('loses answers, batches from sight and notices by the fault plan, the same with the same seed', async () => {
    const faults = {
      unavailable: 0.2,
      errorAfterAcceptance: 0.2,
      droppedAnswer: 0.2,
      malformedAnswer: 0.1,
      notFoundThenFound: 0.5,
      noticeLost: 0.5,
    }
    const run = async (seed: number) => {
      await using simulated = await simulate(wompiPayouts, { seed, faults })
      const answers: string[] = []
      for (let count = 0; count < 30; count += 1) {
        const made = await create(simulated, batch({ reference: `order-${count}` })).catch(() => undefined)
        answers.push(made === undefined ? 'broken' : String(made.status))
      }
      await simulated.advance(OUTCOME_DELAY_MS)
      const told = statusesTold(simulated).toSorted()
      const totals = () =>
        Promise.all(answers.map((_answer, at) => read(simulated, `/v1/payouts?reference=order-${at}`)))
      await simulated.call('PUT', '/control/faults', { seed, plan: { notFoundThenFound: 0.5 } })
      const [seen, , later] = [await totals(), await totals(), await totals()]
      const ids = later.flatMap(({ records }) => records.map(({ id }: { id: string }) => id))
      return {
        answers,
        told,
        ids,
        seen: seen.map(({ total }) => total),
        later: later.map(({ total }) => total),
      }
    }
    const first = await run(7)
    assert.deepEqual(await run(7), first)
    assert.ok(new Set(first.answers).size >= 4, first.answers.join())
    first.answers.forEach((answer, at) => {
      assert.equal(first.later[at], answer === '503' ? 0 : 1, `${answer} at ${at}`)
    })
    const kept = first.later.filter((total) => total === 1).length
    const seen = first.seen.filter((total) => total === 1).length
    assert.ok(seen > 0 && seen < kept, `${seen} of ${kept}`)
    assert.ok(first.told.length > 0 && first.told.length < 3 * kept)
  })

  it('is without its directory by the fault plan, while payouts go on', async () => {
    await using simulated = await simulate(wompiPayouts, { faults: { directoryAway: 1 } })
    await isRefusedWith(
      get(simulated, '/v2/breb/keys/resolve/@elias123?keyType=ALPHANUMERIC'),
      503,
      'EXC_036',
    )
    assert.equal((await create(simulated, batch())).status, 201)
  })

  it('answers in its own format when it breaks, whatever the body', async () => {
    await using simulated = await simulate(wompiPayouts, { faults: { unavailable: 1 } })
    for (const reference of STRANGE)
      await isRefusedWith(create(simulated, batch({ reference })), 503, 'EXC_000')
    await isRefusedWith(create(simulated, '{'), 503, 'EXC_000')
    await isRefusedWith(get(simulated, '/v1/accounts'), 503, 'EXC_000')
  })
})
