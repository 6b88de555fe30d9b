// The simulated PlacetoPay Gateway, held against PlacetoPay's documentation: what it promises of PSE payments. What the documentation
// leaves open is stated here as the simulator has it.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { DAY_MS, MINUTE_MS } from '../../../src/core/instant.ts'
import { placetopay } from '../../../src/sandbox/providers/placetopay/gateway.ts'
import { notificationSignature } from '../../../src/sandbox/providers/placetopay/transaction.ts'
import {
  ask,
  auth,
  create,
  PAYMENT_AMOUNT,
  payment,
  read,
  secretKey,
  sha256,
  type Tree,
} from './placetopay-calls.ts'
import { type ProviderAnswer, type Simulated, simulate } from './simulated.ts'

describe('the simulated PlacetoPay', () => {
  it('signs its notifications as the text of the documentation does', () => {
    assert.equal(
      notificationSignature(1_234, 'APPROVED', 'SECRETKEY'),
      sha256('1234APPROVEDSECRETKEY').digest('hex'),
    )
  })

  it('lists its banks and the documents that it takes', async () => {
    await using simulated = await simulate(placetopay)
    const { payer: _payer, ...sent } = payment()
    const { status, json } = await ask(simulated, 'information', sent)
    assert.equal(status, 200)
    assert.deepEqual([json.status.status, json.status.reason, json.provider], ['OK', '00', 'ACH'])
    assert.deepEqual([typeof json.serviceCode, json.requireRedirection], ['string', true])
    assert.deepEqual(
      json.bankList.map(({ code }: { code: string }) => code),
      ['1022', '1507', '9999'],
    )
    for (const bank of json.bankList) assert.deepEqual(Object.keys(bank), ['code', 'description'])
    assert.deepEqual(json.allowedDocumentTypes, ['CC', 'CE', 'TI', 'NIT', 'RUT', 'PPN'])
  })

  it('answers a payment with a page at the bank, and shows it by its number or its reference and amount', async () => {
    await using simulated = await simulate(placetopay)
    const { status, json } = await create(simulated)
    assert.equal(status, 200)
    const { internalReference, additional, redirection, ...shown } = json
    assert.ok(Number.isSafeInteger(internalReference) && internalReference < 2 ** 31)
    assert.match(additional.trazabilyCode, /^\d{10}$/)
    assert.equal(redirection.returnURL, 'https://shop.example/back?x=1&y=2')
    assert.ok(redirection.processURL.startsWith(`${simulated.url}/`))
    assert.deepEqual(shown, {
      status: {
        status: 'PENDING',
        reason: '?-',
        message: 'La petición se encuentra pendiente',
        date: '2026-11-16T10:00:00-05:00',
      },
      reference: 'order-1',
      franchise: 'pse',
      issuerName: 'BANCO DE PRUEBAS QUE APRUEBA',
      amount: PAYMENT_AMOUNT,
      authorization: null,
      receipt: null,
      provider: 'ACH',
      processorFields: {},
    })
    assert.deepEqual(await read(simulated, internalReference), json)
    const find = async (reference: string, total: number) =>
      (await ask(simulated, 'search', { reference, amount: { currency: 'COP', total } })).json
    const found = await find('order-1', 24_900.5)
    assert.deepEqual([found.status.status, found.transactions], ['OK', [json]])
    assert.deepEqual((await find('order-1', 24_900)).transactions, [])
    assert.deepEqual((await find('order-2', 24_900.5)).transactions, [])
    const unknown = await ask(simulated, 'query', { internalReference: internalReference + 1 })
    assert.deepEqual([unknown.status, Object.keys(unknown.json)], [200, ['status']])
    assert.deepEqual([unknown.json.status.status, unknown.json.status.reason], ['FAILED', 'XN'])
  })

  it('goes on by the bank or the document, and tells each change to the address of the request', async () => {
    const stories: [changes: { bank?: string; document?: string }, states: string[]][] = [
      [{ bank: '1022' }, ['APPROVED 00']],
      [{ bank: '1507' }, ['REJECTED 05']],
      [{ bank: '9999' }, []],
      [
        { document: '9000000001' },
        ['PENDING_VALIDATION ?C', 'PENDING_PROCESS ?-', 'PENDING_CONFIRMATION ?-', 'APPROVED 00'],
      ],
      [{ document: '9000000002' }, ['REJECTED 61']],
      [{ document: '9000000003' }, ['FAILED XN']],
      [{ document: '9000000004' }, ['ERROR XN']],
      [{ document: '9000000005', bank: '9999' }, ['UNKNOWN ?-', 'APPROVED 00']],
      [{ document: '9000000006', bank: '1507' }, ['MANUAL ?-']],
      [{ document: '9000000007' }, ['APPROVED 00', 'REFUNDED 00']],
      [{ document: '9000000008' }, ['APPROVED 00', 'REVERSED 00']],
      [{ document: '9000000009' }, ['APPROVED 00', 'DISPUTE 00']],
    ]
    for (const [changes, states] of stories) {
      await using simulated = await simulate(placetopay)
      const { json } = await create(simulated, changes, {
        notificationURL: `${simulated.receiverUrl}/shop/7`,
      })
      const { internalReference } = json
      await simulated.advance(1_999)
      assert.deepEqual(await read(simulated, internalReference), json)
      await simulated.advance(1)
      for (const [index, state] of states.entries()) {
        const { status, authorization, receipt, redirection } = await read(simulated, internalReference)
        assert.equal(`${status.status} ${status.reason}`, state)
        const isPending = state.startsWith('PENDING')
        assert.equal(redirection === undefined, !isPending)
        const wasApproved = states.slice(0, index + 1).includes('APPROVED 00')
        assert.equal(/^\d{6}$/.test(authorization) && /^\d{12}$/.test(receipt), wasApproved, state)
        const notice = simulated.received.at(-1)
        assert.deepEqual([simulated.received.length, notice?.path], [index + 1, '/shop/7'])
        assert.deepEqual(JSON.parse(notice?.body ?? ''), {
          status,
          internalReference,
          reference: 'order-1',
          signature: sha256(`${internalReference}${status.status}${secretKey}`).digest('hex'),
        })
        await simulated.advance(2_000)
      }
      await simulated.advance(30 * DAY_MS)
      const last = states.at(-1)?.split(' ')[0] ?? 'PENDING'
      assert.equal((await read(simulated, internalReference)).status.status, last)
      assert.equal(simulated.received.length, states.length)
    }
  })

  it('fails a payment inside a 200, without a page', async () => {
    await using simulated = await simulate(placetopay)
    const { status, json } = await create(simulated, { document: '9000000010' })
    assert.deepEqual([status, json.status.status, json.redirection], [200, 'FAILED', undefined])
    assert.equal((await read(simulated, json.internalReference)).status.status, 'FAILED')
    await simulated.advance(DAY_MS)
    assert.equal(simulated.received.length, 0)
  })

  it('names all its test data', () => {
    const named = placetopay.testData.map(([what]) => what.split(' ').at(-1))
    const documents = Array.from({ length: 10 }, (_, index) => String(9_000_000_001 + index))
    const sites = ['recaudo-inactive-site', 'recaudo-expired-site', 'recaudo-expired-password']
    assert.deepEqual(named, ['1022', '1507', '9999', ...documents, ...sites])
  })
})

