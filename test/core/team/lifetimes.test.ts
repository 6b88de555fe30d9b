// What ends at an instant has ended at that instant, and not a millisecond later.

import assert from 'node:assert/strict'
import { it } from 'node:test'
import { INVITATION_LIFETIME_MS, type Invitation, isOpen } from '../../../src/core/team/invitation.ts'
import {
  accountSubject,
  addressSubject,
  LOCK_AFTER,
  LOCK_MS,
  LOCK_WINDOW_MS,
} from '../../../src/core/team/lock.ts'
import {
  isProvedLately,
  isSessionAlive,
  SESSION_IDLE_MS,
  SESSION_LIFETIME_MS,
  type Session,
  STEP_UP_MS,
} from '../../../src/core/team/user.ts'

const SESSION: Session = {
  ...{ sessionId: 's', userId: 'u', method: 'password', address: null, browser: null, endedAt: null },
  ...{ createdAt: 0, seenAt: 0, provedAt: 0, expiresAt: SESSION_LIFETIME_MS },
}

it('a session lives for twelve hours unused, for seven days at most, and not once it was ended', () => {
  assert.equal(isSessionAlive(SESSION, SESSION_IDLE_MS - 1), true)
  assert.equal(isSessionAlive(SESSION, SESSION_IDLE_MS), false)
  const used = { ...SESSION, seenAt: SESSION_LIFETIME_MS - 1 }
  assert.equal(isSessionAlive(used, SESSION_LIFETIME_MS - 1), true)
  assert.equal(isSessionAlive(used, SESSION_LIFETIME_MS), false)
  assert.equal(isSessionAlive({ ...SESSION, endedAt: 0 }, 0), false)
})

it('a proof lasts five minutes', () => {
  assert.equal(STEP_UP_MS, 300_000)
  assert.equal(isProvedLately(SESSION, STEP_UP_MS - 1), true)
  assert.equal(isProvedLately(SESSION, STEP_UP_MS), false)
})

it('ten failures within fifteen minutes lock for fifteen minutes', () => {
  assert.deepEqual([LOCK_AFTER, LOCK_WINDOW_MS, LOCK_MS], [10, 900_000, 900_000])
  // Otherwise somebody’s network address, typed as an account, would lock them out.
  assert.notDeepEqual(accountSubject('203.0.113.9'), addressSubject('203.0.113.9'))
})

it('an invitation lasts 72 hours, once, unless it is revoked', () => {
  assert.equal(INVITATION_LIFETIME_MS, 72 * 3_600_000)
  const invitation: Invitation = {
    ...{ invitationId: 'i', organizationId: 'o', email: 'ana@example.com', name: null, role: 'support' },
    ...{ invitedBy: 'Ana', inviterId: null, language: 'es', createdAt: 0, expiresAt: INVITATION_LIFETIME_MS },
    ...{ usedAt: null, revokedAt: null },
  }
  assert.equal(isOpen(invitation, INVITATION_LIFETIME_MS - 1), true)
  assert.equal(isOpen(invitation, INVITATION_LIFETIME_MS), false)
  assert.equal(isOpen({ ...invitation, usedAt: 0 }, 1), false)
  assert.equal(isOpen({ ...invitation, revokedAt: 0 }, 1), false)
})
