// recaudo distribute: what it does on a Citus cluster, and what it refuses. Most of it needs TEST_CITUS_URL.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import { type Db, openDb } from '../../src/store/db.ts'
import {
  DIRECTORIES,
  distribute,
  NotDistributable,
  statementsForCluster,
} from '../../src/store/distribute.ts'
import { readBalances } from '../../src/store/ledger/transfers.ts'
import { migrate, readMigrations, statementsOf } from '../../src/store/migrate.ts'
import { insertPayins } from '../../src/store/payins/payins.ts'
import { writePayins } from '../../src/store/payins/write.ts'
import { insertPayouts } from '../../src/store/payouts/payouts.ts'
import { writePayouts } from '../../src/store/payouts/write.ts'
import { citusUrl, createEmptyCitusDatabase, dropCitusDatabase } from '../citus.ts'
import { createDatabase, createWorld, type World } from '../world.ts'
import { subjectsOf } from './twins.ts'
import { payinWriteOf, payoutWriteOf } from './writes.ts'

const onCluster = { skip: citusUrl() === undefined && 'TEST_CITUS_URL is not set' }

async function emptyDatabase(): Promise<{ db: Db } & AsyncDisposable> {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const db = openDb({ url: await createEmptyCitusDatabase(name), poolSize: 3, statementTimeoutMs: 60_000 })
  return {
    db,
    async [Symbol.asyncDispose]() {
      await db.close()
      await dropCitusDatabase(name)
    },
  }
}

// What every machine would show of the schema: tables, where they are, and their keys to one another.
async function shapeOf(db: Db): Promise<unknown> {
  const tables = await db.query({
    text: `select logicalrelid::text as table, partmethod, colocationid
             from pg_dist_partition
             join pg_class c on c.oid = logicalrelid and not c.relispartition
            order by 1`,
  })
  const keys = await db.query({
    text: `select conrelid::regclass::text as table, conname, pg_get_constraintdef(oid) as definition
             from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace
              -- Not those of its parts.
              and conrelid::regclass::text !~ '_[0-9]+$'
            order by 1, 2`,
  })
  return { tables: tables.rows, keys: keys.rows }
}

// Columns, checks, keys and indexes, without those of parts.
async function rulesOf(db: Db): Promise<unknown> {
  const { rows } = await db.query({
    text: `select rule
             from (select attrelid as owner,
                          concat_ws(' ', attname, format_type(atttypid, atttypmod), attnotnull) as rule
                     from pg_attribute
                    where attnum > 0 and not attisdropped
                    union all
                   select conrelid, concat_ws(' ', conname, pg_get_constraintdef(oid), convalidated) from pg_constraint
                    union all
                   select indrelid, pg_get_indexdef(indexrelid) from pg_index) rules
             join pg_class c on c.oid = owner and relnamespace = 'public'::regnamespace
            where relkind in ('r', 'p') and not relispartition
            order by relname, rule`,
  })
  assert.ok(rows.length > 500)
  return rows
}

// The migration that splits tables by time.
const FIRST_SPLIT = 26

const ORGANIZATION = '0192f000-0000-7000-8000-000000000001'

async function fill(db: Db): Promise<void> {
  for (const text of [
    `insert into organizations (organization_id, name, rails, on_amount_mismatch, require_key_lookup, payin_expiry_minutes,
                                created_at, updated_at)
     values ('${ORGANIZATION}', 'Café', '{BRE_B}', 'decline', false, 10, now(), now())`,
    `insert into events (organization_id, event_id, sequence, type, resource, object_id, version, data, created_at)
     values ('${ORGANIZATION}', '${ORGANIZATION}', 1, 'payin.confirmed', 'payin', '${ORGANIZATION}', 1, '{}', now())`,
    `insert into redeliveries values ('${ORGANIZATION}', 1, '${ORGANIZATION}', now())`,
    `insert into ledger_balances values ('${ORGANIZATION}', 'AVAILABLE', 0, 5, 7)`,
  ])
    await db.query({ text })
}

