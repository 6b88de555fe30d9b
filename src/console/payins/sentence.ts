// How a payin stands and why, as one would tell somebody who asks.

import type { Instant } from '../../core/instant.ts'
import { isOpen, mayStillBePaid, type Payin } from '../../core/payins/payin.ts'
import { settlementAt } from '../../core/payins/schedule.ts'
import type { UserLanguage } from '../../core/team/user.ts'
import type { NextWork } from '../../store/payins/next-work.ts'
import { amountText, whenText, withFullStop } from '../format.ts'
import { STATES } from '../words/states.ts'
import { bankName } from './list.ts'
import { waitOf } from './reason.ts'
import { PAYIN_WORDS } from './words.ts'

export type PayinSituation = {
  readonly payin: Payin
  readonly payerName: string | null
  readonly work: NextWork | undefined
  readonly inSuspenseInCents: bigint
  readonly settlementDelayMs: number
  readonly now: Instant
}

export function payinSentence(situation: PayinSituation, language: UserLanguage): string {
  const { payin, inSuspenseInCents } = situation
  const words = PAYIN_WORDS[language]
  const sentences = isOpen(payin)
    ? openSentences(situation, language)
    : payin.status === 'CONFIRMED'
      ? paidSentences(situation, language)
      : endedSentences(situation, language)
  const held = inSuspenseInCents > 0n ? [words.held(amountText(inSuspenseInCents, language))] : []
  return [...sentences, ...held].map(withFullStop).join(' ')
}

function openSentences({ payin, work, now }: PayinSituation, language: UserLanguage): string[] {
  const words = PAYIN_WORDS[language]
  const wait = waitOf(payin, now)
  const first = words.open[wait](whenText(payin.expiresAt, now, language))
  // Nothing is asked before the network has it.
  const isAsking = wait !== 'payer' && (wait === 'silent' || wait === 'overdue')
  if (!isAsking || work === undefined || work.dueAt === null) return [first]
  if (work.isClaimed || work.dueAt <= now) return [first, words.asking]
  return [first, words.askAgain(whenText(work.dueAt, now, language))]
}

function paidSentences(situation: PayinSituation, language: UserLanguage): string[] {
  const { payin, payerName, now, settlementDelayMs } = situation
  const words = PAYIN_WORDS[language]
  const { source, confirmedAmountInCents, amountInCents, resultAt, updatedAt, chargebackAt } = payin
  const rail = STATES[language].rails[source.rail]
  const how = source.rail === 'PSE' ? words.from(rail, bankName(source.bank)) : rail
  const arrived = confirmedAmountInCents ?? amountInCents
  const paid = words.paid(
    payerName,
    amountText(arrived, language),
    how,
    whenText(resultAt ?? updatedAt, now, language),
  )
  const other = arrived === amountInCents ? [] : [words.asked(amountText(amountInCents, language))]
  if (chargebackAt !== null) {
    const back = amountText(payin.chargedBackInCents, language)
    return [paid, ...other, words.reversed(back, whenText(chargebackAt, now, language))]
  }
  const settlesAt = settlementAt(payin, settlementDelayMs)
  const [there, thereFrom] =
    payin.connection === null
      ? [words.available, words.availableFrom]
      : [words.atProvider, words.atProviderFrom]
  return [
    paid,
    ...other,
    payin.settlementStatus === 'SETTLED' ? there : thereFrom(whenText(settlesAt, now, language)),
  ]
}

function endedSentences({ payin, now }: PayinSituation, language: UserLanguage): string[] {
  const words = PAYIN_WORDS[language]
  const { errorCode, resultAt, updatedAt } = payin
  return [
    errorCode === null ? STATES[language].payin[payin.status] : words.why[errorCode],
    words.ended(whenText(resultAt ?? updatedAt, now, language)),
    ...(mayStillBePaid(payin) ? [words.mayStillBePaid] : []),
  ]
}
