// Parameters in PostgreSQL's own form arrive as what they were.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import pg from 'pg'
import { binaryArray } from '../../src/store/webhooks/binary-array.ts'
import { createDatabase } from '../world.ts'

const itself = <Item>(item: Item): Item => item

describe('an array in binary form', () => {
  let client: pg.Client
  let drop: () => Promise<void>
  before(async () => {
    const database = await createDatabase()
    drop = database.drop
    client = new pg.Client({ connectionString: database.url })
    await client.connect()
  })
  after(async () => {
    await client.end()
    await drop()
  })

  const textOf = async (type: string, array: Buffer): Promise<string> =>
    (await client.query(`select ($1::${type}[])::text as text`, [array])).rows[0].text

  it('holds ids, whole numbers and fractions', async () => {
    const ids = ['019a5c3e-7b1f-7c2a-9d4e-3f1b2a6c8d90', 'ffffffff-ffff-ffff-ffff-ffffffffffff']
    assert.equal(await textOf('uuid', binaryArray('uuid', ids, itself)), `{${ids.join(',')}}`)
    const integers = [0, -1, 200, 2 ** 31 - 1, -(2 ** 31)]
    assert.equal(await textOf('integer', binaryArray('integer', integers, itself)), `{${integers.join(',')}}`)
    const fractions = [0.5, -1_763_500_000_000, 1_763_500_000_000.25]
    assert.deepEqual(
      JSON.parse(
        (await textOf('float8', binaryArray('float8', fractions, itself))).replace(/[{}]/g, (one) =>
          one === '{' ? '[' : ']',
        ),
      ),
      fractions,
    )
  })

  it('may be empty', async () => {
    assert.equal(await textOf('uuid', binaryArray('uuid', [] as string[], itself)), '{}')
  })

  it('of a whole number that does not fit, or of an id that is none, is not made', () => {
    assert.throws(() => binaryArray('integer', [2 ** 31], itself), RangeError)
    for (const id of ['', '019a5c3e-7b1f-7c2a-9d4e-3f1b2a6c8d9', '019a5c3e-7b1f-7c2a-9d4e-3f1b2a6c8d9z'])
      assert.throws(() => binaryArray('uuid', [id], itself), /not a uuid/)
  })
})