describe('an idempotence key at the simulated PlacetoPay', () => {
  it('answers 208 with the first answer while the payment is pending or approved, whatever is asked', async () => {
    for (const changes of [{ bank: '9999' }, { bank: '1022' }, { document: '9000000001' }]) {
      await using simulated = await simulate(placetopay)
      const first = await create(simulated, changes, { idempotenceKey: 'key-1' })
      for (const reference of ['order-1', 'order-2', 'order-1']) {
        await simulated.advance(2_000)
        const again = await create(simulated, { ...changes, reference }, { idempotenceKey: 'key-1' })
        assert.deepEqual([again.status, again.text], [208, first.text])
      }
      const { json } = await ask(simulated, 'search', { reference: 'order-1', amount: PAYMENT_AMOUNT })
      assert.equal(json.transactions.length, 1)
      const invalid = await create(simulated, changes, { idempotenceKey: 'key-1', ipAddress: 'x' })
      assert.equal(invalid.status, 400)
    }
  })

  it('is free again when the payment was rejected or is in another state', async () => {
    for (const changes of [{ bank: '1507' }, { document: '9000000003' }, { document: '9000000010' }]) {
      await using simulated = await simulate(placetopay)
      const first = await create(simulated, changes, { idempotenceKey: 'key-1' })
      await simulated.advance(2_000)
      const second = await create(simulated, { bank: '9999' }, { idempotenceKey: 'key-1' })
      assert.equal(second.status, 200)
      assert.notEqual(second.json.internalReference, first.json.internalReference)
      const third = await create(simulated, { bank: '9999' }, { idempotenceKey: 'key-1' })
      assert.deepEqual([third.status, third.text], [208, second.text])
    }
  })

  it('is all that holds: without it, a reference that is used again is another payment', async () => {
    await using simulated = await simulate(placetopay)
    const made = [
      await create(simulated),
      await create(simulated),
      await create(simulated, {}, { idempotenceKey: 'key-2' }),
    ].map(({ json }) => json.internalReference)
    const { json } = await ask(simulated, 'search', { reference: 'order-1', amount: PAYMENT_AMOUNT })
    assert.deepEqual(
      json.transactions.map((one: { internalReference: number }) => one.internalReference),
      made,
    )
    assert.equal(new Set(made).size, 3)
    const traces = json.transactions.map((one: { additional: Tree }) => one.additional.trazabilyCode)
    assert.equal(new Set(traces).size, 3)
  })
})

