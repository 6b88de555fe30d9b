// Whatever keeps Recaudo from starting is reported in one line on stderr that the operator can act on, never in a stack
// trace.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { type Db, openDb } from '../../src/store/db.ts'
import { isMigrated, migrate, partsOf, readMigrations } from '../../src/store/migrate.ts'
import { freePort } from '../free-port.ts'
import { createDatabase, databaseUrl, eventually, onServer } from '../world.ts'
import { recaudoInProcess } from './in-process.ts'
import { dataDirectory, recaudo, spawnServer, stop } from './process.ts'
import { ask } from './standby.ts'

const SECRETS_KEY = 'a'.repeat(64)
const PASSWORD = 'hunter2'

// The data directory of every test that names no other.
const unused = dataDirectory({ after })

let database: { url: string; drop: () => Promise<void> }
before(async () => {
  database = await createDatabase()
})
after(() => database.drop())

test('a port that is taken', async (t) => {
  const other = createServer().listen({ host: '127.0.0.1', port: await freePort() })
  t.after(() => other.close())
  await once(other, 'listening')
  const { port } = other.address() as { port: number }
  await assertRefused(
    { DATABASE_URL: database.url, SECRETS_KEY, PORT: String(port) },
    new RegExp(
      `^Cannot listen on 127\\.0\\.0\\.1:${port}: another program listens there already; set PORT to a free one\\.$`,
    ),
  )
})

test('a schema that is newer, or was altered', async (t) => {
  const changed = await createDatabase()
  t.after(() => changed.drop())
  const env = { DATABASE_URL: changed.url, SECRETS_KEY }
  await query(
    changed.url,
    `insert into schema_migrations (version, name, checksum) values (9999, 'future', 'x')`,
  )
  const tooNew =
    /^The database has schema 9999 \(future\), this version of Recaudo knows up to \d+\. Start the newer version/
  await assertRefused(env, tooNew)
  await assertRefused({ ...env, MIGRATE_ON_START: 'false' }, tooNew)
  await query(changed.url, 'delete from schema_migrations where version = 9999')
  await query(changed.url, `update schema_migrations set checksum = 'x' where version = 1`)
  await assertRefused(env, /^Migration 1 \(\w+\) was changed after it was applied to this database\./, [
    'migrate',
  ])
})

test('a database that cannot be reached, and its password stays secret', async () => {
  const port = await freePort()
  const away = (user: string) =>
    `postgresql://${user}:${PASSWORD}@127.0.0.1:${port}/shop?password=${PASSWORD}`
  const refused = new RegExp(
    `^Cannot use the PostgreSQL at 127\\.0\\.0\\.1:${port}/shop: connect ECONNREFUSED .*Check DATABASE_URL\\.$`,
  )
  await assertRefused({ DATABASE_URL: away('recaudo') }, refused)
  await assertRefused({ DATABASE_URL: away('recaudo:p@ss@') }, refused, ['migrate'])
  await assertRefused({ DATABASE_URL: away('recaudo') }, refused, ['org', 'list'])
  const unknown = `${database.url.replace(/\/\w+\?/, '/no_such_database?')}&application_name=${PASSWORD}`
  await assertRefused(
    { DATABASE_URL: unknown },
    /^Cannot use the PostgreSQL at \/?no_such_database: database "no_such_database" does not exist\. Check DATABASE_URL\.$/,
    ['migrate'],
  )
})

test('a database that stores text in another encoding', async (t) => {
  const name = `test_latin1_${process.pid}`
  await onServer(`create database ${name} encoding 'LATIN1' locale 'C' template template0`)
  t.after(() => onServer(`drop database ${name} with (force)`))
  await assertRefused(
    { DATABASE_URL: databaseUrl(name), SECRETS_KEY },
    /^The PostgreSQL at \S* stores text as LATIN1, and Recaudo needs UTF8: make another database \(createdb --encoding=UTF8 --template=template0\) and set DATABASE_URL to it\. Nothing was changed\.$/,
    ['org', 'list'],
  )
})

