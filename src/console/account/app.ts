// The authenticator app: its secret as a QR code and as letters, and the recovery codes, each shown once.

import { type Html, html, trustedHtml } from '../../core/html.ts'
import { qrSvg } from '../../core/qr-image.ts'
import { beginTotp, disableTotp, finishTotp, renewRecoveryCodes } from '../../flows/team/account.ts'
import { icon } from '../icons.ts'
import type { SeeOther } from '../page.ts'
import { hiddenField, personField } from '../person-form.ts'
import { accessPage, appButton, waysOf } from './access.ts'
import { type AccountPage, doneAt, proveFirst, type Visitor } from './visitor.ts'

// Offered to whoever has just made a password.
export async function offerApp(visitor: Visitor): Promise<AccountPage | SeeOther> {
  const { said, to } = visitor
  if ((await waysOf(visitor)).totpEnabledAt !== null) return { seeOther: to }
  const content = html`<section class="entry"><h1>${said.app.title}</h1><p class="soft">${said.app.text}</p>${appButton(visitor, true)}<p class="after-entry"><a href="${to}">${said.notNow}</a></p></section>`
  return { title: said.app.title, section: null, content }
}

export async function beginApp(visitor: Visitor): Promise<AccountPage | SeeOther> {
  const { ctx, signedIn, base, to } = visitor
  const answer = await beginTotp(ctx, signedIn)
  if (!('problem' in answer)) return setUpPage(visitor, answer.uri)
  return answer.problem === 'STEP_UP'
    ? proveFirst(visitor)
    : { seeOther: to === base ? accessOf(visitor) : to }
}

export async function finishApp(visitor: Visitor): Promise<AccountPage | SeeOther> {
  const { ctx, signedIn, typed, said } = visitor
  const answer = await finishTotp(ctx, signedIn, typed.get('code') ?? '')
  if (!('problem' in answer)) return codesPage(visitor, answer.recoveryCodes)
  if (answer.problem === 'ENABLED') return { seeOther: accessOf(visitor) }
  const uri = typed.get('uri') ?? ''
  return answer.problem === 'WRONG' && secretIn(uri) !== undefined
    ? { ...setUpPage(visitor, uri, said.app.wrong), status: 422 }
    : accessPage(visitor, { app: said.app.restart })
}

export async function removeApp(visitor: Visitor): Promise<AccountPage | SeeOther> {
  const answer = await disableTotp(visitor.ctx, visitor.signedIn)
  if (answer === 'disabled') return doneAt(visitor, 'access', 'app-off')
  return answer.problem === 'STEP_UP' ? proveFirst(visitor) : { seeOther: accessOf(visitor) }
}

export async function newCodes(visitor: Visitor): Promise<AccountPage | SeeOther> {
  const answer = await renewRecoveryCodes(visitor.ctx, visitor.signedIn)
  if (!('problem' in answer)) return codesPage(visitor, answer.recoveryCodes)
  return answer.problem === 'STEP_UP' ? proveFirst(visitor) : { seeOther: accessOf(visitor) }
}

function accessOf({ base }: Visitor): string {
  return `${base}/account/access`
}

// The page carries the secret until a code has shown that the app has it: a wrong code must not change it.
function secretIn(uri: string): string | undefined {
  return /^otpauth:\/\/totp\/Recaudo:[^?\s]{1,800}\?secret=([A-Z2-7]{32})&issuer=Recaudo$/.exec(uri)?.[1]
}

function setUpPage(visitor: Visitor, uri: string, problem?: string): AccountPage {
  const { base, to, said } = visitor
  const secret = (secretIn(uri) ?? '').match(/.{4}/g)?.join(' ')
  const field = personField({
    name: 'code',
    label: said.app.code,
    type: 'text',
    autocomplete: 'one-time-code',
    inputMode: 'numeric',
    class: 'code',
    problem,
  })
  const content = html`<section class="entry">
<h1>${said.app.scan}</h1>
<p class="soft">${said.app.scanText}</p>
<figure class="qr" role="img" aria-label="${said.app.scan}">${trustedHtml(qrSvg(uri))}</figure>
<div><p class="hint">${said.app.typed}</p><p class="secret"><code>${secret}</code></p></div>
<form method="post" action="${base}/account/app" class="form" data-once>${hiddenField('uri', uri)}${hiddenField('to', to)}${field}<p class="form-end"><button class="button main">${said.app.turnOn}</button></p></form>
<p class="after-entry"><a href="${to === base ? accessOf(visitor) : to}">${said.notNow}</a></p>
</section>`
  return { title: said.app.title, section: null, content }
}

function codesPage(visitor: Visitor, codes: readonly string[]): AccountPage {
  const { base, to, signedIn } = visitor
  const said = visitor.said.recovery
  const rows: Html[] = codes.map((code) => html`<li><code>${code}</code></li>`)
  const content = html`<section class="entry codes">
<h1>${said.heading}</h1>
<p class="soft">${said.text}</p>
<ol>${rows}</ol>
<p class="on-paper">${said.of(signedIn.user.email)}</p>
<p class="form-end"><button type="button" class="button with-script" data-print>${icon('print')}${said.print}</button><a class="button main" href="${to === base ? accessOf(visitor) : to}">${said.kept}</a></p>
</section>`
  return { title: said.title, section: null, content }
}
