// An invitation to belong to an organization: a link that works once, for three days. It grants a role to whoever has the
// e-mail address.

import { HOUR_MS, type Instant } from '../instant.ts'
import type { Role } from './role.ts'
import type { UserLanguage } from './user.ts'

export type Invitation = {
  readonly invitationId: string
  readonly organizationId: string
  readonly email: string
  readonly name: string | null
  readonly role: Role
  // As people call them, and the user, key or client. Null: an operator.
  readonly invitedBy: string
  readonly inviterId: string | null
  readonly language: UserLanguage
  readonly createdAt: Instant
  readonly expiresAt: Instant
  readonly usedAt: Instant | null
  readonly revokedAt: Instant | null
}

export const INVITATION_LIFETIME_MS = 72 * HOUR_MS
// Members and open invitations of one organization together: lists are short enough to be shown whole.
export const MAX_TEAM = 200
// In one day and organization. Each may be an e-mail to a stranger.
export const MAX_INVITATIONS_A_DAY = 100

export function isOpen(invitation: Invitation, now: Instant): boolean {
  return invitation.usedAt === null && invitation.revokedAt === null && now < invitation.expiresAt
}
