// What is old leaves, and when: one row for each line of the table in docs/guides/en/operating.md. What is younger stays, and what
// proves money stays for good. Nobody loses an event that is still to be sent.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import pino from 'pino'
import { bogotaDay } from '../../src/core/bogota-day.ts'
import { createIdSource, firstIdAt } from '../../src/core/ids.ts'
import { DAY_MS, type Instant, isoInstant } from '../../src/core/instant.ts'
import { UNATTRIBUTED_ORGANIZATION } from '../../src/core/organizations/organization.ts'
import {
  INVITATION_DAYS,
  KEY_LOOKUP_DAYS,
  PAYOUT_USAGE_DAYS,
  REDELIVERY_DAYS,
  RETENTION_DAYS,
  SESSION_DAYS,
  SIGN_IN_DAYS,
  STATEMENT_LINE_DAYS,
} from '../../src/core/retention.ts'
import { createDeliveryWorkerOptions, followStagingClock, startWorkers } from '../../src/service.ts'
import { RECORD_LIFE_MS } from '../../src/store/idempotency.ts'
import { deleteOldRows } from '../../src/store/old-rows.ts'
import { EVENT_PARTITIONS, EXCHANGE_PARTITIONS, listPartitions } from '../../src/store/partitions.ts'
import { applyRetention } from '../../src/workers/retention.ts'
import { WOMPI } from '../api/connections/fake-provider.ts'
import { newPayout } from '../api/http/calls.ts'
import { startReceiver } from '../api/webhooks/receiver.ts'
import { organizationTables } from '../store/rows.ts'
import { brebPayin, createWorld, eventually, psePayin, type World } from '../world.ts'

const ROOT = join(import.meta.dirname, '../..')
const log = pino({ level: 'silent' })
const idAt = createIdSource((count) => crypto.getRandomValues(new Uint8Array(count)))

// Real time moves with ours, unless it is said to stand.
async function retain(world: World, wallClock = world.ctx.clock.now): Promise<void> {
  const ctx = { ...world.ctx, clock: { ...world.ctx.clock, wallClock } }
  while ((await applyRetention(ctx, log)) > 0) {}
}

type Row = {
  days: number
  // The longest that it stays beyond that: a partition leaves as a whole.
  partitionDays?: number
  // Inserts a row of an organization, as old as that.
  insert: (world: World, organizationId: string, at: Instant) => Promise<void>
  // Of the same age, and it stays.
  stays?: Readonly<Record<string, (world: World, organizationId: string, at: Instant) => Promise<void>>>
  // Who has rows, if not anybody.
  only?: 'organizations'
  // Lives by real time.
  isReal?: true
}

const insertRow = async (
  world: World,
  table: string,
  values: Readonly<Record<string, unknown>>,
): Promise<void> => {
  const names = Object.keys(values)
  await world.db.query({
    text: `insert into ${table} (${names.join(', ')}) values (${names.map((_, at) => `$${at + 1}`).join(', ')})`,
    values: Object.values(values),
  })
}

let sequence = 1_000
const event = (organization_id: string, at: Instant): Record<string, unknown> => {
  sequence += 1
  const event_id = idAt(at)
  return {
    organization_id,
    event_id,
    sequence,
    type: 'payin.confirmed',
    resource: 'payin',
    object_id: event_id,
    version: 1,
    data: '{}',
    created_at: isoInstant(at),
  }
}

const notice = (organization_id: string, at: Instant, state = 'DONE', kind = 'payin.confirmed') => ({
  organization_id,
  rail: 'BRE_B',
  notice_id: idAt(at),
  subject_kind: 'payin',
  subject_id: idAt(at),
  network_update: JSON.stringify({ kind }),
  network_code: '',
  occurred_at: isoInstant(at),
  received_at: isoInstant(at),
  state,
})

const alarm = (organization_id: string, created: Instant, resolved: Instant | null) => ({
  organization_id,
  alarm_id: idAt(created),
  kind: 'orphan-notice',
  subject_id: idAt(created),
  detail: '',
  created_at: isoInstant(created),
  resolved_at: resolved === null ? null : isoInstant(resolved),
})

