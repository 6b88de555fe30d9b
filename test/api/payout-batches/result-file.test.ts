// The result of a batch as a file: a spreadsheet opens it as the files of lists, and it can be corrected and handed in again.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Client } from '../../world.ts'
import { createWorld, type World } from '../../world.ts'
import { checkedBatch, goodRow, HEAD, person } from './files.ts'

const NAMES = [
  '\u200b=HYPERLINK("http://x.example")',
  '\u00ad=1+1',
  'Ana,=1+1',
  '\uff1d1+1',
  '=1+1',
  "O'Connor",
]

describe('the result of a batch', () => {
  let world: World
  before(async () => {
    world = await createWorld()
  })
  after(() => world[Symbol.asyncDispose]())

  const result = async (client: Client, rows: string[]): Promise<string[]> => {
    const { id } = await checkedBatch(world, client, ...rows)
    const { text } = await client('GET', `/payout-batches/${id}/result.csv`)
    return text
      .replace(/^\ufeff/, '')
      .split('\r\n')
      .slice(0, -1)
  }
  const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`
  const rowOf = (name: string, at: number) =>
    `11000001${at};50.000;r${at};${quoted(name)};PASSPORT;00123${at};`

  it('has no formula in it, and keeps the zeros of a document', async () => {
    const { client } = await world.newMerchant()
    const [heads, ...lines] = await result(client, NAMES.map(rowOf))
    assert.match(heads ?? '', new RegExp(`^fila;${HEAD};`))
    assert.deepEqual(
      lines.map((line) => line.split(';').slice(1, 7)),
      NAMES.map((name, at) => [
        `"=""11000001${at}"""`,
        '50000,00',
        `r${at}`,
        [
          `"'\u200b=HYPERLINK(""http://x.example"")"`,
          "'\u00ad=1+1",
          '"Ana,=1+1"',
          "'\uff1d1+1",
          "'=1+1",
          "O'Connor",
        ][NAMES.indexOf(name)],
        'PASSPORT',
        `"=""00123${at}"""`,
      ]),
    )
  })

  it('names what is wrong beside a row, and not what may be sent as it is', async () => {
    const { client } = await world.newMerchant()
    const { idNumber } = person(3)
    const otherName = `${idNumber};50.000;r3;Otra Persona;CC;${idNumber};`
    const batch = await checkedBatch(world, client, goodRow(1), goodRow(2, 'mucho'), otherName)
    assert.deepEqual([batch.rowsWithErrors, batch.rowsWithWarnings], [1, 1])
    const { text } = await client('GET', `/payout-batches/${batch.id}/result.csv`)
    assert.deepEqual(
      text.split('\r\n').map((line) => line.split(';')[9]),
      ['error', '', 'valor: WRONG_FORMAT', '', undefined],
    )
  })

  it('says the same when it is handed in again', async () => {
    const { client } = await world.newMerchant()
    const lines = await result(client, NAMES.map(rowOf))
    const { client: another } = await world.newMerchant()
    const file = Buffer.from(lines.join('\r\n')).toString('base64')
    const made = await another('POST', '/payout-batches', { file, fileName: 'lote.csv' })
    assert.equal(made.status, 201, made.text)
    const { json } = await another('GET', `/payout-batches/${made.json.id}/rows`)
    assert.deepEqual(
      json.data.map((row: { name: string; idNumber: string; amountInCents: number }) => [
        row.name,
        row.idNumber,
        row.amountInCents,
      ]),
      NAMES.map((name, at) => [name, `00123${at}`, 5_000_000]),
    )
  })
})
