// Batches of payouts: a file is checked row by row, corrected, submitted once, and each of its rows is paid once.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { workbook } from '../../core/payout-batches/files.ts'
import { createWorld, type World } from '../../world.ts'
import { checkedBatch, csv, goodRow, HEAD, handIn, person } from './files.ts'

describe('a batch of payouts', () => {
  let world: World
  before(async () => {
    world = await createWorld()
  })
  after(() => world[Symbol.asyncDispose]())

  const rowsOf = async (client: World['client'], id: string, query = 'pageSize=100') =>
    (await client('GET', `/payout-batches/${id}/rows?${query}`)).json.data
  const settled = async () => {
    for (let turn = 0; turn < 4; turn += 1) await world.passTime(2_000)
  }

  it('is paid row by row, each once, and tells so once', async () => {
    const { client } = await world.newMerchant()
    const batch = await checkedBatch(world, client, goodRow(1), goodRow(2, '1250000,50'), goodRow(3))
    assert.deepEqual(
      [
        batch.status,
        batch.rows,
        batch.rowsToSend,
        batch.totalInCents,
        batch.rowsWithErrors,
        batch.rowsWithWarnings,
      ],
      ['DRAFT', 3, 3, 135_000_050, 0, 0],
    )
    assert.deepEqual(
      (await rowsOf(client, batch.id)).map((row: { row: number; keyCheck: string }) => [
        row.row,
        row.keyCheck,
      ]),
      [
        [2, 'VERIFIED'],
        [3, 'VERIFIED'],
        [4, 'VERIFIED'],
      ],
    )
    const before = (await client('GET', '/balance')).json
    // Pressed twice at once, and once more later.
    const pressed = await Promise.all(
      [1, 2, 3].map(() => client('POST', `/payout-batches/${batch.id}/submit`, {})),
    )
    assert.deepEqual(pressed.map(({ status }) => status).sort(), [200, 409, 409])
    const submitted = (await client('GET', `/payout-batches/${batch.id}`)).json
    assert.equal(batch.submittedAt, null)
    assert.ok(submitted.submittedAt >= batch.createdAt && submitted.completedAt === null)
    const balance = (await client('GET', '/balance')).json
    assert.equal(before.availableInCents - balance.availableInCents, 135_000_050)
    await settled()
    const again = await client('POST', `/payout-batches/${batch.id}/submit`, {})
    assert.equal(again.json.code, 'BATCH_NOT_EDITABLE')
    await settled()
    const done = (await client('GET', `/payout-batches/${batch.id}`)).json
    assert.deepEqual(
      [done.status, done.payoutsConfirmed, done.payoutsFailed, done.confirmedInCents, done.reservedInCents],
      ['COMPLETED', 3, 0, 135_000_050, 0],
    )
    assert.equal(done.submittedAt, submitted.submittedAt)
    assert.ok(done.completedAt > done.submittedAt)
    const payouts = (await client('GET', '/payouts?pageSize=100')).json.data
    assert.deepEqual(
      payouts
        .map((payout: { reference: string; status: string }) => [payout.reference, payout.status])
        .sort(),
      [
        ['nomina-1', 'CONFIRMED'],
        ['nomina-2', 'CONFIRMED'],
        ['nomina-3', 'CONFIRMED'],
      ],
    )
    assert.equal(payouts[0].inlineCustomer.idType, 'CO_CC')
    const events = (await client('GET', '/events?type=payoutbatch.completed')).json.data
    assert.equal(events.length, 1)
    assert.equal(events[0].data.payoutsConfirmed, 3)
    const result = await client('GET', `/payout-batches/${batch.id}/result.csv`)
    assert.match(result.text, /^\ufeff?fila;llave;/)
    assert.equal(result.text.trim().split('\r\n').length, 4)
    assert.match(result.text, /CONFIRMED/)
  })

  it('tells of a row that a correction makes the repetition of another, until it is corrected back', async () => {
    const { client } = await world.newMerchant()
    const batch = await checkedBatch(world, client, goodRow(30, '50.000'), goodRow(30, '60.000'))
    const correct = async (amount: string): Promise<string[][]> => {
      const { status, text } = await client('PATCH', `/payout-batches/${batch.id}/rows/3`, { amount })
      assert.equal(status, 200, text)
      return (await rowsOf(client, batch.id)).map(({ problems }: { problems: { code: string }[] }) =>
        problems.map(({ code }) => code),
      )
    }
    assert.deepEqual(await correct('50.000'), [[], ['DUPLICATE_IN_FILE']])
    assert.deepEqual(await correct('70.000'), [[], []])
  })

  it('tells of no repetition of a row that is left out, until that is taken back in', async () => {
    const { client } = await world.newMerchant()
    const batch = await checkedBatch(world, client, goodRow(31, '50.000'), goodRow(31, '50.000'))
    const repeating = async (): Promise<number> =>
      (await client('GET', `/payout-batches/${batch.id}`)).json.rowsWithWarnings
    assert.equal(await repeating(), 1)
    await client('POST', `/payout-batches/${batch.id}/leave-out`, { rows: [2] })
    assert.equal(await repeating(), 0)
    const [, second] = await rowsOf(client, batch.id)
    assert.deepEqual(second.problems, [])
    const { status, text } = await client('PATCH', `/payout-batches/${batch.id}/rows/2`, { leftOut: false })
    assert.equal(status, 200, text)
    assert.equal(await repeating(), 1)
  })

  it('names what is wrong beside each cell, and sends nothing until it is corrected or left out', async () => {
    const { client } = await world.newMerchant()
    const { idNumber, name } = person(20)
    const batch = await checkedBatch(
      world,
      client,
      goodRow(10),
      `@NOEXISTE1;5000;r;Ana;CC;1;`,
      `@SUSPENDIDA1;5000;r;Ana;CC;1;`,
      `${idNumber};5000;r;${name};CC;999;`,
      `${idNumber};6000;r;Nadie Conocido;CC;${idNumber};`,
      `mal!;-5;r;${name};CC;${idNumber};`,
      goodRow(10),
      `;7000;r;${name};CC;${idNumber};`,
    )
    const codes = (await rowsOf(client, batch.id)).map(
      ({ problems }: { problems: { column: string; code: string }[] }) =>
        problems.map(({ column, code }) => `${column} ${code}`),
    )
    assert.deepEqual(codes, [
      [],
      ['key KEY_NOT_FOUND'],
      ['key KEY_SUSPENDED'],
      ['idNumber HOLDER_DOCUMENT_MISMATCH'],
      ['name HOLDER_NAME_MISMATCH'],
      ['key KEY_INVALID', 'amount AMOUNT_NOT_POSITIVE'],
      ['key DUPLICATE_IN_FILE'],
      ['key KEY_NOT_KNOWN'],
    ])
    assert.deepEqual([batch.rowsWithErrors, batch.rowsWithWarnings], [5, 2])
    const submit = (body = {}) => client('POST', `/payout-batches/${batch.id}/submit`, body)
    assert.match((await submit({ acceptWarnings: true })).json.detail, /5 rows have errors/)
    const fixed = await client('PATCH', `/payout-batches/${batch.id}/rows/7`, {
      key: idNumber,
      amount: '9.000',
    })
    assert.deepEqual([fixed.status, fixed.json.problems, fixed.json.amountInCents], [200, [], 900_000])
    assert.equal((await submit()).json.code, 'BATCH_NOT_READY')
    await world.work()
    assert.equal((await rowsOf(client, batch.id))[5].keyCheck, 'VERIFIED')
    const left = await client('POST', `/payout-batches/${batch.id}/leave-out`, {})
    assert.deepEqual([left.json.rowsLeftOut, left.json.rowsWithErrors, left.json.rowsToSend], [4, 0, 4])
    assert.match((await submit()).json.detail, /2 rows have warnings/)
    assert.equal((await submit({ acceptWarnings: true, version: 1 })).json.code, 'BATCH_CHANGED')
    assert.equal((await client('GET', '/payouts')).json.data.length, 0)
    assert.equal((await submit({ acceptWarnings: true })).status, 200)
    assert.equal(
      (await client('PATCH', `/payout-batches/${batch.id}/rows/2`, { amount: '1' })).json.code,
      'BATCH_NOT_EDITABLE',
    )
    await settled()
    assert.equal((await client('GET', '/payouts?pageSize=100')).json.data.length, 4)
    // The same people and amounts within a day are warned of in another file.
    const next = await checkedBatch(world, client, goodRow(10), goodRow(11))
    assert.deepEqual(
      (await rowsOf(client, next.id)).map(
        ({ problems }: { problems: { code: string }[] }) => problems[0]?.code,
      ),
      ['DUPLICATE_PAYOUT', undefined],
    )
    assert.equal((await client('POST', `/payout-batches/${next.id}/cancel`)).json.status, 'CANCELED')
    assert.equal((await client('POST', `/payout-batches/${next.id}/submit`)).json.code, 'BATCH_NOT_EDITABLE')
  })

  it('that says no more than the balance, and no file twice', async () => {
    const { client } = await world.newMerchant()
    const dear = Array.from({ length: 84 }, (_, at) => goodRow(100 + at, '12.000.000'))
    const batch = await checkedBatch(world, client, ...dear)
    const refused = await client('POST', `/payout-batches/${batch.id}/submit`, {})
    assert.deepEqual([refused.status, refused.json.code], [422, 'BALANCE_TOO_LOW'])
    assert.match(refused.json.detail, /8000000.00 are missing/)
    const twice = await handIn(client, ...dear)
    assert.deepEqual([twice.status, twice.json.code], [409, 'BATCH_FILE_REPEATED'])
    assert.match(twice.json.detail, new RegExp(batch.id))
    const meant = await client('POST', '/payout-batches', { file: csv(...dear), repeat: true })
    assert.equal(meant.status, 201)
    await client('POST', `/payout-batches/${batch.id}/leave-out`, { rows: [2] })
    assert.equal((await client('POST', `/payout-batches/${batch.id}/submit`, {})).status, 200)
    const { availableInCents } = (await client('GET', '/balance')).json
    assert.equal(availableInCents, 100_000_000_000 - 83 * 1_200_000_000)
    assert.equal((await client('POST', `/payout-batches/${batch.id}/cancel`)).json.code, 'BATCH_NOT_EDITABLE')
    await settled()
    assert.equal((await client('GET', `/payout-batches/${batch.id}`)).json.status, 'COMPLETED')
  })

  it('is refused as a file by the name of what is wrong, and stores nothing', async () => {
    const { client } = await world.newMerchant()
    for (const [text, name] of [
      ['banco;cuenta\n1;2', 'WRONG_LAYOUT'],
      [`${HEAD}\n`, 'EMPTY_FILE'],
      [`${HEAD}\n${'@A12345;1;r;n;CC;1;\n'.repeat(100_000)}`, 'TOO_MANY_ROWS'],
    ] as const) {
      const refused = await client('POST', '/payout-batches', { file: Buffer.from(text).toString('base64') })
      assert.deepEqual([refused.status, refused.json.code], [422, 'FILE_REFUSED'], name)
      assert.ok(refused.json.detail.startsWith(name), refused.json.detail)
    }
    const large = await client('POST', '/payout-batches', { file: 'A'.repeat(6_000_000) })
    assert.deepEqual([large.status, large.json.code], [413, 'BODY_TOO_LARGE'])
    assert.equal((await client('POST', '/payout-batches', { file: '<no>' })).status, 400)
    assert.equal((await client('POST', '/payins', { file: 'A'.repeat(70_000) })).status, 413)
    assert.equal((await client('GET', '/payout-batches')).json.data.length, 0)
  })

  it('takes a workbook, and a CSV as it is', async () => {
    const { client } = await world.newMerchant()
    const book = workbook([HEAD.split(';'), goodRow(30).split(';')])
    const sheet = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
    const made = await client('POST', '/payout-batches', book, { 'content-type': sheet })
    assert.deepEqual([made.status, made.json.rows, made.json.totalInCents], [201, 1, 5_000_000])
    const raw = await client('POST', '/payout-batches', `${HEAD}\n${goodRow(31)}`, {
      'content-type': 'text/csv',
    })
    assert.equal(raw.status, 201)
    assert.deepEqual([made.json.fileName, raw.json.fileName], ['pagos.xlsx', 'pagos.csv'])
    const twice = (query: string) =>
      client('POST', `/payout-batches${query}`, `${HEAD}\n${goodRow(31)}`, { 'content-type': 'text/csv' })
    assert.equal((await twice('?repeat=false')).json.code, 'BATCH_FILE_REPEATED')
    const repeated = await twice('?repeat=true&fileName=nomina-31.csv')
    assert.deepEqual([repeated.status, repeated.json.fileName], [201, 'nomina-31.csv'])
    assert.equal((await twice(`?repeat=true&fileName=${'n'.repeat(200)}`)).json.errors[0].path, '/fileName')
    assert.equal((await client('POST', '/payouts', 'a;b', { 'content-type': 'text/csv' })).status, 415)
    const template = await client('GET', '/payout-batches/template.csv')
    assert.match(template.text, /llave;valor;referencia;nombre;tipo_documento;documento;correo/)
    const again = await client('POST', '/payout-batches', template.text, { 'content-type': 'text/csv' })
    assert.deepEqual([again.status, again.json.rowsWithErrors], [201, 0])
  })

  it('tries failed rows again as new payouts, each in one batch', async () => {
    const { client } = await world.newMerchant()
    const declined = `1000000003;5000;mal;${person(0).name};CC;1000000003;`
    const batch = await checkedBatch(world, client, goodRow(40), declined)
    await client('POST', `/payout-batches/${batch.id}/submit`, { acceptWarnings: true })
    assert.equal((await client('POST', `/payout-batches/${batch.id}/retry`)).json.code, 'BATCH_NOT_READY')
    await settled()
    const done = (await client('GET', `/payout-batches/${batch.id}`)).json
    assert.deepEqual([done.status, done.payoutsConfirmed, done.payoutsFailed], ['COMPLETED', 1, 1])
    const retry = await client('POST', `/payout-batches/${batch.id}/retry`)
    assert.deepEqual([retry.status, retry.json.rows, retry.json.retryOf], [201, 1, batch.id])
    assert.equal((await client('POST', `/payout-batches/${batch.id}/retry`)).json.code, 'BATCH_NOT_READY')
    await world.work()
    const submitted = await client('POST', `/payout-batches/${retry.json.id}/submit`, {
      acceptWarnings: true,
    })
    assert.equal(submitted.status, 200)
    await settled()
    assert.equal((await client('GET', '/payouts?pageSize=100')).json.data.length, 3)
  })

  it('looks up as many keys as the budget allows, and the rest when there is more', async () => {
    const { client } = await world.newMerchant()
    const rows = Array.from({ length: 60 }, (_, at) => `@NOEXISTE${at};5000;r${at};Ana;CC;1;`)
    const batch = await checkedBatch(world, client, ...rows, goodRow(50), goodRow(51))
    // A miss costs 20 of 1,000.
    assert.deepEqual([batch.status, batch.keysPending], ['DRAFT', 0])
    assert.ok(batch.rowsWithErrors >= 45 && batch.rowsWithErrors <= 50, String(batch.rowsWithErrors))
    assert.ok(batch.keysUnchecked >= 10)
    world.advance(600_000)
    await client('POST', `/payout-batches/${batch.id}/check`)
    await world.work()
    const later = (await client('GET', `/payout-batches/${batch.id}`)).json
    assert.equal(later.rowsWithErrors, 60)
  })
})

