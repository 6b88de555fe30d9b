// Everything a page is drawn from, and the addresses it may lead to. The one thing to know: addresses carry the language
// only where the payer chose one, and `step` only to pick a view; neither is state.

import { findPseBank } from '../../core/directory/pse-bank.ts'
import type { Instant } from '../../core/instant.ts'
import type { Environment } from '../../flows/context.ts'
import type { CheckoutSubject } from '../backend.ts'
import type { Language } from '../words/language.ts'
import type { Words } from '../words/words.ts'

/** What a page without a subject is drawn from, too: the one that says there is nothing here. */
export type PageSetting = {
  readonly environment: Environment
  readonly language: Language
  readonly words: Words
  /** Set by `?lang=`; then every address of the page keeps it. */
  readonly chosenLanguage: Language | null
  /** The path of the payer's page, without a query. */
  readonly path: string
}

export type PageContext = PageSetting & {
  readonly subject: CheckoutSubject
  readonly now: Instant
  readonly step: Step | null
}

// go: straight from the form, on to the bank as soon as it can be. back: the bank sent the browser back. retry: show the
// form after a try that failed. checked, late: what "ya pagué" and "another way" came to.
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

/** An address that may be followed: nothing but http and https ever becomes a link. */
export function webAddress(text: string | null): string | null {
  const protocol = text === null ? undefined : URL.parse(text)?.protocol
  return protocol === 'https:' || protocol === 'http:' ? text : null
}
