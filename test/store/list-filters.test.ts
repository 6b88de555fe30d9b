// Lists that have few rows beside those of lists.test.ts: with every combination of filters each has the rows that meet all of them, and
// no other, newest first.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { daysAfter } from '../../src/core/bogota-day.ts'
import { approvalList } from '../../src/store/approvals/approvals.ts'
import { requestList } from '../../src/store/audit/requests.ts'
import { movementList } from '../../src/store/connections/movements.ts'
import type { Queryable } from '../../src/store/db.ts'
import type { RowList } from '../../src/store/keyset-list.ts'
import { alarmList } from '../../src/store/ledger/alarms.ts'
import { findingList, reconciliationList } from '../../src/store/ledger/reconciliations.ts'
import { suspenseList, UNDECIDED_STATES } from '../../src/store/ledger/suspense.ts'
import { batchList } from '../../src/store/payout-batches/batches.ts'
import { batchRowList } from '../../src/store/payout-batches/rows.ts'
import { refundList } from '../../src/store/refunds/refunds.ts'
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
import { DAY, IDS, NEXT_DAY } from './twins.ts'

type List = FilteredTable & {
  readonly list: (db: Queryable, organizationId: string, filters: never) => RowList<unknown>
}

const LISTS: readonly List[] = [
  {
    table: 'request_log',
    id: 'log_id',
    list: requestList,
    columns: {
      status: [201, 200, 404],
      method: ['POST', 'GET'],
      credential_id: ['key-1', 'key-2'],
      object_id: [IDS.payin, IDS.payout],
    },
    filters: {
      status: [201, 200, 409],
      method: ['POST', 'GET', 'PUT'],
      credentialId: ['key-1', 'key-3'],
      objectId: [IDS.payin, IDS.refund, '00000000-0000-7000-8000-00000000000a'],
    },
    // What created something has the id of that.
    meets: { objectId: (row, id) => row.object_id === id || row.log_id === id },
  },
  {
    table: 'approvals',
    id: 'approval_id',
    list: approvalList,
    columns: {
      status: ['APPROVED', 'REFUSED', 'LAPSED'],
      kind: ['payout', 'rules'],
      subject_id: ['a', 'b', 'c', 'd'],
    },
    filters: { status: ['APPROVED', 'REFUSED', 'VOIDED'], kind: ['payout', 'rules'], subjectId: ['a', 'e'] },
  },
  {
    table: 'refunds',
    id: 'refund_id',
    list: refundList,
    columns: {
      status: ['CONFIRMED', 'DECLINED', 'CANCELED'],
      reason: ['FRAUD', 'DUPLICATE'],
      payin_id: [IDS.payin, IDS.confirmed],
    },
    filters: {
      status: ['CONFIRMED', 'DECLINED', 'PROCESSING'],
      reason: ['FRAUD', 'OTHER'],
      payinId: [IDS.payin, IDS.payout],
    },
  },
  {
    table: 'alarms',
    id: 'alarm_id',
    list: alarmList,
    columns: {
      kind: ['reconciliation', 'orphan-notice', 'statement-late'],
      resolved_at: ['2026-11-15', 'null'],
    },
    filters: { kind: ['reconciliation', 'ledger'], isOpen: [true, false] },
    meets: { isOpen: (row, isOpen) => (row.resolved_at === null) === isOpen },
    own: `'detail', n`,
  },
  {
    table: 'suspense_items',
    id: 'suspense_id',
    list: suspenseList,
    columns: {
      state: ['OPEN', 'RETURNING', 'RETURNED', 'COUNTED'],
      reason: ['LATE', 'SECOND_PAYMENT'],
      rail: ['BRE_B', 'PSE', 'BRE_B'],
      payin_id: [IDS.payin, IDS.attempt],
      amount_cents: [100, 200],
    },
    filters: {
      state: ['OPEN', 'COUNTED'],
      isUndecided: [true],
      reason: ['LATE'],
      rail: ['PSE'],
      payinId: [IDS.payin],
      amountInCents: [200n],
    },
    meets: { isUndecided: ({ state }) => UNDECIDED_STATES.includes(state as 'OPEN') },
    own: `'payment_id', n`,
  },
  {
    table: 'reconciliations',
    id: 'reconciliation_id',
    list: reconciliationList,
    columns: { rail: ['BRE_B', 'PSE'] },
    filters: { rail: ['BRE_B', 'PSE'], day: [daysAfter(DAY, 9), daysAfter(DAY, -9)] },
    own: `'day', date '${DAY}' + n`,
  },
  {
    table: 'reconciliation_findings',
    id: 'finding_id',
    list: findingList,
    columns: {
      rail: ['BRE_B', 'PSE'],
      day: [DAY, NEXT_DAY],
      kind: ['DOUBLED', 'OURS_ONLY', 'NETWORK_ONLY'],
      state: ['OPEN', 'RESOLVED'],
    },
    filters: {
      rail: ['BRE_B', 'PSE'],
      day: [DAY, NEXT_DAY],
      kind: ['DOUBLED', 'UNREADABLE'],
      state: ['OPEN', 'RESOLVED'],
    },
    always: ['rail', 'day'],
    own: `'line_key', n`,
  },
  {
    table: 'payout_batches',
    id: 'batch_id',
    list: batchList,
    columns: { status: ['DRAFT', 'CANCELED', 'COMPLETED'] },
    filters: { status: ['DRAFT', 'CANCELED', 'WAITING'] },
    own: `'reserved_cents', 0, 'reserved_deposit_cents', 0, 'reserved_fees_cents', 0, 'lease_token', null`,
  },
  {
    table: 'payout_batch_rows',
    id: 'row_id',
    list: batchRowList,
    columns: {
      batch_id: [IDS.batch, IDS.fresh],
      state: ['DRAFT', 'LEFT_OUT', 'REFUSED'],
      has_errors: [true, false],
      has_warnings: [true, false],
    },
    filters: {
      batchId: [IDS.batch, IDS.fresh],
      state: ['DRAFT', 'SENT'],
      hasErrors: [true],
      hasWarnings: [true],
    },
    always: ['batchId'],
    own: `'row_number', 100 + n, 'payout_id', null`,
  },
  {
    table: 'connection_movements',
    id: 'movement_id',
    list: movementList,
    columns: { connection_id: [IDS.connection, IDS.fresh], kind: ['DEPOSIT', 'WITHDRAWAL'] },
    filters: { connectionId: [IDS.connection, IDS.fresh], kind: ['DEPOSIT', 'WITHDRAWAL'] },
    always: ['connectionId', 'kind'],
  },
]

describe('a list', () => {
  const { readAfter } = openOneOrganizationDatabase()

  for (const one of LISTS)
    it(`of ${one.table} has the rows that meet all filters`, async () => {
      await readAfter([insertOfCopies(one)], async (tx) => {
        const { table, id, list, meets = {} } = one
        const { rows } = await tx.query<StoredRow>({
          text: `select * from ${table} where organization_id = $1 order by ${id} desc`,
          values: [ORGANIZATION_ID],
        })
        assert.ok(rows.length >= COPIED_ROWS)
        for (const asked of filterCombinations(one)) {
          const isMet = (row: StoredRow): boolean =>
            Object.entries(asked).every(
              ([name, value]) => meets[name]?.(row, value) ?? row[columnOfFilter(name)] === value,
            )
          const rowsOf = list(tx, ORGANIZATION_ID, asked as never)
          const found = (await rowsOf.seek(
            { direction: 'older', from: null },
            2 * COPIED_ROWS,
          )) as StoredRow[]
          const idOf = (row: StoredRow): unknown => row[propertyOfColumn(id)]
          assert.deepEqual(
            found.map(idOf),
            rows.filter(isMet).map((row) => row[id]),
            describeFilters(asked),
          )
        }
      })
    })
})
