// Why a payin stands as it does, in a few words: for its row.

import type { Instant } from '../../core/instant.ts'
import { awaitsPayer, isOpen } from '../../core/payins/payin.ts'
import type { UserLanguage } from '../../core/team/user.ts'
import type { ListedPayin } from '../../store/payins/payin-row.ts'
import { amountText } from '../format.ts'
import { STATES } from '../words/states.ts'
import { PAYIN_WORDS, type PayinWords } from './words.ts'

// Null: it went as it should.
export function payinReason(payin: ListedPayin, now: Instant, language: UserLanguage): string | null {
  const words = PAYIN_WORDS[language]
  if (isOpen(payin)) return words.waits[waitOf(payin, now)]
  if (payin.errorCode !== null) return STATES[language].payinReasons[payin.errorCode]
  if (payin.chargebackAt !== null) return words.chargedBack(amountText(payin.chargedBackInCents, language))
  const { confirmedAmountInCents, amountInCents } = payin
  return confirmedAmountInCents !== null && confirmedAmountInCents !== amountInCents
    ? words.otherAmount(amountText(amountInCents, language))
    : null
}

export type PayinWait = keyof PayinWords['waits']

// What an open payin waits for.
export function waitOf(payin: ListedPayin, now: Instant): PayinWait {
  const { progress, source } = payin
  if (now >= payin.expiresAt) return 'overdue'
  if (awaitsPayer(payin)) return 'payer'
  if (progress.stage === 'TO_OPEN' && progress.attempts > 0) return 'silent'
  if (source.rail === 'BRE_B') return source.keyString === null ? 'key' : 'payment'
  return payin.status === 'PENDING' ? 'bank' : 'payment'
}