describe('distribute', () => {
  it('on a database without Citus says so, and changes nothing', async () => {
    const database = await createDatabase(null)
    const db = openDb({ url: database.url, poolSize: 2 })
    await migrate(db)
    await assert.rejects(distribute(db), {
      name: 'NotDistributable',
      message: /^The database has no Citus: /,
    })
    await db.close()
    await database.drop()
  })

  it('moves a filled database: every row and every foreign key is there afterwards', onCluster, async () => {
    await using made = await emptyDatabase()
    const { db } = made
    await assert.rejects(distribute(db), { name: 'NotDistributable', message: /run `recaudo migrate` first/ })
    await migrate(db)
    await fill(db)
    const { keys } = (await shapeOf(db)) as { keys: unknown[] }

    const changes = await distribute(db)
    assert.ok(changes.every(({ change }) => change === 'done'))
    assert.deepEqual(
      changes.filter(({ kind }) => kind === 'reference').map(({ table }) => table),
      DIRECTORIES,
    )
    const shape = (await shapeOf(db)) as { tables: { partmethod: string; colocationid: number }[] }
    assert.deepEqual((shape as unknown as { keys: unknown[] }).keys, keys)
    const spread = shape.tables.filter(({ partmethod }) => partmethod === 'h')
    assert.equal(spread.length, changes.length - DIRECTORIES.length)
    assert.equal(new Set(spread.map(({ colocationid }) => colocationid)).size, 1)
    const found = await db.query({
      text: `select name, number::integer, credit_cents::integer
               from redeliveries r
               join ledger_balances b on b.organization_id = r.organization_id
               join organizations o on o.organization_id = r.organization_id`,
    })
    assert.deepEqual(found.rows, [{ name: 'Café', number: 1, credit_cents: 7 }])
    // Whoever has never had an event is found on its machine too.
    const missing = await db.query({
      text: `select organization_id from organizations except select organization_id from event_counters`,
    })
    assert.deepEqual(missing.rows, [])
    // Nothing is left behind on the coordinator.
    const local = await db.query<{ size: number }>({
      text: `select pg_relation_size(inhrelid)::integer as size from pg_inherits where inhparent = 'events'::regclass`,
    })
    assert.ok(local.rows.length > 1)
    assert.ok(local.rows.every(({ size }) => size === 0))
  })

  it('has nothing to do the second time', onCluster, async () => {
    await using made = await emptyDatabase()
    await migrate(made.db)
    await distribute(made.db)
    const before = await shapeOf(made.db)
    const again = await distribute(made.db)
    assert.ok(again.every(({ change }) => change === 'was so already'))
    assert.deepEqual(await shapeOf(made.db), before)
  })

  it('goes on with a schema of which a part is distributed', onCluster, async () => {
    await using made = await emptyDatabase()
    const { db } = made
    await migrate(db)
    await fill(db)
    await db.query({ text: `select create_reference_table('signing_keys')` })
    await db.query({ text: `select create_distributed_table('alarms', 'organization_id')` })
    const changes = await distribute(db)
    const was = changes.filter(({ change }) => change === 'was so already').map(({ table }) => table)
    assert.deepEqual(was.sort(), ['alarms', 'signing_keys'])
    const { tables } = (await shapeOf(db)) as { tables: { partmethod: string; colocationid: number }[] }
    const places = tables.filter(({ partmethod }) => partmethod === 'h').map((one) => one.colocationid)
    assert.equal(new Set(places).size, 1)
  })

  it('refuses a table that is distributed in another way, and changes nothing', onCluster, async () => {
    await using made = await emptyDatabase()
    const { db } = made
    await migrate(db)
    await db.query({ text: `select create_distributed_table('alarms', 'alarm_id')` }).catch(() => {})
    await db.query({ text: `select create_reference_table('idempotency_records')` })
    const before = await shapeOf(db)
    await assert.rejects(distribute(db), {
      name: 'NotDistributable',
      message: /idempotency_records is reference.*undistribute_table/s,
    })
    assert.deepEqual(await shapeOf(db), before)
  })

  it('refuses a cluster without workers, and one of another version', onCluster, async () => {
    await using made = await emptyDatabase()
    const { db } = made
    await migrate(db)
    const before = await shapeOf(db)
    const version = (to: string): Promise<unknown> =>
      db.query({ text: `update pg_extension set extversion = '${to}' where extname = 'citus'` })
    const [was] = (await db.query({ text: `select extversion from pg_extension where extname = 'citus'` }))
      .rows
    await version('12.1-1')
    await assert.rejects(distribute(db), { message: /has Citus 12\.1-1; Recaudo runs on Citus 13/ })
    await version(was?.extversion)
    await db.query({
      text: `select citus_remove_node(nodename, nodeport) from pg_dist_node where groupid > 0`,
    })
    await assert.rejects(distribute(db), (error) => {
      assert.ok(error instanceof NotDistributable)
      return /no worker: run `select citus_add_node/.test(error.message)
    })
    assert.deepEqual(await shapeOf(db), before)
  })
})

describe('a distributed database', onCluster, () => {
  it('is migrated like any other, and new tables are distributed too', async () => {
    await using made = await emptyDatabase()
    const { db } = made
    const all = readMigrations()
    await migrate(db, all)
    await distribute(db)
    await fill(db)
    const version = (all.at(-1)?.version ?? 0) + 1
    const sql = `alter table payins add column label text check (label <> ''), add column seen_at timestamptz;
                 alter table organizations add column nickname text;
                 create index payins_by_label on payins (organization_id, label);
                 update events set type = 'payin.declined';
                 create table labels (organization_id uuid not null references organizations, label_id uuid not null,
                                      primary key (organization_id, label_id))`
    assert.deepEqual(await migrate(db, [...all, { version, name: 'labels', sql, checksum: '' }]), ['labels'])
    const [labels] = (
      await db.query({
        text: `select l.partmethod, l.colocationid = p.colocationid as together
                 from pg_dist_partition l, pg_dist_partition p
                where l.logicalrelid = 'labels'::regclass and p.logicalrelid = 'payins'::regclass`,
      })
    ).rows
    assert.deepEqual(labels, { partmethod: 'h', together: true })
    const [event] = (await db.query({ text: 'select type from events' })).rows
    assert.equal(event?.type, 'payin.declined')
  })

  it('that was distributed long ago is migrated to the same schema, and split where its rows are', async () => {
    await using made = await emptyDatabase()
    const { db } = made
    const all = readMigrations()
    await migrate(
      db,
      all.filter(({ version }) => version < FIRST_SPLIT),
    )
    await distribute(db)
    await fill(db)
    await migrate(db, all)
    const found = await db.query({
      text: `select e.tableoid::regclass::text as partition, number::integer
               from redeliveries r
               join events e on e.organization_id = r.organization_id and e.event_id = r.event_id`,
    })
    assert.equal(found.rows.length, 1)
    assert.match(found.rows[0]?.partition, /^events_to_\d{8}_\d+$/)
    const { tables } = (await shapeOf(db)) as { tables: { table: string; colocationid: number }[] }
    const places = tables.filter(({ table }) => ['events', 'deliveries', 'payins'].includes(table))
    assert.equal(places.length, 3)
    assert.equal(new Set(places.map(({ colocationid }) => colocationid)).size, 1)

    const database = await createDatabase()
    const young = openDb({ url: database.url, poolSize: 1 })
    assert.deepEqual(await rulesOf(db), await rulesOf(young))
    await young.close()
    await database.drop()
  })

  it('creates an organization’s payments and moves its money on one machine, without a second phase', async () => {
    const world = await createWorld()
    try {
      await movesMoney(world)
    } finally {
      // What was written here is no payment's whole life, so the books do not hold.
      await assert.rejects(world[Symbol.asyncDispose](), /the books do not hold/)
    }
  })
})

async function movesMoney({ db, organization }: World): Promise<void> {
  const mine = subjectsOf(organization.organizationId, 1)
  // Citus remembers each machine's part of a transaction that it commits in two phases.
  const inTwoPhases = async (): Promise<unknown[]> =>
    (await db.query({ text: 'select gid, groupid from pg_dist_transaction' })).rows
  await db.query({ text: 'select recover_prepared_transactions()' })
  const before = await inTwoPhases()

  const payin = {
    ...mine.payin,
    status: 'PENDING' as const,
    paymentLinkId: null,
    confirmedAmountInCents: null,
  }
  const record = { key: 'a', fingerprint: Buffer.from('a'), status: 201, body: '{}' }
  assert.deepEqual(await insertPayins(db, [{ payin, record }]), [{ inserted: true }])
  const payout = { payout: mine.payout, record: { ...record, key: 'b' }, credentialId: 'a' }
  assert.deepEqual(await insertPayouts(db, [payout]), [{ inserted: true }])
  const step = { ...payinWriteOf({ ...mine, payin }), leaseToken: null }
  assert.deepEqual(await writePayins(db, [step], 1), [true])
  const sent = payoutWriteOf(mine)
  const [transfer] = sent.transfers
  assert.ok(transfer !== undefined && sent.event !== null && sent.alarm !== null)
  const written = await writePayouts(db, [
    {
      ...sent,
      leaseToken: null,
      transfers: [{ ...transfer, transferId: randomUUID() }],
      event: { ...sent.event, eventId: randomUUID() },
      alarm: { ...sent.alarm, alarmId: randomUUID() },
    },
  ])
  assert.deepEqual(written, [true])

  assert.deepEqual(await inTwoPhases(), before)
  const { SUSPENSE } = await readBalances(db, organization.organizationId)
  assert.equal(SUSPENSE, 10n)
  const rows = await db.query<{ events: number; alarms: number; records: number }>({
    text: `select (select count(*)::integer from events) as events, (select count(*)::integer from alarms) as alarms,
                    (select count(*)::integer from idempotency_records) as records`,
  })
  assert.deepEqual(rows.rows, [{ events: 2, alarms: 2, records: 2 }])
}

const onOneMachine = { skip: citusUrl() !== undefined && 'compares with what one PostgreSQL does' }

describe('a migration for a cluster', onOneMachine, () => {
  it('gives each check of a new column the name that PostgreSQL gives it', async () => {
    const statements = readMigrations().flatMap(({ sql }) => statementsOf(sql))
    const named = statements
      .filter((statement) => !/add constraint/.test(statement))
      .flatMap(statementsForCluster)
      .flatMap((part) => /^alter table (\w+) add constraint (\w+)/.exec(part)?.slice(1).join(' ') ?? [])
    const database = await createDatabase()
    const db = openDb({ url: database.url, poolSize: 1 })
    try {
      const { rows } = await db.query<{ name: string }>({
        text: `select conrelid::regclass || ' ' || conname as name from pg_constraint where contype = 'c'`,
      })
      const given = rows.map(({ name }) => name)
      assert.deepEqual(
        named.filter((name) => !given.includes(name)),
        [],
      )
      // One of a column, and one of two.
      for (const name of ['payment_links payment_links_pieces_check', 'payouts payouts_check'])
        assert.ok(named.includes(name), name)
    } finally {
      await db.close()
      await database.drop()
    }
  })
})
