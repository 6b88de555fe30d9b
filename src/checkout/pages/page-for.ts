// Which page draws which state.

import type { CheckoutPayin } from '../backend.ts'
import { type CheckoutState, isPayable, stateOf, versionOf } from '../state.ts'
import { atBankPage, forwardPage, isForwarded, preparingPage } from './bank.ts'
import { brebPage } from './breb.ts'
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

export function pageFor(context: PageContext): Page {
  const { subject, now, step } = context
  // The form after a failed try is asked for, and answered as long as there can be another.
  if (step === 'retry' && isPayable(subject, now)) return choosePage(context)
  const state = stateOf(subject, now)
  const payin = subject.payin as CheckoutPayin
  const version = versionOf(subject, now)
  const draw: Record<CheckoutState, () => Page> = {
    choose: () => choosePage(context),
    unavailable: () => unavailablePage(context),
    preparing: () => preparingPage(context, payin, version),
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
  return draw[state]()
}

// Before the bank, at the bank, or back from it: the server cannot see where the payer is, the address says.
function bankPage(context: PageContext, payin: CheckoutPayin, version: string): Page {
  if (isForwarded(context, payin)) return forwardPage(context, payin, version)
  return context.step === null || context.step === 'retry'
    ? atBankPage(context, payin, version)
    : confirmingPage(context, payin, version, false)
}
