// What is said of a row beside its cells: one thing of each, which a correction takes away, and which a second look-up does not repeat.

import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { HOUR_MS, MINUTE_MS } from '../../../src/core/instant.ts'
import { BATCH_COLUMNS } from '../../../src/core/payout-batches/columns.ts'
import { findPerson } from '../../../src/flows/people/erase.ts'
import { sealStored } from '../../../src/flows/people/seal-stored.ts'
import { newApprovers } from '../../api/http/calls.ts'
import { checkedBatch, goodRow, HEAD, person } from '../../api/payout-batches/files.ts'
import { workbook } from '../../core/payout-batches/files.ts'
import { type Client, createWorld, type World } from '../../world.ts'
import { connect } from '../connections/scripted-provider.ts'

let world: World
before(async () => {
  world = await createWorld()
})
after(() => world[Symbol.asyncDispose]())

type Row = {
  keyFromBook: boolean
  paidKey: string | null
  keyCheck: string
  state: string
  problems: Problem[]
}
type Problem = { column: string; code: string }

const named = ({ problems }: Pick<Row, 'problems'>) => problems.map(({ column, code }) => `${column} ${code}`)
const rowsOf = async (client: Client, id: string): Promise<Row[]> =>
  (await client('GET', `/payout-batches/${id}/rows?pageSize=100`)).json.data

it('an amount above what may be paid is not said to be without a connection too', async () => {
  const merchant = await world.newMerchant()
  await connect({ ...world, ...merchant }, { uses: ['BRE_B_OUT'], maximumInCents: 6_000_000n })
  const { client } = merchant
  const file = [goodRow(1, '999.000.000.000'), goodRow(2, '70.000')]
  const { id } = await checkedBatch(world, client, ...file)
  assert.deepEqual((await rowsOf(client, id)).map(named), [
    ['amount AMOUNT_ABOVE_MAXIMUM'],
    ['amount AMOUNT_NOT_CONNECTED'],
  ])
})

it('a key that is a formula without a value is not said to be missing too, and a formula is gone once it is written anew', async () => {
  const { client } = await world.newMerchant()
  const { idNumber, name } = person(4)
  const row = ['<c><f>A1</f></c>', '50.000', 'r-4', '<c><f>B1</f><v>x</v></c>', 'CC', idNumber]
  const sheet = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
  const file = workbook([HEAD.split(';'), row])
  const { status, json, text } = await client('POST', '/payout-batches', file, { 'content-type': sheet })
  assert.equal(status, 201, text)
  const problems = async () => (await rowsOf(client, json.id)).map(named)
  assert.deepEqual(await problems(), [['key FORMULA', 'name FORMULA']])
  const correct = (cells: object) => client('PATCH', `/payout-batches/${json.id}/rows/2`, cells)
  assert.equal((await correct({ key: idNumber })).status, 200)
  assert.deepEqual(await problems(), [['name FORMULA']])
  assert.equal((await correct({ name })).status, 200)
  assert.deepEqual(await problems(), [[]])
})

it('a row without a key is said to have it from the book only if it has', async () => {
  const { client } = await world.newMerchant()
  const [known, unknown] = [person(5), person(6)]
  const entry = { idType: 'CO_CC', ...known, key: known.idNumber }
  assert.equal((await client('PUT', '/beneficiaries', entry)).status, 200)
  const rowOf = ({ idNumber, name }: { idNumber: string; name: string }, key = '') =>
    `${key};50.000;r-${idNumber};${name};CC;${idNumber};`
  const { id } = await checkedBatch(world, client, rowOf(known), rowOf(unknown), rowOf(known, 'mal!'))
  const shown = (await rowsOf(client, id)).map((row) => [row.keyFromBook, row.paidKey, named(row)])
  assert.deepEqual(shown, [
    [true, known.idNumber, []],
    [false, null, ['key KEY_NOT_KNOWN']],
    [false, null, ['key KEY_INVALID']],
  ])
})

it('a row that is left out stays so where nothing of it is changed', async () => {
  const { client } = await world.newMerchant()
  const { id } = await checkedBatch(world, client, goodRow(7), goodRow(8))
  await client('POST', `/payout-batches/${id}/leave-out`, { rows: [2] })
  assert.equal((await client('PATCH', `/payout-batches/${id}/rows/2`, {})).status, 200)
  const states = async () => (await rowsOf(client, id)).map(({ state }) => state)
  assert.deepEqual(await states(), ['LEFT_OUT', 'DRAFT'])
  await client('PATCH', `/payout-batches/${id}/rows/2`, { amount: '40.000' })
  assert.deepEqual(await states(), ['DRAFT', 'DRAFT'], 'whoever corrects it means it to be paid')
})

