// What a look for due work reads: its own index, and as much of it as is due. Plans are those that a process keeps which was
// started when the tables were empty.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import pg from 'pg'
import { firstIdAt } from '../../src/core/ids.ts'
import type { Db } from '../../src/store/db.ts'
import {
  earliestDue,
  newestDue,
  oldestDue,
  placeBefore,
  queuesWithWork,
  WORK_QUEUES,
} from '../../src/store/due-work.ts'
import { earliestUnsequenced, newestUnsequenced, oldestUnsequenced } from '../../src/store/events/events.ts'
import { endpointsToResume } from '../../src/store/webhooks/parked.ts'
import { citusUrl } from '../citus.ts'
import { createDatabase } from '../world.ts'

const WAITING = 10_000
const ORGANIZATIONS = 1_000
// A descent of the index, or two, and the pages it ends in.
const MAX_BUFFERS = 12
const now = Date.now()
const HOUR_MS = 3_600_000

type Look = (db: Db) => Promise<unknown>

// Every look, and the index that it reads.
const LOOKS: Readonly<Record<string, { index: string | string[]; look: Look }>> = {
  ...Object.fromEntries(
    WORK_QUEUES.flatMap((queue) => [
      [
        `oldest ${queue}`,
        {
          index: `${queue}_due_by_time`,
          look: (db: Db) => oldestDue(db, queue, now, placeBefore(now - 1_000), 10_000),
        },
      ],
      [
        `oldest ${queue} of all`,
        {
          index: `${queue}_due_by_time`,
          look: (db: Db) => oldestDue(db, queue, now, placeBefore(0), 10_000),
        },
      ],
      [
        `newest ${queue}`,
        { index: `${queue}_due_by_time`, look: (db: Db) => newestDue(db, queue, now, 1_000) },
      ],
      [
        `earliest ${queue}`,
        { index: `${queue}_due_by_time`, look: (db: Db) => earliestDue(db, queue, now, true) },
      ],
    ]),
  ),
  'oldest events': {
    index: 'events_to_number_by_time',
    look: (db) => oldestUnsequenced(db, firstIdAt(now), 10_000),
  },
  'newest events': { index: 'events_to_number_by_time', look: (db) => newestUnsequenced(db, 1_000) },
  'earliest event': { index: 'events_to_number_by_time', look: (db) => earliestUnsequenced(db, false) },
  'all queues at once': {
    index: [
      ...WORK_QUEUES.map((queue) => `${queue}_due_by_time`),
      'events_to_number_by_time',
      'webhook_endpoints_to_resume',
    ],
    look: (db) => queuesWithWork(db, now, () => now - 1_000),
  },
  'endpoints to resume': {
    index: 'webhook_endpoints_to_resume',
    look: (db) => endpointsToResume(db, 100),
  },
}

type Plan = { 'Index Name'?: string; 'Node Type': string; Plans?: Plan[] }
type Explained = { Plan: Plan & { 'Shared Hit Blocks': number; 'Shared Read Blocks': number } }

const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]

const onOneMachine = { skip: citusUrl() !== undefined && 'reads the plans of one machine' }

