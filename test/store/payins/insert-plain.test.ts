import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { newPayin, type Payin } from '../../../src/core/payins/payin.ts'
import type { Db } from '../../../src/store/db.ts'
import { insertPlainPayins } from '../../../src/store/payins/insert-plain.ts'
import { getPayins, insertPayins } from '../../../src/store/payins/payins.ts'
import { CUSTOMER, createWorld, type World } from '../../world.ts'

describe('a batch of new payins', () => {
  let world: World
  let names: string[]
  let db: Db
  before(async () => {
    world = await createWorld()
  })
  after(() => world[Symbol.asyncDispose]())

  // A database of its own, as far as the careful batches know: the same one, with the names of its statements.
  const listening = (): Db => {
    names = []
    return {
      ...world.db,
      query: (statement) => {
        if (statement.name !== undefined) names.push(statement.name)
        return world.db.query(statement)
      },
    }
  }

  function payinOf(reference: string, changes: Partial<Payin> = {}): Payin {
    const made = newPayin(world.organization, world.ctx.ids.next(), {
      amountInCents: 5_000_000n,
      reference,
      customer: CUSTOMER,
      callbackUrl: 'https://shop.example/done',
      way: { rail: 'BRE_B', keyType: 'QR_CODE' },
    })
    return { ...made, ...changes }
  }
  const newOnes = (payins: Payin[]) => payins.map((payin) => ({ payin, record: null }))
  const stored = async ({ organizationId, payinId }: Payin) =>
    (await getPayins(world.db, [{ organizationId, payinId }]))[0]

  it('is stored as the careful statement stores it', async () => {
    db = listening()
    const plain = payinOf('plain-1')
    const careful = payinOf('careful-1')
    assert.deepEqual(await insertPlainPayins(db, newOnes([plain])), [{ inserted: true }])
    assert.deepEqual(names, ['insert-plain-payins'])
    await insertPayins(world.db, newOnes([careful]))
    const found = await stored(plain)
    const expected = await stored(careful)
    assert.ok(expected)
    assert.deepEqual(found, {
      ...expected,
      payinId: plain.payinId,
      reference: plain.reference,
      source: plain.source,
      createdAt: plain.createdAt,
      updatedAt: plain.updatedAt,
      expiresAt: plain.expiresAt,
    })
    const due = await world.db.query<{ due: number }>({
      text: 'select due_at as due from payins where payin_id = any ($1)',
      values: [[plain.payinId, careful.payinId]],
    })
    assert.deepEqual(
      due.rows.map((row) => row.due),
      [plain.createdAt, careful.createdAt],
    )
  })

  it('whose reference is taken is refused alone, and the next batches look first', async () => {
    db = listening()
    const taken = payinOf('taken')
    await insertPlainPayins(db, newOnes([taken]))
    const batch = [payinOf('free-1'), payinOf('taken'), payinOf('free-2')]
    assert.deepEqual(await insertPlainPayins(db, newOnes(batch)), [
      { inserted: true },
      { inserted: false },
      { inserted: true },
    ])
    assert.deepEqual(names, ['insert-plain-payins', 'insert-plain-payins', 'insert-payins'])
    await insertPlainPayins(db, newOnes([payinOf('free-3')]))
    assert.equal(names.at(-1), 'insert-payins')
  })

  it('with an idempotency record, a link, a bank or a connection is written by the careful statement', async () => {
    db = listening()
    const source = { rail: 'PSE', bank: '1007', personType: 'INDIVIDUAL' } as const
    await insertPlainPayins(db, newOnes([payinOf('pse'), payinOf('pse-2', { source })]))
    const payin = payinOf('with-key')
    const record = {
      key: 'key-1',
      fingerprint: Buffer.alloc(32),
      status: 201,
      body: '{}',
    }
    await insertPlainPayins(db, [{ payin, record }])
    assert.deepEqual(names, ['insert-payins', 'insert-payins'])
    const { rows } = await world.db.query<{ key: string }>({
      text: 'select idempotency_key as key from idempotency_records where organization_id = $1',
      values: [payin.organizationId],
    })
    assert.deepEqual(rows, [{ key: 'key-1' }])
  })
})
