// Accepting an invitation: as somebody new, or as the person who is signed in, if the invitation is for their e-mail address.
// Whoever has an account already must sign in first: a link alone opens nobody's account.

import type { Instant } from '../../core/instant.ts'
import { type Invitation, isOpen } from '../../core/team/invitation.ts'
import { passwordProblem } from '../../core/team/password.ts'
import type { User, UserLanguage } from '../../core/team/user.ts'
import type { Queryable } from '../../store/db.ts'
import { getOrganization, lockOrganization } from '../../store/organizations/organizations.ts'
import { findInvitation, lockInvitation, useInvitation } from '../../store/team/invitations.ts'
import { getMember } from '../../store/team/members.ts'
import { lockUser, setPassword } from '../../store/team/sign-in-ways.ts'
import { findUserByEmail, insertMembership, insertUser } from '../../store/team/users.ts'
import type { Needs } from '../context.ts'
import { recordAct } from '../record-act.ts'
import { isPersonName, type NameProblem, type NewPasswordProblem } from './account.ts'
import { newPasswordHash } from './passwords.ts'
import { type Origin, type SignedIn, type SignedInNow, startSession, tokenDigest } from './sessions.ts'
import { userWithoutWayIn } from './unfinished-account.ts'

export type OpenInvitation = {
  readonly invitation: Invitation
  readonly organizationName: string
  // Whether somebody with its e-mail address must sign in to accept it.
  readonly hasAccount: boolean
}

// Undefined if it is none, was used or revoked, or is too old. Looking at it does not use it up. One that made an account without a
// way to sign in can be used again.
export async function openInvitation(
  ctx: Needs<'db' | 'clock'>,
  token: string,
): Promise<OpenInvitation | undefined> {
  const invitation = await findInvitation(ctx.db, tokenDigest(token))
  if (invitation === undefined) return undefined
  const unfinished = await userWithoutWayIn(ctx, ctx.db, invitation)
  if (unfinished === undefined && !isOpen(invitation, ctx.clock.wallClock())) return undefined
  const [organization, user] = await Promise.all([
    getOrganization(ctx.db, invitation.organizationId),
    findUserByEmail(ctx.db, invitation.email),
  ])
  const hasAccount = user !== undefined && unfinished === undefined
  return organization && { invitation, organizationName: organization.name, hasAccount }
}

export type AcceptProblem =
  | { readonly problem: 'EXPIRED' | 'SIGN_IN_FIRST' | 'OTHER_EMAIL' | 'ALREADY_A_MEMBER' }
  | NameProblem
  | NewPasswordProblem

