// Which page draws which state.

import type { CheckoutPayin } from '../backend.ts'
import { type CheckoutState, isPayable, stateOf, versionOf } from '../state.ts'
import { atBankPage, forwardPage, isForwarded, preparingPage } from './bank.ts'
import { brebPage } from './breb.ts'
import { choosePage } from './choose.ts'
import { confirmingPage } from './confirming.ts'
import type { Page } from './layout.ts'
import type { Scene } from './page-context.ts'
import {
  alreadyPaidPage,
  approvedPage,
  canceledPage,
  declinedPage,
  expiredPage,
  lapsedPage,
  unavailablePage,
} from './result.ts'

export function pageFor(scene: Scene): Page {
  const { subject, now, step } = scene
  // The form after a failed try is asked for, and answered as long as there can be another.
  if (step === 'retry' && isPayable(subject, now)) return choosePage(scene)
  const state = stateOf(subject, now)
  const payin = subject.payin as CheckoutPayin
  const version = versionOf(subject, now)
  const draw: Record<CheckoutState, () => Page> = {
    choose: () => choosePage(scene),
    unavailable: () => unavailablePage(scene),
    preparing: () => preparingPage(scene, payin, version),
    breb: () => brebPage(scene, payin, version),
    'at-bank': () => bankPage(scene, payin, version),
    overdue: () => confirmingPage(scene, payin, version, true),
    approved: () => approvedPage(scene),
    'already-paid': () => alreadyPaidPage(scene),
    declined: () => declinedPage(scene),
    canceled: () => canceledPage(scene),
    lapsed: () => lapsedPage(scene),
    expired: () => expiredPage(scene),
  }
  return draw[state]()
}

// Before the bank, at the bank, or back from it: the server cannot see where the payer is, the address says.
function bankPage(scene: Scene, payin: CheckoutPayin, version: string): Page {
  if (isForwarded(scene, payin)) return forwardPage(scene, payin, version)
  return scene.step === null || scene.step === 'retry'
    ? atBankPage(scene, payin, version)
    : confirmingPage(scene, payin, version, false)
}
