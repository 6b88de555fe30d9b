// A start survives whatever time is stored, by us and by the simulated networks.

import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, test } from 'node:test'
import { openStorage } from '../../src/sandbox/storage.ts'
import { type Db, openDb } from '../../src/store/db.ts'
import { readClockOffset } from '../../src/store/staging-clock.ts'
import { byDepth } from '../depth.ts'
import { freePort } from '../free-port.ts'
import { brebPayin, clientOf, createDatabase } from '../world.ts'
import { openNetworks } from './networks.ts'
import { dataDirectory, start, stop } from './process.ts'

const BOOTSTRAP_API_KEY = 'key-of-a-test-script'
const TEN_YEARS_MS = 10 * 366 * 86_400_000

let database: { url: string; drop: () => Promise<void> }
let db: Db
before(async () => {
  database = await createDatabase()
  db = openDb({ url: database.url, poolSize: 1 })
})
after(async () => {
  await db.close()
  await database.drop()
})
const dataDir = dataDirectory({ after })
mkdirSync(dataDir, { mode: 0o700 })
const NETWORKS = join(dataDir, 'sandbox.sqlite')

// Past the year 10000, past what a date can be, and before the machine's time.
const STORED: readonly (readonly [stored: string, years: number])[] = [
  ['300000000000000', 10],
  ['-9223372036854775808', 0],
  ['9223372036854775807', 10],
]

for (const [stored, years] of STORED)
  test(`a stored offset of ${stored} ms is brought into range, by us and by the networks`, async () => {
    openStorage(NETWORKS).close()
    await store(stored)
    assertAhead(Date.now() + (await readClockOffset(db)), years)
    const port = await freePort()
    await using networks = await openNetworks({ notified: port, port, secretsKey: '', delayMs: 50 }, NETWORKS)
    assertAhead(networks.now(), years)
  })

for (const [stored, years] of byDepth(STORED.slice(-1), STORED))
  test(`a service starts on ${stored} ms, and says what it did`, async (t) => {
    const env = { DATABASE_URL: database.url, DATA_DIR: dataDir, BOOTSTRAP_API_KEY, LOG_LEVEL: 'info' }
    await store(stored)
    const service = await start(t, { env })
    const client = clientOf(service.baseUrl, { 'x-api-key': BOOTSTRAP_API_KEY })
    const { status, json, text } = await client('POST', '/payins', brebPayin())
    assert.equal(status, 201, text)
    assertAhead(Date.parse(json.createdAt), years)
    const { stdout } = await stop(service)
    const said = stdout.split('\n').find((line) => line.includes('out of range')) ?? '{}'
    assert.equal(JSON.parse(said).storedMs, Number(stored))
  })

function assertAhead(at: number, years: number): void {
  const aheadYears = (at - Date.now()) / (TEN_YEARS_MS / 10)
  assert.ok(Math.abs(aheadYears - years) < 0.01, new Date(at).toISOString())
}

async function store(offsetMs: string): Promise<void> {
  await db.query({
    text: 'insert into staging_clock values (1, $1) on conflict (clock_id) do update set offset_ms = excluded.offset_ms',
    values: [offsetMs],
  })
  const networks = new DatabaseSync(NETWORKS)
  networks.prepare(`insert or replace into settings (name, value) values ('clockOffsetMs', ?)`).run(offsetMs)
  networks.close()
}
