// The person's own account, under /console/account. What is changed here concerns nobody else, so it is no operation of the API.

import type { FastifyInstance } from 'fastify'
import type { ConsoleOptions } from '../setting.ts'
import { showAccess } from './access.ts'
import { beginApp, finishApp, newCodes, offerApp, removeApp } from './app.ts'
import { askForNewPasskey, removePasskey, renamePasskey, takeNewPasskey } from './passkeys.ts'
import { showWelcome, takePassword } from './password.ts'
import { saveProfile, showProfile } from './profile.ts'
import { endOthers, endSession, showSessions } from './sessions.ts'
import { type AccountAnswer, accountRoute, type Visitor } from './visitor.ts'

type Answer = (visitor: Visitor) => AccountAnswer | Promise<AccountAnswer>

const PAGES: Readonly<Record<string, Answer>> = {
  '/account': showProfile,
  '/account/access': showAccess,
  '/account/sessions': showSessions,
  '/account/welcome': showWelcome,
  '/account/app': offerApp,
}

const FORMS: Readonly<Record<string, Answer>> = {
  '/account/profile': saveProfile,
  '/account/password': takePassword,
  '/account/passkeys/begin': askForNewPasskey,
  '/account/passkeys': takeNewPasskey,
  '/account/passkeys/rename': renamePasskey,
  '/account/passkeys/remove': removePasskey,
  '/account/app/begin': beginApp,
  '/account/app': finishApp,
  '/account/app/remove': removeApp,
  '/account/recovery-codes': newCodes,
  '/account/sessions/end': endSession,
  '/account/sessions/end-others': endOthers,
}

export function routeAccount(room: FastifyInstance, options: ConsoleOptions): void {
  for (const [path, answer] of Object.entries(PAGES)) room.get(path, accountRoute(options, answer))
  for (const [path, answer] of Object.entries(FORMS)) room.post(path, accountRoute(options, answer))
  // What a form was sent to is opened again by whoever reloads after a sign-in, or comes back by hand.
  for (const path of Object.keys(FORMS))
    if (!(path in PAGES))
      room.get(
        path,
        accountRoute(options, ({ base }) => ({ seeOther: `${base}/account/access` })),
      )
}
