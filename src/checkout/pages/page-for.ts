// The page for each state.

import type { CheckoutPayin, CheckoutSubject } from '../backend.ts'
import { type CheckoutState, isPayable, stateOf, versionOf } from '../state.ts'
import { atBankPage, forwardPage, isForwarded, preparingPage } from './bank.ts'
import { brebPage, registeringPage } from './breb.ts'
import { choosePage } from './choose.ts'
import { confirmingPage } from './confirming.ts'
import type { Page } from './layout.ts'
import type { PageContext } from './page-context.ts'
import {
  alreadyPaidPage,
  approvedPage,
  canceledPage,
  declinedPage,
  expiredPage,
  lapsedPage,
  unavailablePage,
} from './result.ts'

/**
 * `retry` asks for the form after a failed attempt. The form is shown as long as another attempt is possible. Who accepted terms that
 * were replaced is asked at once.
 */
export function showsForm({ subject, now, step }: PageContext): boolean {
  if (stateOf(subject, now) === 'choose') return true
  return (step === 'retry' || hasNewTerms(subject)) && isPayable(subject, now)
}

function hasNewTerms({ payin }: CheckoutSubject): boolean {
  return payin !== null && payin.newTermsSince !== null
}

export function pageFor(context: PageContext): Page {
  const { subject, now } = context
  if (showsForm(context)) return choosePage(context)
  const state = stateOf(subject, now)
  const payin = subject.payin as CheckoutPayin
  const version = versionOf(subject, now)
  const pages: Record<CheckoutState, () => Page> = {
    choose: () => choosePage(context),
    unavailable: () => unavailablePage(context),
    preparing: () => preparingPage(context, payin, version),
    registering: () => registeringPage(context, payin, version),
    breb: () => brebPage(context, payin, version),
    'at-bank': () => bankPage(context, payin, version),
    overdue: () => confirmingPage(context, payin, version, true),
    approved: () => approvedPage(context),
    'already-paid': () => alreadyPaidPage(context),
    declined: () => declinedPage(context),
    canceled: () => canceledPage(context),
    lapsed: () => lapsedPage(context),
    expired: () => expiredPage(context),
  }
  return pages[state]()
}

// The server cannot see whether the payer is before, at or back from the bank. The step in the address decides.
function bankPage(context: PageContext, payin: CheckoutPayin, version: string): Page {
  if (isForwarded(context, payin)) return forwardPage(context, payin, version)
  return context.step === null || context.step === 'retry'
    ? atBankPage(context, payin, version)
    : confirmingPage(context, payin, version, false)
}
