// The cookie between the password and the code. It says that the password was right, and nothing else; it lives for minutes.

import type { FastifyRequest } from 'fastify'
import { SECOND_STEP_MS } from '../../core/team/sign-in.ts'
import { isSecure } from '../session-cookie.ts'
import { type ConsoleOptions, cookieOf } from '../setting.ts'

type Place = Pick<ConsoleOptions, 'publicUrl'>

const MAX_TOKEN_LENGTH = 100

export function stepToken(options: Place, request: FastifyRequest): string | undefined {
  const token = cookieOf(request, nameOf(options))
  return token === undefined || token === '' || token.length > MAX_TOKEN_LENGTH ? undefined : token
}

export function stepCookie(options: Place, token: string, seconds = SECOND_STEP_MS / 1_000): string {
  const secure = isSecure(options) ? '; Secure' : ''
  return `${nameOf(options)}=${token}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure}`
}

export function endedStepCookie(options: Place): string {
  return stepCookie(options, '', 0)
}

function nameOf(options: Place): string {
  return isSecure(options) ? '__Host-recaudo-step' : 'recaudo_step'
}
