// The operator's doctor on the service's work: for each queue and each kind of stuck row, one is planted in a real database, found,
// and gone when it is gone. What is merely due, or open, is no problem.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, beforeEach, describe, it } from 'node:test'
import pg from 'pg'
import { createIdSource } from '../../../src/core/ids.ts'
import { DOCTOR_LIMITS } from '../../../src/operator/doctor/finding.ts'
import { examineWork } from '../../../src/operator/doctor/work.ts'
import { type Db, openDb } from '../../../src/store/db.ts'
import { DUE_QUEUES, STUCK_KINDS, type StuckKind } from '../../../src/store/doctor/overdue-work.ts'
import { createDatabase } from '../../world.ts'

const ORGANIZATION = randomUUID()
const SMTP = { url: 'smtp://127.0.0.1', from: 'a@example.com', requiresTls: false }
const HOUR_MS = 60 * 60_000
const now = Date.now()
const ago = (ms: number): string => new Date(now - ms).toISOString()
const RECENT = ago(1_000)
const LONG_AGO = ago(3 * HOUR_MS)

type Values = Record<string, unknown>

// A row of each table that is as plain as its rules allow. Who refers to whom is not checked here.
const times = { created_at: RECENT, updated_at: RECENT }
const money = { version: 1, amount_cents: 1_000, currency: 'COP' }
const row = (table: string): Values => {
  const id = randomUUID()
  const rows: Record<string, Values> = {
    payins: {
      payin_id: id,
      ...money,
      ...times,
      status: 'PROCESSING',
      rail: 'PSE',
      bank: 'X',
      reference: id,
      expires_at: ago(-HOUR_MS),
      due_at: ago(-HOUR_MS),
    },
    payouts: {
      payout_id: id,
      ...money,
      ...times,
      status: 'PROCESSING',
      stage: 'SENT',
      reference: id,
      customer: '{}',
      key_string: '@A',
      key_type: 'ALPHANUMERIC',
      due_at: ago(-HOUR_MS),
    },
    refunds: {
      refund_id: id,
      payin_id: id,
      ...money,
      ...times,
      status: 'PROCESSING',
      stage: 'SENDING',
      way: 'RAIL',
      reason: 'x',
      rail: 'PSE',
      credential_id: 'x',
      due_at: ago(-HOUR_MS),
    },
    payout_batches: {
      batch_id: id,
      version: 1,
      ...times,
      status: 'CHECKING',
      file_name: 'x',
      file_digest: Buffer.alloc(32),
      credential_id: 'x',
      due_at: ago(-HOUR_MS),
    },
    payment_links: {
      payment_link_id: id,
      token: Buffer.from(id.replaceAll('-', ''), 'hex'),
      ...money,
      ...times,
      status: 'PENDING',
      reference: id,
      callback_url: 'https://example.com',
      expires_at: ago(-HOUR_MS),
      due_at: ago(-HOUR_MS),
    },
    rail_notices: {
      rail: 'PSE',
      notice_id: id,
      subject_kind: 'payin',
      subject_id: id,
      network_update: '{}',
      network_code: '',
      occurred_at: RECENT,
      received_at: RECENT,
      state: 'WAITING',
      due_at: RECENT,
    },
    deliveries: {
      endpoint_id: id,
      event_id: newId(now),
      sequence: 1,
      state: 'PENDING',
      attempts: 1,
      schedule_from: 0,
      due_at: RECENT,
      created_at: RECENT,
    },
    first_attempt_batches: { endpoint_id: id, first_sequence: 1, event_ids: [id], due_at: RECENT },
    audit_unchained: { entry_id: id, due_at: RECENT },
    receipt_mails: { payin_id: id, due_at: RECENT },
    alarm_mails: { mail_id: id, alarm_ids: [id], due_at: RECENT, created_at: RECENT },
    invitations: {
      digest: Buffer.alloc(32),
      invitation_id: id,
      email: 'a@example.com',
      role: 'owner',
      invited_by: 'x',
      language: 'es',
      created_at: RECENT,
      expires_at: ago(-HOUR_MS),
      sealed_token: Buffer.alloc(1),
      mail_due_at: RECENT,
    },
    closing_marks: { open_from: RECENT, first_open_id: id, next_day: '2026-01-01', due_at: RECENT },
    approvals: {
      approval_id: id,
      version: 1,
      ...times,
      kind: 'payout',
      subject_id: id,
      status: 'WAITING',
      approvers: 1,
      maker_kind: 'user',
      canonical_text: 'x',
      digest: Buffer.alloc(32),
      lapses_at: ago(-HOUR_MS),
    },
    alarms: {
      alarm_id: id,
      kind: 'payin-unresolved',
      subject_id: id,
      detail: 'x',
      created_at: RECENT,
      mail_due_at: null,
    },
    events: {
      event_id: newId(now),
      type: 'payin.confirmed',
      resource: 'payin',
      object_id: id,
      version: 1,
      data: '{}',
      created_at: RECENT,
    },
  }
  return { organization_id: ORGANIZATION, ...(rows[table] ?? assert.fail(`no row of ${table}`)) }
}
const newId = createIdSource((count) => Buffer.alloc(count, 7))

