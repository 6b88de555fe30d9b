// Signing in by the company's own accounts: a link leads to the company, which sends the browser back. Only the browser that went
// there may come back. It is a link and no form, because a form of ours may lead nowhere else.

import { consoleUrl } from '../../core/team/site.ts'
import {
  beginCompanySignIn,
  type CompanyProblem,
  finishCompanySignIn,
} from '../../flows/team/company-sign-in.ts'
import type { SeeOther } from '../page.ts'
import { tooFastPage } from '../problem-pages.ts'
import { originOf, siteWithPasskeys } from '../request-origin.ts'
import { personVisit, returnAddress } from '../visit.ts'
import { type Guest, type GuestPage, keeping } from './guest.ts'
import { endedKeptCookie, keptCookie, keptValue } from './kept-cookie.ts'
import { letIn } from './let-in.ts'
import { signInPage } from './password.ts'

export async function goToCompany(guest: Guest): Promise<GuestPage | SeeOther> {
  const { options, request, reply, ctx, base, to } = guest
  const wait = options.strangerWait?.(request)
  if (wait !== undefined) {
    reply.header('retry-after', wait)
    return tooFastPage(guest, base, wait)
  }
  // The company knows one address of ours, and the cookie must be there.
  const elsewhere = siteWithPasskeys(options, request)
  if (elsewhere !== undefined && new URL(consoleUrl(options.publicUrl)).host !== request.headers.host)
    return { seeOther: elsewhere + keeping(guest, '/sign-in/company/begin') }
  const begun = await beginCompanySignIn(ctx)
  if ('problem' in begun) return refusedBy(guest, begun)
  const kept = `${begun.state}.${Buffer.from(to).toString('base64url')}`
  reply.header('set-cookie', keptCookie('company', options, kept))
  return { seeOther: begun.url }
}

export async function comeFromCompany(guest: Guest): Promise<GuestPage | SeeOther> {
  const { options, request, reply, ctx } = guest
  const [state = '', wanted = ''] = (keptValue('company', options, request) ?? '').split('.')
  const { searchParams } = new URL(request.url, 'http://localhost')
  const signedInAs = (await personVisit(options, request, reply))?.signedIn.user.userId ?? null
  const answer = await finishCompanySignIn(ctx, state, searchParams, originOf(options, request), signedInAs)
  if (!('problem' in answer))
    return letIn(guest, answer, returnAddress(guest, Buffer.from(wanted, 'base64url').toString()))
  reply.header('set-cookie', endedKeptCookie('company', options))
  return refusedBy(guest, answer)
}

function refusedBy(guest: Guest, { problem }: CompanyProblem): GuestPage {
  const { problems } = guest.said.company
  const status = problem === 'UNAVAILABLE' ? 503 : 422
  return { ...signInPage(guest, problems[problem]), status }
}
