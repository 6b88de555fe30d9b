// The books as rows. Transfers are only ever added, always in the statement or transaction that changes their subject. Balances
// are updated in the same one.

import type { Instant } from '../../core/instant.ts'
import { isoInstant } from '../../core/instant.ts'
import {
  ACCOUNT_PAIRS,
  type Account,
  accountPairsOf,
  type Booking,
  type Transfer,
} from '../../core/ledger/bookings.ts'
import { type BookedChargeback, readChargebackPart } from '../../core/ledger/chargebacks.ts'
import type { Queryable } from '../db.ts'
import { type IdBounds, type ListCase, type ListCondition, listOf } from '../keyset-list.ts'
import {
  anchoredOrganization,
  fromAnchored,
  isAnchored,
  type Scope,
  scopedStatement,
} from '../scoped-statement.ts'

// A balance is spread over slots. Slot 0 belongs to payouts; the others take incoming money.
export const SLOTS = 16
export const PAYOUT_SLOT = 0

// These two continue a statement that has a `transfers` part: they write the transfers and update the balances. What was decided in a
// day that has been closed meanwhile is booked in the first moment of the day that is open: its id begins with that, and so does its time.
export const POSTED_TRANSFERS = (scope: Scope): string => `posted as (
    insert into ledger_transfers as written (organization_id, transfer_id, booking, subject_id, part, debit_account, credit_account,
                                  amount_cents, currency, created_at)
    select ${anchoredOrganization(scope, 't')},
           coalesce(${openId(scope)}, transfer_id), booking, subject_id, coalesce(part, ''), debit_account,
           credit_account, amount_cents, 'COP', greatest(created_at, ${ofMark(scope, 'open_from')})
      from ${fromAnchored(scope, 'transfers t')}
     where ${isAnchored(scope)}
 returning organization_id, debit_account, credit_account, amount_cents
  )`

// Of the organization's closing mark, if the transfer is of a day before it.
function ofMark(scope: Scope, column: string): string {
  const organization = scope === null ? 't.organization_id' : `${scope}::uuid`
  return `(select ${column} from closing_marks m
                     where m.organization_id = ${organization} and t.transfer_id < m.first_open_id)`
}

// The time of the first open id, and the rest of its own: no two become one.
function openId(scope: Scope): string {
  return ofMark(scope, `(left(m.first_open_id::text, 13) || substr(t.transfer_id::text, 14))::uuid`)
}

export const BALANCE_UPSERT = (slot: string, scope: Scope): string => `balanced as (
    insert into ledger_balances as b (organization_id, account, slot, debit_cents, credit_cents)
    select ${anchoredOrganization(scope, 'm')}, account, ${slot}::integer, sum(debit_cents), sum(credit_cents)
      from ${fromAnchored(
        scope,
        `(select organization_id, debit_account as account, amount_cents as debit_cents, 0 as credit_cents from posted
             union all
            select organization_id, credit_account, 0, amount_cents from posted) m`,
      )}
     where ${isAnchored(scope)}
     group by ${anchoredOrganization(scope, 'm')}, account
     order by ${anchoredOrganization(scope, 'm')}, account
        on conflict (organization_id, account, slot) do update
       set debit_cents = b.debit_cents + excluded.debit_cents,
           credit_cents = b.credit_cents + excluded.credit_cents
  )`

export function transferRow(transfer: Transfer): Record<string, unknown> {
  return {
    organization_id: transfer.organizationId,
    transfer_id: transfer.transferId,
    booking: transfer.booking,
    subject_id: transfer.subjectId,
    part: transfer.part,
    debit_account: transfer.debit,
    credit_account: transfer.credit,
    amount_cents: Number(transfer.amountInCents),
    created_at: isoInstant(transfer.createdAt),
  }
}

// Writes transfers alone. The caller's transaction changes their subject.
export async function postTransfers(tx: Queryable, transfers: Transfer[], slot: number): Promise<void> {
  if (transfers.length === 0) return
  await tx.query(
    await postTransfersStatement(
      tx,
      transfers.map(({ organizationId }) => organizationId),
      [JSON.stringify(transfers.map(transferRow)), slot],
    ),
  )
}

