// What a comparison reads. Every day the payments of its last minutes are paired with bookings that are judged with the next day, so
// pairing must not read all payments of a merchant for each of them.

import assert from 'node:assert/strict'
import { it } from 'node:test'
import { endOfDay } from '../../../src/core/bogota-day.ts'
import { MINUTE_MS } from '../../../src/core/instant.ts'
import type { Db, Queryable } from '../../../src/store/db.ts'
import { newPayout } from '../../api/http/calls.ts'
import { brebPayin, type World } from '../../world.ts'
import { compareNow, endDay, openDay, passUntil, today } from './reconciling.ts'

const EARLIER_PAYMENTS = 5_000
const LATE_PAYMENTS = 10
// Some hundred alone. In whole runs 576 were counted once, and why is not known. To read all of one kind of what is earlier, even
// once, takes as many as this.
const READ_AT_MOST = EARLIER_PAYMENTS / 2

// Half of them went over a connection.
async function addEarlierPayments({ db, organization }: World): Promise<void> {
  await db.query({
    text: `insert into payins (organization_id, payin_id, version, status, rail, amount_cents, currency, reference, key_type,
                               key_string, created_at, updated_at, expires_at, rail_stage, connection_id)
           select $1, gen_random_uuid(), 2, 'CANCELED', 'BRE_B', 5000000, 'COP', 'earlier-' || number, 'SINGLE_USE',
                  '@EARLIER' || number, now(), now(), now(), 'DONE', case when number % 2 = 0 then $1::uuid end
             from generate_series(1, $2::integer) number`,
    values: [organization.organizationId, EARLIER_PAYMENTS],
  })
  await db.query({
    text: `insert into payouts (organization_id, payout_id, version, status, stage, amount_cents, currency, reference, customer,
                                key_string, key_type, created_at, updated_at, connection_id)
           select $1, gen_random_uuid(), 2, 'CANCELED', 'DONE', 5000000, 'COP', 'earlier-' || number, '{}', '@ANAGOMEZ',
                  'ALPHANUMERIC', now(), now(), case when number % 2 = 0 then $1::uuid end
             from generate_series(1, $2::integer) number`,
    values: [organization.organizationId, EARLIER_PAYMENTS],
  })
  await db.query({ text: 'analyze payins, payouts' })
}

// The rows of a table that this connection has read, whether from the table or from its indexes. Some of what it read before is
// among them, as long as PostgreSQL has not passed it on.
async function rowsRead(tx: Queryable, table: string): Promise<number> {
  const { rows } = await tx.query<{ read: string }>({
    text: `select sum(pg_stat_get_xact_tuples_returned(oid))::text as read
             from pg_class
            where oid = $1::regclass or oid in (select indexrelid from pg_index where indrelid = $1::regclass)`,
    values: [table],
  })
  return Number(rows[0]?.read)
}

it('the payments of the last minutes of a day are looked up, whatever the number of a merchant’s payments', async () => {
  await using world = await openDay()
  const day = today(world)
  await passUntil(world, endOfDay(day) - 3 * MINUTE_MS)
  for (let number = 0; number < LATE_PAYMENTS; number += 1) {
    assert.equal((await world.client('POST', '/payins', brebPayin())).status, 201)
    assert.equal((await world.client('POST', '/payouts', newPayout())).status, 201)
  }
  await world.passTime(2_000)
  await endDay(world)
  await addEarlierPayments(world)
  const read = { payins: 0, payouts: 0 }
  const counting: Db = {
    ...world.db,
    inTransaction: (work, limits) =>
      world.db.inTransaction(async (tx) => {
        const before = { payins: await rowsRead(tx, 'payins'), payouts: await rowsRead(tx, 'payouts') }
        const result = await work(tx)
        for (const table of ['payins', 'payouts'] as const)
          read[table] += (await rowsRead(tx, table)) - before[table]
        return result
      }, limits),
  }
  const ctx = { ...world.ctx, db: counting }
  assert.equal((await compareNow({ ...world, ctx }, day)).matched, 2 * LATE_PAYMENTS)
  assert.ok(read.payins < READ_AT_MOST, `${read.payins} payins read`)
  assert.ok(read.payouts < READ_AT_MOST, `${read.payouts} payouts read`)
})
