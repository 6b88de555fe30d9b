// What a browser keeps for minutes while somebody signs in: that the password was right, or which question the company was asked.

import type { FastifyRequest } from 'fastify'
import { COMPANY_SIGN_IN_MS } from '../../core/team/company-sign-in.ts'
import { SECOND_STEP_MS } from '../../core/team/sign-in.ts'
import { isSecure } from '../session-cookie.ts'
import { type ConsoleOptions, cookieOf } from '../setting.ts'

type Place = Pick<ConsoleOptions, 'publicUrl'>
type Kept = 'step' | 'company'

// The company's page sends the browser back to us, and no strict cookie comes along from another site.
const KINDS = {
  step: { lastsMs: SECOND_STEP_MS, sameSite: 'Strict', maxLength: 100 },
  company: { lastsMs: COMPANY_SIGN_IN_MS, sameSite: 'Lax', maxLength: 4_000 },
} as const

export function keptValue(kind: Kept, options: Place, request: FastifyRequest): string | undefined {
  const value = cookieOf(request, nameOf(kind, options))
  return value === undefined || value === '' || value.length > KINDS[kind].maxLength ? undefined : value
}

export function keptCookie(kind: Kept, options: Place, value: string): string {
  return cookieFor(kind, options, value, KINDS[kind].lastsMs / 1_000)
}

export function endedKeptCookie(kind: Kept, options: Place): string {
  return cookieFor(kind, options, '', 0)
}

function cookieFor(kind: Kept, options: Place, value: string, seconds: number): string {
  const secure = isSecure(options) ? '; Secure' : ''
  return `${nameOf(kind, options)}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=${KINDS[kind].sameSite}${secure}`
}

function nameOf(kind: Kept, options: Place): string {
  return isSecure(options) ? `__Host-recaudo-${kind}` : `recaudo_${kind}`
}