describe('a look for due work', onOneMachine, () => {
  let client: pg.Client
  // The index of a partition belongs to that of its table.
  let parentOf: Map<string, string>
  let drop: () => Promise<void>

  before(async () => {
    const database = await createDatabase()
    drop = database.drop
    client = new pg.Client({
      connectionString: database.url,
      options: '-c enable_seqscan=off -c plan_cache_mode=force_generic_plan -c timezone=UTC',
    })
    await client.connect()
    // Prepares every statement while the tables are empty.
    for (const { look } of Object.values(LOOKS)) await look(dbOn((config) => client.query(config)))
    await fill(client)
    const { rows } = await client.query<{ part: string; whole: string }>(
      `select inhrelid::regclass::text as part, inhparent::regclass::text as whole from pg_inherits`,
    )
    parentOf = new Map(rows.map(({ part, whole }) => [part, whole]))
  })
  after(async () => {
    await client.end()
    await drop()
  })

  const read = async (
    look: Look,
    session = client,
  ): Promise<{ indexes: string[]; buffers: number; scans: string[] }> => {
    const explained: Explained[] = []
    await look(
      dbOn(async (config) => {
        // What prepares a look, and is not one.
        if (config.name === undefined || config.text.startsWith('select set_config'))
          return session.query(config)
        const values = (config.values ?? []).map((value) => session.escapeLiteral(String(value)))
        const args = values.length === 0 ? '' : `(${values.join(', ')})`
        const { rows } = await session.query(
          `explain (analyze, buffers, format json) execute "${config.name}"${args}`,
        )
        explained.push(rows[0]['QUERY PLAN'][0])
        return { rows: [] } as never
      }),
    )
    const nodes = explained.flatMap(({ Plan }) => nodesOf(Plan))
    return {
      indexes: [...new Set(nodes.flatMap((node) => node['Index Name'] ?? []))],
      scans: nodes.map((node) => node['Node Type']).filter((type) => /Scan/.test(type)),
      buffers: explained.reduce(
        (sum, { Plan }) => sum + Plan['Shared Hit Blocks'] + Plan['Shared Read Blocks'],
        0,
      ),
    }
  }

  for (const [name, { index, look }] of Object.entries(LOOKS)) {
    it(`${name}: reads its index, and none of ${WAITING} rows that wait`, async () => {
      const { indexes, buffers, scans } = await read(look)
      const whole = new Set(indexes.map((one) => parentOf.get(one) ?? one))
      assert.deepEqual([...whole].sort(), [index].flat().sort())
      assert.ok(!scans.includes('Seq Scan'))
      assert.ok(buffers <= MAX_BUFFERS * indexes.length, `${buffers} buffers`)
    })
  }

  it('says when the first of a page became due, and where the next page begins', async () => {
    const db = dbOn((config) => client.query(config))
    const page = (at: number, limit: number) => oldestDue(db, 'payins', at, placeBefore(0), limit)
    assert.deepEqual(await page(now, 10), { owners: [], firstAt: null, end: null })
    const [{ first }] = (await client.query('select min(due_at) as first from payins')).rows
    const full = await page(now + 48 * HOUR_MS, 10)
    assert.equal(Number(full.firstAt), Number(first))
    assert.deepEqual(full.owners, full.end?.owner)
    const whole = await page(now + 48 * HOUR_MS, WAITING + 1)
    assert.equal(Number(whole.firstAt), Number(first))
    assert.deepEqual([whole.owners.length, whole.end], [ORGANIZATIONS, null])
  })

  it('says whose the oldest events without a number are, and where the next page begins', async () => {
    const db = dbOn((config) => client.query(config))
    const madeAt = now - HOUR_MS
    const idAt = (place: number) => firstIdAt(madeAt + place)
    const owners = [3, 1, 3, 2].map((owner) => `00000000-0000-0000-0000-00000000000${owner}`)
    for (const [place, owner] of owners.entries())
      await client.query(
        `insert into events (organization_id, event_id, type, resource, object_id, version, data, created_at)
         values ($1, $2, 'payin.confirmed', 'payin', $2, 1, '{}', now())`,
        [owner, idAt(place)],
      )
    try {
      const [three, one, , two] = owners
      const page = (after: string, limit: number) => oldestUnsequenced(db, after, limit)
      // The owner whose last event comes first.
      assert.deepEqual(await page(firstIdAt(0), 3), { owners: [one, three], firstAt: madeAt, end: idAt(2) })
      assert.deepEqual(await page(idAt(2), 3), { owners: [two], firstAt: madeAt + 3, end: null })
      assert.deepEqual(await page(idAt(3), 3), { owners: [], firstAt: null, end: null })
      assert.deepEqual((await newestUnsequenced(db, 2)).sort(), [two, three])
    } finally {
      await client.query('delete from events where sequence is null')
    }
  })

  it('of the newest events reads no more than it asks for, whatever the backlog, also in a new database', async () => {
    // Of its tables the planner knows nothing, and believes that next to no event has no number.
    const database = await createDatabase()
    const session = new pg.Client({
      connectionString: database.url,
      options: '-c enable_seqscan=off -c timezone=UTC',
    })
    await session.connect()
    try {
      await session.query(INSERT_EVENTS, [5_000, now])
      const look = (db: Db) => newestUnsequenced(db, 50)
      await look(dbOn((config) => session.query(config)))
      const { buffers, indexes } = await read(look, session)
      assert.ok(buffers <= MAX_BUFFERS * indexes.length, `${buffers} buffers`)
    } finally {
      await session.end()
      await database.drop()
    }
  })

  it('reads on from where it began, and not the events that an old snapshot keeps', async () => {
    const reader = new pg.Client(placeOf(client))
    await reader.connect()
    try {
      await reader.query('begin isolation level repeatable read')
      await reader.query('select count(*) from events')
      await client.query(INSERT_EVENTS, [5_000, now - HOUR_MS])
      await client.query(`update events set sequence = version + 20000 where sequence is null`)
      const behind = await read((db) => oldestUnsequenced(db, firstIdAt(now - 1_000), 10_000))
      assert.ok(behind.buffers <= MAX_BUFFERS, `${behind.buffers} buffers`)
      const all = await read((db) => oldestUnsequenced(db, firstIdAt(0), 10_000))
      assert.ok(all.buffers > 100, `the snapshot keeps them: ${all.buffers} buffers`)
    } finally {
      await reader.end()
    }
  })
})

function placeOf(client: pg.Client): pg.ClientConfig {
  const { connectionParameters } = client as unknown as { connectionParameters: pg.ClientConfig }
  const { host, port, database, user, password } = connectionParameters
  return { host, port, database, user, password } as pg.ClientConfig
}