const CHANGES: Record<StuckKind, [table: string, changes: Values]> = {
  'unknown payouts': ['payouts', { stage: 'SENDING', updated_at: LONG_AGO }],
  'contradicted payouts': ['payouts', { stage: 'STOPPED', due_at: null, updated_at: LONG_AGO }],
  'forgotten payouts': ['payouts', { stage: 'CREATED', due_at: null, updated_at: LONG_AGO }],
  'unended payins': ['payins', { expires_at: LONG_AGO }],
  'forgotten payins': ['payins', { due_at: null, updated_at: LONG_AGO }],
  'unknown refunds': ['refunds', { updated_at: LONG_AGO }],
  'forgotten batches': ['payout_batches', { due_at: null, updated_at: LONG_AGO }],
  'batches held back': ['payout_batches', { due_at: 'infinity', updated_at: LONG_AGO }],
  'refunds held back': ['refunds', { stage: 'READY', due_at: 'infinity', updated_at: LONG_AGO }],
  'payouts held back': ['payouts', { stage: 'CREATED', due_at: 'infinity', updated_at: LONG_AGO }],
  'approvals that should have lapsed': ['approvals', { lapses_at: LONG_AGO }],
}

describe('recaudo doctor --operator, on the work', () => {
  let database: Awaited<ReturnType<typeof createDatabase>>
  let db: Db
  let owner: pg.Client
  const tables = new Set<string>()
  before(async () => {
    database = await createDatabase()
    db = openDb({ url: database.url, poolSize: 3, statementTimeoutMs: 20_000 })
    owner = new pg.Client({ connectionString: database.url })
    await owner.connect()
    // Rows stand alone here.
    await owner.query(`set session_replication_role = replica`)
    await insert('organizations', {
      organization_id: ORGANIZATION,
      name: 'Café',
      rails: ['PSE'],
      on_amount_mismatch: 'decline',
      require_key_lookup: false,
      payin_expiry_minutes: 15,
      ...times,
    })
    tables.clear()
  })
  after(async () => {
    await owner.end()
    await db.close()
    await database.drop()
  })
  beforeEach(async () => {
    for (const table of tables) await owner.query(`delete from ${table}`)
    tables.clear()
  })

  const insert = async (table: string, values: Values): Promise<void> => {
    tables.add(table)
    const names = Object.keys(values)
    await owner.query(
      `insert into ${table} (${names.join(', ')}) values (${names.map((_, at) => `$${at + 1}`).join(', ')})`,
      Object.values(values),
    )
  }
  const examine = async (at = now, smtp: typeof SMTP | null = SMTP) => {
    const findings = await examineWork(db, { smtp, installationRails: ['PSE'] }, at, DOCTOR_LIMITS)
    const problems = findings.filter(({ level }) => level === 'problem')
    for (const { remedy, about } of problems) assert.ok(remedy, about)
    return { findings, problems: problems.map(({ about }) => about), text: problems[0]?.text ?? '' }
  }

  it('finds nothing in rows that are due just now, or open', async () => {
    for (const table of [...DUE_QUEUES, 'approvals', 'alarms', 'events']) await insert(table, row(table))
    const { problems, findings } = await examine()
    assert.deepEqual(problems, [])
    assert.match(findings.find(({ about }) => about === 'open alarms')?.remedy ?? '', /alarm list/)
  })

  for (const queue of DUE_QUEUES)
    it(`finds what is overdue in ${queue}`, async () => {
      const column = queue === 'invitations' ? 'mail_due_at' : 'due_at'
      await insert(queue, { ...row(queue), [column]: ago(4 * HOUR_MS) })
      const { problems, text } = await examine()
      assert.deepEqual(problems, [`queue ${queue}`])
      assert.equal(text, '1 overdue, the oldest for 4 h')
      if (queue === 'receipt_mails')
        assert.deepEqual((await examine(now, null)).problems, [], 'no mail is sent')
    })

  it('finds leases of workers that did not come back', async () => {
    for (const table of [
      'payins',
      'payouts',
      'refunds',
      'payout_batches',
      'deliveries',
      'first_attempt_batches',
    ]) {
      await insert(table, { ...row(table), due_at: ago(HOUR_MS), lease_token: randomUUID() })
      const { findings } = await examine()
      const found = findings.find(({ about }) => about === `queue ${table}`)
      assert.match(
        found?.text ?? '',
        /^1 overdue, .+; 1 of them were taken by a worker that did not come back$/,
      )
    }
  })

  for (const kind of STUCK_KINDS)
    it(`finds ${kind}`, async () => {
      const [table, changes] = CHANGES[kind]
      await insert(table, { ...row(table), ...changes })
      const { problems, text } = await examine()
      assert.deepEqual(problems, [kind])
      assert.match(text, /^1, such as [0-9a-f-]{36}: /)
    })

  it('finds payouts only while nobody was asked to approve them', async () => {
    await insert('payouts', {
      ...row('payouts'),
      stage: 'AWAITING_APPROVAL',
      due_at: null,
      updated_at: LONG_AGO,
    })
    assert.deepEqual((await examine()).problems, [])
  })

  it('finds an event without a number', async () => {
    await insert('events', { ...row('events'), event_id: newId(now - HOUR_MS) })
    const { problems, text } = await examine()
    assert.deepEqual(problems, ['queue events'])
    assert.match(text, /no number for 60 min/)
  })

  it('finds loops that stand still: partitions, reconciliation, alarms', async () => {
    const later = await examine(now + 400 * 24 * HOUR_MS)
    assert.equal(later.problems.filter((about) => about.startsWith('partitions of ')).length, 3)
    await insert('reconciliation_runs', {
      rail: 'PSE',
      day: ago(10 * 24 * HOUR_MS).slice(0, 10),
      state: 'DONE',
      run: 1,
      compared_run: 1,
      lines: 0,
      attempts: 0,
    })
    await insert('alarms', { ...row('alarms'), created_at: LONG_AGO, mail_due_at: '-infinity' })
    assert.deepEqual((await examine()).problems, ['reconciliation of PSE', 'alarms'])
  })

  it('finds an index that an interrupted migration left', async () => {
    const valid = (is: boolean) =>
      owner.query(`update pg_index set indisvalid = ${is} where indexrelid = 'payins_due'::regclass`)
    await valid(false)
    assert.deepEqual((await examine()).problems, ['indexes'])
    await valid(true)
    assert.deepEqual((await examine()).problems, [])
  })

  it('counts no further than anybody needs', async () => {
    await owner.query(
      `insert into receipt_mails (organization_id, payin_id, due_at)
       select $1, gen_random_uuid(), now() - interval '1 day' from generate_series(1, 1500)`,
      [ORGANIZATION],
    )
    tables.add('receipt_mails')
    assert.match((await examine()).text, /^1000 or more overdue/)
  })
})
