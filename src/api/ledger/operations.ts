// An organization's balance, and the ledger transfers behind it.

import { firstIdAt } from '../../core/ids.ts'
import { isoInstant } from '../../core/instant.ts'
import { type Static, Type } from '../../core/json-schema.ts'
import { ACCOUNTS, type Account, BOOKINGS, type Transfer } from '../../core/ledger/bookings.ts'
import type { Balances } from '../../core/ledger/daily-close.ts'
import { centsToNumber, centsToPesos } from '../../core/money.ts'
import { isRefusal, refuseFields } from '../../core/refusal.ts'
import type { Db } from '../../store/db.ts'
import { balancesBefore } from '../../store/ledger/balance-at.ts'
import { readBalances, type TransferFilters, transferList } from '../../store/ledger/transfers.ts'
import { json, type Operation } from '../http/operation.ts'
import { PAGE_QUERY, PAGE_SIZE, PageInfoObject, readPage } from '../http/pagination.ts'
import { DateTime, OneOf, Uuid } from '../http/schema.ts'

// A balance of the past may have to sum a large day.
const PATIENT_MS = 20_000

// How a balance is shown, whenever it was.
function presentBalance(balances: Balances): Record<string, unknown> {
  return {
    currency: 'COP',
    availableInCents: centsToNumber(balances.AVAILABLE),
    depositedInCents: centsToNumber(balances.DEPOSITED),
    pendingSettlementInCents: centsToNumber(balances.PENDING_SETTLEMENT),
    reservedInCents: centsToNumber(balances.RESERVED),
    suspenseInCents: centsToNumber(balances.SUSPENSE),
  }
}

const Cents = (description: string) => Type.Integer({ description, examples: [5_000_000] })

export const BalanceObject = Type.Object({
  currency: OneOf(['COP'] as const),
  availableInCents: Cents(
    'Can be paid out now over the installation’s networks. Below zero where a chargeback took money that was paid out already.',
  ),
  depositedInCents: Cents(
    'In your own accounts at providers: collected over your connections, or recorded as deposited, and not paid out yet. Payouts over connections are paid from it, and from nothing else.',
  ),
  pendingSettlementInCents: Cents('Collected, and not settled yet.'),
  reservedInCents: Cents('Set aside for payouts that are under way.'),
  suspenseInCents: Cents('Arrived too late, twice or in another amount; an operator decides about it.'),
})

export const TransferObject = Type.Object({
  id: Uuid('Identifier of the transfer.'),
  booking: OneOf(Object.keys(BOOKINGS), { description: 'Why the money moved.' }),
  subjectId: Uuid('The payin, payout, suspense item, deposit or withdrawal it is about.'),
  debitAccount: OneOf(ACCOUNTS),
  creditAccount: OneOf(ACCOUNTS),
  amount: Type.Number({ description: 'In pesos.' }),
  amountInCents: Type.Integer(),
  currency: OneOf(['COP'] as const),
  createdAt: DateTime('When it was booked.'),
  balanceAfterInCents: Type.Optional(
    Type.Integer({ description: 'The balance of the account that was asked for (`account`), after it.' }),
  ),
})

export const TransferList = Type.Object({ data: Type.Array(TransferObject), pageInfo: PageInfoObject })

const BalanceQuery = Type.Object({
  at: Type.Optional(
    DateTime('The balance as it stood at this time, with all that was booked by then. Without it: now.'),
  ),
})

export const getBalanceOperation: Operation = {
  method: 'GET',
  path: '/balance',
  operationId: 'getBalance',
  tag: 'Ledger',
  summary: 'Get the balance',
  description:
    'The organization’s money: available, deposited at its providers, pending settlement, reserved, and in suspense. With `at` as it stood then.',
  access: { scope: 'ledger:read', shown: 'apiKey' },
  query: BalanceQuery,
  success: {
    status: 200,
    description: 'The balance.',
    schema: BalanceObject,
    examples: {
      balance: {
        summary: 'A balance',
        value: {
          currency: 'COP',
          availableInCents: 250_000_000,
          depositedInCents: 0,
          pendingSettlementInCents: 5_000_000,
          reservedInCents: 0,
          suspenseInCents: 0,
        },
      },
    },
  },
  refusals: ['INVALID_INPUT'],
  handle: async ({ ctx, caller, query }) => {
    const { organizationId, createdAt } = caller.organization
    const { at } = query as Static<typeof BalanceQuery>
    if (at === undefined) return json(200, presentBalance(await readBalances(ctx.db, organizationId)))
    const instant = Date.parse(at)
    const wrong = (message: string) => refuseFields([{ path: '/at', code: 'NOT_ALLOWED', message }])
    if (instant > ctx.clock.now()) return wrong('is in the future')
    if (instant < createdAt) return wrong(`is before the organization existed: ${isoInstant(createdAt)}`)
    const balances = await ctx.db.inTransaction(
      (tx) => balancesBefore(tx, organizationId, firstIdAt(instant + 1)),
      { timeoutMs: PATIENT_MS },
    )
    return json(200, presentBalance(balances))
  },
}

