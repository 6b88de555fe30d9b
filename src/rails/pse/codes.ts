// What PSE's codes mean to us. A code missing from these tables does not compile. A cause that the network adds later is
// read as a decline by the bank.

import type { PayinErrorCode } from '../../core/payins/payin.ts'
import { meaningOf } from '../wire-format.ts'
import type { CAUSE_CODES, CREATE_CODES } from './wire.ts'

export type PayinEnd = { readonly how: 'declined' | 'canceled' | 'expired'; readonly reason: PayinErrorCode }

// How a payin that was not authorized has ended.
export function payinEnd(causeCode: string | null): PayinEnd {
  return meaningOf(CAUSES, causeCode) ?? declined('BANK_DECLINED')
}

// Why a session was not created. Null: the code settles nothing.
export function payinReason(code: string): PayinErrorCode | null | undefined {
  return meaningOf(CREATE_REASONS, code)
}

// A failed return has a single reason for us, whatever the network's code.
export function returnReason(code: string): 'RAIL_ERROR' | null | undefined {
  const reason = payinReason(code)
  return reason ? 'RAIL_ERROR' : reason
}

const declined = (reason: PayinErrorCode): PayinEnd => ({ how: 'declined', reason })

const CAUSES: Readonly<Record<string, PayinEnd>> = {
  '00001': { how: 'canceled', reason: 'CANCELED_BY_PAYER' },
  '00002': declined('ACCOUNT_BLOCKED'),
  '00003': declined('ACCOUNT_INVALID'),
  '00004': declined('ACCOUNT_INVALID'),
  '00005': declined('ACCOUNT_INVALID'),
  '00006': declined('ACCOUNT_INVALID'),
  '00007': declined('ACCOUNT_INVALID'),
  '00008': declined('LIMIT_EXCEEDED'),
  '00009': declined('BANK_UNAVAILABLE'),
  '00010': declined('BANK_UNAVAILABLE'),
  '00011': declined('INSUFFICIENT_FUNDS'),
  '00012': declined('BANK_DECLINED'),
  '00013': declined('ACCOUNT_INVALID'),
  '00014': { how: 'expired', reason: 'EXPIRED' },
  '00015': { how: 'canceled', reason: 'CANCELED_BY_PAYER' },
  '00016': declined('AUTHENTICATION_FAILED'),
  '00017': declined('ACCOUNT_INVALID'),
  '00018': declined('RAIL_ERROR'),
} satisfies Record<keyof typeof CAUSE_CODES, PayinEnd>

const CREATE_REASONS: Readonly<Record<string, PayinErrorCode | null>> = {
  FAIL_BANKNOTEXISTSORDISABLED: 'BANK_UNAVAILABLE',
  FAIL_BANKUNREACHEABLE: 'BANK_UNAVAILABLE',
  FAIL_EXCEEDEDLIMIT: 'LIMIT_EXCEEDED',
  FAIL_INVALIDAMOUNT: 'RAIL_ERROR',
  FAIL_RISK: 'RISK_REJECTED',
  // The e-mail is the payer's account at PSE itself.
  FAIL_DISABLEDUSEREMAIL: 'ACCOUNT_BLOCKED',
  FAIL_TIMEOUT: null,
  NOT_FOUND: null,
} satisfies Record<keyof typeof CREATE_CODES, PayinErrorCode | null>
