// Why a refund stands as it does, in words.

import { type Refund, WAITING_CODES, type WaitingCode } from '../../core/refunds/refund.ts'
import type { UserLanguage } from '../../core/team/user.ts'
import { STATES } from '../words/states.ts'
import { REFUND_WORDS } from './words.ts'

// Null: it went as it should.
export function refundReason(refund: Refund, language: UserLanguage): string | null {
  const words = REFUND_WORDS[language]
  const { errorCode } = refund
  if (refund.status === 'PROCESSING') {
    if (refund.stage === 'AWAITING_FUNDS' && isWaiting(errorCode)) return words.waits[errorCode]
    return words.stages[refund.stage]
  }
  if (errorCode === null || isOnlyWaiting(errorCode)) return null
  return words.why[errorCode] ?? STATES[language].payoutReasons[errorCode as PayoutReason] ?? errorCode
}

type PayoutReason = keyof (typeof STATES)['es']['payoutReasons']

export function isWaiting(code: Refund['errorCode']): code is WaitingCode {
  return (WAITING_CODES as readonly (string | null)[]).includes(code)
}

// A refund that has ended has none of these, except for the one that payouts have too.
function isOnlyWaiting(code: string): boolean {
  return isWaiting(code as WaitingCode) && code !== 'INSUFFICIENT_FUNDS'
}
