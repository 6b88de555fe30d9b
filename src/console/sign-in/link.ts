// Links that sign in once. Mail programs open links to look at them, so opening one does nothing: the person presses a button.

import { html } from '../../core/html.ts'
import { countWaysIn } from '../../core/team/sign-in.ts'
import { ownerOfLink, signInByLink } from '../../flows/team/sign-in-links.ts'
import { getWays } from '../../store/team/sign-in-ways.ts'
import type { SeeOther } from '../page.ts'
import { originOf } from '../request-origin.ts'
import { type Guest, type GuestPage, keeping, paramOf } from './guest.ts'
import { letIn } from './let-in.ts'

export async function showLink(guest: Guest): Promise<GuestPage> {
  const { base, ctx, said } = guest
  const token = paramOf(guest, 'token')
  const owner = await ownerOfLink(ctx, token)
  if (owner === undefined) return overPage(guest)
  const content = html`<section class="entry">
<h1>${said.link.heading(owner.name)}</h1>
<p class="soft">${said.link.text(owner.email)}</p>
<form method="post" action="${base}/sign-in/${token}" data-once><p class="form-end"><button class="button main">${said.link.enter}</button></p></form>
</section>`
  return { title: said.link.title, content }
}

// Whoever was let in again has nothing to sign in with, and makes it now. In staging the owner of the demo gets a new link at
// every start, and wants to see the console.
export async function useLink(guest: Guest): Promise<GuestPage | SeeOther> {
  const { ctx, options, request, environment } = guest
  const answer = await signInByLink(ctx, paramOf(guest, 'token'), originOf(options, request))
  if ('problem' in answer) return overPage(guest)
  const ways = await getWays(ctx.db, answer.session.userId)
  const isBare = environment === 'production' && ways !== undefined && countWaysIn(ways) === 0
  return letIn(guest, answer, isBare ? keeping(guest, '/account/welcome') : guest.to)
}

function overPage(guest: Guest): GuestPage {
  const { said, base } = guest
  const content = html`<section class="entry"><h1>${said.link.overTitle}</h1><p class="soft">${said.link.over}</p><p class="form-end"><a class="button" href="${base}/sign-in">${said.link.toSignIn}</a></p></section>`
  return { title: said.link.overTitle, status: 410, content }
}
