// A person who signs in, and what a session of theirs is.

import type { Instant } from '../instant.ts'
import type { Organization } from '../organizations/organization.ts'
import type { Role } from './role.ts'

export const LANGUAGES = ['es', 'en'] as const
export type UserLanguage = (typeof LANGUAGES)[number]

export type User = {
  readonly userId: string
  readonly email: string
  readonly name: string
  readonly language: UserLanguage
  // Whether single keys are shortcuts in the console.
  readonly singleKeys: boolean
  readonly createdAt: Instant
  readonly updatedAt: Instant
}

export type Membership = { readonly organization: Organization; readonly role: Role }

// A person as a member of one organization, with how well their sign-in is protected.
export type Member = {
  readonly userId: string
  readonly email: string
  readonly name: string
  readonly role: Role
  readonly hasPassword: boolean
  readonly hasTotp: boolean
  readonly passkeys: number
  readonly lastSeenAt: Instant | null
  readonly createdAt: Instant
  readonly updatedAt: Instant
}

export const SIGN_IN_METHODS = ['passkey', 'password', 'oidc', 'link'] as const
export type SignInMethod = (typeof SIGN_IN_METHODS)[number]

export type Session = {
  readonly sessionId: string
  readonly userId: string
  readonly method: SignInMethod
  readonly createdAt: Instant
  readonly seenAt: Instant
  readonly expiresAt: Instant
  // When the person last showed a second time that it is them.
  readonly provedAt: Instant
  readonly address: string | null
  readonly browser: string | null
  readonly endedAt: Instant | null
}

export const SESSION_IDLE_MS = 12 * 60 * 60_000
export const SESSION_LIFETIME_MS = 7 * 24 * 60 * 60_000
// For money and credentials, a proof must not be older than this.
export const STEP_UP_MS = 5 * 60_000

export function isSessionAlive(session: Session, now: Instant): boolean {
  return session.endedAt === null && now < session.expiresAt && now < session.seenAt + SESSION_IDLE_MS
}

export function isProvedLately(session: Session, now: Instant): boolean {
  return now - session.provedAt < STEP_UP_MS
}
