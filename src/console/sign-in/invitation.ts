// An invitation: what it is to, and how the person will sign in. Whoever has an account signs in first, and accepts with one press.

import { html } from '../../core/html.ts'
import type { PasswordProblem } from '../../core/team/password.ts'
import {
  type AcceptProblem,
  acceptAsNewUser,
  acceptAsUser,
  type OpenInvitation,
  openInvitation,
} from '../../flows/team/accept-invitation.ts'
import { timeText } from '../format.ts'
import type { SeeOther } from '../page.ts'
import { hiddenField, personField, problemBox } from '../person-form.ts'
import { originOf } from '../request-origin.ts'
import { homeOf } from '../visit.ts'
import { type Guest, type GuestPage, paramOf } from './guest.ts'
import { letIn, refusedPage } from './let-in.ts'

export async function showInvitation(guest: Guest): Promise<GuestPage> {
  const open = await openInvitation(guest.ctx, paramOf(guest, 'token'))
  return open === undefined ? overPage(guest) : invitationPage(guest, open)
}

export async function takeInvitation(guest: Guest): Promise<GuestPage | SeeOther> {
  const { person, ctx, typed, language, options, request, base } = guest
  const token = paramOf(guest, 'token')
  if (person !== undefined) {
    const answer = await acceptAsUser(person.ctx, token, person.signedIn)
    return 'problem' in answer ? refused(guest, answer) : { seeOther: homeOf(base, answer) }
  }
  const password = typed.get('password') ?? ''
  // What was typed counts: without the script both ways are in sight, and one stays chosen.
  const isByPasskey = typed.get('way') === 'passkey' && password === ''
  const name = typed.get('name') ?? ''
  const answer = await acceptAsNewUser(
    ctx,
    token,
    { name, language, password: isByPasskey ? null : password },
    originOf(options, request),
  )
  if ('problem' in answer) return refused(guest, answer)
  const next = isByPasskey ? 'welcome' : 'app'
  return letIn(guest, answer, `${base}/account/${next}?to=${encodeURIComponent(homeOf(base, answer))}`)
}

async function refused(guest: Guest, answer: AcceptProblem): Promise<GuestPage> {
  const { said } = guest
  const open = await openInvitation(guest.ctx, paramOf(guest, 'token'))
  if (open === undefined) return overPage(guest)
  switch (answer.problem) {
    case 'NAME':
      return { ...invitationPage(guest, open, { name: said.invitation.problems.NAME }), status: 422 }
    case 'PASSWORD': {
      const password = said.invitation.problems[answer.reason as PasswordProblem]
      return { ...invitationPage(guest, open, { password }), status: 422 }
    }
    case 'ALREADY_A_MEMBER':
      return memberPage(guest, open)
    case 'EXPIRED':
      return overPage(guest)
    case 'OTHER_EMAIL':
    case 'SIGN_IN_FIRST':
    case 'STEP_UP':
      return { ...invitationPage(guest, open), status: 409 }
    default:
      return refusedPage(guest, answer, '', (problem) => invitationPage(guest, open, { problem }))
  }
}

type Problems = { readonly name?: string; readonly password?: string; readonly problem?: string }

