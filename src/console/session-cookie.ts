// The cookie that holds a session's token. Where the console is served over https it has the prefix that no other site, no
// subdomain and no plain connection can set. On a developer's machine there is no https, and a plain name.

import type { FastifyRequest } from 'fastify'
import { type ConsoleOptions, cookieOf } from './setting.ts'

const SECURE_NAME = '__Host-recaudo'
const PLAIN_NAME = 'recaudo_session'
// Longer than any token of ours.
const MAX_TOKEN_LENGTH = 100

export function sessionToken(
  options: Pick<ConsoleOptions, 'publicUrl'>,
  request: FastifyRequest,
): string | undefined {
  const token = cookieOf(request, isSecure(options) ? SECURE_NAME : PLAIN_NAME)
  return token === undefined || token === '' || token.length > MAX_TOKEN_LENGTH ? undefined : token
}

// For `set-cookie` after a sign-in. Without an age: a browser that is closed forgets it, and the service ends it in any case.
export function sessionCookie(options: Pick<ConsoleOptions, 'publicUrl'>, token: string): string {
  return isSecure(options)
    ? `${SECURE_NAME}=${token}; Path=/; Secure; HttpOnly; SameSite=Lax`
    : `${PLAIN_NAME}=${token}; Path=/; HttpOnly; SameSite=Lax`
}

export function endedSessionCookie(options: Pick<ConsoleOptions, 'publicUrl'>): string {
  return `${sessionCookie(options, '')}; Max-Age=0`
}

export function isSecure({ publicUrl }: Pick<ConsoleOptions, 'publicUrl'>): boolean {
  return /^https:/i.test(publicUrl)
}
