// The views of the simulated bank: one for each step, and one for each outcome.

import { findPseBank } from '../core/directory/pse-bank.ts'
import { type Html, html } from '../core/html.ts'
import type { CAUSE_CODES, SessionRequest } from '../rails/pse/wire.ts'
import type { Answer } from './http.ts'
import { choiceButton, facts, hiddenFields, INVALID_FORM, page, pesos, textField } from './page.ts'
import type { Payment, PaymentState } from './records.ts'
import { DECLINED_CODE } from './scenarios.ts'

export type Account = { readonly number: string; readonly name: string }

export const ACCOUNTS: readonly Account[] = [
  { number: '4821', name: 'Cuenta de ahorros terminada en 4821' },
  { number: '9036', name: 'Cuenta corriente terminada en 9036' },
]

export function signInPage(session: Payment, { user, password } = PREFILLED): Answer {
  const bank = findPseBank(requestOf(session).bank, true)
  const content = html`<p>Paso 1 de 3. Escribe cualquier usuario y cualquier clave: todos sirven. <b>No escribas los de tu banco.</b></p>
${bank?.testOnly === false && html`<p class="soft">Elegiste ${bank.name}: en esta simulación responde el Banco de Pruebas.</p>`}
${paymentFacts(session)}
<form method="post">
${hiddenFields({ step: 'sign-in' })}
${textField({ name: 'user', label: 'Usuario inventado', value: user, problem: user === '' && 'Escribe un usuario: cualquiera sirve.' })}
${textField({ name: 'password', label: 'Clave inventada', value: password, problem: password === '' && 'Escribe una clave: cualquiera sirve.' })}
<button>Entrar</button>
</form>
<p class="soft">Tómate tu tiempo: desde que abriste esta página, la simulación espera a que decidas.</p>`
  return page('bank', statusFor(user === '' || password === ''), 'Entra al Banco de Pruebas', content)
}

// Prefilled, so that one click is enough.
const PREFILLED = { user: 'prueba', password: 'prueba' }

export function accountPage(session: Payment, user: string, nothingChosen = false): Answer {
  const choices = ACCOUNTS.map(
    ({ number, name }, index) => html`<div class="choice">
<input type="radio" id="account-${number}" name="account" value="${number}"${!nothingChosen && index === 0 && html` checked`}>
<label for="account-${number}">${name}</label>
</div>
`,
  )
  const content = html`<p>Paso 2 de 3. Hola, ${user}.</p>
${paymentFacts(session)}
<form method="post">
${hiddenFields({ step: 'account', user })}
<fieldset${nothingChosen && html` aria-describedby="account-problem"`}>
<legend>¿De qué cuenta sale el dinero?</legend>
${nothingChosen && html`<p class="error" id="account-problem">Elige una de las dos cuentas.</p>`}
${choices}</fieldset>
<button>Continuar</button>
</form>`
  return page('bank', statusFor(nothingChosen), 'Elige una cuenta', content)
}

export function decisionPage(session: Payment, user: string, account: Account, unknownCause = false): Answer {
  const causes = Object.entries(CAUSE_WORDS).map(
    ([code, words]) =>
      html`<option value="${code}"${code === DECLINED_CODE.session && html` selected`}>${words} (${code})</option>\n`,
  )
  const content = html`<p>Paso 3 de 3. Tú decides qué responde el banco.</p>
${paymentFacts(session, account)}
<form method="post">
${hiddenFields({ step: 'decision', user, account: account.number })}
${choiceButton('decision', 'approve', 'Aprobar el pago', 'El comercio recibe el dinero.', true)}
<h2>Rechazar</h2>
<div class="field">
<label for="cause">Causa del rechazo</label>
${unknownCause && html`<span class="error" id="cause-problem">Elige una causa de la lista.</span>`}
<select id="cause" name="cause"${unknownCause && html` aria-invalid="true" aria-describedby="cause-problem" autofocus`}>
${causes}</select>
</div>
${choiceButton('decision', 'decline', 'Rechazar el pago', 'El banco responde con la causa elegida.')}
<h2>Otros finales</h2>
${choiceButton('decision', 'cancel', 'Cancelar', 'El pagador se arrepiente: causa 00001.')}
${choiceButton('decision', 'leave', 'Dejar abierto', 'Sales sin decidir: el pago queda pendiente y puedes volver.')}
${choiceButton('decision', 'approve-late', 'Aprobar después de vencer', 'El dinero llega cuando PSE ya dio el pago por terminado.')}
</form>`
  return page('bank', statusFor(unknownCause), 'Decide el pago', content)
}