const line = (organization_id: string, at: Instant, rail = 'BRE_B') => ({
  organization_id,
  rail,
  day: bogotaDay(at),
  line_key: idAt(at),
  network_id: 'x',
  amount_cents: 1,
  run: 1,
  times: 1,
  reference: '',
})

const insertPerson = async (world: World, at: Instant): Promise<string> => {
  const user_id = idAt(at)
  const times = { created_at: isoInstant(at), updated_at: isoInstant(at) }
  await insertRow(world, 'users', {
    user_id,
    email: `${user_id}@example.com`,
    name: 'x',
    language: 'es',
    ...times,
  })
  return user_id
}

const ROWS: Readonly<Record<string, Row>> = {
  events: {
    days: RETENTION_DAYS.events,
    partitionDays: 31,
    insert: (world, id, at) => insertRow(world, 'events', event(id, at)),
  },
  deliveries: {
    days: RETENTION_DAYS.events,
    partitionDays: 31,
    insert: (world, organization_id, at) =>
      insertRow(world, 'deliveries', {
        organization_id,
        endpoint_id: idAt(at),
        event_id: idAt(at),
        sequence: 1,
        state: 'FAILED',
        attempts: 1,
        schedule_from: 0,
        created_at: isoInstant(at),
      }),
  },
  delivery_attempts: {
    days: RETENTION_DAYS.events,
    partitionDays: 31,
    insert: (world, organization_id, at) =>
      insertRow(world, 'delivery_attempts', {
        organization_id,
        attempt_id: idAt(at),
        endpoint_id: idAt(at),
        event_id: idAt(at),
        number: 1,
        at: isoInstant(at),
        latency_ms: 1,
        response: '',
      }),
  },
  rail_exchanges: {
    days: RETENTION_DAYS.exchanges,
    partitionDays: 1,
    insert: (world, organization_id, at) =>
      insertRow(world, 'rail_exchanges', {
        organization_id,
        exchange_id: idAt(at),
        rail: 'BRE_B',
        operation: 'look-up',
        reference: 'x',
        at: isoInstant(at),
        took_ms: 1,
        request: '',
        response: '',
      }),
  },
  request_log: {
    days: RETENTION_DAYS.requests,
    partitionDays: 1,
    insert: (world, organization_id, at) =>
      insertRow(world, 'request_log', {
        organization_id,
        log_id: idAt(at),
        method: 'POST',
        path: '/payins',
        status: 201,
        duration_ms: 1,
        credential_kind: 'key',
        credential_id: 'x',
        request_id: 'x',
      }),
  },
  rail_notices: {
    days: RETENTION_DAYS.notices,
    insert: (world, id, at) => insertRow(world, 'rail_notices', notice(id, at)),
    stays: {
      'one that waits': (world, id, at) => insertRow(world, 'rail_notices', notice(id, at, 'WAITING')),
      'one about nothing we know': (world, id, at) =>
        insertRow(world, 'rail_notices', notice(id, at, 'ORPHAN')),
      'one of a chargeback': (world, id, at) =>
        insertRow(world, 'rail_notices', notice(id, at, 'DONE', 'payin.chargeback')),
    },
  },
  alarms: {
    days: RETENTION_DAYS.alarms,
    insert: (world, id, at) => insertRow(world, 'alarms', alarm(id, at - DAY_MS, at)),
    stays: {
      'one that is open': (world, id, at) => insertRow(world, 'alarms', alarm(id, at, null)),
      'one that was resolved later': (world, id, at) =>
        insertRow(world, 'alarms', alarm(id, at, at + 10 * DAY_MS)),
    },
  },
  idempotency_records: {
    days: RECORD_LIFE_MS / DAY_MS,
    insert: (world, organization_id, at) =>
      insertRow(world, 'idempotency_records', {
        organization_id,
        idempotency_key: idAt(at),
        fingerprint: Buffer.alloc(1),
        status: 200,
        body: '{}',
        created_at: isoInstant(at),
      }),
  },
  key_lookups: {
    days: KEY_LOOKUP_DAYS,
    only: 'organizations',
    insert: (world, organization_id, at) =>
      insertRow(world, 'key_lookups', {
        organization_id,
        key_string: idAt(at),
        looked_up_at: isoInstant(at),
      }),
  },
  payout_usage: {
    days: PAYOUT_USAGE_DAYS,
    only: 'organizations',
    insert: (world, organization_id, at) =>
      insertRow(world, 'payout_usage', {
        organization_id,
        day: bogotaDay(at),
        credential_id: idAt(at),
        payouts: 1,
        sum_cents: 1,
      }),
  },
  redeliveries: {
    days: REDELIVERY_DAYS,
    insert: (world, organization_id, at) => {
      sequence += 1
      return insertRow(world, 'redeliveries', {
        organization_id,
        number: sequence,
        event_id: idAt(at),
        requested_at: isoInstant(at),
      })
    },
  },
  statement_lines: {
    days: STATEMENT_LINE_DAYS,
    insert: (world, id, at) => insertRow(world, 'statement_lines', line(id, at)),
    stays: {
      'one of a day that is compared again': async (world, id, at) => {
        await world.db.query({
          text: `insert into reconciliation_runs (rail, day, state, run, compared_run, lines, attempts)
                 values ('PSE', $1, 'COMPARING', 2, 1, 1, 0) on conflict do nothing`,
          values: [bogotaDay(at)],
        })
        await insertRow(world, 'statement_lines', line(id, at, 'PSE'))
      },
    },
  },
  bookings_of_other_days: {
    days: STATEMENT_LINE_DAYS,
    insert: (world, organization_id, at) =>
      insertRow(world, 'bookings_of_other_days', {
        organization_id,
        transfer_id: idAt(at),
        rail: 'BRE_B',
        line_key: 'x',
        own_day: bogotaDay(at),
        listed_on: bogotaDay(at - DAY_MS),
      }),
    stays: {
      'one that a later day lists': (world, organization_id, at) =>
        insertRow(world, 'bookings_of_other_days', {
          organization_id,
          transfer_id: idAt(at),
          rail: 'BRE_B',
          line_key: 'x',
          own_day: bogotaDay(at),
          listed_on: bogotaDay(at + 2 * DAY_MS),
        }),
    },
  },
  invitations: {
    days: INVITATION_DAYS,
    isReal: true,
    insert: (world, organization_id, at) =>
      insertRow(world, 'invitations', {
        digest: randomBytes(32),
        invitation_id: idAt(at),
        organization_id,
        email: 'ana@example.com',
        role: 'support',
        invited_by: 'x',
        language: 'es',
        created_at: isoInstant(at - 3 * DAY_MS),
        expires_at: isoInstant(at),
      }),
  },
  sessions: {
    days: SESSION_DAYS,
    isReal: true,
    insert: async (world, _, at) =>
      insertRow(world, 'sessions', {
        digest: randomBytes(32),
        session_id: idAt(at),
        user_id: await insertPerson(world, at),
        method: 'link',
        created_at: isoInstant(at - DAY_MS),
        seen_at: isoInstant(at),
        expires_at: isoInstant(at),
        proved_at: isoInstant(at),
      }),
  },
  sign_in_tokens: {
    days: SIGN_IN_DAYS,
    isReal: true,
    insert: (world, _, at) =>
      insertRow(world, 'sign_in_tokens', {
        digest: randomBytes(32),
        purpose: 'passkey-sign-in',
        expires_at: isoInstant(at),
      }),
  },
  sign_in_failures: {
    days: SIGN_IN_DAYS,
    isReal: true,
    insert: (world, _, at) =>
      insertRow(world, 'sign_in_failures', { subject: randomBytes(32), since: isoInstant(at), failures: 1 }),
  },
}

