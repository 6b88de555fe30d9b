// What happened to the payer's money in an attempt that ended without a payment. A technical failure after the bank was
// contacted may have debited the payer, so the text then refers them to their bank instead of saying that no money
// moved.

import type { PayinErrorCode } from '../../core/payins/payin.ts'
import { isStillClosing } from '../state.ts'
import type { PageContext } from './page-context.ts'

export function amountLine({ subject, words, now }: PageContext): string {
  const { payin, merchant } = subject
  const code = payin?.errorCode ?? null
  if (code === 'AMOUNT_MISMATCH') return words.money.held(merchant.name)
  if (code === 'EXPIRED') return words.money.late(merchant.name)
  const unsure =
    isStillClosing(subject, now) || (code !== null && MAYBE_DEBITED.includes(code) && payin?.traceId !== null)
  return unsure ? words.money.unsure : words.money.none
}

const MAYBE_DEBITED: readonly PayinErrorCode[] = ['RAIL_ERROR', 'BANK_UNAVAILABLE']