// The statements of the store on one connection, without its error handling.
function dbOn(query: (config: pg.QueryConfig) => Promise<pg.QueryResult>): Db {
  const db = {
    query,
    inTransaction: (work: (tx: Db) => Promise<unknown>) => work(db as unknown as Db),
    sendTransaction: async (statements: readonly pg.QueryConfig[]) => {
      const results: pg.QueryResult[] = []
      // What prepares a look says it for this transaction only.
      await query({ text: 'begin' })
      for (const statement of statements) results.push(await query(statement))
      await query({ text: 'commit' })
      return results
    },
  }
  return db as unknown as Db
}

const uuid = (number: string): string => `lpad(to_hex(${number}), 32, '0')::uuid`
const OWNER = uuid(`row % ${ORGANIZATIONS} + 1`)

// Numbers are the versions. `$2` is the time in the ids.
const INSERT_EVENTS = `
  insert into events (organization_id, event_id, type, resource, object_id, version, data, created_at)
  select ${OWNER}, (lpad(to_hex($2::bigint), 12, '0') || '7000' || lpad(to_hex(row), 16, '0'))::uuid, 'payin.confirmed',
         'payin', ${uuid('row')}, row, repeat('x', 200), now()
    from generate_series(1, $1::integer) row`

async function fill(client: pg.Client): Promise<void> {
  const statements = [
    `insert into organizations (organization_id, name, rails, on_amount_mismatch, require_key_lookup, payin_expiry_minutes,
                                created_at, updated_at)
     select ${uuid('row')}, 'Café', '{}', 'decline', false, 60, now(), now() from generate_series(1, ${ORGANIZATIONS}) row`,
    `insert into webhook_endpoints (organization_id, endpoint_id, url, state, sealed_secret, created_at, updated_at, has_parked)
     select ${uuid('row')}, ${uuid('row')}, 'https://shop.example', case when row % 2 = 0 then 'ENABLED' else 'DISABLED' end,
            '', now(), now(), row % 2 = 1
       from generate_series(1, ${ORGANIZATIONS}) row`,
    `insert into payins (organization_id, payin_id, version, status, rail, amount_cents, confirmed_amount_cents, currency,
                         reference, key_string, key_type, created_at, updated_at, expires_at, rail_stage, due_at)
     select ${OWNER}, ${uuid('row')}, 1, 'CONFIRMED', 'BRE_B', 1, 1, 'COP', row::text, 'k', 'QR_CODE', now(), now(), now(),
            'TO_SETTLE', now() + interval '1 day'
       from rows row`,
    `insert into payouts (organization_id, payout_id, version, status, stage, amount_cents, currency, reference, customer,
                          key_string, key_type, created_at, updated_at, due_at)
     select ${OWNER}, ${uuid('row')}, 1, 'PROCESSING', 'SENT', 1, 'COP', row::text, '{}', 'k', 'ALPHANUMERIC', now(), now(),
            now() + interval '1 day'
       from rows row`,
    `insert into payment_links (organization_id, payment_link_id, token, version, status, amount_cents, currency, reference,
                                callback_url, created_at, updated_at, expires_at, due_at)
     select ${OWNER}, ${uuid('row')}, decode(lpad(to_hex(row), 32, '0'), 'hex'), 1, 'PENDING', 1, 'COP', row::text, 'u',
            now(), now(), now(), now() + interval '1 day'
       from rows row`,
    `insert into rail_notices (organization_id, rail, notice_id, subject_kind, subject_id, network_update, network_code,
                               occurred_at, received_at, state, due_at)
     select ${OWNER}, 'BRE_B', row::text, 'payin', ${uuid('row')}, '{}', '', now(), now(), 'WAITING', now() + interval '1 day'
       from rows row`,
    // Half wait for a retry, half for a disabled endpoint.
    `insert into deliveries (organization_id, endpoint_id, event_id, sequence, state, attempts, schedule_from, due_at, created_at)
     select ${OWNER}, ${OWNER}, ${uuid('row')}, row, 'PENDING', 1, 0,
            case when row % 2 = 0 then now() + interval '1 day' else 'infinity' end, now()
       from rows row`,
    `insert into first_attempt_batches (organization_id, endpoint_id, first_sequence, event_ids, due_at)
     select ${OWNER}, ${OWNER}, row, array[${uuid('row')}], case when row % 2 = 0 then now() + interval '1 day' else 'infinity' end
       from rows row`,
    `insert into audit_entries (organization_id, entry_id, at, actor_kind, act, object_kind, changes, outcome)
     select ${OWNER}, ${uuid('row')}, now(), 'key', 'payin.cancel', 'payin', '{}', 'done' from rows row`,
    `insert into audit_unchained (organization_id, entry_id, due_at)
     select ${OWNER}, ${uuid('row')}, now() + interval '1 day' from rows row`,
  ]
  for (const text of statements)
    await client.query(text.replace('from rows row', `from generate_series(1, ${WAITING}) row`))
  await client.query(INSERT_EVENTS, [WAITING, now - 24 * HOUR_MS])
  await client.query(`update events set sequence = version, created_at = now()`)
  // Without it the update leaves remains that only a vacuum removes, as one does within a minute in life.
  await client.query('vacuum events')
}