test('a migration that is interrupted is undone, and goes on when it is run again', async (t) => {
  const bare = await createDatabase(null)
  t.after(() => bare.drop())
  const all = readMigrations()
  const db = openDb({ url: bare.url, poolSize: 2 })
  t.after(() => db.close())
  const last = all.findLastIndex(({ sql }) => partsOf(sql).together.length > 0)
  await migrate(db, all.slice(0, last))
  // Whatever the last migration that has statements alters or writes: it waits for this lock, halfway. Nobody waits behind it there, so it does not step back.
  const holder = new pg.Client({ connectionString: bare.url })
  holder.on('error', () => {})
  await holder.connect()
  const { rows } = await db.query<{ name: string }>({
    text: `select quote_ident(tablename) as name from pg_tables where schemaname = 'public'`,
  })
  const tables = rows.map(({ name }) => name).join(', ')
  await holder.query(`begin; lock table ${tables} in share mode`)
  const migrating = recaudoInProcess(['migrate'], { DATABASE_URL: bare.url, SECRETS_KEY })
  const [pid] = await eventually(
    () => waitingForLock(db),
    (pids) => pids.length === 1,
  )
  await db.query({ text: 'select pg_terminate_backend($1)', values: [pid] })
  const end = await migrating
  assert.equal(end.code, 1, JSON.stringify(end))
  assert.match(
    end.stderr,
    /^recaudo: The migration of the PostgreSQL at \S+ was interrupted: .*undone as a whole.*Run `recaudo migrate` again; `recaudo migrate --plan`/,
  )
  await holder.end()
  const plan = await recaudoInProcess(['migrate', '--plan', '--json'], {
    DATABASE_URL: bare.url,
    SECRETS_KEY,
  })
  assert.ok(JSON.parse(plan.stdout).length > 0, plan.stderr)
  assert.equal(await isMigrated(db), false)
  assert.equal((await recaudoInProcess(['migrate'], { DATABASE_URL: bare.url, SECRETS_KEY })).code, 0)
  assert.equal(await isMigrated(db), true)
})

test('a database in which its user may create no tables', async (t) => {
  const bare = await createDatabase(null)
  t.after(async () => {
    await bare.drop()
    await onServer('drop role recaudo_test_guest')
  })
  await onServer(`create role recaudo_test_guest login password '${PASSWORD}'`)
  await assertRefused(
    { DATABASE_URL: bare.url.replace(/\/\/[^@]*@/, `//recaudo_test_guest:${PASSWORD}@`), SECRETS_KEY },
    /^Cannot migrate the PostgreSQL at .*: permission denied for schema public\. Its user must own the database/,
  )
})

test('wrong settings, all of them at once', async () => {
  const wrong = {
    RECAUDO_ENV: 'test',
    PORT: '70000',
    DATABASE_URL: `mysql://recaudo:${PASSWORD}@127.0.0.1/shop`,
    DATABASE_POOL: 'many',
    PUBLIC_URL: 'ftp://127.0.0.1',
    SECRETS_KEY: 'short',
    MIGRATE_ON_START: 'yes',
    BOOTSTRAP_API_KEY: 'too short',
    LOG_LEVEL: 'loud',
  }
  const end = await recaudo(['start'], { ...wrong, DATA_DIR: unused })
  assert.equal(end.code, 1)
  assert.equal(end.stdout, '')
  const lines = end.stderr.trimEnd().split('\n')
  for (const line of lines) assert.match(line, /^recaudo: [A-Z_]+ must be .*\.$/)
  assert.deepEqual(lines.map((line) => line.split(' ')[1]).sort(), Object.keys(wrong).sort())
  for (const secret of [PASSWORD, wrong.SECRETS_KEY, wrong.BOOTSTRAP_API_KEY]) {
    assert.ok(!end.stderr.includes(secret), secret)
  }
})

test('production with missing settings, all of them named', async () => {
  const missing = [
    'PUBLIC_URL',
    'DATABASE_URL',
    'SECRETS_KEY',
    ...['BREB', 'PSE'].flatMap((rail) =>
      ['BASE_URL', 'CLIENT_ID', 'CLIENT_SECRET', 'NOTIFICATION_KEY'].map((name) => `${rail}_${name}`),
    ),
  ]
  const end = await recaudoInProcess(['start'], { RECAUDO_ENV: 'production', DATA_DIR: unused })
  assert.equal(end.code, 1)
  assert.deepEqual(
    end.stderr.trimEnd().split('\n').sort(),
    missing.map((name) => `recaudo: ${name} is required in production.`).sort(),
  )
})

test('a command on a database that is not Recaudo’s yet, which stays as it is', async (t) => {
  const empty = await createDatabase(null)
  t.after(() => empty.drop())
  const env = { DATABASE_URL: empty.url, SECRETS_KEY }
  const none =
    /^The PostgreSQL at \S+ has no schema of Recaudo: .*`recaudo migrate` first\. Nothing was changed\.$/
  await assertRefused(env, none, ['org', 'list'])
  await assertRefused(env, none, ['ledger', 'verify'])
  assert.deepEqual(await ask(empty.url, 'select relname from pg_stat_user_tables'), [])
  assert.equal((await recaudoInProcess(['migrate'], env)).code, 0)
  assert.equal((await recaudoInProcess(['org', 'list'], env)).code, 0)
  await ask(
    empty.url,
    'delete from schema_migrations where version = (select max(version) from schema_migrations)',
  )
  await assertRefused(env, /is not at this version’s schema: .*`recaudo migrate --plan`/, ['org', 'list'])
})

