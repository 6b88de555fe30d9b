// What `recaudo migrate --plan` says of locks, compared with the locks that PostgreSQL takes: every migration there is, applied one
// after the other, and forms that no migration has yet.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import pg from 'pg'
import { showPlan } from '../../src/operator/migration-plan.ts'
import { openDb } from '../../src/store/db.ts'
import { migrate, partsOf, readMigrations } from '../../src/store/migrate.ts'
import { LOCK_MODES, type LockMode, locksOf } from '../../src/store/migration-locks.ts'
import { readCatalog } from '../../src/store/patient-locks.ts'
import { createDatabase, databaseUrl, eventually } from '../world.ts'

// Those that a test of forms needs, on a table of its own.
const BEFORE = [
  'create table shops (shop_id uuid primary key, name text)',
  'create table sales (sale_id uuid primary key, shop_id uuid, cents bigint, at timestamptz)',
  'create index sales_by_shop on sales (shop_id)',
  'alter table sales add constraint of_shop foreign key (shop_id) references shops not valid',
  'create table tills (till_id uuid) partition by range (till_id)',
]
const FORMS = [
  'alter table sales add constraint positive check (cents > 0) not valid',
  'alter table sales validate constraint positive',
  'alter table sales validate constraint of_shop',
  'alter table sales alter column cents set not null',
  'alter table sales alter column cents type numeric',
  'alter table sales add column token uuid default gen_random_uuid()',
  'alter table sales add column seen_at timestamptz not null default now()',
  'alter table sales add foreign key (sale_id) references shops (shop_id)',
  'alter table sales drop constraint of_shop',
  'alter table sales set (fillfactor = 80)',
  'create unique index sales_once on sales (at)',
  'alter table sales add constraint once unique using index sales_once',
  'create table returns (return_id uuid primary key, sale_id uuid references sales)',
  "create table tills_first partition of tills for values from (minvalue) to ('01900000-0000-7000-8000-000000000000')",
  'with old as (select shop_id from shops) update shops set name = null from old where shops.shop_id = old.shop_id',
  'drop index sales_by_shop',
  'drop table returns',
]

describe('recaudo migrate --plan', () => {
  it('names the locks that PostgreSQL takes, of every migration and of forms that none has yet', async () => {
    const database = await createDatabase(null)
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    try {
      let compared = 0
      for (const { name, sql } of readMigrations()) {
        const { together, online } = partsOf(sql)
        compared += await compare(client, name, together)
        for (const statement of online)
          compared += statement.includes('concurrently')
            ? await compareConcurrent(client, statement)
            : await compare(client, name, [statement])
      }
      assert.ok(compared > 60, `${compared} tables were locked`)
      await compare(client, 'before the forms', BEFORE)
      for (const form of FORMS) assert.ok((await compare(client, form, [form])) > 0, form)
    } finally {
      await client.end()
      await database.drop()
    }
  })

  it('shows what is missing, whom it stops and for how long, and changes nothing', async () => {
    const database = await createDatabase(null)
    const db = openDb({ url: database.url, poolSize: 2 })
    try {
      const all = readMigrations()
      assert.ok(
        (await showPlan(db)).every(({ stops, lock }) => stops === 'nobody' && lock === null),
        'nobody is there yet',
      )
      const before = all.findIndex(({ name }) => name === 'daily-closes')
      await migrate(db, all.slice(0, before))
      await db.query({ text: 'analyze organizations' })
      const plan = await showPlan(db)
      assert.deepEqual(plan[0], {
        migration: '0050_daily-closes',
        runs: 'in one transaction',
        statement: "alter table organizations add column charges json not null default '{…",
        table: 'organizations',
        lock: 'ACCESS EXCLUSIVE',
        stops: 'readers and writers',
        takes: 'reads every row',
        rows: 1,
        seconds: 0.000031,
      })
      assert.deepEqual(
        plan.find(({ runs }) => runs === 'online'),
        {
          migration: '0050_daily-closes',
          runs: 'online',
          statement: 'alter table payouts validate constraint payouts_missing_cents_check',
          table: 'payouts',
          lock: 'SHARE UPDATE EXCLUSIVE',
          stops: 'nobody',
          takes: 'reads every row',
          rows: null,
          seconds: null,
        },
      )
      assert.ok(
        plan.some(
          ({ table, lock, stops }) =>
            table === 'organizations' && lock === 'SHARE ROW EXCLUSIVE' && stops === 'writers',
        ),
      )
      assert.deepEqual(
        await migrate(db),
        all.slice(before).map(({ name }) => name),
      )
      assert.deepEqual(await showPlan(db), [])
    } finally {
      await db.close()
      await database.drop()
    }
  })

  it('says so when a statement has a form that no rule knows', () => {
    assert.throws(
      () => locksOf('cluster payins', { tableOfIndex: {}, foreignKeys: [] }),
      /no rule says which locks/,
    )
  })
})

