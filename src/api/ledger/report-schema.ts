// Reports as merchants see them: a day and its columns, a month, and one movement.

import { RAILS } from '../../core/connections/rail.ts'
import { isoInstant, isoOrNull } from '../../core/instant.ts'
import { Type } from '../../core/json-schema.ts'
import { ACCOUNTS, BOOKINGS } from '../../core/ledger/bookings.ts'
import {
  CLOSE_COLUMN_NAMES,
  type CloseColumn,
  COLUMNS_OF_BOOKING,
  HELD_ACCOUNTS,
} from '../../core/ledger/close-columns.ts'
import { heldInCents } from '../../core/ledger/daily-close.ts'
import { estimatedMovementTax } from '../../core/ledger/movement-tax.ts'
import { centsToNumber } from '../../core/money.ts'
import type { Organization } from '../../core/organizations/organization.ts'
import type { ReportedDay } from '../../flows/ledger/read-days.ts'
import type { Movement } from '../../flows/ledger/read-movements.ts'
import { PageInfoObject } from '../http/pagination.ts'
import { DateTime, Nullable, OneOf, Uuid } from '../http/schema.ts'

export const DayText = (description: string) =>
  Type.String({ maxLength: 10, description, examples: ['2026-11-14'] })

const COLUMN_MEANINGS: Readonly<Record<CloseColumn, string>> = {
  confirmed: 'Payins that were confirmed. Adds to the balance.',
  settled: 'Confirmed money that became available. Leaves the balance as it is.',
  attached: 'Money from suspense that was given to you. Adds to the balance.',
  refunded: 'Given back to payers. Takes from the balance.',
  chargedBack: 'Taken back by the networks. Takes from the balance.',
  paidOut: 'Payouts that were confirmed. Takes from the balance.',
  payoutsReturned: 'Money of confirmed payouts that came back. Adds to the balance.',
  deposited: 'Deposited at your providers, or staging’s opening balance. Adds to the balance.',
  withdrawn: 'Withdrawn from your providers. Takes from the balance.',
  fees: 'Our fees, without IVA. Takes from the balance.',
  feeTax: 'The IVA on our fees. Takes from the balance.',
  withheld: 'Taxes that were withheld. Takes from the balance.',
  suspenseIn: 'Money that arrived and fits no payin. Adds to the balance.',
  suspenseOut: 'Money that left suspense. Takes from the balance.',
}

const Sum = (description: string) =>
  Type.Object(
    {
      movements: Type.Integer({ description: 'How many movements.' }),
      amountInCents: Type.Integer({ description: 'What they add up to; never negative.' }),
      pucAccount: Nullable(Type.String({ description: 'The account that you have set for it, or null.' })),
    },
    { description },
  )

const Columns = Type.Object(
  Object.fromEntries(CLOSE_COLUMN_NAMES.map((column) => [column, Sum(COLUMN_MEANINGS[column])])),
  { description: 'What the day was made of. The opening balance with every column is the closing balance.' },
)

const Hex = (description: string) => Nullable(Type.String({ description }))
const Cents = (description: string) => Type.Integer({ description })

export const DayReportObject = Type.Object({
  day: Type.String({ format: 'date', description: 'The day in Bogotá.' }),
  status: OneOf(['OPEN', 'CLOSING', 'CLOSED'] as const, {
    description:
      '`OPEN`: figures as they stand now. `CLOSING`: nothing is booked in it any more, and it is being summed. `CLOSED`: never changes.',
  }),
  closedAt: Nullable(DateTime('When it was closed; null while it is not, and for a day without movements.')),
  movements: Type.Integer({ description: 'How many transfers were booked.' }),
  openingBalanceInCents: Cents('The closing balance of the day before.'),
  columns: Columns,
  closingBalanceInCents: Cents(
    'What we hold for you at the end of the day: available, pending settlement, reserved, deposited, and in suspense.',
  ),
  closingBalances: Type.Object(Object.fromEntries(ACCOUNTS.map((account) => [account, Type.Integer()])), {
    description: `Every account at the end of the day. ${HELD_ACCOUNTS.join(', ')} make up the balance.`,
  }),
  balancePucAccount: Nullable(Type.String({ description: 'The account that you have set for the balance.' })),
  estimatedMovementTaxInCents: Nullable(
    Type.Integer({
      description:
        'The tax on movements (GMF) of what was paid out, as an estimate: your bank says what it took. Null unless you ask for it (`accounting.estimatesMovementTax`).',
    }),
  ),
  digest: Hex(
    'SHA-256 over the day’s figures, the digest of its movements, and the digest of the close before it; null while it is not closed, and for a day without movements.',
  ),
  previousDigest: Hex('The digest of the close before it.'),
  movementsDigest: Hex('SHA-256 over every transfer of the day, in order.'),
})

export const DayReportList = Type.Object({ data: Type.Array(DayReportObject) })

export const MonthReportObject = Type.Object({
  month: Type.String({ description: 'The month in Bogotá.', examples: ['2026-11'] }),
  organizationId: Uuid('The organization.'),
  organizationName: Type.String({ description: 'Its name.' }),
  taxId: Nullable(Type.String({ description: 'Its NIT.' })),
  isFinal: Type.Boolean({ description: 'Whether the month is over and every day of it is closed.' }),
  movements: Type.Integer({ description: 'How many transfers were booked.' }),
  openingBalanceInCents: Cents('At the start of its first day.'),
  columns: Columns,
  closingBalanceInCents: Cents('At the end of its last day, or now.'),
  estimatedMovementTaxInCents: Nullable(Type.Integer({ description: 'The sum of the days’ estimates.' })),
  days: Type.Array(DayReportObject),
})

