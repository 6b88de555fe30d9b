// What a list reads: one end of an index for each of its cases, with every combination of filters, also where nothing
// matches. Counted in rows that its scans look at, which do not depend on how busy the machine is.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import type pg from 'pg'
import { OUTCOMES } from '../../src/core/audit/entry.ts'
import { RAILS } from '../../src/core/connections/rail.ts'
import { ACCOUNT_PAIRS, ACCOUNTS } from '../../src/core/ledger/bookings.ts'
import { newOrganization } from '../../src/core/organizations/organization.ts'
import { PAYIN_STATUSES } from '../../src/core/payins/payin.ts'
import { PAYMENT_LINK_STATUSES } from '../../src/core/payment-links/payment-link.ts'
import { PAYMENT_PAGE_STATUSES } from '../../src/core/payment-pages/payment-page.ts'
import { PAYOUT_STATUSES } from '../../src/core/payouts/payout.ts'
import { auditList } from '../../src/store/audit/entries.ts'
import { type Db, openDb, type Queryable } from '../../src/store/db.ts'
import type { RowList } from '../../src/store/keyset-list.ts'
import { transferList } from '../../src/store/ledger/transfers.ts'
import { insertOrganization } from '../../src/store/organizations/organizations.ts'
import { payinList } from '../../src/store/payins/lists.ts'
import { linkList, pageLinkList } from '../../src/store/payment-links/payment-links.ts'
import { pageList } from '../../src/store/payment-pages/payment-pages.ts'
import { payoutList } from '../../src/store/payouts/payouts.ts'
import { citusUrl } from '../citus.ts'
import { createDatabase } from '../world.ts'

const ROWS = 20_000
const PAGE = 100
// For three statements of up to ten cases. Whoever reads past what does not match looks at a third of the rows at least.
const MAX_ROWS = 3_000
const MIXED_ROWS = 300
// One has rows of two kinds, so that most filters match nothing, or nothing among the newest; the other has rows of every kind.
const UNEVEN = randomUUID()
const MIXED = randomUUID()
const SOME_PAGE = randomUUID()

type Filters = Record<string, string>
type List = (db: Queryable, organizationId: string, filters: Filters) => RowList<unknown>

// Every list with the filters of its operation.
const LISTS: Readonly<Record<string, { list: List; filters: Readonly<Record<string, readonly string[]>> }>> =
  {
    payins: {
      list: payinList as List,
      filters: {
        status: PAYIN_STATUSES,
        rail: RAILS,
        reference: ['order 7', 'nothing'],
        paymentLinkId: [randomUUID()],
      },
    },
    payouts: {
      list: payoutList as List,
      filters: { status: PAYOUT_STATUSES, reference: ['monthly', 'nothing'] },
    },
    payment_links: {
      list: linkList as List,
      filters: { status: PAYMENT_LINK_STATUSES, reference: ['monthly', 'nothing'] },
    },
    'payment_links of a page': {
      list: ((listDb, organizationId, filters) =>
        pageLinkList(listDb, organizationId, { paymentPageId: SOME_PAGE, ...filters })) as List,
      filters: { status: PAYMENT_LINK_STATUSES, paymentPageId: [SOME_PAGE, randomUUID()] },
    },
    payment_pages: {
      list: pageList as List,
      filters: { status: PAYMENT_PAGE_STATUSES, reference: ['monthly', 'nothing'] },
    },
    ledger_transfers: {
      list: transferList as List,
      filters: { account: ACCOUNTS, subjectId: [randomUUID()] },
    },
    audit_entries: {
      list: auditList as List,
      filters: {
        actorId: ['key-1', 'key-2', 'nobody'],
        act: ['payin.cancel', 'webhook.change'],
        outcome: OUTCOMES,
        objectId: ['thing 7', 'nothing'],
      },
    },
  }

const onOneMachine = { skip: citusUrl() !== undefined && 'reads the plans of one machine' }