// Rows that are nobody's in particular.
const WITHOUT_ORGANIZATION = ['sessions', 'sign_in_tokens', 'sign_in_failures']

// Kept for good, or as long as its organization is there.
const KEPT = [
  'alarm_mails',
  'api_keys',
  'approval_decisions',
  'approvals',
  'audit_chain',
  'audit_entries',
  'audit_unchained',
  'beneficiaries',
  'closing_marks',
  'connection_movements',
  'connections',
  'daily_closes',
  'data_keys',
  'erasures',
  'event_counters',
  'first_attempt_batches',
  'ledger_balances',
  'ledger_transfers',
  'lookup_budgets',
  'memberships',
  'oauth_clients',
  'organizations',
  'payins',
  'payment_links',
  'payment_pages',
  'payout_batch_rows',
  'payout_batches',
  'payouts',
  'people_digests',
  'people_marks',
  'receipt_mails',
  'reconciliation_findings',
  'reconciliations',
  'refunds',
  'saved_views',
  // With what they find, which is kept for good. Who is erased loses theirs.
  'search_marks',
  'search_words',
  'suspense_items',
  'webhook_endpoints',
]

const countOf = async (world: World, table: string): Promise<number> => {
  const { rows } = await world.db.query<{ count: number }>({
    text: `select count(*)::integer as count from ${table}`,
  })
  return rows[0]?.count ?? 0
}

