// Texts are packed only in a database that no version may use which could not read them: one that began with this version, or one
// that a later migration has closed to the others.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { packText } from '../../../src/core/events/packed-text.ts'
import { type Db, openDb } from '../../../src/store/db.ts'
import { textPacker } from '../../../src/store/events/text-packer.ts'
import { applyMigrations, isMigrated, migrate, readMigrations } from '../../../src/store/migrate.ts'
import { brebPayin, createDatabase, createWorld, psePayin } from '../../world.ts'

const known = readMigrations()
const earlier = known.filter(({ version }) => version < 58)
const withReaders = known.filter(({ version }) => version <= 58)

describe('who may read what is stored', () => {
  const opened: Db[] = []
  after(() => Promise.all(opened.map((db) => db.close())))
  const open = (url: string): Db => {
    const db = openDb({ url, poolSize: 2 })
    opened.push(db)
    return db
  }
  // In a process that starts now.
  const packs = async (url: string): Promise<boolean> => (await textPacker(open(url)))(TEXT) !== TEXT
  const letsEarlierIn = (url: string): Promise<boolean> =>
    isMigrated(open(url), earlier).catch((error: Error) => {
      assert.equal(error.name, 'SchemaMismatch')
      return false
    })

  it('a database that began with this version is packed, and no earlier version is let in', async (t) => {
    const { url, drop } = await createDatabase()
    t.after(drop)
    assert.deepEqual([await packs(url), await letsEarlierIn(url)], [true, false])
  })

  it('a transaction that has the last connection learns it too', async (t) => {
    const { url, drop } = await createDatabase()
    t.after(drop)
    const db = openDb({ url, poolSize: 1 })
    opened.push(db)
    const pack = await db.inTransaction((tx) => textPacker(tx))
    assert.notEqual(pack(TEXT), TEXT)
  })

  it('so is one that was restored', async (t) => {
    const { url, drop } = await createDatabase(null)
    t.after(drop)
    await open(url).inTransaction((tx) => applyMigrations(tx, known, new Map()), { timeoutMs: 0 })
    assert.deepEqual([await packs(url), await letsEarlierIn(url)], [true, false])
  })

  it('one that was upgraded is packed once a migration no longer works with the versions before', async (t) => {
    const { url, drop } = await createDatabase(null)
    t.after(drop)
    const db = open(url)
    await migrate(db, earlier)
    await migrate(db, withReaders)
    assert.deepEqual([await packs(url), await letsEarlierIn(url)], [false, true])
    await migrate(db)
    assert.deepEqual([await packs(url), await letsEarlierIn(url)], [true, false])
  })
})

const BODIES = {
  a: brebPayin({ breb: { keyType: 'QR_CODE' } }),
  b: brebPayin({ breb: { keyType: 'SINGLE_USE' } }),
  c: psePayin(),
}

for (const isUpgraded of [false, true])
  it(`answers and events are told as they were ${isUpgraded ? 'where nothing is packed' : 'and packed by their shape'}`, async () => {
    await using world = await createWorld()
    // As in a database that a version before 0058 may use.
    if (isUpgraded)
      await world.db.query({
        text: 'update schema_migrations set works_with = 57 where version >= 58',
      })
    for (const [code, body] of Object.entries(BODIES)) {
      const key = { 'idempotency-key': randomUUID() }
      const first = await world.client('POST', '/payins', body, key)
      assert.equal(first.status, 201, first.text)
      const { id } = first.json
      const again = await world.client('POST', '/payins', body, key)
      assert.equal(again.headers['idempotent-replayed'], 'true')
      assert.equal(again.text, first.text)
      const canceled = await world.client('POST', `/payins/${id}/cancel`)
      await world.work()
      const { json } = await world.client('GET', `/events?objectId=${id}`)
      assert.deepEqual(json.data.at(-1).data, canceled.json)
      const { rows } = await world.db.query<{ text: string }>({
        text: `select data as text from events where object_id = $1
                union all
               select body from idempotency_records where idempotency_key = $2`,
        values: [id, key['idempotency-key']],
      })
      assert.deepEqual(
        [...new Set(rows.map(({ text }) => text.slice(0, 2)))],
        [isUpgraded ? '{"' : `\u0001${code}`],
      )
    }
  })

const TEXT =
  '{"id":"i","amount":1,"amountInCents":100,"confirmedAmount":null,"confirmedAmountInCents":null,"currency":"COP",' +
  '"status":"PENDING","settlementStatus":null,"rail":"PSE","reference":"r","description":null,"metadata":null,' +
  '"paymentLinkId":null,"inlineCustomer":null,"errorCode":null,"createdAt":"t","updatedAt":"t","expiresAt":"t",' +
  '"resultAt":null,"chargebackAt":null,"chargebackAmountInCents":null,"refundedAmountInCents":0,"organizationId":"o",' +
  '"sourceData":{"bank":"b","pseUrl":"u"},"callbackUrl":null}'
assert.notEqual(packText(TEXT, 58), TEXT)