describe('a list', () => {
  let database: { url: string; drop: () => Promise<void> }
  let db: Db
  before(async () => {
    database = await createDatabase()
    db = openDb({ url: database.url, poolSize: 2, statementTimeoutMs: 0 })
    if (!onOneMachine.skip) await fill(db, UNEVEN, ROWS, false)
    await fill(db, MIXED, MIXED_ROWS, true)
  })
  after(async () => {
    await db.close()
    await database.drop()
  })

  for (const [table, { list, filters }] of Object.entries(LISTS))
    it(`of ${table} reads only the ends of its indexes, whatever is asked for`, onOneMachine, async () => {
      const read = async (asked: Filters) => {
        const explained = explaining(db)
        const of = list(explained.db, UNEVEN, asked)
        await of.seek({ direction: 'older', from: null }, PAGE)
        await of.seek({ direction: 'newer', from: '00000000-0000-0000-0000-000000000000' }, PAGE)
        await of.exists('older', 'ffffffff-ffff-ffff-ffff-ffffffffffff')
        return explained.rows()
      }
      assert.ok((await read({})) >= 2 * PAGE, 'rows are counted')
      for (const asked of allOf(filters)) {
        const rows = await read(asked)
        assert.ok(rows <= MAX_ROWS, `${JSON.stringify(asked)} looks at ${rows} rows`)
      }
    })

  for (const [table, { list, filters }] of Object.entries(LISTS))
    it(`of ${table} has every row that matches, once, newest first, page by page`, async () => {
      const all = (await list(db, MIXED, {}).seek({ direction: 'older', from: null }, ROWS)) as Filters[]
      assert.equal(all.length, MIXED_ROWS)
      const idOf = (row: Filters): string => row[ID_OF[table] as string] as string
      let matching = 0
      for (const asked of allOf(filters)) {
        const expected = all.filter((row) => matches(row, asked)).map(idOf)
        matching += expected.length
        const of = list(db, MIXED, asked)
        const found: string[] = []
        for (let from: string | null = null; ; from = found.at(-1) as string) {
          const page = (await of.seek({ direction: 'older', from }, 7)) as Filters[]
          found.push(...page.map(idOf))
          if (page.length < 7) break
        }
        assert.deepEqual(found, expected, JSON.stringify(asked))
        const up = (await of.seek({ direction: 'newer', from: null }, 7)) as Filters[]
        assert.deepEqual(up.map(idOf), expected.toReversed().slice(0, 7), JSON.stringify(asked))
        assert.equal(await of.exists('older', 'ffffffff-ffff-ffff-ffff-ffffffffffff'), expected.length > 0)
      }
      assert.ok(matching > MIXED_ROWS)
    })
})

const ID_OF: Readonly<Record<string, string>> = {
  payins: 'payinId',
  payouts: 'payoutId',
  payment_links: 'paymentLinkId',
  'payment_links of a page': 'paymentLinkId',
  payment_pages: 'paymentPageId',
  ledger_transfers: 'transferId',
  audit_entries: 'entryId',
}

function matches(row: Filters, asked: Filters): boolean {
  return Object.entries(asked).every(([name, value]) => {
    if (name === 'account') return row.debit === value || row.credit === value
    if (name === 'actorId') return (row.actor as unknown as { id: string }).id === value
    if (name === 'rail') return (row.source as unknown as { rail: string }).rail === value
    return row[name] === value
  })
}

// Every combination of one value, or none, of each filter; without the one that asks for nothing.
function allOf(filters: Readonly<Record<string, readonly string[]>>): Filters[] {
  const combinations = Object.entries(filters).reduce<Filters[]>(
    (before, [name, values]) =>
      before.flatMap((one) => [one, ...values.map((value) => ({ ...one, [name]: value }))]),
    [{}],
  )
  return combinations.filter((one) => Object.keys(one).length > 0)
}

type Plan = { [figure: string]: number | undefined } & {
  'Node Type': string
  'Parent Relationship'?: string
  Plans?: Plan[]
}

// Runs each statement and its plan, and adds up the rows that were looked at.
function explaining(db: Db): { db: Queryable; rows: () => number } {
  let rows = 0
  return {
    rows: () => rows,
    db: {
      query: async <Row extends pg.QueryResultRow>({ text, values }: pg.QueryConfig) => {
        const explained = await db.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>({
          text: `explain (analyze, format json) ${text}`,
          ...(values && { values }),
        })
        for (const { Plan } of explained.rows[0]?.['QUERY PLAN'] ?? []) rows += rowsScanned(Plan)
        return await db.query<Row>({ text, ...(values && { values }) })
      },
    },
  }
}

function rowsScanned(plan: Plan): number {
  // What is looked up for each of its rows stands below a scan too.
  const isScan =
    /Scan/.test(plan['Node Type']) &&
    (plan.Plans ?? []).every((one) => one['Parent Relationship'] === 'SubPlan')
  const each = (plan['Actual Rows'] ?? 0) + (plan['Rows Removed by Filter'] ?? 0)
  const inner = (plan.Plans ?? []).reduce((sum, one) => sum + rowsScanned(one), 0)
  return inner + (isScan ? each * (plan['Actual Loops'] ?? 0) : 0)
}

