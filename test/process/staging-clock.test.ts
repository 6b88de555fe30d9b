// A start survives whatever time is stored, by us and by the simulated networks.

import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { brebPayin, clientOf, createDatabase } from '../world.ts'
import { dataDirectory, start, stop } from './process.ts'

const BOOTSTRAP_API_KEY = 'key-of-a-test-script'
const TEN_YEARS_MS = 10 * 366 * 86_400_000

let database: { url: string; drop: () => Promise<void> }
before(async () => {
  database = await createDatabase()
})
after(() => database.drop())
const dataDir = dataDirectory({ after })
const NETWORKS = join(dataDir, 'sandbox.sqlite')

// Past the year 10000, past what a date can be, and before the machine's time.
for (const [stored, years] of [
  ['300000000000000', 10],
  ['9223372036854775807', 10],
  ['-9223372036854775808', 0],
] as const) {
  test(`a stored offset of ${stored} ms is brought into range, and said`, async (t) => {
    const env = { DATABASE_URL: database.url, DATA_DIR: dataDir, BOOTSTRAP_API_KEY, LOG_LEVEL: 'info' }
    // The first start makes both databases.
    if (!existsSync(NETWORKS)) await stop(await start(t, { env }))
    await store(stored)
    const service = await start(t, { env })
    const client = clientOf(service.baseUrl, { 'x-api-key': BOOTSTRAP_API_KEY })
    const { status, json, text } = await client('POST', '/payins', brebPayin())
    assert.equal(status, 201, text)
    const aheadYears = (Date.parse(json.createdAt) - Date.now()) / (TEN_YEARS_MS / 10)
    assert.ok(Math.abs(aheadYears - years) < 0.01, json.createdAt)
    const { stdout } = await stop(service)
    const said = stdout.split('\n').find((line) => line.includes('out of range')) ?? '{}'
    assert.equal(JSON.parse(said).storedMs, Number(stored))
  })
}

async function store(offsetMs: string): Promise<void> {
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  await client.query(
    'insert into staging_clock values (1, $1) on conflict (clock_id) do update set offset_ms = excluded.offset_ms',
    [offsetMs],
  )
  await client.end()
  const networks = new DatabaseSync(NETWORKS)
  networks.prepare(`insert or replace into settings (name, value) values ('clockOffsetMs', ?)`).run(offsetMs)
  networks.close()
}
