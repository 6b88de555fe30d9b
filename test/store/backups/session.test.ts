// A backup's connection has its own settings, whatever the role's or the database's say.

import assert from 'node:assert/strict'
import { it } from 'node:test'
import { openSession } from '../../../src/store/backups/session.ts'
import { createDatabase, onServer } from '../../world.ts'

const OTHERS = {
  statement_timeout: '1ms',
  idle_in_transaction_session_timeout: '1ms',
  datestyle: 'SQL, DMY',
  intervalstyle: 'iso_8601',
  timezone: 'America/Bogota',
}

it('writes rows in one form, and has no time limit', async (t) => {
  const { url, drop } = await createDatabase(null)
  t.after(drop)
  const name = /\/([^/?]+)(?:\?|$)/.exec(url)?.[1]
  for (const [setting, value] of Object.entries(OTHERS))
    await onServer(`alter database ${name} set ${setting} = '${value}'`)
  await using session = await openSession(url)
  const { rows } = await session.client.query(
    `select name, setting from pg_settings where lower(name) = any($1)`,
    [[...Object.keys(OTHERS), 'client_encoding']],
  )
  const shown = rows.map(({ name, setting }) => [name.toLowerCase(), setting.replace(/, ...$/, '')])
  assert.deepEqual(Object.fromEntries(shown), {
    statement_timeout: '0',
    idle_in_transaction_session_timeout: '0',
    datestyle: 'ISO',
    intervalstyle: 'postgres',
    timezone: 'UTC',
    client_encoding: 'UTF8',
  })
})
