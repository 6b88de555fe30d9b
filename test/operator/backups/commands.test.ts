// recaudo backup: what is in a backup, what a restore makes of it, and what is said of everything that is in the way. Whatever fails
// leaves the database as it was.

import assert from 'node:assert/strict'
import { cp, mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { after, before, describe, it } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import type { Config } from '../../../src/config.ts'
import type { Manifest } from '../../../src/core/backups/manifest.ts'
import { adoptSecretsKey } from '../../../src/flows/secrets-key.ts'
import { createBackup, restoreBackup, verifyBackup } from '../../../src/operator/backups/commands.ts'
import { openBackup, writeBackup } from '../../../src/operator/backups/files.ts'
import { loadBackup } from '../../../src/store/backups/load.ts'
import { withSnapshot } from '../../../src/store/backups/snapshot.ts'
import { type Db, openDb } from '../../../src/store/db.ts'
import { verifyEventNumbers } from '../../../src/store/events/verify-numbers.ts'
import { isMigrated, migrate, partsOf, readMigrations } from '../../../src/store/migrate.ts'
import { listPartitions, PARTITION_GROUPS } from '../../../src/store/partitions.ts'
import { tryLockSchema } from '../../../src/store/schema-lock.ts'
import { brebPayin, createWorld, eventually, psePayin, type World } from '../../world.ts'
import { emptyDatabase } from './empty-database.ts'

describe('recaudo backup', () => {
  let world: World
  let directory: string
  let backup: string
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'recaudo-backup-'))
    backup = join(directory, 'backup')
    world = await createWorld({ env: { SECRETS_KEY: 'a1b2'.repeat(16) } })
    assert.equal(await adoptSecretsKey(world.ctx), undefined)
    // What COPY has to write in another way: tabs, line feeds, backslashes, its own word for null, and what is not ASCII.
    const awkward = { description: 'a\\tb \\N \\\\. ñandú 💸', metadata: { note: '\\n "quoted" \\' } }
    await world.client('POST', '/payins', brebPayin(awkward))
    await world.client('POST', '/payins', psePayin())
    await world.client('POST', '/webhook-endpoints', { url: 'http://127.0.0.1:9/' })
    await world.passTime(2_000)
    await createBackup(world.config, {}, backup)
  })
  after(async () => {
    await world[Symbol.asyncDispose]()
    await rm(directory, { recursive: true, force: true })
  })

  const configFor = (url: string): Config => ({ ...world.config, databaseUrl: url })
  const tablesAt = async (url: string): Promise<number> =>
    withDb(url, async (db) => {
      const text = `select from pg_tables where schemaname = 'public'`
      return (await db.query({ text })).rowCount ?? 0
    })
  const manifestOf = async (of: string): Promise<Manifest> => (await openBackup(of)).manifest
  // A copy of the backup in which something is not as it was.
  const changedBackup = async (change: (copy: string) => Promise<void>): Promise<string> => {
    const copy = await mkdtemp(join(directory, 'changed-'))
    await cp(backup, copy, { recursive: true })
    await change(copy)
    return copy
  }
  const changedManifest = (change: (manifest: Record<string, unknown>) => void): Promise<string> =>
    changedBackup(async (copy) => {
      const manifest = JSON.parse(await readFile(join(copy, 'manifest.json'), 'utf8'))
      change(manifest)
      await writeFile(join(copy, 'manifest.json'), JSON.stringify(manifest))
    })
  const assertRefused = async (from: string, message: RegExp): Promise<void> => {
    await using empty = await emptyDatabase()
    await assert.rejects(restoreBackup(configFor(empty.url), {}, from), { message })
    assert.equal(await tablesAt(empty.url), 0, 'nothing is left behind')
  }

  it('gives back every row, in the same partitions, and says when and by whom', async () => {
    await using empty = await emptyDatabase()
    const { manifest, rowsOf } = await openBackup(backup)
    await loadBackup(empty.url, manifest, rowsOf)
    const again = join(directory, 'again')
    await createBackup(configFor(empty.url), {}, again)
    assert.deepEqual((await manifestOf(again)).tables, manifest.tables)
    assert.ok(manifest.tables.some(({ table, rows }) => table === 'payins' && rows === 2))
    await withDb(empty.url, async (db) => {
      assert.equal(await isMigrated(db), true)
      for (const group of PARTITION_GROUPS)
        assert.deepEqual(await listPartitions(db, group), await listPartitions(world.db, group))
    })

    await using other = await emptyDatabase()
    const { lastEvents, takenAt } = await restoreBackup(configFor(other.url), {}, backup)
    const [{ lastEvent, organizationId } = assert.fail()] = manifest.organizations.filter(
      (one) => one.lastEvent > 0,
    )
    assert.deepEqual(lastEvents, [`${organizationId} ${lastEvent}`])
    await withDb(other.url, async (db) => {
      const text = `select changes from audit_entries where act = 'database.restore'`
      const { rows } = await db.query<{ changes: { takenAt: { after: string } } }>({ text })
      assert.match(JSON.stringify(rows), new RegExp(String(takenAt)))
    })
  })

  it('holds one moment, while payins go on and a migration would wait', async () => {
    const counted = await withSnapshot(world.databaseUrl, async (snapshot) => {
      const { status } = await world.client('POST', '/payins', brebPayin())
      assert.equal(status, 201)
      assert.equal(await world.db.inTransaction(tryLockSchema), false)
      const payins = snapshot.tables.find(({ table }) => table === 'payins') ?? assert.fail()
      const chunks = await snapshot.rowsOf(payins).toArray()
      return Buffer.concat(chunks).toString().split('\n').length - 1
    })
    assert.equal(counted, 2)
    assert.equal(await world.db.inTransaction(tryLockSchema), true)
  })

  it('is proven in a PostgreSQL of its own, which is removed again', async () => {
    const scratches = async () =>
      (await readdir(tmpdir())).filter((name) => name.startsWith('recaudo-verify-'))
    const before = await scratches()
    const proofs = await verifyBackup(world.config, {}, backup)
    assert.deepEqual(
      proofs.map(({ proof }) => proof),
      [
        'every file is as it was written',
        'the books hold',
        'the audit log ends where it ended',
        'closed days equal the ledger',
        'approvals are as they were decided',
        'events are numbered without a gap',
        'SECRETS_KEY is the one of this database',
      ],
    )
    assert.deepEqual(await scratches(), before)
  })

  it('is of no use if the books, the audit log or the numbers of events in it do not hold', async () => {
    await using broken = await emptyDatabase()
    const { manifest, rowsOf } = await openBackup(backup)
    await loadBackup(broken.url, manifest, rowsOf)
    await withDb(broken.url, async (db) => {
      await db.query({ text: 'update ledger_balances set credit_cents = credit_cents + 1' })
      await db.query({ text: 'update events set sequence = sequence + 100 where sequence > 1' })
    })
    const made = join(directory, 'broken')
    await createBackup(configFor(broken.url), {}, made)
    await using scratch = await emptyDatabase()
    await assert.rejects(verifyBackup(world.config, { scratch: scratch.url }, made), {
      message:
        /^Not so that the books hold: .*\nNot so that events are numbered without a gap: \n .*no event has the number 2/s,
    })
    const shorter = await changedManifest((changed) => {
      const [first] = (changed.organizations as Manifest['organizations']).filter(
        (one) => one.auditHead !== null,
      )
      Object.assign(first ?? assert.fail(), { auditHead: `9:${'0'.repeat(64)}` })
    })
    await using other = await emptyDatabase()
    await assert.rejects(verifyBackup(world.config, { scratch: other.url }, shorter), {
      message: /Not so that the audit log ends where it ended/,
    })
  })

  it('of an older schema is restored, and brought to this one', async () => {
    await using old = await emptyDatabase()
    await withDb(old.url, async (db) => {
      await migrate(db, readMigrations().slice(0, -4))
    })
    const made = join(directory, 'old')
    await createBackup(configFor(old.url), {}, made)
    assert.equal((await manifestOf(made)).schema.length, readMigrations().length - 4)
    await using empty = await emptyDatabase()
    await restoreBackup(configFor(empty.url), {}, made)
    await withDb(empty.url, async (db) => assert.equal(await isMigrated(db), true))
  })

  it('taken when a migration had been interrupted knows which of its steps are left', async () => {
    const { version } =
      readMigrations().findLast(({ sql }) => partsOf(sql).online.length > 0) ?? assert.fail()
    const values = [version]
    await using half = await emptyDatabase()
    await withDb(half.url, async (db) => {
      await migrate(db)
      await db.query({ text: 'update schema_migrations set steps_left = 1 where version = $1', values })
    })
    const made = join(directory, 'half')
    await createBackup(configFor(half.url), {}, made)
    await using empty = await emptyDatabase()
    const { manifest, rowsOf } = await openBackup(made)
    await loadBackup(empty.url, manifest, rowsOf)
    await withDb(empty.url, async (db) => {
      const text = 'select steps_left from schema_migrations where version = $1'
      // A step that changes rows has nothing to change before they are there.
      assert.deepEqual((await db.query({ text, values })).rows, [{ steps_left: 1 }])
      assert.equal(await isMigrated(db), false)
      await migrate(db)
      assert.equal(await isMigrated(db), true)
    })
  })

  it('leaves out tables that are not Recaudo’s, and says which', async () => {
    await using own = await emptyDatabase()
    await withDb(own.url, async (db) => {
      await migrate(db)
      await db.query({ text: 'create table reports_of_mine (line text)' })
    })
    const made = await createBackup(configFor(own.url), {}, join(directory, 'own'))
    assert.deepEqual(made.leftOut, ['reports_of_mine'])
  })

  it('is never restored over a database that has anything in it', async () => {
    const payins = async () => (await world.db.query({ text: 'select from payins' })).rowCount
    const before = await payins()
    await assert.rejects(restoreBackup(world.config, {}, backup), {
      name: 'OperatorFailure',
      message: /is not empty: it has \d+ tables.*A restore writes over nothing.*Nothing was changed/,
    })
    assert.equal(await payins(), before)
  })

  it('that was damaged or changed is refused as a whole', async () => {
    const richer = await changedBackup(async (copy) => {
      const file = join(copy, 'payins.copy.gz')
      const rows = gunzipSync(await readFile(file)).toString()
      assert.match(rows, /\t5000000\t/)
      await writeFile(file, gzipSync(rows.replaceAll('\t5000000\t', '\t9000000\t')))
    })
    await assertRefused(richer, /cannot be used: payins\.copy\.gz is not as it was written/)
    const cutOff = await changedBackup((copy) => truncate(join(copy, 'payins.copy.gz'), 40))
    await assertRefused(cutOff, /payins\.copy\.gz is not as it was written/)
    const missing = await changedBackup((copy) => rm(join(copy, 'payins.copy.gz')))
    await assertRefused(missing, /payins\.copy\.gz is not as it was written/)
    const cut = await changedBackup((copy) => writeFile(join(copy, 'manifest.json'), '{"format":1,'))
    await assertRefused(cut, /manifest\.json is cut off or was changed/)
    await assertRefused(
      await changedManifest((changed) => Object.assign(changed, { format: 2 })),
      /has format 2/,
    )
    const hostile = {
      table: 'payins"; drop table events',
      columns: ['payin_id'],
      rows: 0,
      bytes: 0,
      sha256: '',
    }
    await assertRefused(
      await changedManifest((changed) => Object.assign(changed, { tables: [hostile] })),
      /manifest\.json is not as it was written/,
    )
    await assertRefused(
      await changedManifest((changed) => (changed.tables as Manifest['tables'] & unknown[]).pop()),
      /its tables are not those of its schema: /,
    )
    await assertRefused(
      await changedManifest((changed) => {
        const [first] = changed.tables as { rows: number }[]
        Object.assign(first ?? {}, { rows: 99 })
      }),
      /has \d+ rows, and its manifest says 99/,
    )
    await assertRefused(join(directory, 'nowhere'), /there is no manifest\.json in it/)
    await assertRefused(`${backup}.unfinished-x1y2z3`, /was interrupted while it wrote it; delete it/)
  })

  it('of a newer version is left to that version', async () => {
    const newer = await changedManifest((changed) => {
      Object.assign(changed, {
        schema: [...(changed.schema as unknown[]), { version: 9999, name: 'future', checksum: 'x' }],
      })
    })
    await assertRefused(newer, /The database has schema 9999 \(future\), this version of Recaudo knows up to/)
  })

  it('is not restored without its SECRETS_KEY', async () => {
    await using empty = await emptyDatabase()
    const other = { ...configFor(empty.url), secretsKey: Buffer.alloc(32, 7) }
    await assert.rejects(restoreBackup(other, {}, backup), {
      message:
        /The backup needs the SECRETS_KEY with the id \w{16}, and the one given has the id \w{16}\..*Nothing was written/,
    })
    const none = { ...other, secretsKey: null, dataDir: join(directory, 'no-data') }
    await assert.rejects(restoreBackup(none, {}, backup), { message: /there is none in .*secrets\.key/ })
    assert.equal(await tablesAt(empty.url), 0)
    await verifyBackup(other, { scratch: empty.url, 'without-secrets-key': true }, backup)
  })

  it('taken while SECRETS_KEY was being changed is not restored without the key before', async () => {
    await using rotating = await emptyDatabase()
    const { manifest, rowsOf } = await openBackup(backup)
    await loadBackup(rotating.url, manifest, rowsOf)
    await withDb(rotating.url, (db) => db.query({ text: 'update secrets_keys set finished_at = null' }))
    const made = join(directory, 'rotating')
    await createBackup(configFor(rotating.url), {}, made)
    await assertRefused(made, /SECRETS_KEY was being changed.*Set SECRETS_KEY_PREVIOUS.*Nothing was written/)
    await using empty = await emptyDatabase()
    const both = { ...configFor(empty.url), previousSecretsKey: Buffer.alloc(32, 7) }
    await restoreBackup(both, {}, made)
  })

  it('says what to do where the database goes away, while it is restored and while it is made', async () => {
    const cut = (url: string) =>
      withDb(url, (db) =>
        eventually(
          async () =>
            db.query({
              text: `select pg_terminate_backend(pid) from pg_stat_activity
                      where datname = current_database() and application_name = 'recaudo-backup'
                        and query ~ '^\\s*(create|alter|copy)'`,
            }),
          ({ rowCount }) => rowCount === 1,
        ),
      )
    await using empty = await emptyDatabase()
    const restoring = assert.rejects(restoreBackup(configFor(empty.url), {}, backup), {
      name: 'OperatorFailure',
      message:
        /^The restore into the PostgreSQL at .* was interrupted: .*run it again: .*nothing was written/s,
    })
    await Promise.all([restoring, cut(empty.url)])
    assert.equal(await tablesAt(empty.url), 0)

    await using other = await emptyDatabase()
    const { manifest, rowsOf } = await openBackup(backup)
    await loadBackup(other.url, manifest, rowsOf)
    const locking = openDb({ url: other.url, poolSize: 1 })
    const made = join(directory, 'cut')
    await locking
      .inTransaction(
        async (tx) => {
          await tx.query({ text: 'lock table payins in access exclusive mode' })
          const making = assert.rejects(createBackup(configFor(other.url), {}, made), {
            name: 'OperatorFailure',
            message:
              /^The backup of the PostgreSQL at .* was interrupted: .*run it again: nothing was left behind/s,
          })
          await Promise.all([making, cut(other.url)])
        },
        { timeoutMs: 0 },
      )
      .finally(() => locking.close())
    assert.ok(!(await readdir(directory)).some((name) => name.startsWith('cut')))
  })

  it('ends in order also if the connection is lost between two tables', async () => {
    const { manifest } = await openBackup(backup)
    const lost = (): Readable => {
      const rows = new Readable({ read: () => {} })
      process.nextTick(() => rows.destroy(new Error('the connection is lost')))
      return rows
    }
    const made = join(directory, 'lost')
    await assert.rejects(writeBackup(made, { ...manifest, leftOut: [], rowsOf: lost }), {
      message: 'the connection is lost',
    })
    assert.ok(!(await readdir(directory)).some((name) => name.startsWith('lost')))
  })

  it('that was interrupted while it was restored is restored again', async () => {
    await using empty = await emptyDatabase()
    const { manifest, rowsOf } = await openBackup(backup)
    await assert.rejects(
      loadBackup(empty.url, manifest, async function* (table) {
        if (table.table === 'payins')
          await withDb(empty.url, (db) =>
            db.query({
              text: `select pg_terminate_backend(pid) from pg_stat_activity
                      where datname = current_database() and application_name = 'recaudo-backup'`,
            }),
          )
        yield* rowsOf(table)
      }),
    )
    assert.equal(await tablesAt(empty.url), 0)
    await restoreBackup(configFor(empty.url), {}, backup)
  })

  it('is not written over another, nor of a database without a schema', async () => {
    await assert.rejects(createBackup(world.config, {}, backup), {
      message: /exists already: name a directory that does not/,
    })
    await using empty = await emptyDatabase()
    const nothing = join(directory, 'nothing')
    await assert.rejects(createBackup(configFor(empty.url), {}, nothing), {
      message: /there is nothing to back up/,
    })
    assert.ok(!(await readdir(directory)).some((name) => name.startsWith('nothing')))
  })

  it('counts a number that was given twice, and one that the counter does not know', async () => {
    assert.deepEqual(await verifyEventNumbers(world.db), [])
    const undone = new Error('undone')
    await assert.rejects(
      world.db.inTransaction(async (tx) => {
        await tx.query({ text: 'update event_counters set last_sequence = last_sequence + 5' })
        const [problem] = await verifyEventNumbers(tx)
        assert.match(problem?.detail ?? '', /^the last event has the number \d+, and the counter says \d+$/)
        throw undone
      }),
      undone,
    )
  })
})

async function withDb<Result>(url: string, use: (db: Db) => Promise<Result>): Promise<Result> {
  const db = openDb({ url, poolSize: 2, statementTimeoutMs: 20_000 })
  try {
    return await use(db)
  } finally {
    await db.close()
  }
}
