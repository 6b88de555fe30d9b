// The simulated bank, where a PSE payer signs in, chooses an account and decides. Whoever opens the page is a payer, and
// then the timer no longer decides. The form carries the payer's input from one step to the next.

import { html } from '../core/html.ts'
import { CAUSE_CODES } from '../rails/pse/wire.ts'
import {
  ACCOUNTS,
  type Account,
  accountPage,
  decisionPage,
  outcomePage,
  overPage,
  signInPage,
} from './bank-views.ts'
import type { Answer, ParsedRequest } from './http.ts'
import type { NetworkContext } from './network-context.ts'
import { pay, payAfterExpiry, payerOpensPayment, refuse } from './outcomes.ts'
import { page } from './page.ts'
import type { Payment } from './records.ts'
import { CANCELED_CODE } from './scenarios.ts'

export function bankPage(context: NetworkContext, pageToken: string, request: ParsedRequest): Answer {
  const session = context.storage.sessionOfPage(pageToken)
  if (session === undefined)
    return page(
      'bank',
      404,
      'Aquí no hay ningún pago',
      html`<p>Revisa el enlace: este pago no existe, o es de otra simulación.</p>`,
    )
  const isOpen = session.state === 'open'
  if (request.method === 'GET' && isOpen) return signInPage(payerOpensPayment(context, session))
  if (request.method !== 'POST') return isOpen ? signInPage(session) : overPage(session)
  const form = new URLSearchParams(request.body)
  if (isOpen) return takeStep(context, payerOpensPayment(context, session), form)
  if (session.state === 'paid' || form.get('decision') !== 'approve-late') return overPage(session)
  pay(context, { ...session, opened: true }, session.amountInCents, context.clock.now())
  return outcomePage(session, 'paid-late')
}

function takeStep(context: NetworkContext, session: Payment, form: URLSearchParams): Answer {
  const step = form.get('step')
  const user = form.get('user')?.trim() ?? ''
  const password = form.get('password')?.trim() ?? ''
  if (user === '' || (step === 'sign-in' && password === '')) return signInPage(session, { user, password })
  if (step === 'sign-in') return accountPage(session, user)
  const account = ACCOUNTS.find(({ number }) => number === form.get('account'))
  if (account === undefined) return accountPage(session, user, true)
  return step === 'account'
    ? decisionPage(session, user, account)
    : decide(context, session, user, account, form)
}

function decide(
  context: NetworkContext,
  session: Payment,
  user: string,
  account: Account,
  form: URLSearchParams,
): Answer {
  const now = context.clock.now()
  const cause = form.get('cause') ?? ''
  switch (form.get('decision')) {
    case 'approve':
      pay(context, session, session.amountInCents, now)
      return outcomePage(session, 'approved')
    case 'decline':
      if (!Object.hasOwn(CAUSE_CODES, cause)) return decisionPage(session, user, account, true)
      refuse(context, session, cause === CANCELED_CODE.session ? 'canceled' : 'rejected', cause, now)
      return outcomePage({ ...session, code: cause }, 'declined')
    case 'cancel':
      refuse(context, session, 'canceled', CANCELED_CODE.session, now)
      return outcomePage(session, 'canceled')
    case 'leave':
      return outcomePage(session, 'left-open')
    case 'approve-late':
      payAfterExpiry(context, session)
      return outcomePage(session, 'will-be-late')
    default:
      return decisionPage(session, user, account)
  }
}
