// The person's password, made or changed, and the page for somebody who has no way to sign in yet.

import { html } from '../../core/html.ts'
import { canProve } from '../../core/team/sign-in.ts'
import { changePassword, type NewPasswordProblem } from '../../flows/team/account.ts'
import type { SeeOther } from '../page.ts'
import { originOf } from '../request-origin.ts'
import { type AccessProblems, accessPage, newPasskeyForm, passwordForm, waysOf } from './access.ts'
import { type AccountPage, doneAt, proveFirst, type Visitor } from './visitor.ts'

export async function takePassword(visitor: Visitor): Promise<AccountPage | SeeOther> {
  const { ctx, signedIn, typed, options, request, base, to } = visitor
  const [current, next] = [typed.get('current') ?? '', typed.get('next') ?? '']
  const answer = await changePassword(ctx, signedIn, { current, next }, originOf(options, request))
  if (answer === 'changed')
    return to === base
      ? doneAt(visitor, 'access', 'password')
      : { seeOther: `${base}/account/app?to=${encodeURIComponent(to)}` }
  if (answer.problem === 'STEP_UP') return proveFirst(visitor)
  const problems = problemsOf(visitor, answer)
  return !canProve(await waysOf(visitor)) && to !== base
    ? welcomePage(visitor, problems)
    : accessPage(visitor, problems)
}

function problemsOf({ said, reply }: Visitor, answer: NewPasswordProblem): AccessProblems {
  const { wrong, busy, locked, problems } = said.password
  switch (answer.problem) {
    case 'PASSWORD':
      return { next: problems[answer.reason] }
    case 'LOCKED':
      reply.header('retry-after', Math.ceil(answer.retryAfterMs / 1_000))
      return { password: locked(Math.ceil(answer.retryAfterMs / 60_000)) }
    case 'WRONG':
      return { current: wrong }
    default:
      return { password: busy }
  }
}

// Whoever came by a link, an invitation or their company chooses how to sign in from now on.
export async function showWelcome(visitor: Visitor): Promise<AccountPage | SeeOther> {
  const ways = await waysOf(visitor)
  return !canProve(ways) ? welcomePage(visitor) : { seeOther: visitor.to }
}

async function welcomePage(visitor: Visitor, problems: AccessProblems = {}): Promise<AccountPage> {
  const { said, base, to } = visitor
  const { welcome } = said
  // What they came for needs it: they go elsewhere then.
  const elsewhere = to.startsWith(`${base}/prove`) ? base : to
  const content = html`<section class="entry">
<h1>${welcome.heading}</h1>
<p class="soft">${welcome.text}</p>
${newPasskeyForm(visitor, welcome.passkey, true)}
<p class="either with-script" data-needs-passkeys><span>${welcome.or}</span></p>
${passwordForm(visitor, await waysOf(visitor), problems)}
<p class="after-entry"><a href="${elsewhere}">${said.notNow}</a></p>
</section>`
  const isRefused = Object.keys(problems).length > 0
  return { title: welcome.title, section: null, content, ...(isRefused && { status: 422 }) }
}
