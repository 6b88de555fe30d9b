// The pages before, and of, a sign-in: /console/sign-in, one-time links, invitations, showing again that it is you, signing out.

import type { FastifyInstance } from 'fastify'
import { COMPANY_RETURN_PATH } from '../../core/team/company-sign-in.ts'
import { endOwnSession } from '../../flows/team/sessions.ts'
import type { SeeOther } from '../page.ts'
import { endedSessionCookie } from '../session-cookie.ts'
import type { ConsoleOptions } from '../setting.ts'
import { comeFromCompany, goToCompany } from './company.ts'
import { type Guest, type GuestAnswer, guestRoute } from './guest.ts'
import { showInvitation, takeInvitation } from './invitation.ts'
import { showLink, useLink } from './link.ts'
import { askForPasskey, takePasskey } from './passkey.ts'
import { showCode, showSignIn, takeCode, takePassword } from './password.ts'
import { askForProof, showProof, takePasskeyProof, takeTypedProof } from './prove.ts'

type Answer = (guest: Guest) => GuestAnswer | Promise<GuestAnswer>

const PAGES: Readonly<Record<string, Answer>> = {
  '/sign-in': showSignIn,
  '/sign-in/code': showCode,
  '/sign-in/company/begin': goToCompany,
  [COMPANY_RETURN_PATH]: comeFromCompany,
  '/sign-in/:token': showLink,
  '/invite/:token': showInvitation,
  '/prove': showProof,
}

const FORMS: Readonly<Record<string, Answer>> = {
  '/sign-in': takePassword,
  '/sign-in/code': takeCode,
  '/sign-in/passkey/begin': askForPasskey,
  '/sign-in/passkey': takePasskey,
  '/sign-in/:token': useLink,
  '/invite/:token': takeInvitation,
  '/prove': takeTypedProof,
  '/prove/passkey/begin': askForProof,
  '/prove/passkey': takePasskeyProof,
  '/sign-out': signOut,
}

export function routeSignIn(room: FastifyInstance, options: ConsoleOptions): void {
  for (const [path, answer] of Object.entries(PAGES)) room.get(path, guestRoute(options, answer))
  for (const [path, answer] of Object.entries(FORMS)) room.post(path, guestRoute(options, answer))
}

async function signOut({ person, options, reply, base, to }: Guest): Promise<SeeOther> {
  if (person !== undefined)
    await endOwnSession(person.ctx, person.signedIn, person.signedIn.session.sessionId)
  reply.header('set-cookie', endedSessionCookie(options))
  // Only an invitation is opened by whoever is signed out.
  return { seeOther: to.startsWith(`${base}/invite/`) ? to : `${base}/sign-in?done=out` }
}
