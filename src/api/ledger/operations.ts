// An organization's balance, and the ledger transfers behind it.

import { isoInstant } from '../../core/instant.ts'
import { type Static, Type } from '../../core/json-schema.ts'
import { ACCOUNTS, BOOKINGS, type Transfer } from '../../core/ledger/bookings.ts'
import { centsToNumber, centsToPesos } from '../../core/money.ts'
import { isRefusal } from '../../core/refusal.ts'
import { readBalances, type TransferFilters, transferList } from '../../store/ledger/transfers.ts'
import { json, type Operation } from '../http/operation.ts'
import { PAGE_QUERY, PAGE_SIZE, PageInfoObject, readPage } from '../http/pagination.ts'
import { DateTime, OneOf, Uuid } from '../http/schema.ts'

const Cents = (description: string) => Type.Integer({ description, examples: [5_000_000] })

export const BalanceObject = Type.Object({
  currency: OneOf(['COP'] as const),
  availableInCents: Cents(
    'Can be paid out now. Below zero where a chargeback took money that was paid out already.',
  ),
  depositedInCents: Cents(
    'Recorded as deposited at your providers and not paid out yet. Only payouts over connections are paid from it.',
  ),
  pendingSettlementInCents: Cents('Collected, and not yet made available.'),
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
})

export const TransferList = Type.Object({ data: Type.Array(TransferObject), pageInfo: PageInfoObject })

export const getBalanceOperation: Operation = {
  method: 'GET',
  path: '/balance',
  operationId: 'getBalance',
  tag: 'Ledger',
  summary: 'Get the balance',
  description:
    'The organization’s money: available, deposited at its providers, pending settlement, reserved, and in suspense.',
  access: { scope: 'ledger:read', shown: 'apiKey' },
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
  refusals: [],
  handle: async ({ ctx, caller }) => {
    const balances = await readBalances(ctx.db, caller.organization.organizationId)
    return json(200, {
      currency: 'COP',
      availableInCents: centsToNumber(balances.AVAILABLE),
      depositedInCents: centsToNumber(balances.DEPOSITED),
      pendingSettlementInCents: centsToNumber(balances.PENDING_SETTLEMENT),
      reservedInCents: centsToNumber(balances.RESERVED),
      suspenseInCents: centsToNumber(balances.SUSPENSE),
    })
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
    'Every movement between the organization’s accounts, newest first. Transfers are never changed or removed.',
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
    return isRefusal(page)
      ? page
      : json(200, { data: page.rows.map(presentTransfer), pageInfo: page.pageInfo })
  },
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