describe('the beneficiary book', () => {
  let world: World
  before(async () => {
    world = await createWorld()
  })
  after(() => world[Symbol.asyncDispose]())

  it('fills rows that have no key, and says when and how each key was verified', async () => {
    const { client } = world
    const { idNumber, name } = person(1)
    const entry = { idType: 'CO_CC', idNumber, name, key: idNumber }
    const written = await client('PUT', '/beneficiaries', entry)
    assert.equal(written.status, 200, written.text)
    assert.equal(written.json.verifiedBy, 'DOCUMENT')
    assert.ok(written.json.verifiedAt)
    world.advance(60_000)
    const again = await client('PUT', '/beneficiaries', { ...entry, email: 'a@example.com' })
    assert.equal(again.json.createdAt, written.json.createdAt)
    assert.ok(again.json.updatedAt > written.json.updatedAt)
    assert.deepEqual([again.json.id, again.json.email], [written.json.id, 'a@example.com'])
    assert.equal((await client('GET', '/beneficiaries')).json.data.length, 1)
    const wrong = await client('PUT', '/beneficiaries', { ...entry, idNumber: '77' })
    assert.deepEqual([wrong.status, wrong.json.code], [422, 'KEY_OF_SOMEBODY_ELSE'])
    const nobody = await client('PUT', '/beneficiaries', { ...entry, key: '@NOEXISTE1' })
    assert.equal(nobody.json.code, 'KEY_NOT_FOUND')

    const batch = await checkedBatch(world, client, `;5000;r;${name};CC;${idNumber};`)
    const [row] = (await client('GET', `/payout-batches/${batch.id}/rows`)).json.data
    assert.deepEqual(
      [row.key, row.paidKey, row.keyFromBook, row.keyCheck, row.problems],
      ['', idNumber, true, 'VERIFIED', []],
    )
    assert.equal((await client('DELETE', `/beneficiaries/${written.json.id}`)).json.deleted, true)
    assert.equal((await client('GET', `/beneficiaries/${written.json.id}`)).status, 404)
    assert.equal((await client('POST', `/payout-batches/${batch.id}/submit`)).status, 200)
    await world.work()
    const [payout] = (await client('GET', '/payouts')).json.data
    assert.equal(payout.sourceData.keyString, idNumber)
  })
})