// Rows of two kinds, the one all older than the other, or of every kind in turn.
async function fill(db: Db, organizationId: string, rows: number, isMixed: boolean): Promise<void> {
  await insertOrganization(db, newOrganization(organizationId, 'Café La Palma', Date.now()))
  const oneOf = (values: readonly string[], usual: string): string =>
    isMixed
      ? `(array['${values.join("','")}'])[1 + (n * 7) % ${values.length}]`
      : `case when n > ${rows / 3} then '${usual}' else '${values.find((value) => value !== usual)}' end`
  const of = `from (select *, ('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid as id
                      from generate_series(1, ${rows}) as n) as numbers`
  const pairs = ACCOUNT_PAIRS.map((pair) => pair.join(' '))
  for (const text of [
    `insert into payins (organization_id, payin_id, version, status, rail, amount_cents, confirmed_amount_cents, currency,
                         reference, key_type, key_string, bank, created_at, updated_at, expires_at, rail_stage)
     select $1, id, 1, status, rail, 100, case status when 'CONFIRMED' then 100 end, 'COP', 'order ' || n,
            case rail when 'BRE_B' then 'SINGLE_USE' end, case rail when 'BRE_B' then '@K' || n end,
            case rail when 'PSE' then 'CO_NEQUI' end, now(), now(), now(), 'DONE'
       from (select *, ${oneOf(PAYIN_STATUSES, 'CONFIRMED')} as status, ${oneOf(RAILS, 'BRE_B')} as rail ${of}) as r`,
    `insert into payouts (organization_id, payout_id, version, status, stage, amount_cents, currency, reference, customer,
                          key_string, key_type, created_at, updated_at)
     select $1, id, 1, ${oneOf(PAYOUT_STATUSES, 'CONFIRMED')}, 'DONE', 100, 'COP', ${oneOf(['monthly', 'bonus', 'fee'], 'monthly')},
            '{}', '@ANA', 'ALPHANUMERIC', now(), now() ${of}`,
    `insert into payment_links (organization_id, payment_link_id, token, version, status, amount_cents, currency, reference,
                                callback_url, created_at, updated_at, expires_at, payment_page_id)
     select $1, id, substring(sha256(n::text::bytea) for 16), 1, ${oneOf(PAYMENT_LINK_STATUSES, 'COMPLETED')}, 100, 'COP',
            ${oneOf(['monthly', 'bonus'], 'monthly')}, 'https://shop.example', now(), now(), now(), '${SOME_PAGE}' ${of}`,
    `insert into payment_pages (organization_id, payment_page_id, token, version, status, name, currency, reference, held_payments,
                                held_pieces, paid_payments, paid_pieces, paid_cents, created_at, updated_at)
     select $1, id, substring(sha256(n::text::bytea) for 16), 1, ${oneOf(PAYMENT_PAGE_STATUSES, 'CLOSED')}, 'Page', 'COP',
            ${oneOf(['monthly', 'bonus'], 'monthly')}, 0, 0, 0, 0, 0, now(), now() ${of}`,
    `insert into ledger_transfers (organization_id, transfer_id, booking, subject_id, debit_account, credit_account,
                                   amount_cents, currency, created_at)
     select $1, id, 'payin confirmed', gen_random_uuid(), split_part(pair, ' ', 1), split_part(pair, ' ', 2), 100, 'COP', now()
       from (select *, ${oneOf(pairs, pairs[0] as string)} as pair ${of}) as r`,
    `insert into audit_entries (organization_id, entry_id, at, actor_kind, actor_id, act, object_kind, object_id, changes,
                                outcome, refusal)
     select $1, id, now(), 'key', ${oneOf(['key-1', 'key-2', 'key-3'], 'key-1')},
            ${oneOf(['payin.cancel', 'webhook.change'], 'payin.cancel')}, 'payin', 'thing ' || n, '{}', outcome,
            case outcome when 'refused' then 'NOT_FOUND' end
       from (select *, ${oneOf(OUTCOMES, 'done')} as outcome ${of}) as r`,
  ])
    await db.query({ text, values: [organizationId] })
  await db.query({
    text: 'vacuum (analyze) payins, payouts, payment_links, payment_pages, ledger_transfers, audit_entries',
  })
}