it('whoever a row was corrected to is found in it, to be erased', async () => {
  const { client, organization } = await world.newMerchant()
  const { organizationId } = organization
  const { id } = await checkedBatch(world, client, goodRow(70))
  world.advance(3 * MINUTE_MS)
  // Nobody looks at the row a second time to learn whom it names.
  while ((await sealStored(world.ctx)) > 0) {}
  const [before, after] = [person(70), person(71)]
  const corrected = await client('PATCH', `/payout-batches/${id}/rows/2`, { ...after, key: after.idNumber })
  assert.equal(corrected.status, 200, corrected.text)
  const found = async ({ idNumber }: { idNumber: string }) =>
    (await findPerson(world.ctx, organizationId, { by: 'document', idType: 'CO_CC', idNumber })).map(
      ({ resource }) => resource,
    )
  assert.deepEqual([await found(before), await found(after)], [[], ['batchrow']])
})

it('a key that the directory did not answer for leaves no other unlooked at', async () => {
  const { client } = await world.newMerchant()
  const away = `@CAIDA9;50.000;r-9;Ana;CC;1000000009;`
  const { id } = await checkedBatch(
    world,
    client,
    away,
    ...Array.from({ length: 40 }, (_, at) => goodRow(10 + at)),
  )
  const [first, ...others] = await rowsOf(client, id)
  assert.deepEqual([first?.keyCheck, first && named(first)], ['UNCHECKED', ['key HOLDER_NOT_CHECKED']])
  assert.deepEqual([...new Set(others.map(({ keyCheck }) => keyCheck))], ['VERIFIED'])
})

it('another name than the holder’s is told of once, however often the key is looked up', async () => {
  const { client } = await world.newMerchant()
  await client('PATCH', '/organization', { requireKeyLookup: true })
  const { idNumber } = person(60)
  const { id } = await checkedBatch(world, client, `${idNumber};50.000;r-60;Nadie Conocido;CC;${idNumber};`)
  const told = async () => (await rowsOf(client, id)).map(named)
  assert.deepEqual(await told(), [['name HOLDER_NAME_MISMATCH']])
  await world.passTime(HOUR_MS)
  const late = await client('POST', `/payout-batches/${id}/submit`, { acceptWarnings: true })
  assert.equal(late.json.code, 'BATCH_NOT_READY')
  assert.deepEqual(await told(), [['name HOLDER_NAME_MISMATCH', 'key KEY_NOT_LOOKED_UP']])
  assert.equal((await client('POST', `/payout-batches/${id}/check`)).status, 200)
  await world.work()
  assert.deepEqual(await told(), [['name HOLDER_NAME_MISMATCH']])
})

it('a batch that waits for people goes on waiting where a row is written as it was, with spaces around it or without', async () => {
  const { client } = await world.newMerchant()
  await newApprovers(world, client)
  const tiers = [{ fromAmountInCents: 0, approvers: 1 }]
  assert.equal(
    (await client('PUT', '/approval-rules', { rules: [{ kind: 'payout-batch', tiers }] })).status,
    200,
  )
  const { id } = await checkedBatch(world, client, goodRow(9))
  const submitted = await client('POST', `/payout-batches/${id}/submit`, { acceptWarnings: true })
  assert.equal(submitted.json.status, 'WAITING', submitted.text)
  const statusAfter = async (cells: object) => {
    const { status, text } = await client('PATCH', `/payout-batches/${id}/rows/2`, cells)
    assert.equal(status, 200, text)
    return (await client('GET', `/payout-batches/${id}`)).json.status
  }
  const written = goodRow(9).split(';')
  for (const [index, column] of BATCH_COLUMNS.entries()) {
    assert.equal(await statusAfter({ [column]: written[index] }), 'WAITING', column)
    assert.equal(await statusAfter({ [column]: ` ${written[index]} ` }), 'WAITING', column)
  }
  assert.equal(await statusAfter({ leftOut: false }), 'WAITING')
  assert.notEqual(await statusAfter({ reference: 'otra' }), 'WAITING')
})

it('a batch of one row has its key looked up again when that is asked for', async () => {
  const { client } = await world.newMerchant()
  const { id } = await checkedBatch(world, client, goodRow(11))
  // Nobody could say whose it was.
  const text = `update payout_batch_rows set key_check = 'UNCHECKED' where batch_id = $1`
  await world.db.query({ text, values: [id] })
  const asked = await client('POST', `/payout-batches/${id}/check`)
  assert.equal(asked.json.status, 'CHECKING', asked.text)
  assert.deepEqual(
    (await rowsOf(client, id)).map(({ keyCheck }) => keyCheck),
    ['PENDING'],
  )
})