describe('around the simulated PlacetoPay', () => {
  const pageOf = async (simulated: Simulated, bank: string) => {
    const { json } = await create(simulated, { bank })
    const path = json.redirection.processURL.slice(simulated.url.length)
    return { path, id: json.internalReference, page: await simulated.call('GET', path) }
  }
  const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

  it('a browser finds the way back to the shop', async () => {
    await using simulated = await simulate(placetopay)
    for (const bank of ['1022', '1507', '9999']) {
      const { path, page } = await pageOf(simulated, bank)
      assert.equal(page.status, 200)
      assert.match(page.headers.get('content-type') ?? '', /text\/html/)
      assert.match(page.text, /href="https:\/\/shop\.example\/back\?x=1&amp;y=2"/)
      assert.match(page.text, /24\.900,50/)
      assert.equal(/<form/.test(page.text), bank === '9999')
      await simulated.advance(2_000)
      assert.match((await simulated.call('GET', path)).text, /href="https:\/\/shop\.example/)
    }
    assert.equal((await simulated.call('GET', '/gateway/redirection/none')).status, 404)
  })

  it('the payer decides once at the bank that waits, and nowhere else', async () => {
    await using simulated = await simulate(placetopay)
    const decide = async (bank: string, ...decisions: string[]) => {
      const { path, id } = await pageOf(simulated, bank)
      for (const decision of decisions) {
        const page = await simulated.call('POST', path, `decision=${decision}`, FORM)
        assert.match(page.text, /href="https:\/\/shop\.example/)
      }
      return (await read(simulated, id)).status.status
    }
    assert.equal(await decide('9999', 'approve', 'reject'), 'APPROVED')
    assert.equal(await decide('9999', 'reject', 'approve'), 'REJECTED')
    assert.equal(await decide('9999', 'else'), 'PENDING')
    assert.equal(await decide('1022', 'reject'), 'PENDING')
    await simulated.advance(2_000)
    assert.deepEqual(
      simulated.received.map(({ body }) => JSON.parse(body).status.status),
      ['APPROVED', 'REJECTED', 'APPROVED'],
    )
  })

  it('a notification is sent once, to the account’s address if the request names none', async () => {
    await using simulated = await simulate(placetopay)
    simulated.answerNotices(500)
    await create(simulated, { reference: 'order-1' })
    await create(simulated, { reference: 'order-2' }, { notificationURL: `${simulated.receiverUrl}/shop` })
    await simulated.advance(2_000)
    await simulated.advance(30 * DAY_MS)
    assert.deepEqual(simulated.received.map(({ path }) => path).sort(), ['/notices', '/shop'])
    assert.deepEqual(
      simulated.notices().map(({ tries, stage }) => [tries, stage]),
      [
        [1, 'over'],
        [1, 'over'],
      ],
    )
  })

  it('a doubled notification goes twice to the address of its request', async () => {
    await using simulated = await simulate(placetopay, { faults: { noticeDoubled: 1 } })
    await create(simulated, {}, { notificationURL: `${simulated.receiverUrl}/shop` })
    await simulated.advance(MINUTE_MS)
    assert.deepEqual(
      simulated.received.map(({ path }) => path),
      ['/shop', '/shop'],
    )
    assert.equal(new Set(simulated.received.map(({ body }) => body)).size, 1)
  })

  it('a restart keeps payments, keys, nonces, and what is due and where it goes', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'recaudo-placetopay-'))
    try {
      const storageFile = join(directory, 'placetopay.sqlite')
      await using target = await simulate(placetopay)
      const toTarget = (path: string) => ({ notificationURL: `${target.receiverUrl}/${path}` })
      let first: ProviderAnswer
      let used: Tree
      {
        await using before = await simulate(placetopay, { storageFile, faults: { noticeLate: 1 } })
        await create(before, { reference: 'order-0' }, toTarget('late'))
        await before.advance(2_000)
        used = auth(before)
        first = await create(before, {}, { idempotenceKey: 'key-1', auth: used, ...toTarget('kept') })
      }
      await using simulated = await simulate(placetopay, { storageFile })
      const replayed = await ask(simulated, 'query', { auth: used, internalReference: 1 })
      assert.equal(replayed.json.status.message, 'Authentication failed 103')
      const again = await create(simulated, {}, { idempotenceKey: 'key-1' })
      assert.deepEqual([again.status, again.text], [208, first.text])
      await simulated.advance(2_000)
      assert.equal((await read(simulated, first.json.internalReference)).status.status, 'APPROVED')
      await simulated.advance(MINUTE_MS)
      assert.deepEqual(
        [simulated.received, target.received.map(({ path }) => path)],
        [[], ['/kept', '/late']],
      )
    } finally {
      rmSync(directory, { recursive: true, force: true })
    }
  })

  it('answers and notices are lost by the fault plan, the same with the same seed, and what was asked is done', async () => {
    const run = async (seed: number) => {
      await using simulated = await simulate(placetopay, {
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
        const made = await create(simulated, { reference: `order-${count}` }).catch(() => undefined)
        answers.push(made === undefined ? 'broken' : String(made.status))
      }
      await simulated.advance(2_000)
      await simulated.call('PUT', '/control/faults', { plan: 'none' })
      const kept: number[][] = []
      for (const count of answers.keys()) {
        const { json } = await ask(simulated, 'search', {
          reference: `order-${count}`,
          amount: PAYMENT_AMOUNT,
        })
        kept.push(json.transactions.map((one: { internalReference: number }) => one.internalReference))
      }
      return { answers, kept, told: simulated.received.map(({ body }) => JSON.parse(body).reference).sort() }
    }
    const first = await run(7)
    assert.deepEqual(await run(7), first)
    assert.notDeepEqual(await run(8), first)
    assert.deepEqual(new Set(first.answers), new Set(['200', '500', '503', 'broken']))
    first.answers.forEach((answer, at) => {
      assert.equal(first.kept[at]?.length, answer === '503' ? 0 : 1, `${answer} at ${at}`)
    })
    assert.equal(new Set(first.kept.flat()).size, first.kept.flat().length)
    assert.ok(first.told.length > 0 && first.told.length < first.kept.flat().length)
  })

  it('no fault strikes the page, and a fault answers in the gateway’s format, whatever was sent', async () => {
    await using simulated = await simulate(placetopay)
    const { path } = await pageOf(simulated, '9999')
    await simulated.call('PUT', '/control/faults', { plan: { unavailable: 1 } })
    assert.equal((await simulated.call('GET', path)).status, 200)
    for (const reference of ['order-1', { toString: 1 }, null]) {
      const { status, json } = await ask(simulated, 'search', { reference, amount: PAYMENT_AMOUNT })
      assert.deepEqual([status, json.status.status, json.status.reason], [503, 'FAILED', 503])
    }
  })
})
