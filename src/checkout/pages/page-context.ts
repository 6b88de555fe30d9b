// The input of a page, and the addresses it may link to. Addresses carry the language only if the payer chose one, and
// `step` only to pick a view. Neither is state.

import { findPseBank } from '../../core/directory/pse-bank.ts'
import type { Instant } from '../../core/instant.ts'
import type { PseOffer } from '../../flows/connections/pse-offer.ts'
import type { Environment } from '../../flows/context.ts'
import type { CheckoutSubject } from '../backend.ts'
import type { Language } from '../words/language.ts'
import type { Words } from '../words/words.ts'

/** The part of the input that a page without a subject has, too, such as the not-found page. */
export type PageSetting = {
  readonly environment: Environment
  readonly language: Language
  readonly words: Words
  /** Set by `?lang=`. Every address of the page then keeps it. */
  readonly chosenLanguage: Language | null
  /** The path of the payer's page, without a query. */
  readonly path: string
}

export type PageContext = PageSetting & {
  readonly subject: CheckoutSubject
  /** What PSE offers in the form. */
  readonly offer: PseOffer
  readonly now: Instant
  readonly step: Step | null
}

// go: straight from the form, on to the bank as soon as possible. back: the bank sent the browser back. retry: show the
// form after a failed attempt. checked, late: the results of "ya pagué" and "another way".
export const STEPS = ['go', 'back', 'retry', 'checked', 'late'] as const
export type Step = (typeof STEPS)[number]

export function address(
  setting: PageSetting,
  { below = '', step }: { below?: string; step?: Step } = {},
): string {
  const query = new URLSearchParams()
  if (step !== undefined) query.set('step', step)
  if (setting.chosenLanguage !== null) query.set('lang', setting.chosenLanguage)
  return `${setting.path}${below}${query.size === 0 ? '' : `?${query}`}`
}

/** The bank's name, or "your bank" where we do not know the code. */
export function bankName(context: PageContext, code: string | null): string {
  const bank = code === null ? undefined : findPseBank(code, context.environment === 'staging')
  return bank?.name ?? context.words.bank.yourBank
}

/** The address if it may be followed. Only http and https ever become a link. */
export function webAddress(text: string | null): string | null {
  const protocol = text === null ? undefined : URL.parse(text)?.protocol
  return protocol === 'https:' || protocol === 'http:' ? text : null
}
