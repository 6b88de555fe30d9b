// What whoever has not signed in is answered. They are counted by their address, so that guessing cookies leads nowhere.

import type { FastifyReply, FastifyRequest } from 'fastify'
import { renderBare } from '../layout.ts'
import { tooFastPage } from '../problem-pages.ts'
import { seeOther, sendHtml } from '../send.ts'
import { endedSessionCookie, sessionToken } from '../session-cookie.ts'
import { type ConsoleOptions, settingOf } from '../setting.ts'
import { signInAddress } from '../visit.ts'

export function askToSignIn(
  options: ConsoleOptions,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const setting = settingOf(options, request)
  const wait = options.strangerWait?.(request)
  // A browser that keeps pages to go back to drops them when the cookie changes.
  if (sessionToken(options, request) !== undefined) reply.header('set-cookie', endedSessionCookie(options))
  if (wait === undefined) return seeOther(reply, signInAddress(setting, request))
  const page = tooFastPage(setting, setting.base, wait)
  return sendHtml(request, reply.header('retry-after', wait), 429, renderBare(setting, page))
}
