// Invitations: made and revoked by whoever may grant their role, accepted once by whoever has the link and the e-mail address. All
// of it happens under the lock of the organization.

import { DAY_MS } from '../../core/instant.ts'
import { isRefusal, type Refusal, refuse } from '../../core/refusal.ts'
import {
  INVITATION_LIFETIME_MS,
  type Invitation,
  MAX_INVITATIONS_A_DAY,
  MAX_TEAM,
} from '../../core/team/invitation.ts'
import { ROLES, type Role } from '../../core/team/role.ts'
import { invitationLink } from '../../core/team/site.ts'
import type { Queryable } from '../../store/db.ts'
import { lockOrganization } from '../../store/organizations/organizations.ts'
import {
  countInvitationsSince,
  getInvitation,
  insertInvitation,
  listOpenInvitations,
  listUnexpiredInvitations,
  revokeInvitation,
} from '../../store/team/invitations.ts'
import { listMembers } from '../../store/team/members.ts'
import { changeOnce } from '../change-once.ts'
import type { Clock, Idempotency, Needs } from '../context.ts'
import { type Recording, recordAct } from '../record-act.ts'
import { granterOf, languageOf, roleRefusal, type TeamActor } from './granter.ts'
import { invitationLabel, sealFor } from './sealed-secrets.ts'
import { newToken, tokenDigest } from './sessions.ts'
import { isUsableInvitation } from './unfinished-account.ts'

// `email` in the form in which accounts have it.
export type NewInvitation = { readonly email: string; readonly role: Role; readonly name: string | null }

// The link is shown this once. `isMailed`: it is sent to the e-mail address, too.
export type InvitationWithLink = {
  readonly invitation: Invitation
  readonly url: string
  readonly isMailed: boolean
}

// An open invitation to the same address is revoked: the newest one counts.
export async function createInvitation(
  ctx: Needs<'actor' | 'clock' | 'ids' | 'db' | 'settings' | 'signals'>,
  organizationId: string,
  request: NewInvitation,
  by: TeamActor,
  idempotency: Idempotency<InvitationWithLink> | null,
): Promise<InvitationWithLink | Refusal> {
  const { settings } = ctx
  const kept = idempotency && { ...idempotency, secret: true }
  return changeOnce(ctx, organizationId, kept, async (tx) => {
    const now = ctx.clock.wallClock()
    await lockOrganization(tx, organizationId)
    const earlier = await roomFor(ctx, tx, organizationId, request, by)
    if (isRefusal(earlier)) return earlier
    for (const one of earlier) {
      await revokeInvitation(tx, organizationId, one.invitationId, now)
      await recordRevoked(ctx, tx, { ...one, revokedAt: now })
    }
    const token = newToken(ctx)
    const invitation: Invitation = {
      invitationId: ctx.ids.next(),
      organizationId,
      ...request,
      invitedBy: by.name,
      inviterId: by.id,
      language: await languageOf(tx, by),
      createdAt: now,
      expiresAt: now + INVITATION_LIFETIME_MS,
      usedAt: null,
      revokedAt: null,
    }
    const sealed = settings.sendsMail
      ? sealFor(ctx, Buffer.from(token), invitationLabel(invitation.invitationId))
      : null
    await insertInvitation(tx, tokenDigest(token), invitation, sealed)
    const act = { act: 'invitation.create', before: null, after: invitation } as const
    await recordAct(ctx, tx, { ...act, organizationId, objectId: invitation.invitationId })
    return { invitation, url: invitationLink(settings.publicUrl, token), isMailed: settings.sendsMail }
  })
}

// The open invitations that the new one replaces, if there may be a new one.
async function roomFor(
  ctx: Needs<'clock'>,
  tx: Queryable,
  organizationId: string,
  { email, role }: NewInvitation,
  by: TeamActor,
): Promise<readonly Invitation[] | Refusal> {
  const now = ctx.clock.wallClock()
  const open = await listOpenInvitations(tx, organizationId, now)
  const earlier = open.filter((one) => one.email === email)
  const roles = [role, ...earlier.map((one) => one.role)]
  const refused = roleRefusal(roles, await granterOf(tx, organizationId, by))
  if (refused !== undefined) return refused
  const members = await listMembers(tx, organizationId)
  if (members.some((one) => one.email === email))
    return refuse('ALREADY_A_MEMBER', `${email} belongs to this organization already.`)
  if (members.length + open.length - earlier.length >= MAX_TEAM)
    return refuse('TEAM_TOO_LARGE', `An organization has ${MAX_TEAM} members and open invitations at most.`)
  const today = await countInvitationsSince(tx, organizationId, now - DAY_MS)
  return today < MAX_INVITATIONS_A_DAY
    ? earlier
    : refuse('TOO_MANY_INVITATIONS', `At most ${MAX_INVITATIONS_A_DAY} invitations are made in a day.`, {
        retryAfterSeconds: 3_600,
      })
}

export async function revokeOpenInvitation(
  ctx: Needs<'actor' | 'db' | 'clock' | 'ids'>,
  organizationId: string,
  invitationId: string,
  by: TeamActor,
): Promise<Invitation | Refusal> {
  return ctx.db.inTransaction(async (tx) => {
    const now = ctx.clock.wallClock()
    await lockOrganization(tx, organizationId)
    const invitation = await getInvitation(tx, organizationId, invitationId)
    if (invitation === undefined || !(await isUsableInvitation(ctx, tx, invitation)))
      return refuse('NOT_FOUND', `No open invitation has the id ${invitationId}.`)
    const refused = roleRefusal([invitation.role], await granterOf(tx, organizationId, by))
    if (refused !== undefined) return refused
    await revokeInvitation(tx, organizationId, invitationId, now)
    const revoked = { ...invitation, revokedAt: now }
    await recordRevoked(ctx, tx, revoked)
    return revoked
  })
}

type Revoking = Recording & { readonly clock: Pick<Clock, 'wallClock'> }

// What somebody invited others to, as far as they may not any more: a person whose role changed, or whoever is gone, and a key or
// client that was revoked.
export function revokeInvitationsOf(
  ctx: Revoking,
  tx: Queryable,
  organizationId: string,
  inviterId: string,
  roles: readonly Role[] = ROLES,
): Promise<void> {
  return revokeWorking(
    ctx,
    tx,
    organizationId,
    (one) => one.inviterId === inviterId && roles.includes(one.role),
  )
}

// The one that made a person's account, while they have no way to sign in. Whoever invited them has its link too.
export function revokeInvitationOfMember(
  ctx: Revoking,
  tx: Queryable,
  organizationId: string,
  email: string,
): Promise<void> {
  return revokeWorking(ctx, tx, organizationId, (one) => one.usedAt !== null && one.email === email)
}

async function revokeWorking(
  ctx: Revoking,
  tx: Queryable,
  organizationId: string,
  isMeant: (invitation: Invitation) => boolean,
): Promise<void> {
  const now = ctx.clock.wallClock()
  for (const one of await listUnexpiredInvitations(tx, organizationId, now)) {
    if (!isMeant(one) || !(await isUsableInvitation(ctx, tx, one))) continue
    await revokeInvitation(tx, organizationId, one.invitationId, now)
    await recordRevoked(ctx, tx, { ...one, revokedAt: now })
  }
}

async function recordRevoked(ctx: Recording, tx: Queryable, revoked: Invitation): Promise<void> {
  const { organizationId, invitationId: objectId } = revoked
  const act = { act: 'invitation.revoke', before: { ...revoked, revokedAt: null }, after: revoked } as const
  await recordAct(ctx, tx, { ...act, organizationId, objectId })
}
