// A schema that a newer version has brought. Where the newer migration says that it works with this version, processes of this version
// stay ready and may be started: so an upgrade rolls on, and so it is rolled back. Where it does not, they refuse.

import assert from 'node:assert/strict'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { openDb } from '../../src/store/db.ts'
import { type Migration, migrate, readMigrations } from '../../src/store/migrate.ts'
import { brebPayin, clientOf, createDatabase, eventually } from '../world.ts'
import { readiness, recaudoInProcess, startInProcess } from './in-process.ts'
import { dataDirectory, start, stop } from './process.ts'

const BOOTSTRAP_API_KEY = 'key-of-a-test-script'

test('a process on a schema that became newer goes on, and one that starts on it goes by what the migration says', async (t) => {
  const database = await createDatabase()
  t.after(() => database.drop())
  const db = openDb({ url: database.url, poolSize: 2 })
  t.after(() => db.close())
  const dataDir = dataDirectory(t)
  const env = {
    DATABASE_URL: database.url,
    SECRETS_KEY: 'c0'.repeat(32),
    BOOTSTRAP_API_KEY,
    DATA_DIR: dataDir,
  }
  const known = readMigrations()
  const own = known.at(-1)?.version ?? 0
  const migrateTo = (...newer: string[]): Promise<string[]> =>
    migrate(db, [
      ...known,
      ...newer.map(
        (sql, index): Migration => ({ version: own + 1 + index, name: 'newer', sql, checksum: sql }),
      ),
    ])
  const worksWithOwn = `-- works with ${String(own).padStart(4, '0')}\ncreate table newer_things (thing_id uuid);`
  const worksWithNone = 'create table newest_things (thing_id uuid);'
  const payin = async ({ baseUrl }: { baseUrl: string }) =>
    (await clientOf(baseUrl, { 'x-api-key': BOOTSTRAP_API_KEY })('POST', '/payins', brebPayin())).status

  const running = await startInProcess(t, ['start', '--api'], env)
  await eventually(
    () => readiness(running),
    (status) => status === 200,
  )

  await t.test('that works with it', async () => {
    assert.deepEqual(await migrateTo(worksWithOwn), ['newer'])
    assert.equal(await readiness(running), 200)
    assert.equal(await payin(running), 201)
    const later = await start(t, { args: ['start', '--api'], env: { ...env, LOG_LEVEL: 'warn' } })
    assert.match(later.stdout(), new RegExp(`"schema":${own + 1},.*schema of a newer version`))
    assert.equal(await readiness(later), 200)
    assert.equal(await payin(later), 201)
    await stop(later)
    const end = await recaudoInProcess(['migrate', '--json'], env)
    assert.deepEqual(JSON.parse(end.stdout), { applied: [] }, end.stderr)
  })

  await t.test('a backup is the newer version’s to make: this one does not know every table', async () => {
    const end = await recaudoInProcess(['backup', 'create', join(dirname(dataDir), 'backup')], env)
    assert.equal(end.code, 1, end.stdout)
    assert.match(
      end.stderr,
      new RegExp(`^recaudo: The database has schema ${own + 1} \\(newer\\), .* knows up to ${own}`),
    )
  })

  await t.test('that does not: what runs serves and is not ready, what starts is refused', async () => {
    assert.deepEqual(await migrateTo(worksWithOwn, worksWithNone), ['newer'])
    assert.equal(await readiness(running), 503)
    assert.equal(await payin(running), 201)
    const end = await recaudoInProcess(['start', '--api'], env)
    assert.equal(end.code, 1)
    assert.equal(
      end.stderr,
      `recaudo: The database has schema ${own + 2} (newer), this version of Recaudo knows up to ${own}. Start the newer version, or restore a backup made before the upgrade.\n`,
    )
  })

  await t.test('while the rest of a migration runs beside it, the newer version waits', async () => {
    await db.query({ text: 'update schema_migrations set steps_left = 1 where version = $1', values: [own] })
    await db.query({ text: 'delete from schema_migrations where version > $1', values: [own] })
    assert.equal(await readiness(running), 503)
    await db.query({ text: 'update schema_migrations set steps_left = 0' })
    await eventually(
      () => readiness(running),
      (status) => status === 200,
    )
  })
  assert.equal((await running.stop()).code, 0)
})
