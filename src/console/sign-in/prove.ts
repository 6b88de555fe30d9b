// Showing again that it is you, before money, credentials or ways in are touched: by passkey, by a code of the app, or by the
// password of whoever has no app. Then the person goes back where they came from.

import { html } from '../../core/html.ts'
import { canProve, type SignInWays } from '../../core/team/sign-in.ts'
import { isProvedLately } from '../../core/team/user.ts'
import { beginStepUp, stepUpByPasskey, stepUpByTyping } from '../../flows/team/step-up.ts'
import { getWays } from '../../store/team/sign-in-ways.ts'
import type { SeeOther } from '../page.ts'
import { passkeyForm, typedPasskey } from '../passkey-form.ts'
import { hiddenField, personField, problemBox } from '../person-form.ts'
import { originOf, siteOfRequest } from '../request-origin.ts'
import type { PersonVisit } from '../visit.ts'
import { type Guest, type GuestPage, type Json, keeping } from './guest.ts'
import { refusedPage } from './let-in.ts'

export async function showProof(guest: Guest): Promise<GuestPage | SeeOther> {
  const { person, ctx, to } = guest
  if (person === undefined) return signInFirst(guest)
  if (isProvedLately(person.signedIn.session, ctx.clock.wallClock())) return { seeOther: to }
  const ways = await waysOf(person)
  if (canProve(ways)) return proofPage(guest, ways)
  // Whoever has only their company's sign-in shows that again, and has a new session then.
  if (ways.externalIdentities > 0 && ctx.networks.companySignIn !== null)
    return { seeOther: keeping(guest, '/sign-in/company/begin') }
  // Whoever came by a link has nothing to show. They make it first.
  return { seeOther: welcomeAddress(guest) }
}

export async function askForProof(guest: Guest): Promise<Json> {
  const { person, options, request, ctx, said } = guest
  if (person === undefined) return { json: signInFirst(guest) }
  const site = siteOfRequest(options, request)
  return {
    json: site === undefined ? { said: said.passkey.failed } : await beginStepUp(ctx, site, person.signedIn),
  }
}

export async function takePasskeyProof(guest: Guest): Promise<GuestPage | SeeOther> {
  const { person, options, request, ctx, typed, said, to } = guest
  if (person === undefined) return signInFirst(guest)
  const site = siteOfRequest(options, request)
  const answer =
    site === undefined
      ? ({ problem: 'WRONG' } as const)
      : await stepUpByPasskey(ctx, site, person.signedIn, typedPasskey(typed))
  if (answer === 'proved') return { seeOther: to }
  const ways = await waysOf(person)
  return refusedPage(guest, answer, said.problems.passkey, (problem) => proofPage(guest, ways, problem))
}

export async function takeTypedProof(guest: Guest): Promise<GuestPage | SeeOther> {
  const { person, options, request, ctx, typed, said, to } = guest
  if (person === undefined) return signInFirst(guest)
  const answer = await stepUpByTyping(
    ctx,
    person.signedIn,
    typed.get('typed') ?? '',
    originOf(options, request),
  )
  if (answer === 'proved') return { seeOther: to }
  const ways = await waysOf(person)
  const wrong = ways.totpEnabledAt === null ? said.prove.wrongPassword : said.prove.wrongCode
  return refusedPage(guest, answer, wrong, (problem) => proofPage(guest, ways, problem))
}

function proofPage(guest: Guest, ways: SignInWays, problem?: string): GuestPage {
  const { base, to, options, request } = guest
  const said = guest.said.prove
  const hasPasskey = ways.passkeys > 0 && siteOfRequest(options, request) !== undefined
  const hasApp = ways.totpEnabledAt !== null
  const canType = hasApp || ways.passwordHash !== null
  const byPasskey = passkeyForm({
    kind: 'get',
    begin: `${base}/prove/passkey/begin`,
    action: `${base}/prove/passkey`,
    label: said.withPasskey,
    to,
    isMain: true,
    words: guest.said.passkey,
  })
  const field = hasApp
    ? personField({
        name: 'typed',
        label: said.code,
        type: 'text',
        autocomplete: 'one-time-code',
        isFirst: !hasPasskey,
        class: 'code',
      })
    : personField({
        name: 'typed',
        label: said.password,
        type: 'password',
        autocomplete: 'current-password',
        isFirst: !hasPasskey,
      })
  const or = html`<p class="either with-script" data-needs-passkeys><span>${hasApp ? said.orCode : said.orPassword}</span></p>`
  const content = html`<section class="entry">
<h1>${said.heading}</h1>
<p class="soft">${said.text}</p>
${problemBox(problem)}
${hasPasskey && byPasskey}
${hasPasskey && canType && or}
${canType && html`<form method="post" action="${base}/prove" class="form" data-once>${hiddenField('to', to)}${field}<p class="form-end"><button class="button${hasPasskey ? ' second' : ' main'}">${said.confirm}</button></p></form>`}
<p class="after-entry"><a href="${to}">${said.cancel}</a></p>
</section>`
  return { title: said.title, content }
}

function signInFirst(guest: Guest): SeeOther {
  return { seeOther: keeping(guest, '/sign-in') }
}

function welcomeAddress(guest: Guest): string {
  return `${guest.base}/account/welcome?to=${encodeURIComponent(keeping(guest, '/prove'))}`
}

async function waysOf({ ctx, signedIn }: PersonVisit): Promise<SignInWays> {
  const ways = await getWays(ctx.db, signedIn.user.userId)
  if (ways === undefined) throw new Error('somebody is signed in who does not exist')
  return ways
}
