// The lists of the console: with each two of their filters they have the rows that meet both, and no other, newest first; and what
// they count and add up by group are those rows, whichever group is looked at.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { filteredAudit } from '../../src/store/audit/filtered.ts'
import type { BoundedList } from '../../src/store/bounded-list.ts'
import type { Queryable } from '../../src/store/db.ts'
import { filteredEvents } from '../../src/store/events/filtered.ts'
import { filteredTransfers } from '../../src/store/ledger/filtered.ts'
import { filteredPayins } from '../../src/store/payins/filtered.ts'
import { filteredLinks } from '../../src/store/payment-links/filtered.ts'
import { filteredPages } from '../../src/store/payment-pages/filtered.ts'
import { filteredPayouts } from '../../src/store/payouts/filtered.ts'
import { filteredRefunds } from '../../src/store/refunds/filtered.ts'
import {
  COPIED_ROWS,
  columnOfFilter,
  describeFilters,
  type FilteredTable,
  filterCombinations,
  insertOfCopies,
  propertyOfColumn,
  type StoredRow,
} from './filtered-tables.ts'
import { ORGANIZATION_ID, openOneOrganizationDatabase } from './one-organization.ts'
import { IDS } from './twins.ts'

type FilteredList = FilteredTable & {
  readonly list: (db: Queryable, organizationId: string, view: never) => BoundedList<unknown>
  readonly groupedBy: string
  // What is added up.
  readonly summed?: string
  // Filters that the sums know nothing of.
  readonly notInTotals?: readonly string[]
  readonly isListed?: (row: StoredRow) => boolean
}

const contains =
  (column: string) =>
  (row: StoredRow, text: unknown): boolean =>
    String(row[column]).toLowerCase().includes(String(text).toLowerCase())
const amounts = { amount_cents: ['100', '250', '400'] }
const amountFilters = { minInCents: [250n], maxInCents: [250n] }
const meetsAmounts = {
  minInCents: (row: StoredRow, cents: unknown) => Number(row.amount_cents) >= Number(cents),
  maxInCents: (row: StoredRow, cents: unknown) => Number(row.amount_cents) <= Number(cents),
}

const LISTS: readonly FilteredList[] = [
  {
    table: 'payouts',
    id: 'payout_id',
    list: filteredPayouts,
    columns: {
      status: ['CONFIRMED', 'DECLINED', 'CANCELED'],
      error_code: ['BANK_DECLINED', 'null'],
      reference: ['wages 1', 'Rent_%'],
      ...amounts,
    },
    filters: {
      status: ['CONFIRMED', 'DECLINED'],
      reason: ['BANK_DECLINED', 'TIMEOUT'],
      text: ['WAGES', '_%'],
      ...amountFilters,
    },
    meets: {
      reason: (row, code) => row.error_code === code,
      text: contains('reference'),
      ...meetsAmounts,
    },
    groupedBy: 'status',
    notInTotals: ['status'],
    summed: 'amount_cents',
  },
  {
    table: 'refunds',
    id: 'refund_id',
    list: filteredRefunds,
    columns: {
      status: ['CONFIRMED', 'DECLINED', 'CANCELED'],
      reason: ['FRAUD', 'DUPLICATE'],
      stage: ['DONE', 'SENDING'],
      payin_id: [IDS.payin, IDS.confirmed],
      ...amounts,
    },
    filters: {
      status: ['CONFIRMED', 'PROCESSING'],
      reason: ['FRAUD', 'OTHER'],
      stage: ['DONE'],
      payinId: [IDS.payin],
      ...amountFilters,
    },
    meets: meetsAmounts,
    groupedBy: 'status',
    notInTotals: ['status'],
    summed: 'amount_cents',
  },
  {
    table: 'payment_links',
    id: 'payment_link_id',
    list: filteredLinks,
    columns: {
      status: ['COMPLETED', 'EXPIRED'],
      rail: ['BRE_B', 'PSE', 'null'],
      payment_page_id: [IDS.page, 'null'],
      reference: ['order 1', 'Tea'],
      ...amounts,
    },
    filters: {
      status: ['COMPLETED', 'EXPIRED'],
      rail: ['BRE_B'],
      paymentPageId: [IDS.page],
      text: ['ORDER'],
      ...amountFilters,
    },
    meets: { text: contains('reference'), ...meetsAmounts },
    own: `'token', '\\x' || lpad(to_hex(n), 32, '0')`,
    groupedBy: 'status',
    notInTotals: ['status'],
    summed: 'amount_cents',
  },
  {
    table: 'payment_pages',
    id: 'payment_page_id',
    list: filteredPages,
    columns: { status: ['OPEN', 'CLOSED'], name: ['Tea', 'Coffee'], paid_cents: ['5', '7'] },
    filters: { status: ['OPEN', 'CLOSED'], text: ['tea', 'milk'] },
    meets: { text: contains('name') },
    own: `'reference', 'r-' || n, 'token', '\\x' || lpad(to_hex(n), 32, '0')`,
    groupedBy: 'status',
    notInTotals: ['status'],
    summed: 'paid_cents',
  },
  {
    table: 'ledger_transfers',
    id: 'transfer_id',
    list: filteredTransfers,
    columns: {
      booking: ['payin confirmed', 'payout reserved'],
      debit_account: ['AVAILABLE'],
      credit_account: ['RESERVED', 'CLEARING_BRE_B'],
      ...amounts,
    },
    filters: {
      account: ['AVAILABLE', 'RESERVED', 'SUSPENSE'],
      booking: ['payin confirmed'],
      ...amountFilters,
    },
    meets: {
      account: (row, account) => row.debit_account === account || row.credit_account === account,
      ...meetsAmounts,
    },
    own: `'part', 'p-' || n`,
    groupedBy: 'booking',
    summed: 'amount_cents',
    notInTotals: ['account'],
  },
  {
    table: 'audit_entries',
    id: 'entry_id',
    list: filteredAudit,
    columns: {
      outcome: ['done', 'refused'],
      actor_kind: ['person', 'key'],
      actor_name: ['Ana', 'Luis'],
      actor_id: ['a', 'b'],
      act: ['payin.cancel', 'user.signin'],
      object_id: ['x', 'y'],
    },
    filters: {
      actorKind: ['person'],
      text: ['an'],
      actorId: ['a'],
      act: ['payin.cancel'],
      objectId: ['x'],
      outcome: ['done', 'refused'],
    },
    meets: { text: contains('actor_name') },
    own: `'refusal', case n % 2 when 1 then 'NOT_FOUND' end`,
    groupedBy: 'outcome',
    notInTotals: ['outcome'],
  },
  {
    table: 'events',
    id: 'event_id',
    list: filteredEvents,
    columns: {
      type: ['payin.confirmed', 'payout.created'],
      resource: ['payin', 'payout'],
      object_id: [IDS.payin, IDS.payout],
    },
    filters: { type: ['payin.confirmed'], resource: ['payin', 'payout'], objectId: [IDS.payin] },
    // What has no number yet is not shown.
    isListed: (row) => row.sequence !== null,
    own: `'sequence', case n % 7 when 0 then null else n + 1000 end`,
    groupedBy: 'resource',
  },
  {
    table: 'payins',
    id: 'payin_id',
    list: filteredPayins,
    columns: {
      status: ['CONFIRMED', 'DECLINED', 'CANCELED'],
      rail: ['BRE_B', 'PSE'],
      error_code: ['BANK_DECLINED', 'null'],
      payment_link_id: [IDS.link, 'null'],
      settlement_status: ['SETTLED', 'PENDING_SETTLEMENT'],
      ...amounts,
    },
    filters: {
      status: ['CONFIRMED', 'DECLINED'],
      rail: ['BRE_B', 'PSE'],
      reason: ['BANK_DECLINED'],
      bank: ['CO_NEQUI'],
      settlement: ['SETTLED'],
      paymentLinkId: [IDS.link],
      text: ['tea'],
      ...amountFilters,
    },
    meets: {
      reason: (row, code) => row.error_code === code,
      settlement: (row, status) => row.settlement_status === status,
      text: contains('reference'),
      ...meetsAmounts,
    },
    own: `'payment_id', 'p-' || n, 'reference', case n / 2 % 2 when 0 then 'order ' else 'Tea ' end || n, 'refund_cents', 0, 'refunded_cents', 0,
          'confirmed_amount_cents', case n % 3 when 0 then 200 + n % 2 end,
          'bank', case n / 3 % 2 when 1 then case when n % 4 < 2 then 'CO_NEQUI' else 'CO_BANCOLOMBIA' end end,
          'key_string', case n / 3 % 2 when 0 then '@K' end`,
    groupedBy: 'status',
    notInTotals: ['status'],
    summed: 'coalesce(confirmed_amount_cents, amount_cents)',
  },
]