export type BankOutcome = 'approved' | 'declined' | 'canceled' | 'left-open' | 'will-be-late' | 'paid-late'

export function outcomePage(session: Payment, outcome: BankOutcome): Answer {
  const { title, text } = OUTCOMES[outcome]
  const cause = outcome === 'declined' && html`<p>Causa: ${causeWords(session.code)}.</p>`
  return page('bank', 200, title, html`<p>${text}</p>${cause}${paymentFacts(session)}${returnLink(session)}`)
}

const OUTCOMES: Readonly<Record<BankOutcome, { title: string; text: string }>> = {
  approved: { title: 'Pago aprobado', text: 'El dinero simulado va para el comercio.' },
  declined: { title: 'Pago rechazado', text: 'No se movió dinero simulado.' },
  canceled: { title: 'Pago cancelado', text: 'No se movió dinero simulado.' },
  'left-open': {
    title: 'El pago quedó abierto',
    text: 'No decidiste nada. El pago sigue pendiente hasta que vuelvas a esta página o PSE lo termine.',
  },
  'will-be-late': {
    title: 'El dinero llegará tarde',
    text: 'El pago sigue pendiente. PSE lo dará por terminado unos minutos después de su vencimiento, y solo entonces llegará el dinero. Quien prueba puede adelantar el reloj.',
  },
  'paid-late': {
    title: 'Dinero tardío enviado',
    text: 'El pago ya había terminado, y aun así el dinero simulado va para el comercio.',
  },
}

/** Shown after the payment has ended. */
export function overPage(session: Payment): Answer {
  const { state, opened, code } = session
  const decidedByTimer = state !== 'expired' && !opened
  const content = html`<p>${ENDED_TEXTS[state]}${code !== null && ` Causa: ${causeWords(code)}.`}</p>
${decidedByTimer && html`<p class="note">Nadie abrió esta página a tiempo, así que la simulación decidió sola. Para decidir tú, ábrela antes o paga con el documento 1000000007, que espera.</p>`}
${paymentFacts(session)}
${state !== 'paid' && lateForm()}${returnLink(session)}`
  return page('bank', 200, 'Este pago ya terminó', content)
}

const ENDED_TEXTS: Readonly<Record<PaymentState, string>> = {
  open: '',
  paid: 'Este pago ya fue aprobado.',
  rejected: 'Este pago fue rechazado.',
  canceled: 'Este pago fue cancelado.',
  expired: 'Este pago venció sin que nadie lo aprobara.',
}

function lateForm(): Html {
  return html`<form method="post">
${choiceButton('decision', 'approve-late', 'Aprobar de todos modos', 'Dinero tardío: llega aunque el pago ya terminó.')}
</form>`
}

function returnLink(session: Payment): Html {
  const { returnUrl } = requestOf(session)
  return html`<p><a class="button" href="${returnUrl}" rel="noreferrer">Volver al comercio</a></p>`
}

function paymentFacts(session: Payment, account?: Account): Html {
  return facts({
    Concepto: requestOf(session).description,
    Valor: pesos(session.amountInCents),
    CUS: session.traceId as string,
    ...(account && { Cuenta: account.name }),
  })
}

const requestOf = (session: Payment) => JSON.parse(session.request) as SessionRequest
const statusFor = (isWrong: boolean) => (isWrong ? INVALID_FORM : 200)

function causeWords(code: string | null): string {
  return CAUSE_WORDS[code as keyof typeof CAUSE_CODES] ?? 'Desconocida'
}

const CAUSE_WORDS: Readonly<Record<keyof typeof CAUSE_CODES, string>> = {
  '00001': 'Cancelado por el pagador',
  '00002': 'Cuenta embargada',
  '00003': 'Cuenta inactiva',
  '00004': 'La cuenta no existe',
  '00005': 'Cuenta no habilitada',
  '00006': 'Cuenta no asignada',
  '00007': 'Cuenta cerrada',
  '00008': 'Valor por encima del tope autorizado',
  '00009': 'Banco no disponible',
  '00010': 'Falla técnica del banco',
  '00011': 'Fondos insuficientes',
  '00012': 'Datos inconsistentes',
  '00013': 'Cuenta cancelada',
  '00014': 'Cancelado por PSE: pendiente demasiado tiempo',
  '00015': 'El pagador no terminó',
  '00016': 'Usuario o clave inválidos',
  '00017': 'Cuenta sin servicio PSE',
  '00018': 'Falla técnica de PSE',
}