test('a command on a data directory without a database, which is not made', async (t) => {
  const DATA_DIR = dataDirectory(t)
  const none = /^There is no database in \S+: set DATA_DIR .* Nothing was changed\.$/
  for (const words of [
    ['ledger', 'verify'],
    ['migrate', '--plan'],
    ['backup', 'create', `${DATA_DIR}-backup`],
  ])
    await assertRefused({ DATA_DIR }, none, words)
  const doctor = await recaudoInProcess(['doctor', '--operator'], { DATA_DIR })
  assert.equal(doctor.code, 1)
  assert.match(doctor.stdout, /^problem {2}database: There is no database in \S+:/)
  assert.equal(existsSync(DATA_DIR), false)
})

test('a data directory that cannot be used as one', async (t) => {
  const file = join(dirname(dataDirectory(t)), 'file')
  writeFileSync(file, '')
  const said = (reason: string) =>
    new RegExp(
      `^Recaudo cannot write in its data directory \\S+: ${reason}, or set DATA_DIR to another directory\\.`,
    )
  await assertRefused(
    { DATA_DIR: '/proc/nowhere' },
    said('it does not exist, and the system lets nobody make it; make it yourself'),
  )
  await assertRefused({ DATA_DIR: file }, said('it is a file; move that away'))
  await assertRefused({ DATA_DIR: `${file}/inside` }, said('a part of this path is a file; move that away'))
})

test('a role without rights on a table that a migration made: it waits for them, and says so', async (t) => {
  const own = await createDatabase()
  const role = `service_${randomUUID().replaceAll('-', '')}`
  t.after(async () => {
    await own.drop()
    await onServer(`drop role ${role}`)
  })
  const owner = { DATABASE_URL: own.url, SECRETS_KEY }
  assert.equal((await recaudoInProcess(['migrate', '--grant', role], owner)).code, 0)
  await onServer(`alter role ${role} password 'secret'`)
  await ask(own.url, `revoke all on refunds from ${role}`)
  const service = { ...owner, DATABASE_URL: own.url.replace(/^(\w+:\/\/)(?:[^/@]*@)?/, `$1${role}:secret@`) }

  const waiting = await spawnServer(t, { env: { ...service, DATA_DIR: unused } })
  const readiness = () =>
    fetch(`${waiting.baseUrl}/readyz`).then(
      ({ status }) => status,
      () => undefined,
    )
  const said =
    /^Waiting until `recaudo migrate --grant` .* the role may not insert refunds, select refunds, update refunds\.\n$/
  await eventually(
    async () => waiting.stdout(),
    (text) => said.test(text),
  )
  assert.equal(await readiness(), 503)
  const { code, stdout } = await recaudoInProcess(['doctor', '--operator'], service)
  assert.equal(code, 1)
  assert.match(stdout, /^problem {2}rights: this role may not insert refunds, .*\n.*recaudo migrate --grant/m)

  assert.equal((await recaudoInProcess(['migrate', '--grant', role], owner)).code, 0)
  await eventually(readiness, (status) => status === 200)
  await stop(waiting)
})

// What a command says is the same without a process of its own (commands.test.ts), and a start too: one of them, above, is a process.
async function assertRefused(env: Record<string, string>, line: RegExp, args = ['start']): Promise<void> {
  const ports = { PORT: String(await freePort()), SANDBOX_PORT: String(await freePort()) }
  const end = await recaudoInProcess(args, { DATA_DIR: unused, ...ports, ...env })
  assert.equal(end.code, 1, JSON.stringify(end))
  assert.equal(end.stdout, '')
  assert.ok(end.stderr.startsWith('recaudo: ') && end.stderr.endsWith('\n'), end.stderr)
  const said = end.stderr.slice('recaudo: '.length, -1)
  assert.match(said, line)
  assert.ok(!said.includes('\n'), `one line, not ${end.stderr}`)
  const own = /:([0-9a-f]{64})@/.exec(env.DATABASE_URL ?? '')?.[1] ?? PASSWORD
  for (const password of [PASSWORD, own]) assert.ok(!said.includes(password), 'the password is not printed')
}

async function waitingForLock(db: Db): Promise<number[]> {
  const { rows } = await db.query<{ pid: number }>({
    text: `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  })
  return rows.map(({ pid }) => pid)
}

async function query(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(sql).finally(() => client.end())
}