const NEWEST = { direction: 'older', from: null } as const

describe('a list of the console', () => {
  const { readAfter } = openOneOrganizationDatabase()

  for (const one of LISTS)
    it(`of ${one.table} has the rows that meet all filters, and adds them up`, async () => {
      const {
        table,
        id,
        list,
        meets = {},
        groupedBy,
        summed = '0',
        notInTotals = [],
        isListed = () => true,
      } = one
      await readAfter([insertOfCopies(one)], async (tx) => {
        const { rows } = await tx.query<StoredRow>({
          text: `select *, (${summed})::text as summed from ${table} where organization_id = $1 order by ${id} desc`,
          values: [ORGANIZATION_ID],
        })
        const listed = rows.filter(isListed)
        assert.ok(rows.length >= COPIED_ROWS)
        for (const asked of filterCombinations(one).filter((filters) => Object.keys(filters).length <= 2)) {
          const met = (without: readonly string[]) =>
            listed.filter((row) =>
              Object.entries(asked).every(
                ([name, value]) =>
                  without.includes(name) ||
                  (meets[name]?.(row, value) ?? row[columnOfFilter(name)] === value),
              ),
            )
          const { page, totals } = list(tx, ORGANIZATION_ID, asked as never)
          const found = (await page(NEWEST, 2 * COPIED_ROWS)).rows as StoredRow[]
          assert.deepEqual(
            found.map((row) => row[propertyOfColumn(id)]),
            met([]).map((row) => row[id]),
            describeFilters(asked),
          )
          const groups = Map.groupBy(met(notInTotals), (row) => row[groupedBy])
          const { groups: counted, isPartial } = await totals()
          assert.deepEqual(
            counted
              .filter(({ count }) => count > 0)
              .map(({ group, count, sum }) => `${group} ${count} ${sum}`)
              .sort(),
            [...groups]
              .map(([group, own]) => {
                const sum = own.reduce((total, row) => total + BigInt(row.summed as string), 0n)
                return `${group} ${own.length} ${sum}`
              })
              .sort(),
            `sums by ${describeFilters(asked)}`,
          )
          assert.equal(isPartial, false)
        }
      })
    })
})
