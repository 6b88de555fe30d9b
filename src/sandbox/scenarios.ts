// What happens to a payment, and with which codes a network reports it. The document number of whoever pays, or is paid,
// chooses the scenario. A scenario is only a plan: a payer who opens a page, a cancelation, an expiry or the control API may
// come first.

import type { PayinErrorCode } from '../core/payins/payin.ts'
import type { PayoutErrorCode } from '../core/payouts/payout.ts'
import type { PaymentKind, Scenario } from './records.ts'

const SCENARIO_BY_DOCUMENT: ReadonlyMap<string | undefined, Scenario> = new Map([
  ['1000000001', 'confirmed'],
  ['1000000003', 'declined'],
  ['1000000005', 'canceled'],
  ['1000000007', 'open'],
  ['1000000011', 'thrice'],
  ['1000000013', 'other-amount'],
  ['1000000015', 'silent'],
  ['1000000017', 'chargeback'],
])

export function scenarioOf(idNumber: string | undefined): Scenario {
  return SCENARIO_BY_DOCUMENT.get(idNumber) ?? 'confirmed'
}

export type Outcome =
  | { how: 'paid'; amountInCents: bigint }
  | { how: 'rejected' | 'canceled'; code: string | null }
  | { how: 'nothing' }

/** What the timer does with a payment if nobody else has decided. */
export function plannedOutcome(kind: PaymentKind, scenario: Scenario, amountInCents: bigint): Outcome {
  switch (scenario) {
    case 'open':
      return { how: 'nothing' }
    case 'declined':
      return { how: 'rejected', code: DECLINED_CODE[kind] }
    case 'canceled':
      return { how: 'canceled', code: CANCELED_CODE[kind] }
    case 'other-amount':
      if (kind === 'collection') return { how: 'paid', amountInCents: otherAmount(amountInCents) }
      return { how: 'rejected', code: OTHER_AMOUNT_REFUSAL[kind] }
    default:
      return { how: 'paid', amountInCents }
  }
}

export const DECLINED_CODE: Readonly<Record<PaymentKind, string>> = {
  collection: 'B106',
  session: '00011',
  transfer: 'B106',
}
export const CANCELED_CODE: Readonly<Record<PaymentKind, string>> = {
  collection: 'CANCELED_BY_PAYER',
  session: '00001',
  transfer: 'CANCELED',
}

// Only whoever pays a Bre-B key types an amount. On PSE the bank receives the amount and must refuse any other
// (inconsistent data). A transfer moves what was ordered or nothing (above the receiver's deposit limit).
const OTHER_AMOUNT_REFUSAL = { session: '00012', transfer: 'B107' } as const

function otherAmount(amountInCents: bigint): bigint {
  return amountInCents > 1n ? amountInCents / 2n : 2n
}

/** How a payment ends without money. */
export type FailedOutcome = 'declined' | 'canceled'

/** The network's code for one of our error codes; undefined if a payment of this kind cannot end so. */
export function networkCode(kind: PaymentKind, end: FailedOutcome, errorCode: string): string | undefined {
  return NETWORK_CODES[kind][end].get(errorCode)
}

export function knownErrorCodes(kind: PaymentKind, end: FailedOutcome): string[] {
  return [...NETWORK_CODES[kind][end].keys()]
}

const COLLECTION: Partial<Record<PayinErrorCode, string>> = {
  AMOUNT_MISMATCH: 'AMOUNT_MISMATCH',
  INSUFFICIENT_FUNDS: 'INSUFFICIENT_FUNDS',
  ACCOUNT_INVALID: 'ACCOUNT_INVALID',
  ACCOUNT_BLOCKED: 'ACCOUNT_BLOCKED',
  LIMIT_EXCEEDED: 'LIMIT_EXCEEDED',
  AUTHENTICATION_FAILED: 'AUTHENTICATION_FAILED',
  BANK_UNAVAILABLE: 'BANK_UNAVAILABLE',
  BANK_DECLINED: 'BANK_DECLINED',
  RISK_REJECTED: 'B106',
  RAIL_ERROR: 'U111',
}

const SESSION: Partial<Record<PayinErrorCode, string>> = {
  ACCOUNT_BLOCKED: '00002',
  ACCOUNT_INVALID: '00004',
  LIMIT_EXCEEDED: '00008',
  BANK_UNAVAILABLE: '00009',
  INSUFFICIENT_FUNDS: '00011',
  BANK_DECLINED: '00012',
  AUTHENTICATION_FAILED: '00016',
  RAIL_ERROR: '00018',
}

const TRANSFER: Partial<Record<PayoutErrorCode, string>> = {
  KEY_NOT_FOUND: 'DIFE-0004',
  KEY_SUSPENDED: 'DIFE-0005',
  KEY_INVALID: 'DIFE-5005',
  AMOUNT_ABOVE_MAXIMUM: 'B108',
  RECEIVER_LIMIT_EXCEEDED: 'B107',
  RECEIVER_ACCOUNT_INVALID: 'B105',
  RECEIVER_ID_MISMATCH: 'B103',
  RISK_REJECTED: 'B106',
  PARTICIPANT_UNAVAILABLE: 'U122',
  RAIL_ERROR: 'U111',
}

const NETWORK_CODES: Readonly<
  Record<PaymentKind, Readonly<Record<FailedOutcome, ReadonlyMap<string, string>>>>
> = {
  collection: {
    declined: new Map(Object.entries(COLLECTION)),
    canceled: new Map([['CANCELED_BY_PAYER', CANCELED_CODE.collection]]),
  },
  session: {
    declined: new Map(Object.entries(SESSION)),
    canceled: new Map([
      ['CANCELED_BY_PAYER', CANCELED_CODE.session],
      ['EXPIRED', '00014'],
    ]),
  },
  transfer: {
    declined: new Map(Object.entries(TRANSFER)),
    canceled: new Map([['RAIL_ERROR', CANCELED_CODE.transfer]]),
  },
}