describe('retention', () => {
  it('has a rule for every table of organizations', async () => {
    await using world = await createWorld()
    const ruled = [...Object.keys(ROWS), ...KEPT].filter((table) => !WITHOUT_ORGANIZATION.includes(table))
    assert.deepEqual(ruled.sort(), await organizationTables(world.db))
  })

  it('the guide has a row for every table that is not kept for good', () => {
    const guide = readFileSync(join(ROOT, 'docs/guides/en/operating.md'), 'utf8')
    const section = /## What is kept, and for how long\n([\s\S]*?)\n## /.exec(guide)?.[1] ?? ''
    const rows = section
      .split('\n')
      .map((text) => text.split('|').map((cell) => cell.trim()))
      .filter(([, tables]) => tables?.startsWith('`'))
    const said = rows.flatMap(([, tables = '', days]) =>
      [...tables.matchAll(/`(\w+)`/g)].map(([, table]) => [table, Number.parseInt(String(days), 10)]),
    )
    const built = Object.entries(ROWS).map(([table, { days }]) => [table, days])
    assert.deepEqual(said.toSorted(), built.toSorted())
  })

  for (const [table, row] of Object.entries(ROWS))
    it(`${table}: leave after ${row.days} days, of every organization, and not before`, async () => {
      await using world = await createWorld()
      const owners = [world.organization.organizationId]
      if (row.only === undefined) owners.push(UNATTRIBUTED_ORGANIZATION)
      await retain(world)
      const before = await countOf(world, table)
      const now = world.ctx.clock.now()
      for (const owner of owners) await row.insert(world, owner, now)
      const stays = Object.values(row.stays ?? {})
      for (const insert of stays) for (const owner of owners) await insert(world, owner, now)
      world.advance(row.days * DAY_MS - 60_000)
      await retain(world)
      assert.equal(await countOf(world, table), before + owners.length * (1 + stays.length))
      world.advance(60_000 + ((row.partitionDays ?? 1) + 1) * DAY_MS)
      if (row.isReal) {
        await retain(world, Date.now)
        assert.equal(
          await countOf(world, table),
          before + owners.length * (1 + stays.length),
          'only real time counts',
        )
      }
      await retain(world)
      assert.equal(await countOf(world, table), before + owners.length * stays.length)
    })

  it('erases credentials and secrets that were replaced, once their overlap is over and not before', async () => {
    await using world = await createWorld()
    const merchant = await world.newMerchant()
    for (const client of [world.client, merchant.client]) {
      const connection = await client('POST', '/connections', WOMPI)
      await client('PATCH', `/connections/${connection.json.id}`, {
        credentials: { ...WOMPI.credentials, privateKey: 'prv_test_another' },
      })
      const endpoint = await client('POST', '/webhook-endpoints', { url: 'https://shop.example/' })
      const rotated = await client('POST', `/webhook-endpoints/${endpoint.json.id}/rotate-secret`)
      assert.equal(rotated.status, 200, rotated.text)
      // A deleted one has its rows until its deliveries have left.
      await client('DELETE', `/webhook-endpoints/${endpoint.json.id}`)
    }
    const earlier = async () => {
      const { rows } = await world.db.query<{ kept: number }>({
        text: `select num_nonnulls(sealed_previous, previous_until) as kept from connections
                union all
               select num_nonnulls(sealed_previous, sealed_previous_key, previous_until) from webhook_endpoints`,
      })
      return rows.map(({ kept }) => kept)
    }
    world.advance(DAY_MS - 60_000)
    await retain(world)
    assert.ok((await earlier()).every((kept) => kept >= 2))
    world.advance(120_000)
    await retain(world)
    assert.deepEqual(await earlier(), [0, 0, 0, 0])
    // What seals now is as it was.
    const { json } = await world.client('GET', '/connections')
    const privateKey = json.data[0].credentials.find(({ name }: { name: string }) => name === 'privateKey')
    assert.equal(privateKey.isSet, true)
  })

  it('touches nothing that proves money, however old', async () => {
    await using world = await createWorld()
    await using receiver = await startReceiver()
    await world.client('POST', '/webhook-endpoints', { url: receiver.url })
    for (const body of [brebPayin(), psePayin(), brebPayin({ inlineCustomer: undefined })])
      assert.equal((await world.client('POST', '/payins', body)).status, 201)
    assert.equal((await world.client('POST', '/payouts', newPayout())).status, 201)
    await world.client('POST', '/payment-links', {
      amountType: 'FIXED',
      amountInCents: 100_000,
      reference: 'kept',
      callbackUrl: 'https://shop.example/',
    })
    const { organizationId } = world.organization
    const now = world.ctx.clock.now()
    await insertRow(world, 'suspense_items', {
      organization_id: organizationId,
      suspense_id: idAt(now),
      rail: 'BRE_B',
      payment_id: 'x',
      amount_cents: 1,
      reason: 'LATE',
      state: 'COUNTED',
      created_at: isoInstant(now),
      updated_at: isoInstant(now),
    })
    await insertRow(world, 'reconciliation_findings', {
      organization_id: organizationId,
      finding_id: idAt(now),
      rail: 'BRE_B',
      day: bogotaDay(now),
      kind: 'OURS_ONLY',
      line_key: 'x',
      times: 1,
      state: 'RESOLVED',
      run: 1,
      created_at: isoInstant(now),
    })
    for (let day = 0; day < 4; day += 1) await world.passTime(DAY_MS)
    const digest = async (): Promise<unknown[]> => {
      const digests: unknown[] = []
      for (const table of KEPT) {
        const { rows } = await world.db.query({
          text: `select count(*)::integer as count, md5(string_agg(t::text, '' order by t::text)) as digest from ${table} t`,
        })
        digests.push([table, rows[0]])
      }
      return digests
    }
    const before = await digest()
    world.advance(5_000 * DAY_MS)
    await retain(world)
    assert.deepEqual(await digest(), before)
    for (const table of ['events', 'deliveries', 'delivery_attempts', 'rail_exchanges'])
      assert.equal(await countOf(world, table), 0, table)
  })

  it('deletes so many rows at a time, the oldest first', async () => {
    await using world = await createWorld()
    const { organizationId } = world.organization
    const now = world.ctx.clock.now()
    for (const days of [50, 70, 60, 40])
      await ROWS.idempotency_records?.insert(world, organizationId, now - days * DAY_MS)
    const before = isoInstant(now - 45 * DAY_MS)
    const left = async (): Promise<number[]> => {
      const { rows } = await world.db.query<{ created_at: Instant }>({
        text: 'select created_at from idempotency_records where organization_id = $1 order by created_at',
        values: [organizationId],
      })
      return rows.map(({ created_at }) => Math.round((now - created_at) / DAY_MS))
    }
    assert.equal(await deleteOldRows(world.db, 'idempotency_records', before, 2), 2)
    assert.deepEqual(await left(), [50, 40])
    assert.equal(await deleteOldRows(world.db, 'idempotency_records', before, 2), 1)
    assert.equal(await deleteOldRows(world.db, 'idempotency_records', before, 2), 0)
    assert.deepEqual(await left(), [40])
  })

  it('costs the same number of statements for one organization as for ten', async () => {
    await using world = await createWorld()
    await retain(world)
    const statements = async (): Promise<number> => {
      let count = 0
      const db = {
        ...world.db,
        query: (config: Parameters<typeof world.db.query>[0]) => {
          count += 1
          return world.db.query(config)
        },
      }
      await applyRetention({ ...world.ctx, db } as World['ctx'], log)
      return count
    }
    const few = await statements()
    for (let made = 0; made < 9; made += 1) await world.newMerchant()
    assert.equal(await statements(), few)
    assert.ok(few < 30, `${few} statements`)
  })

  const undelivered: Readonly<
    Record<string, (world: World, organizationId: string, at: Instant) => Promise<void>>
  > = {
    'an event has no number': (world, id, at) =>
      insertRow(world, 'events', { ...event(id, at), sequence: null }),
    'a delivery is to be tried again': (world, organization_id, at) =>
      insertRow(world, 'deliveries', {
        organization_id,
        endpoint_id: idAt(at),
        event_id: idAt(at),
        sequence: 1,
        state: 'PENDING',
        attempts: 1,
        schedule_from: 0,
        due_at: 'infinity',
        created_at: isoInstant(at),
      }),
    'an event was never sent': async (world, organization_id, at) => {
      const { json } = await world.client('POST', '/webhook-endpoints', { url: 'https://shop.example/' })
      await insertRow(world, 'first_attempt_batches', {
        organization_id,
        endpoint_id: json.id,
        first_sequence: 1,
        event_ids: [idAt(at)],
        due_at: 'infinity',
      })
    },
  }
  for (const [what, insert] of Object.entries(undelivered))
    it(`a month stays while ${what}, and the log says so`, async () => {
      await using world = await createWorld()
      const { organizationId } = world.organization
      const now = world.ctx.clock.now()
      await insert(world, organizationId, now)
      await insertRow(world, 'events', event(organizationId, now))
      const before = await countOf(world, 'events')
      world.advance(500 * DAY_MS)
      const lines: string[] = []
      const heard = pino({ level: 'info' }, { write: (text: string) => lines.push(text) })
      while ((await applyRetention(world.ctx, heard)) > 0) {}
      assert.equal(await countOf(world, 'events'), before)
      const [warning] = lines.map((text) => JSON.parse(text)).filter(({ level }) => level === 40)
      assert.match(warning?.partition, /^events_to_\d{8}$/)
      assert.match(warning?.because, /\w/)
      // Once nobody is to be told any more, the month leaves.
      for (const text of [
        `update events set sequence = 1 where sequence is null`,
        `update deliveries set state = 'FAILED', due_at = null`,
        `delete from first_attempt_batches`,
      ])
        await world.db.query({ text })
      await retain(world)
      assert.equal(await countOf(world, 'events'), 0)
    })

  it('makes partitions as soon as staging’s clock was moved', async () => {
    await using world = await createWorld()
    const clock = followStagingClock(world.ctx)
    const delivering = createDeliveryWorkerOptions(world.config)
    const workers = startWorkers(world.ctx, log, delivering)
    world.ctx.signals.onWork(workers.wake)
    try {
      const before = world.ctx.clock.now()
      for (const days of [366, 732]) {
        const { status } = await world.client('POST', '/sandbox/clock/advance', { seconds: 366 * 86_400 })
        assert.equal(status, 200)
        for (const group of [EVENT_PARTITIONS, EXCHANGE_PARTITIONS])
          await eventually(
            async () => (await listPartitions(world.db, group)).at(-1)?.to ?? '',
            (to) => to > firstIdAt(before + days * DAY_MS),
          )
      }
    } finally {
      clock.stop()
      await workers.stop()
      await delivering.sender.close()
    }
  })

  it('an event that has left can neither be read nor sent again, and what is younger keeps its number', async () => {
    await using world = await createWorld()
    const { organizationId } = world.organization
    const old = event(organizationId, world.ctx.clock.now())
    await insertRow(world, 'events', old)
    world.advance(500 * DAY_MS)
    await retain(world)
    const young = event(organizationId, world.ctx.clock.now())
    await insertRow(world, 'events', young)
    const gone = old.event_id as string
    assert.equal((await world.client('GET', `/events/${gone}`)).status, 404)
    assert.equal((await world.client('POST', `/events/${gone}/redeliver`, {})).status, 404)
    const { json } = await world.client('GET', '/events?after=0')
    assert.deepEqual(
      json.data.map(({ id, sequence: number }: { id: string; sequence: number }) => [id, number]),
      [[young.event_id, young.sequence]],
    )
    assert.ok(firstIdAt(world.ctx.clock.now()) > gone)
  })
})