// Applies the statements in one transaction, and compares the strongest lock of each table that was there before. Returns how many.
async function compare(client: pg.Client, name: string, statements: readonly string[]): Promise<number> {
  const { rows: before } = await client.query<{ oid: number; table: string }>(
    `select oid, relname as table from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`,
  )
  const tables = new Map(before.map(({ oid, table }) => [oid, table]))
  const planned = new Map<string, LockMode>()
  await client.query('begin')
  for (const statement of statements) {
    const catalog = await readCatalog({ query: (config) => client.query(config) })
    for (const { table, mode } of locksOf(statement, catalog)) keepStronger(planned, table, mode)
    await client.query(statement)
  }
  const { rows: held } = await client.query<{ relation: number; mode: string }>(
    `select relation, mode from pg_locks where pid = pg_backend_pid() and locktype = 'relation'`,
  )
  await client.query('commit')
  const taken = new Map<string, LockMode>()
  for (const { relation, mode } of held) {
    const words = mode
      .replace(/Lock$/, '')
      .replaceAll(/(?!^)([A-Z])/g, ' $1')
      .toUpperCase() as LockMode
    const table = tables.get(relation)
    if (table !== undefined && LOCK_MODES.includes(words)) keepStronger(taken, table, words)
  }
  const known = [...planned].filter(([table]) => [...tables.values()].includes(table))
  assert.deepEqual(Object.fromEntries(known.sort()), Object.fromEntries([...taken].sort()), name)
  return taken.size
}

// No transaction may contain it, so its lock is seen from beside while it waits for a writer.
async function compareConcurrent(client: pg.Client, statement: string): Promise<number> {
  const [lock] = locksOf(statement, await readCatalog({ query: (config) => client.query(config) }))
  assert.equal(lock?.mode, 'SHARE UPDATE EXCLUSIVE')
  const { connectionParameters } = client as unknown as { connectionParameters: { database: string } }
  const writer = new pg.Client({ connectionString: databaseUrl(connectionParameters.database) })
  await writer.connect()
  try {
    await writer.query(`begin; lock table ${lock.table} in row exclusive mode`)
    const building = client.query(statement)
    await eventually(
      async () => {
        const { rows } = await writer.query<{ mode: string }>(
          `select mode from pg_locks
            where relation = '${lock.table}'::regclass and granted and pid <> pg_backend_pid() and mode <> 'AccessShareLock'`,
        )
        return rows.map(({ mode }) => mode).join()
      },
      (modes) => modes === 'ShareUpdateExclusiveLock',
    )
    await writer.query('commit')
    await building
  } finally {
    await writer.end()
  }
  return 1
}

function keepStronger(locks: Map<string, LockMode>, table: string, mode: LockMode): void {
  const present = locks.get(table)
  if (present === undefined || LOCK_MODES.indexOf(mode) > LOCK_MODES.indexOf(present)) locks.set(table, mode)
}
