// What a comparison reads. Every day the payments of its last minutes are paired with bookings that are judged with the next day, so
// pairing must not read all payins of a merchant for each of them.

import assert from 'node:assert/strict'
import { it } from 'node:test'
import { endOfDay } from '../../../src/core/bogota-day.ts'
import { MINUTE_MS } from '../../../src/core/instant.ts'
import type { Db, Queryable } from '../../../src/store/db.ts'
import { brebPayin, type World } from '../../world.ts'
import { compareNow, endDay, openDay, passUntil, today } from './reconciling.ts'

const EARLIER_PAYINS = 5_000
const LATE_PAYINS = 10

async function addEarlierPayins({ db, organization }: World): Promise<void> {
  await db.query({
    text: `insert into payins (organization_id, payin_id, version, status, rail, amount_cents, currency, reference, key_type,
                               key_string, created_at, updated_at, expires_at, rail_stage)
           select $1, gen_random_uuid(), 2, 'CANCELED', 'BRE_B', 5000000, 'COP', 'earlier-' || number, 'SINGLE_USE',
                  '@EARLIER' || number, now(), now(), now(), 'DONE'
             from generate_series(1, $2::integer) number`,
    values: [organization.organizationId, EARLIER_PAYINS],
  })
  await db.query({ text: 'analyze payins' })
}

// The rows of payins that the transaction has read so far, whether from the table or from its indexes.
async function payinsRead(tx: Queryable): Promise<number> {
  const { rows } = await tx.query<{ read: string }>({
    text: `select sum(pg_stat_get_xact_tuples_returned(oid))::text as read
             from pg_class
            where oid = 'payins'::regclass or oid in (select indexrelid from pg_index where indrelid = 'payins'::regclass)`,
  })
  return Number(rows[0]?.read)
}

it('the payments of the last minutes of a day are looked up, whatever the number of a merchant’s payins', async () => {
  await using world = await openDay()
  const day = today(world)
  await passUntil(world, endOfDay(day) - 3 * MINUTE_MS)
  for (let number = 0; number < LATE_PAYINS; number += 1) await world.client('POST', '/payins', brebPayin())
  await world.passTime(2_000)
  await endDay(world)
  await addEarlierPayins(world)
  let read = 0
  const counting: Db = {
    ...world.db,
    inTransaction: (work, limits) =>
      world.db.inTransaction(async (tx) => {
        const result = await work(tx)
        read += await payinsRead(tx)
        return result
      }, limits),
  }
  const ctx = { ...world.ctx, db: counting }
  assert.equal((await compareNow({ ...world, ctx }, day)).matched, LATE_PAYINS)
  assert.ok(read < EARLIER_PAYINS, `${read} rows read`)
})