export const MovementObject = Type.Object({
  id: Uuid('Identifier of the transfer.'),
  day: Type.String({ format: 'date', description: 'The day in Bogotá on which it was booked.' }),
  ownDay: Type.String({
    format: 'date',
    description:
      'The day of what it is about: the network’s, where it lists it under another day; otherwise the day on which the payin, payout or suspense item began.',
  }),
  bookedAt: DateTime('When it was booked.'),
  booking: OneOf(Object.keys(BOOKINGS), { description: 'Why the money moved.' }),
  columns: Type.Array(OneOf(CLOSE_COLUMN_NAMES), { description: 'The columns of the day that count it.' }),
  debitAccount: OneOf(ACCOUNTS),
  creditAccount: OneOf(ACCOUNTS),
  amountInCents: Type.Integer(),
  subjectId: Uuid('The payin, payout, suspense item, deposit or withdrawal it is about.'),
  rail: Nullable(OneOf(RAILS)),
  reference: Nullable(Type.String({ description: 'Your reference of the payin or payout.' })),
  networkId: Nullable(Type.String({ description: 'The network’s id: the CUS of PSE, the id of Bre-B.' })),
  thirdParty: Nullable(
    Type.Object(
      {
        name: Type.String(),
        idType: Type.String(),
        idNumber: Type.String(),
        checkDigit: Nullable(Type.String({ description: 'Of a NIT, where it is known.' })),
      },
      {
        description:
          'The payer or receiver. Null where nobody is named, and for a credential that may not read payins or payouts.',
      },
    ),
  ),
})

export const MovementList = Type.Object({ data: Type.Array(MovementObject), pageInfo: PageInfoObject })

export function presentDay({ accounting }: Organization, reported: ReportedDay): Record<string, unknown> {
  const { day, state, figures, proof, closedAt } = reported
  const tax = estimatedMovementTax(figures.columns.paidOut.amountInCents, day)
  return {
    day,
    status: state,
    closedAt: isoOrNull(closedAt),
    movements: figures.movements,
    openingBalanceInCents: centsToNumber(heldInCents(figures.opening)),
    columns: presentColumns(accounting, figures.columns),
    closingBalanceInCents: centsToNumber(heldInCents(figures.closing)),
    closingBalances: Object.fromEntries(
      ACCOUNTS.map((account) => [account, centsToNumber(figures.closing[account])]),
    ),
    balancePucAccount: accounting.pucAccounts.balance ?? null,
    estimatedMovementTaxInCents: accounting.estimatesMovementTax ? centsToNumber(tax) : null,
    digest: proof?.digest ?? null,
    previousDigest: proof?.previousDigest ?? null,
    movementsDigest: proof?.movementsDigest ?? null,
  }
}

function presentColumns(
  { pucAccounts }: Organization['accounting'],
  columns: ReportedDay['figures']['columns'],
): Record<string, unknown> {
  return Object.fromEntries(
    CLOSE_COLUMN_NAMES.map((column) => {
      const { movements, amountInCents } = columns[column]
      const pucAccount = pucAccounts[column] ?? null
      return [column, { movements, amountInCents: centsToNumber(amountInCents), pucAccount }]
    }),
  )
}

export type MonthSums = {
  readonly columns: ReportedDay['figures']['columns']
  readonly movements: number
  readonly estimatedTaxInCents: bigint
}

export function sumsOfMonth(days: readonly ReportedDay[]): MonthSums {
  const total = (column: CloseColumn) => ({
    movements: days.reduce((sum, { figures }) => sum + figures.columns[column].movements, 0),
    amountInCents: days.reduce((sum, { figures }) => sum + figures.columns[column].amountInCents, 0n),
  })
  return {
    columns: Object.fromEntries(
      CLOSE_COLUMN_NAMES.map((column) => [column, total(column)]),
    ) as MonthSums['columns'],
    movements: days.reduce((sum, { figures }) => sum + figures.movements, 0),
    estimatedTaxInCents: days.reduce(
      (sum, { day, figures }) => sum + estimatedMovementTax(figures.columns.paidOut.amountInCents, day),
      0n,
    ),
  }
}

// At least one day.
export function presentMonth(
  organization: Organization,
  month: string,
  days: readonly ReportedDay[],
  isOver: boolean,
): Record<string, unknown> {
  const { columns, movements, estimatedTaxInCents } = sumsOfMonth(days)
  const first = days[0] as ReportedDay
  const last = days.at(-1) as ReportedDay
  const { accounting } = organization
  return {
    month,
    organizationId: organization.organizationId,
    organizationName: organization.name,
    taxId: organization.taxId,
    isFinal: isOver && days.every(({ state }) => state === 'CLOSED'),
    movements,
    openingBalanceInCents: centsToNumber(heldInCents(first.figures.opening)),
    columns: presentColumns(accounting, columns),
    closingBalanceInCents: centsToNumber(heldInCents(last.figures.closing)),
    estimatedMovementTaxInCents: accounting.estimatesMovementTax ? centsToNumber(estimatedTaxInCents) : null,
    days: days.map((day) => presentDay(organization, day)),
  }
}

export function presentMovement({
  transfer,
  day,
  ownDay,
  rail,
  reference,
  networkId,
  thirdParty,
}: Movement): Record<string, unknown> {
  return {
    id: transfer.transferId,
    day,
    ownDay,
    bookedAt: isoInstant(transfer.createdAt),
    booking: transfer.booking,
    columns: COLUMNS_OF_BOOKING[transfer.booking],
    debitAccount: transfer.debit,
    creditAccount: transfer.credit,
    amountInCents: centsToNumber(transfer.amountInCents),
    subjectId: transfer.subjectId,
    rail,
    reference,
    networkId,
    thirdParty,
  }
}