function invitationPage(guest: Guest, open: OpenInvitation, problems: Problems = {}): GuestPage {
  const { person, words, language, ctx } = guest
  const { organizationName, invitation } = open
  if (person !== undefined && person.signedIn.user.email !== invitation.email) return otherPage(guest, open)
  const said = guest.said.invitation
  const facts: [string, string][] = [
    [said.role, words.roles[invitation.role]],
    [said.email, invitation.email],
    [said.until, timeText(invitation.expiresAt, ctx.clock.wallClock(), language)],
  ]
  const content = html`<section class="entry">
<h1>${said.heading(organizationName)}</h1>
<p class="soft">${said.text(invitation.invitedBy, organizationName)}</p>
<dl class="entry-facts">${facts.map(([label, value]) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`)}</dl>
${problemBox(problems.problem)}
${person !== undefined ? oneClick(guest) : open.hasAccount ? signInFirst(guest, open) : newUserForm(guest, open, problems)}
</section>`
  return { title: said.title, content }
}

function actionOf(guest: Guest): string {
  return `${guest.base}/invite/${paramOf(guest, 'token')}`
}

function oneClick(guest: Guest) {
  return html`<form method="post" action="${actionOf(guest)}" data-once><p class="form-end"><button class="button main">${guest.said.invitation.accept}</button></p></form>`
}

function signInFirst(guest: Guest, { invitation }: OpenInvitation) {
  const said = guest.said.invitation
  const address = `${guest.base}/sign-in?to=${encodeURIComponent(actionOf(guest))}`
  return html`<p>${said.hasAccount(invitation.email)}</p><p class="form-end"><a class="button main" href="${address}">${said.signIn}</a></p>`
}

function newUserForm(guest: Guest, { invitation }: OpenInvitation, problems: Problems) {
  const { typed } = guest
  const said = guest.said.invitation
  const isByPassword = typed.get('way') === 'password' || problems.password !== undefined
  const way = (value: string, label: string, hint: string, isChosen: boolean) =>
    html`<input type="radio" id="way-${value}" name="way" value="${value}"${isChosen && html` checked`}><label for="way-${value}">${label}<small>${hint}</small></label>`
  return html`<form method="post" action="${actionOf(guest)}" class="form" data-once>
<input class="unseen" type="email" name="username" autocomplete="username" value="${invitation.email}" tabindex="-1" aria-hidden="true" readonly>
${personField({ name: 'name', label: said.name, hint: said.nameHint, type: 'text', autocomplete: 'name', value: typed.get('name') ?? invitation.name ?? '', maxLength: 100, problem: problems.name })}
<fieldset class="field ways"><legend>${said.way}</legend>
<div class="choice-row with-script" data-needs-passkeys>${way('passkey', said.byPasskey, said.byPasskeyHint, !isByPassword)}</div>
<div class="choice-row with-script">${way('password', said.byPassword, said.byPasswordHint, isByPassword)}</div>
<div class="by-password">${personField({ name: 'password', label: said.password, hint: said.passwordHint, type: 'password', autocomplete: 'new-password', isOptional: true, problem: problems.password })}</div>
</fieldset>
<p class="form-end"><button class="button main">${said.accept}</button></p>
</form>`
}

function otherPage(guest: Guest, { invitation }: OpenInvitation): GuestPage {
  const { base, person } = guest
  const said = guest.said.invitation
  const you = person?.signedIn.user.email ?? ''
  const content = html`<section class="entry"><h1>${said.otherTitle}</h1><p class="soft">${said.other(invitation.email, you)}</p>
<form method="post" action="${base}/sign-out">${hiddenField('to', actionOf(guest))}<p class="form-end"><button class="button main">${said.signOut}</button> <a class="button" href="${base}">${said.open}</a></p></form></section>`
  return { title: said.otherTitle, content }
}

function memberPage(guest: Guest, { invitation, organizationName }: OpenInvitation): GuestPage {
  const said = guest.said.invitation
  const content = html`<section class="entry"><h1>${said.memberTitle}</h1><p class="soft">${said.member(organizationName)}</p><p class="form-end"><a class="button main" href="${homeOf(guest.base, invitation)}">${said.open}</a></p></section>`
  return { title: said.memberTitle, status: 409, content }
}

function overPage(guest: Guest): GuestPage {
  const { base } = guest
  const said = guest.said.invitation
  const content = html`<section class="entry"><h1>${said.overTitle}</h1><p class="soft">${said.over}</p><p class="form-end"><a class="button" href="${base}/sign-in">${guest.said.link.toSignIn}</a></p></section>`
  return { title: said.overTitle, status: 410, content }
}
