// Signing in: by passkey, which needs nothing typed, or by e-mail address and password, and then a code of the person's app.
// Whether an account exists is never told.

import { type Html, html } from '../../core/html.ts'
import { finishSignIn, signInWithPassword } from '../../flows/team/sign-in.ts'
import type { SeeOther } from '../page.ts'
import { passkeyForm } from '../passkey-form.ts'
import { hiddenField, personField, problemBox } from '../person-form.ts'
import { originOf, siteOfRequest, siteWithPasskeys } from '../request-origin.ts'
import { type Guest, type GuestPage, keeping } from './guest.ts'
import { endedKeptCookie, keptCookie, keptValue } from './kept-cookie.ts'
import { letIn, refusedPage } from './let-in.ts'

export function showSignIn(guest: Guest): GuestPage | SeeOther {
  if (guest.person !== undefined) return { seeOther: guest.to }
  const { done } = guest.request.query as { done?: unknown }
  return { ...signInPage(guest), ...(done === 'out' && { said: guest.said.signedOut }) }
}

export async function takePassword(guest: Guest): Promise<GuestPage | SeeOther> {
  const { typed, ctx, options, request, reply, said } = guest
  const [email, password] = [typed.get('email') ?? '', typed.get('password') ?? '']
  const answer = await signInWithPassword(ctx, { email, password }, originOf(options, request))
  if ('problem' in answer)
    return refusedPage(guest, answer, said.problems.WRONG, (problem) => signInPage(guest, problem))
  if ('token' in answer) return letIn(guest, answer)
  reply.header('set-cookie', keptCookie('step', options, answer.secondStep))
  return { seeOther: keeping(guest, '/sign-in/code') }
}

export function signInPage(guest: Guest, problem?: string): GuestPage {
  const { said, base, typed, options, request, to } = guest
  const content = html`<section class="entry">
<h1>${said.heading}</h1>
${problemBox(problem)}
${passkeyPart(guest)}
${companyPart(guest)}
${orPassword(guest)}
<form method="post" action="${base}/sign-in" class="form" data-once>
${hiddenField('to', to)}
${personField({ name: 'email', label: said.email, type: 'email', autocomplete: 'username webauthn', value: typed.get('email') ?? '' })}
${personField({ name: 'password', label: said.password, type: 'password', autocomplete: 'current-password' })}
<p class="form-end"><button class="button${siteOfRequest(options, request) === undefined ? ' main' : ' second'}">${said.enter}</button></p>
</form>
<p class="hint after-entry">${said.noWay}</p>
</section>`
  return { title: said.title, content }
}

function passkeyPart(guest: Guest): Html | false {
  const { said, base, options, request, to } = guest
  const elsewhere = siteWithPasskeys(options, request)
  if (elsewhere !== undefined) {
    const address = `${elsewhere}${keeping(guest, '/sign-in')}`
    return html`<p class="hint with-script">${said.passkeysElsewhere} <a href="${address}">${elsewhere}${base}</a></p>`
  }
  if (siteOfRequest(options, request) === undefined) return false
  const form = passkeyForm({
    kind: 'get',
    begin: `${base}/sign-in/passkey/begin`,
    action: `${base}/sign-in/passkey`,
    label: said.withPasskey,
    hint: said.passkeyHint,
    to,
    isMain: true,
    isOffered: true,
    words: said.passkey,
  })
  return form
}

// The company's own accounts, where they are set up.
function companyPart(guest: Guest): Html | false {
  const { ctx, said } = guest
  if (ctx.networks.companySignIn === null) return false
  return html`<a class="button" href="${keeping(guest, '/sign-in/company/begin')}">${said.company.enter}</a>`
}

function orPassword({ ctx, said, options, request }: Guest): Html | false {
  const hasCompany = ctx.networks.companySignIn !== null
  const hasPasskeys = siteOfRequest(options, request) !== undefined
  if (!hasCompany && !hasPasskeys) return false
  // Without the script, and with no company, nothing stands above it.
  const needs = !hasCompany && html` data-needs-passkeys`
  return html`<p class="either${!hasCompany && ' with-script'}"${needs}><span>${said.orPassword}</span></p>`
}

export function showCode(guest: Guest): GuestPage | SeeOther {
  const { options, request, person, to } = guest
  if (person !== undefined) return { seeOther: to }
  if (keptValue('step', options, request) === undefined) return { seeOther: keeping(guest, '/sign-in') }
  const { way } = request.query as { way?: unknown }
  return codePage(guest, way === 'recovery')
}

export async function takeCode(guest: Guest): Promise<GuestPage | SeeOther> {
  const { options, request, reply, ctx, typed, said } = guest
  const secondStep = keptValue('step', options, request)
  const isRecovery = typed.get('way') === 'recovery'
  const code = typed.get('code') ?? ''
  const answer =
    secondStep === undefined
      ? ({ problem: 'EXPIRED' } as const)
      : await finishSignIn(ctx, { secondStep, code }, originOf(options, request))
  if (!('problem' in answer)) return letIn(guest, answer)
  const wrong = isRecovery ? said.problems.recoveryCode : said.problems.code
  if (answer.problem !== 'EXPIRED')
    return refusedPage(guest, answer, wrong, (problem) => codePage(guest, isRecovery, problem))
  reply.header('set-cookie', endedKeptCookie('step', options))
  return refusedPage(guest, answer, wrong, (problem) => signInPage(guest, problem))
}

function codePage(guest: Guest, isRecovery: boolean, problem?: string): GuestPage {
  const { base, to } = guest
  const said = guest.said.second
  const address = keeping(guest, '/sign-in/code')
  const other = isRecovery ? address : `${address}${address.includes('?') ? '&' : '?'}way=recovery`
  const field = isRecovery
    ? personField({
        name: 'code',
        label: said.recoveryCode,
        type: 'text',
        autocomplete: 'off',
        isFirst: true,
        class: 'code',
      })
    : personField({
        name: 'code',
        label: said.code,
        type: 'text',
        autocomplete: 'one-time-code',
        inputMode: 'numeric',
        isFirst: true,
        class: 'code',
      })
  const content = html`<section class="entry">
<h1>${isRecovery ? said.recoveryHeading : said.heading}</h1>
<p class="soft">${isRecovery ? said.recoveryText : said.text}</p>
${problemBox(problem)}
<form method="post" action="${base}/sign-in/code" class="form" data-once>
${hiddenField('to', to)}${isRecovery && hiddenField('way', 'recovery')}
${field}
<p class="form-end"><button class="button main">${said.enter}</button></p>
</form>
<ul class="after-entry"><li><a href="${other}">${isRecovery ? said.byApp : said.byRecovery}</a></li><li><a href="${keeping(guest, '/sign-in')}">${said.restart}</a></li></ul>
</section>`
  return { title: said.title, content }
}
