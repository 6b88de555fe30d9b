// The end of every sign-in: a new session with a new cookie. The one that this browser had before is over.

import type { SignInProblem } from '../../core/team/sign-in.ts'
import { endOwnSession, type SignedInNow } from '../../flows/team/sessions.ts'
import type { SeeOther } from '../page.ts'
import { sessionCookie } from '../session-cookie.ts'
import type { Guest, GuestPage } from './guest.ts'
import { endedKeptCookie, keptValue } from './kept-cookie.ts'

export async function letIn(guest: Guest, { token }: SignedInNow, to = guest.to): Promise<SeeOther> {
  const { person, options, request, reply } = guest
  if (person !== undefined)
    await endOwnSession(person.ctx, person.signedIn, person.signedIn.session.sessionId)
  const left = (['step', 'company'] as const).filter(
    (kind) => keptValue(kind, options, request) !== undefined,
  )
  reply.header('set-cookie', [
    sessionCookie(options, token),
    ...left.map((kind) => endedKeptCookie(kind, options)),
  ])
  return { seeOther: to }
}

const STATUS = { WRONG: 422, EXPIRED: 422, BUSY: 503, LOCKED: 429 } as const

// The page with the form, which says what was wrong. `wrong` says it for WRONG.
export function refusedPage(
  guest: Guest,
  refused: SignInProblem,
  wrong: string,
  page: (problem: string) => GuestPage,
): GuestPage {
  const { problems } = guest.said
  if (refused.problem === 'LOCKED') guest.reply.header('retry-after', Math.ceil(refused.retryAfterMs / 1_000))
  if (refused.problem === 'BUSY') guest.reply.header('retry-after', BUSY_SECONDS)
  const said =
    refused.problem === 'WRONG'
      ? wrong
      : refused.problem === 'LOCKED'
        ? problems.LOCKED(Math.ceil(refused.retryAfterMs / 60_000))
        : problems[refused.problem]
  return { ...page(said), status: STATUS[refused.problem] }
}

const BUSY_SECONDS = 5