const ListTransfersQuery = Type.Object({
  ...PAGE_QUERY,
  subjectId: Type.Optional(
    Uuid('Only transfers about this payin, payout, suspense item, deposit or withdrawal.'),
  ),
  account: Type.Optional(OneOf(ACCOUNTS, { description: 'Only transfers into or out of this account.' })),
})

export const listTransfersOperation: Operation = {
  method: 'GET',
  path: '/ledger/transfers',
  operationId: 'listTransfers',
  tag: 'Ledger',
  summary: 'List transfers',
  description:
    'Every movement between the organization’s accounts, newest first. Transfers are never changed or removed. With `account`, each has the balance of that account after it.',
  access: { scope: 'ledger:read', shown: 'apiKey' },
  query: ListTransfersQuery,
  success: {
    status: 200,
    description: 'A page of transfers.',
    schema: TransferList,
    examples: {
      page: {
        summary: 'A page',
        value: {
          data: [
            {
              id: '019a5c41-0000-7000-8000-000000000002',
              booking: 'payin confirmed',
              subjectId: '019a5c3e-7b1f-7c2a-9d4e-3f1b2a6c8d90',
              debitAccount: 'CLEARING_BRE_B',
              creditAccount: 'PENDING_SETTLEMENT',
              amount: 50_000,
              amountInCents: 5_000_000,
              currency: 'COP',
              createdAt: '2025-11-07T13:02:00.000Z',
            },
          ],
          pageInfo: { hasNext: false, hasPrevious: false, nextCursor: null, previousCursor: null },
        },
      },
    },
  },
  refusals: ['INVALID_INPUT', 'CURSOR_INVALID'],
  handle: async ({ ctx, caller, query }) => {
    const { cursor, pageSize, subjectId, account } = query as Static<typeof ListTransfersQuery>
    const { organizationId } = caller.organization
    const filters: TransferFilters = {
      ...(subjectId !== undefined && { subjectId: subjectId.toLowerCase() }),
      ...(account !== undefined && { account }),
    }
    const page = await readPage(
      {
        ...transferList(ctx.db, organizationId, filters),
        idOf: (transfer: Transfer) => transfer.transferId,
      },
      { key: ctx.settings.keys.cursor, context: `transfers ${organizationId} ${JSON.stringify(filters)}` },
      cursor,
      pageSize ?? PAGE_SIZE.default,
    )
    if (isRefusal(page)) return page
    // Of one subject the rows do not follow each other.
    const runs = account !== undefined && subjectId === undefined
    const balances = runs ? await runningBalances(ctx.db, organizationId, account, page.rows) : []
    const data = page.rows.map((row, index) => {
      const balance = balances[index]
      return {
        ...presentTransfer(row),
        ...(balance !== undefined && { balanceAfterInCents: centsToNumber(balance) }),
      }
    })
    return json(200, { data, pageInfo: page.pageInfo })
  },
}

// The rows are the newest first, and no transfer of the account lies between two of them.
async function runningBalances(
  db: Db,
  organizationId: string,
  account: Account,
  rows: readonly Transfer[],
): Promise<bigint[]> {
  const [newest] = rows
  if (newest === undefined) return []
  const before = await db.inTransaction((tx) => balancesBefore(tx, organizationId, newest.transferId), {
    timeoutMs: PATIENT_MS,
  })
  let after = before[account] + changeOf(newest, account)
  return rows.map((row) => {
    const balance = after
    after -= changeOf(row, account)
    return balance
  })
}

function changeOf({ debit, credit, amountInCents }: Transfer, account: Account): bigint {
  if (credit === account) return amountInCents
  return debit === account ? -amountInCents : 0n
}

function presentTransfer(transfer: Transfer): Record<string, unknown> {
  return {
    id: transfer.transferId,
    booking: transfer.booking,
    subjectId: transfer.subjectId,
    debitAccount: transfer.debit,
    creditAccount: transfer.credit,
    amount: centsToPesos(transfer.amountInCents),
    amountInCents: centsToNumber(transfer.amountInCents),
    currency: 'COP',
    createdAt: isoInstant(transfer.createdAt),
  }
}
