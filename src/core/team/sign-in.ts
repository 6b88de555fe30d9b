// Signing in: how a person may, what is remembered between its steps, and what can be wrong. What is said to a stranger never
// tells whether an account exists.

import { HOUR_MS, type Instant, MINUTE_MS } from '../instant.ts'

export type SignInWays = {
  readonly userId: string
  readonly email: string
  readonly passwordHash: string | null
  readonly sealedTotp: Buffer | null
  readonly totpEnabledAt: Instant | null
  readonly totpLastStep: number
  readonly recoveryDigests: readonly Buffer[]
  readonly passkeys: number
  readonly externalIdentities: number
}

// The last one is never taken away.
export function countWaysIn({ passwordHash, passkeys, externalIdentities }: SignInWays): number {
  return (passwordHash === null ? 0 : 1) + passkeys + externalIdentities
}

// Whether the person has something to show again that it is them.
export function canProve({ passwordHash, totpEnabledAt, passkeys }: SignInWays): boolean {
  return passwordHash !== null || totpEnabledAt !== null || passkeys > 0
}

export type TokenPurpose =
  | 'passkey-registration'
  | 'passkey-sign-in'
  | 'step-up'
  | 'second-step'
  | 'sign-in-link'
  | 'oidc'

export type SignInToken = {
  readonly purpose: TokenPurpose
  readonly userId: string | null
  readonly note: string | null
  readonly expiresAt: Instant
}

// From the password to the code.
export const SECOND_STEP_MS = 10 * MINUTE_MS
// Of a link that an operator hands to somebody, and of the demo owner's at every start.
export const SIGN_IN_LINK_MS = HOUR_MS
export const DEMO_LINK_MS = 24 * HOUR_MS

// WRONG: the password, the code or the passkey, or nobody has them. EXPIRED: begun too long ago, or finished already. BUSY: too
// many sign in at this moment.
export type SignInProblem =
  | { readonly problem: 'WRONG' | 'EXPIRED' | 'BUSY' }
  | { readonly problem: 'LOCKED'; readonly retryAfterMs: number }
