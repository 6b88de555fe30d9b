// Migrations beside a service that goes on: they step back from locks that others hold, checks and indexes stop nobody, changes of rows
// come in batches, and what is interrupted goes on. `npm run bench -- migrations` measures the same on ten million payins.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { type Db, openDb, type Queryable } from '../../src/store/db.ts'
import { isMigrated, type Migration, migrate, partsOf, readMigrations } from '../../src/store/migrate.ts'
import { type Catalog, locksOf, STOPS } from '../../src/store/migration-locks.ts'
import { planMigrations } from '../../src/store/migration-plan.ts'
import { lockTables, patiently } from '../../src/store/patient-locks.ts'
import { createDatabase, eventually } from '../world.ts'

const SALES = 2_500
const FIRST = 9_001
// The first migration whose predecessors are not held to the rules, which came after them.
const FIRST_ONLINE = 45
const FIRST_WITH_COMPATIBILITY = 56

const migrations: Migration[] = []
function add(sql: string): Migration {
  const migration = { version: FIRST + migrations.length, name: 'test', sql, checksum: sql }
  migrations.push(migration)
  return migration
}

describe('a migration while others work', () => {
  let database: Awaited<ReturnType<typeof createDatabase>>
  let db: Db
  const clients: pg.Client[] = []
  const connect = async (): Promise<pg.Client> => {
    const client = new pg.Client({ connectionString: database.url })
    client.on('error', () => {})
    await client.connect()
    clients.push(client)
    return client
  }
  const invalidIndexes = async (): Promise<string[]> => {
    const { rows } = await db.query<{ name: string }>({
      text: `select relname as name from pg_index join pg_class on pg_class.oid = indexrelid where not indisvalid`,
    })
    return rows.map(({ name }) => name)
  }
  const waiting = async (): Promise<number[]> => {
    const { rows } = await db.query<{ pid: number }>({
      text: `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    })
    return rows.map(({ pid }) => pid)
  }

  before(async () => {
    database = await createDatabase(null)
    db = openDb({ url: database.url, poolSize: 8 })
    add('create table sales (sale_id integer primary key, cents bigint not null, code text)')
    await migrate(db, migrations)
    await db.query({
      text: `insert into sales select number, number * 100, null from generate_series(1, ${SALES}) number`,
    })
  })
  after(async () => {
    await Promise.all(clients.map((client) => client.end()))
    await db.close()
    await database.drop()
  })

  it('steps back from a lock that somebody holds, and whoever writes meanwhile is not stopped', async () => {
    const reader = await connect()
    await reader.query('begin; select from sales limit 1')
    add('alter table sales add column shop text')
    let isDone = false
    const migrating = migrate(db, migrations).finally(() => {
      isDone = true
    })
    // Behind a lock that is waited for without end they would be stopped until their own limit, two seconds later.
    const waits: number[] = []
    await eventually(
      async () => {
        const startedAt = performance.now()
        await db.query({ text: 'update sales set cents = cents + 1 where sale_id = 1' })
        waits.push(performance.now() - startedAt)
        return waits.filter((ms) => ms > 20).length
      },
      (stopped) => stopped >= 2,
    )
    assert.equal(isDone, false)
    assert.ok(Math.max(...waits) < 1_000, `a writer waited ${Math.max(...waits)} ms`)
    await reader.query('commit')
    assert.deepEqual(await migrating, ['test'])
    assert.equal(await isMigrated(db, migrations), true)
  })

  it('waits for all its tables together no longer than for one', async () => {
    const names = Array.from({ length: 4 }, (_, index) => `till_${index}`)
    await db.query({ text: names.map((name) => `create table ${name} (till_id integer)`).join('; ') })
    const limits: number[] = []
    await db.inTransaction(async (tx) => {
      // Each lock comes after 40 ms: a timer may be a little early.
      const slow: Queryable = {
        query: async (config) => {
          const [, limit] = /lock_timeout = (\d+)/.exec(config.text) ?? []
          if (limit !== undefined) limits.push(Number(limit))
          if (/in ACCESS EXCLUSIVE mode/.test(config.text)) await delay(45)
          return tx.query(config)
        },
      }
      await lockTables(
        slow,
        names.map((name) => `alter table ${name} add column place text`),
      )
    })
    const [quiet, ...stopping] = limits.slice(0, -1)
    assert.ok(quiet === 5_000 && stopping[0] !== undefined && stopping[0] <= 100, limits.join())
    assert.ok((stopping[1] ?? 100) <= 60 && (stopping[2] ?? 100) <= 20 && stopping[3] === 1, limits.join())
  })

  it('says who is in the way when it has waited long enough, and has changed nothing', async () => {
    const reader = await connect()
    await reader.query(`set application_name = 'a report'; begin; select from sales limit 1`)
    add('alter table sales add column place text')
    await assert.rejects(migrate(db, migrations, 1), {
      name: 'TablesInUse',
      message: /^process \d+ \(a report, .*idle in transaction\) has sales since \d\d:\d\d:\d\d UTC$/,
    })
    assert.equal(await isMigrated(db, migrations), false)
    await reader.query('commit')
    assert.deepEqual(await migrate(db, migrations, 1), ['test'])
  })

  it('names who has a table, and not who waits for it', async () => {
    const reader = await connect()
    await reader.query(`set application_name = 'a report'; begin; select from sales limit 1`)
    const waiter = await connect()
    const waited = waiter.query('begin; lock table sales in access exclusive mode')
    await eventually(waiting, (pids) => pids.length === 1)
    const refused = () =>
      db.query({ text: `do $$ begin raise exception 'busy' using errcode = '55P03'; end $$` })
    try {
      await assert.rejects(patiently(db, ['alter table sales add column never text'], 0, refused), {
        message: /^process \d+ \(a report, [^;]*$/,
      })
    } finally {
      await reader.query('commit')
      await waited
      await waiter.query('rollback')
    }
  })

  it('tries again after a deadlock, and not after a mistake', async () => {
    let tried = 0
    const failingOnce = (code: string) => async () => {
      tried += 1
      if (tried === 1)
        await db.query({ text: `do $$ begin raise exception 'x' using errcode = '${code}'; end $$` })
      return tried
    }
    assert.equal(await patiently(db, [], 10_000, failingOnce('40P01')), 2)
    tried = 0
    await assert.rejects(patiently(db, [], 10_000, failingOnce('42P01')), { code: '42P01' })
    assert.equal(tried, 1)
  })

  it('checks what is stored, and builds an index, while a writer’s transaction is open', async () => {
    const writer = await connect()
    await writer.query('begin; update sales set cents = cents + 1 where sale_id = 2')
    const { version } = add(`create table shops (shop_id integer primary key);
-- online
create index concurrently sales_by_cents on sales (cents);
alter table sales alter column code set statistics 100;`)
    const migrating = migrate(db, migrations)
    await eventually(waiting, (pids) => pids.length === 1)
    // The transaction is committed, and the rest is not done: not migrated yet, and the plan shows what is left.
    assert.equal(await isMigrated(db, migrations), false)
    assert.deepEqual(
      (await planMigrations(db, migrations)).map(({ statement, isOnline }) => [
        statement.slice(0, 25),
        isOnline,
      ]),
      [
        ['create index concurrently', true],
        ['alter table sales alter c', true],
      ],
    )
    await db.query({ text: 'update sales set cents = cents + 1 where sale_id = 3' })
    // Another that comes to migrate waits as well, and not so that the two wait for each other.
    const other = migrate(db, migrations)
    await writer.query('commit')
    assert.deepEqual([await migrating, await other].flat(), ['test'])
    assert.deepEqual(await invalidIndexes(), [])
    const { rows } = await db.query<{ left: number }>({
      text: 'select steps_left as left from schema_migrations where version = $1',
      values: [version],
    })
    assert.equal(rows[0]?.left, 0)
  })

  it('goes on where it was interrupted, with the index that was left half built', async () => {
    add('alter table sales add constraint positive check (cents > 0) not valid')
    await migrate(db, migrations)
    const writer = await connect()
    await writer.query('begin; update sales set cents = cents + 1 where sale_id = 2')
    add(`-- online
alter table sales validate constraint positive;
create unique index concurrently sales_once on sales (sale_id, cents);`)
    const migrating = migrate(db, migrations)
    const end = assert.rejects(migrating, { name: 'StoreUnavailable' })
    const [pid] = await eventually(waiting, (pids) => pids.length === 1)
    await db.query({ text: 'select pg_terminate_backend($1)', values: [pid] })
    await end
    await writer.query('commit')
    assert.deepEqual(await invalidIndexes(), ['sales_once'])
    assert.equal((await planMigrations(db, migrations)).length, 1)
    assert.deepEqual(await migrate(db, migrations), ['test'])
    assert.deepEqual(await invalidIndexes(), [])
    assert.equal(await isMigrated(db, migrations), true)
  })

  it('goes on where it was interrupted, with the index that was left half dropped', async () => {
    const reader = await connect()
    await reader.query('begin; select from sales limit 1')
    add(`-- online
drop index concurrently sales_by_cents;`)
    const end = assert.rejects(migrate(db, migrations), { name: 'StoreUnavailable' })
    const [pid] = await eventually(waiting, (pids) => pids.length === 1)
    await db.query({ text: 'select pg_terminate_backend($1)', values: [pid] })
    await end
    await reader.query('commit')
    assert.deepEqual(await invalidIndexes(), ['sales_by_cents'])
    assert.deepEqual(await migrate(db, migrations), ['test'])
    assert.deepEqual(await invalidIndexes(), [], 'every write would keep it for ever')
  })

  it('changes rows in batches, each a transaction of its own', async () => {
    add(`-- online
update sales set code = 'S' || sale_id where sale_id in (select sale_id from sales where code is null limit 1000);`)
    await migrate(db, migrations)
    const { rows } = await db.query<{ transactions: bigint; left: bigint }>({
      text: `select count(distinct xmin::text) as transactions, count(*) filter (where code is null) as left from sales`,
    })
    assert.deepEqual(rows, [{ transactions: BigInt(Math.ceil(SALES / 1_000)), left: 0n }])
  })

  it('is not read if it changes rows online without a limit', () => {
    assert.throws(() => partsOf('-- online\nupdate sales set code = null;'), /needs a limit/)
  })
})

describe('the migrations of this version', () => {
  // Tables of a few rows for each organization, connection or person. All others grow with payments.
  const SMALL = [
    'alarm_mails',
    'alarms',
    'approvals',
    'event_counters',
    'organizations',
    'payout_batch_rows',
    'payout_batches',
    'people_marks',
    'refunds',
    'saved_views',
    'suspense_items',
  ]
  const catalog: Catalog = { tableOfIndex: {}, foreignKeys: [] }
  // Nobody serves beside such a one (CONTRIBUTING.md, Migrations).
  const takesLonger = (sql: string) => /^-- takes longer the more .+$/m.test(sql)

  it('stop nobody for longer than a moment on tables that grow with payments', () => {
    for (const { version, name, sql } of readMigrations().filter((one) => one.version >= FIRST_ONLINE)) {
      if (takesLonger(sql)) continue
      const { together, online } = partsOf(sql)
      const made = [...sql.matchAll(/^create table (\w+)/gm)].map(([, table]) => table as string)
      const long = [...together, ...online]
        .flatMap((statement) => locksOf(statement, catalog))
        .filter(({ mode, work }) => STOPS[mode] !== 'nobody' && work !== 'a moment')
        .filter(({ table }) => !made.includes(table) && !SMALL.includes(table))
      assert.deepEqual(long, [], `${version}_${name}: put it after "-- online" (CONTRIBUTING.md, Migrations)`)
    }
  })

  it('say which older version works with them, and are done in a moment if none does, or say that they are not', () => {
    for (const { version, name, sql } of readMigrations().filter(
      (one) => one.version >= FIRST_WITH_COMPATIBILITY,
    )) {
      const [, works] = /^-- works with (\d{4}|none)$/m.exec(sql) ?? []
      assert.ok(works !== undefined, `${version}_${name}: say which (CONTRIBUTING.md, Migrations)`)
      // While it ran, processes of neither version would be ready.
      if (works === 'none') assert.deepEqual(partsOf(sql).online, [], `${version}_${name}`)
      else assert.ok(!takesLonger(sql), `${version}_${name}: others serve beside it`)
    }
  })

  it('are known by what they were before they were made gentler', async () => {
    const database = await createDatabase()
    const db = openDb({ url: database.url, poolSize: 1 })
    try {
      const was = /^-- replaces ([0-9a-f]{64})$/m
      const replaced = readMigrations().filter(({ sql }) => was.test(sql))
      assert.ok(replaced.length >= 5)
      for (const { version, sql } of replaced)
        await db.query({
          text: 'update schema_migrations set checksum = $1 where version = $2',
          values: [was.exec(sql)?.[1], version],
        })
      assert.equal(await isMigrated(db), true)
      await db.query({
        text: 'update schema_migrations set checksum = $1 where version = $2',
        values: ['0'.repeat(64), replaced[0]?.version],
      })
      await assert.rejects(isMigrated(db), /was changed after it was applied/, 'and by nothing else')
    } finally {
      await db.close()
      await database.drop()
    }
  })
})