// Without a password the person makes a passkey next: the session is theirs.
export async function acceptAsNewUser(
  ctx: Needs<'actor' | 'db' | 'clock' | 'ids'>,
  token: string,
  person: { readonly name: string; readonly language: UserLanguage; readonly password: string | null },
  origin: Origin,
): Promise<(SignedInNow & { readonly organizationId: string }) | AcceptProblem> {
  const digest = tokenDigest(token)
  const seen = await findInvitation(ctx.db, digest)
  if (seen === undefined) return { problem: 'EXPIRED' }
  if ((await userWithoutWayIn(ctx, ctx.db, seen)) === undefined) {
    if (!isOpen(seen, ctx.clock.wallClock())) return { problem: 'EXPIRED' }
    // Before anything costs: such an invitation stays open, and could be tried without end. If it does not, it has just made the
    // account.
    if ((await findUserByEmail(ctx.db, seen.email)) !== undefined)
      return { problem: (await openInvitation(ctx, token))?.hasAccount ? 'SIGN_IN_FIRST' : 'EXPIRED' }
  }
  if (!isPersonName(person.name)) return { problem: 'NAME' }
  const reason = person.password === null ? undefined : passwordProblem(person.password, seen.email)
  if (reason !== undefined) return { problem: 'PASSWORD', reason }
  const hash = person.password === null ? null : await newPasswordHash(ctx, person.password)
  if (hash === 'busy') return { problem: 'BUSY' }
  return ctx.db.inTransaction(async (tx) => {
    const method = hash === null ? 'link' : 'password'
    const invitation = await lockSeen(tx, digest, seen)
    if (invitation === undefined) return { problem: 'EXPIRED' }
    const now = ctx.clock.wallClock()
    if (!isOpen(invitation, now)) {
      const again = await userWithoutWayIn(ctx, tx, invitation)
      if (again === undefined) return { problem: 'EXPIRED' }
      // They may be making a passkey in the session that they have.
      await lockUser(tx, again.userId)
      if ((await userWithoutWayIn(ctx, tx, invitation)) === undefined) return { problem: 'EXPIRED' }
      if (hash !== null) await setPassword(tx, again.userId, hash, now)
      await recordAccepted(ctx, tx, invitation, again, now)
      const { organizationId } = invitation
      return { organizationId, ...(await startSession({ ...ctx, db: tx }, again.userId, method, origin)) }
    }
    const user: User = {
      userId: ctx.ids.next(),
      email: invitation.email,
      name: person.name.trim(),
      language: person.language,
      singleKeys: true,
      createdAt: now,
      updatedAt: now,
    }
    if (!(await insertUser(tx, user))) return { problem: 'SIGN_IN_FIRST' }
    if (hash !== null) await setPassword(tx, user.userId, hash, now)
    const { organizationId, role } = invitation
    await insertMembership(tx, { organizationId, userId: user.userId, role, at: now })
    await useInvitation(tx, digest, now)
    await recordAccepted(ctx, tx, invitation, user, now)
    return { organizationId, ...(await startSession({ ...ctx, db: tx }, user.userId, method, origin)) }
  })
}

export async function acceptAsUser(
  ctx: Needs<'actor' | 'db' | 'clock' | 'ids'>,
  token: string,
  { user }: Pick<SignedIn, 'user'>,
): Promise<{ readonly organizationId: string } | AcceptProblem> {
  const digest = tokenDigest(token)
  const seen = await findInvitation(ctx.db, digest)
  if (seen === undefined) return { problem: 'EXPIRED' }
  return ctx.db.inTransaction(async (tx) => {
    const now = ctx.clock.wallClock()
    const invitation = await lockSeen(tx, digest, seen)
    const { organizationId: theirs, email } = invitation ?? seen
    const isMember = email === user.email && (await getMember(tx, theirs, user.userId)) !== undefined
    if (isMember) return { problem: 'ALREADY_A_MEMBER' }
    if (invitation === undefined || !isOpen(invitation, now)) return { problem: 'EXPIRED' }
    if (invitation.email !== user.email) return { problem: 'OTHER_EMAIL' }
    const { organizationId, role } = invitation
    const isNew = await insertMembership(tx, { organizationId, userId: user.userId, role, at: now })
    if (!isNew) return { problem: 'ALREADY_A_MEMBER' }
    await useInvitation(tx, digest, now)
    await recordAccepted(ctx, tx, invitation, user, now)
    return { organizationId }
  })
}

// Whoever is new acts as the person whom they have just become.
async function recordAccepted(
  ctx: Needs<'actor' | 'clock' | 'ids'>,
  tx: Queryable,
  invitation: Invitation,
  { userId, name }: Pick<User, 'userId' | 'name'>,
  usedAt: Instant,
): Promise<void> {
  const actor = { ...ctx.actor, kind: 'person' as const, id: userId, name }
  const { organizationId, invitationId: objectId } = invitation
  const act = {
    act: 'invitation.accept',
    before: invitation,
    after: { ...invitation, usedAt, userId },
  } as const
  await recordAct({ ...ctx, actor }, tx, { ...act, organizationId, objectId })
}

// As it is once it and its organization are locked: nobody else uses or revokes it now.
async function lockSeen(
  tx: Queryable,
  digest: Buffer,
  { organizationId }: Invitation,
): Promise<Invitation | undefined> {
  await lockOrganization(tx, organizationId)
  return lockInvitation(tx, digest)
}