const postTransfersStatement = scopedStatement(
  'post-transfers',
  2,
  (scope) => `
  with transfers as (
    select *
      from json_to_recordset($1) as t (
             organization_id uuid, transfer_id uuid, booking text, subject_id uuid, part text, debit_account text,
             credit_account text, amount_cents bigint, created_at timestamptz)
  ), ${POSTED_TRANSFERS(scope)}, ${BALANCE_UPSERT('$2', scope)}
  select 1`,
)

// Serializes the reservations of an organization's money. A missing row is inserted first, because without a row there is
// nothing to lock.
export async function lockAvailable(tx: Queryable, organizationId: string): Promise<void> {
  await tx.query({
    name: 'ensure-available',
    text: `insert into ledger_balances (organization_id, account, slot, debit_cents, credit_cents)
           values ($1, 'AVAILABLE', $2, 0, 0)
               on conflict do nothing`,
    values: [organizationId, PAYOUT_SLOT],
  })
  await tx.query({
    name: 'lock-available',
    text: `select 1
             from ledger_balances
            where organization_id = $1 and account = 'AVAILABLE' and slot = $2
              for update`,
    values: [organizationId, PAYOUT_SLOT],
  })
}

export type Balances = Record<Account, bigint>

// Credits less debits of each account: what we owe. Clearing accounts show what the networks owe us as a negative amount.
export async function readBalances(db: Queryable, organizationId: string): Promise<Balances> {
  const result = await db.query<{ account: Account; held: string }>({
    name: 'read-balances',
    text: `select account, sum(credit_cents - debit_cents)::text as held
             from ledger_balances
            where organization_id = $1
            group by account`,
    values: [organizationId],
  })
  const balances: Balances = {
    AVAILABLE: 0n,
    DEPOSITED: 0n,
    PENDING_SETTLEMENT: 0n,
    RESERVED: 0n,
    SUSPENSE: 0n,
    CLEARING_BRE_B: 0n,
    CLEARING_PSE: 0n,
    FEES: 0n,
    WITHHELD: 0n,
  }
  for (const { account, held } of result.rows) balances[account] = BigInt(held)
  return balances
}

// The chargebacks that were booked of a payin, or of money in suspense.
export async function chargebacksOf(
  db: Queryable,
  organizationId: string,
  subjectId: string,
): Promise<BookedChargeback[]> {
  const result = await db.query<{ part: string; amount_cents: bigint }>({
    name: 'chargebacks-of-subject',
    text: `select part, amount_cents
             from ledger_transfers
            where organization_id = $1 and subject_id = $2 and booking like '%charged back%'`,
    values: [organizationId, subjectId],
  })
  return result.rows.map((row) => readChargebackPart(row.part, row.amount_cents))
}

export type TransferFilters = IdBounds & {
  subjectId?: string
  account?: Account
  bookings?: readonly Booking[]
}

export const TRANSFER_COLUMNS =
  'organization_id, transfer_id, booking, subject_id, debit_account, credit_account, amount_cents, created_at'

export const transferList = listOf<TransferFilters, TransferRow, Transfer>({
  table: 'ledger_transfers',
  idColumn: 'transfer_id',
  columns: TRANSFER_COLUMNS,
  cases: ({ subjectId, account, bookings }): ListCase[] => {
    if (bookings !== undefined) return bookings.flatMap(casesOfBooking)
    // A subject has few transfers.
    const also: ListCondition[] = [['subject_id', subjectId]]
    if (account === undefined) return [{ also }]
    const pairs = ACCOUNT_PAIRS.filter(([debit, credit]) => debit === account || credit === account)
    return pairs.map(([debit, credit]) => ({
      key: [
        ['debit_account', debit],
        ['credit_account', credit],
      ],
      also,
    }))
  },
  read: toTransfer,
})

function casesOfBooking(booking: Booking): ListCase[] {
  return accountPairsOf(booking).map(([debit, credit]) => ({
    key: [
      ['debit_account', debit],
      ['credit_account', credit],
    ],
    also: [['booking', booking]],
  }))
}

export type TransferRow = {
  organization_id: string
  transfer_id: string
  booking: Booking
  subject_id: string
  debit_account: Account
  credit_account: Account
  amount_cents: bigint
  created_at: Instant
}

export function toTransfer(row: TransferRow): Transfer {
  return {
    organizationId: row.organization_id,
    transferId: row.transfer_id,
    booking: row.booking,
    subjectId: row.subject_id,
    debit: row.debit_account,
    credit: row.credit_account,
    amountInCents: row.amount_cents,
    createdAt: row.created_at,
  }
}
