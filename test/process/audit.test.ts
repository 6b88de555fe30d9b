// The audit log over the lives of processes: two add to the chain at once, they are killed like a power cut and started again, and it
// goes on as one chain with every act that was answered. What is asked to end stores its request log first.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openDb } from '../../src/store/db.ts'
import { byDepth } from '../depth.ts'
import { freePort } from '../free-port.ts'
import { clientOf, createDatabase, eventually } from '../world.ts'
import { recaudoInProcess } from './in-process.ts'
import { dataDirectory, killGroup, start, stop } from './process.ts'

const BOOTSTRAP_API_KEY = 'key-of-a-test-script'
const SECRETS_KEY = '6f'.repeat(32)
const LIVES = byDepth(1, 2)
const ACTS = 60

let database: { url: string; drop: () => Promise<void> }
before(async () => {
  database = await createDatabase()
})
after(() => database.drop())
const dataDir = dataDirectory({ after })

test('a chain outlives its processes, and has every act that was answered', async (t) => {
  const SANDBOX_PORT = String(await freePort())
  const env = { DATABASE_URL: database.url, BOOTSTRAP_API_KEY, SECRETS_KEY, SANDBOX_PORT, DATA_DIR: dataDir }
  const begin = () => start(t, { args: ['start', '--api', '--workers'], env })
  const db = openDb({ url: database.url, poolSize: 2 })
  t.after(() => db.close())
  const countOf = async (text: string): Promise<number> => {
    const { rows } = await db.query<{ count: bigint }>({ text })
    return Number(rows[0]?.count)
  }

  const answered = new Set<string>()
  for (let life = 1; life <= LIVES; life += 1) {
    const nodes = await Promise.all([begin(), begin()])
    const clients = nodes.map(({ baseUrl }) => clientOf(baseUrl, { 'x-api-key': BOOTSTRAP_API_KEY }))
    let isOver = false
    // Acts at both, until they are killed in the middle of it.
    const acting = clients.map(async (client, at) => {
      for (let count = 1; !isOver; count += 1) {
        const requestId = `act-${life}-${at}-${count}`
        const changed = await client(
          'PATCH',
          '/organization',
          { payinExpiryMinutes: 10 + (count % 40) },
          {
            'x-request-id': requestId,
          },
        ).catch(() => undefined)
        if (changed?.status === 200) answered.add(requestId)
      }
    })
    const enough = answered.size + ACTS
    await eventually(
      async () => answered.size,
      (count) => count >= enough,
    )
    for (const { child } of nodes) killGroup(child)
    isOver = true
    await Promise.all(acting)
    await Promise.all(nodes.map(({ ended }) => ended))
  }

  const last = await begin()
  await eventually(
    () => countOf('select count(*) from audit_unchained'),
    (count) => count === 0,
  )
  const client = clientOf(last.baseUrl, { 'x-api-key': BOOTSTRAP_API_KEY })
  assert.equal((await client('PATCH', '/organization', { payinExpiryMinutes: 15 })).status, 200)
  await stop(last)
  const logged = `select count(*) from request_log where path = '/organization' and method = 'PATCH'`
  assert.ok((await countOf(logged)) > 0, 'the last request was stored before the end')
  const { rows } = await db.query<{ request_id: string }>({
    text: `select request_id from audit_entries where act = 'organization.change'`,
  })
  const written = new Set(rows.map((row) => row.request_id))
  const missing = [...answered].filter((requestId) => !written.has(requestId))
  assert.deepEqual(missing, [], 'what was answered was written down')

  const verify = await recaudoInProcess(['audit', 'verify', '--json'], env)
  assert.equal(verify.code, 0, verify.stderr)
  const chains = JSON.parse(verify.stdout) as { entries: number; waiting: number; head: string }[]
  const entries = chains.reduce((sum, one) => sum + one.entries + one.waiting, 0)
  assert.equal(entries, await countOf('select count(*) from audit_entries'))
  assert.ok(entries > LIVES * ACTS)

  await db.query({
    text: `update audit_entries set actor_name = 'nobody'
            where entry_id = (select entry_id from audit_chain where sequence = 7 order by organization_id desc limit 1)`,
  })
  const broken = await recaudoInProcess(['audit', 'verify'], env)
  assert.equal(broken.code, 1)
  assert.match(broken.stderr, /line 7 \(entry [0-9a-f-]{36}\) does not follow from line 6/)
})
