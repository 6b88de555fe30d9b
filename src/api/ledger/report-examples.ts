// Examples of reports, for the documentation.

import { CLOSE_COLUMN_NAMES } from '../../core/ledger/close-columns.ts'

const none = { movements: 0, amountInCents: 0, pucAccount: null }
const columns = {
  ...Object.fromEntries(CLOSE_COLUMN_NAMES.map((column) => [column, none])),
  confirmed: { movements: 2, amountInCents: 15_000_000, pucAccount: null },
  settled: { movements: 1, amountInCents: 5_000_000, pucAccount: null },
  paidOut: { movements: 1, amountInCents: 2_000_000, pucAccount: null },
  fees: { movements: 1, amountInCents: 132_500, pucAccount: '530515' },
  feeTax: { movements: 1, amountInCents: 25_175, pucAccount: '240802' },
}

export const DAY_EXAMPLE = {
  day: '2026-11-14',
  status: 'CLOSED',
  closedAt: '2026-11-15T05:11:04.120Z',
  movements: 7,
  openingBalanceInCents: 250_000_000,
  columns,
  closingBalanceInCents: 262_842_325,
  closingBalances: {
    AVAILABLE: 252_842_325,
    DEPOSITED: 0,
    PENDING_SETTLEMENT: 10_000_000,
    RESERVED: 0,
    SUSPENSE: 0,
    CLEARING_BRE_B: -163_000_000,
    CLEARING_PSE: -100_000_000,
    FEES: 157_675,
    WITHHELD: 0,
  },
  balancePucAccount: null,
  estimatedMovementTaxInCents: null,
  digest: '6f8ad1f6c4a6e3a0b1c2d3e4f5061728394a5b6c7d8e9fa0b1c2d3e4f5061728',
  previousDigest: null,
  movementsDigest: '0b1c2d3e4f5061728394a5b6c7d8e9fa0b1c2d3e4f50617286f8ad1f6c4a6e3a',
}

export const MONTH_EXAMPLE = {
  month: '2026-11',
  organizationId: '019a5c3e-0000-7000-8000-000000000001',
  organizationName: 'Café La Palma',
  taxId: '900123456-8',
  isFinal: false,
  movements: 7,
  openingBalanceInCents: 250_000_000,
  columns,
  closingBalanceInCents: 262_842_325,
  estimatedMovementTaxInCents: null,
  days: [DAY_EXAMPLE],
}

export const MOVEMENT_EXAMPLE = {
  id: '019a5c41-0000-7000-8000-000000000002',
  day: '2026-11-14',
  ownDay: '2026-11-13',
  bookedAt: '2026-11-14T13:02:00.000Z',
  booking: 'payin confirmed',
  columns: ['confirmed'],
  debitAccount: 'CLEARING_PSE',
  creditAccount: 'PENDING_SETTLEMENT',
  amountInCents: 5_000_000,
  subjectId: '019a5c3e-7b1f-7c2a-9d4e-3f1b2a6c8d90',
  rail: 'PSE',
  reference: 'order-1001',
  networkId: '3178492213',
  thirdParty: { name: 'Café La Palma S.A.S.', idType: 'CO_NIT', idNumber: '900123456', checkDigit: '8' },
}
