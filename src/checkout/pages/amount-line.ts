// Why an attempt ended without a payment, and what happened to the payer's money in it. A technical failure after the
// bank was contacted may have debited the payer, and so may an attempt that its network has not ended yet. The text then
// refers them to their bank instead of saying that no money moved.

import type { PayinErrorCode } from '../../core/payins/payin.ts'
import { amountText } from '../words/format.ts'
import type { PageContext } from './page-context.ts'

/** Empty if nothing has ended. */
export function reasonLine({ subject, words, language }: PageContext): string {
  const { payin } = subject
  if (payin === null) return ''
  if (payin.newTermsSince !== null) return words.errors.termsChanged
  if (payin.errorCode === null) return ''
  const { errorCode, otherAmountInCents, amountInCents } = payin
  if (errorCode !== 'AMOUNT_MISMATCH' || otherAmountInCents === null) return words.reasons[errorCode]
  return words.money.mismatch(amountText(otherAmountInCents, language), amountText(amountInCents, language))
}

export function amountLine({ subject, words }: PageContext): string {
  const { payin, merchant } = subject
  const code = payin?.errorCode ?? null
  if (subject.holdsMoney || code === 'AMOUNT_MISMATCH') return words.money.held(merchant.name)
  if (code === 'EXPIRED') return words.money.late(merchant.name)
  const maybeDebited = code !== null && MAYBE_DEBITED.includes(code) && payin?.traceId !== null
  return payin?.mayStillBePaid || maybeDebited ? words.money.unsure : words.money.none
}

const MAYBE_DEBITED: readonly PayinErrorCode[] = ['RAIL_ERROR', 'BANK_UNAVAILABLE']
