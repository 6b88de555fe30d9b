// What a backup and a restore do not depend on, and what they leave alone: the database's own settings, others who change its schema,
// whatever is in it already, and everybody else on the machine.

import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { type Backup, writeBackup } from '../../../src/operator/backups/files.ts'
import { copyOut } from '../../../src/store/backups/copy.ts'
import { DatabaseNotEmpty, loadBackup } from '../../../src/store/backups/load.ts'
import { openSession } from '../../../src/store/backups/session.ts'
import { withSnapshot } from '../../../src/store/backups/snapshot.ts'
import { lockSchemaForSession } from '../../../src/store/schema-lock.ts'
import { emptyDatabase } from '../../operator/backups/empty-database.ts'
import { createDatabase, eventually } from '../../world.ts'

describe('a backup and its restore', () => {
  let directory: string
  let backup: Backup
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'recaudo-load-'))
    const database = await createDatabase()
    backup = await withSnapshot(database.url, (snapshot) => writeBackup(join(directory, 'backup'), snapshot))
    await database.drop()
  })
  after(() => rm(directory, { recursive: true, force: true }))

  it('is read by nobody but its owner', async () => {
    const modeOf = async (path: string): Promise<number> => (await stat(path)).mode & 0o777
    assert.equal(await modeOf(backup.directory), 0o700)
    for (const name of await readdir(backup.directory))
      assert.equal(await modeOf(join(backup.directory, name)), 0o600, name)
  })

  it('writes rows in the same form, whatever the settings of the database say', async () => {
    await using database = await emptyDatabase()
    const [, name = ''] = /\/([^/?]+)\?/.exec(database.url) ?? []
    await using owner = await openSession(database.url)
    for (const setting of [
      "datestyle = 'SQL, DMY'",
      "intervalstyle = 'iso_8601'",
      "timezone = 'America/Bogota'",
    ])
      await owner.client.query(`alter database "${name}" set ${setting}`)
    await using session = await openSession(database.url)
    const rows = copyOut(
      session.client,
      `copy (select timestamptz '2026-11-02 03:04:05+00', date '2026-11-02', interval '1 day 2 hours') to stdout`,
    )
    assert.equal(
      Buffer.concat(await rows.toArray()).toString(),
      '2026-11-02 03:04:05+00\t2026-11-02\t1 day 02:00:00\n',
    )
  })

  for (const [what, sql] of [
    ['view', 'create view people as select 1 as id'],
    ['materialized view', 'create materialized view people as select 1 as id'],
    ['table', 'create table people (id integer)'],
  ] as const)
    it(`leaves a database alone that has a ${what}`, async () => {
      await using database = await emptyDatabase()
      await using owner = await openSession(database.url)
      await owner.client.query(sql)
      await assert.rejects(loadBackup(database.url, backup.manifest, backup.rowsOf), DatabaseNotEmpty)
      const { rows } = await owner.client.query('select from schema_migrations').catch(() => ({ rows: null }))
      assert.equal(rows, null)
    })

  it('refuses a backup whose tables are others than those of its schema, and names each in order', async () => {
    await using database = await emptyDatabase()
    const { manifest, rowsOf } = backup
    const without = (table: string, column: string) =>
      manifest.tables.map((one) =>
        one.table === table ? { ...one, columns: one.columns.filter((name) => name !== column) } : one,
      )
    const tables = [
      ...without('refunds', 'reason'),
      { ...(manifest.tables[0] as (typeof manifest.tables)[number]), table: 'a_table', columns: ['b'] },
    ]
    await assert.rejects(loadBackup(database.url, { ...manifest, tables }, rowsOf), {
      message: 'its tables are not those of its schema: a_table.b, refunds.reason',
    })
  })

  it('waits for whoever changes the schema, and then finds what they made', async () => {
    await using database = await emptyDatabase()
    await using migrating = await openSession(database.url)
    await lockSchemaForSession(migrating.tx, 0)
    const restoring = assert.rejects(
      loadBackup(database.url, backup.manifest, backup.rowsOf),
      DatabaseNotEmpty,
    )
    await eventually(
      async () => {
        const { rowCount } = await migrating.client.query(
          `select from pg_stat_activity
            where datname = current_database() and pid <> pg_backend_pid() and query like '%pg_try_advisory_lock%'`,
        )
        return rowCount
      },
      (waiting) => waiting === 1,
    )
    await migrating.client.query('create table people (id integer)')
    await migrating[Symbol.asyncDispose]()
    await restoring
  })
})
