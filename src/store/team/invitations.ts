// Invitations: found by the digest of their token, which is all that is stored of it once its e-mail is sent.

import { type Instant, isoInstant } from '../../core/instant.ts'
import type { Invitation } from '../../core/team/invitation.ts'
import type { Queryable } from '../db.ts'

export const INVITATION_COLUMNS = `i.invitation_id as "invitationId", i.organization_id as "organizationId", i.email, i.name, i.role,
  i.invited_by as "invitedBy", i.inviter_id as "inviterId", i.language, i.created_at as "createdAt",
  i.expires_at as "expiresAt", i.used_at as "usedAt", i.revoked_at as "revokedAt"`

// `sealedToken` is for its e-mail, which is due at once. Null: none is sent.
export async function insertInvitation(
  db: Queryable,
  digest: Buffer,
  invitation: Invitation,
  sealedToken: Buffer | null,
): Promise<void> {
  const createdAt = isoInstant(invitation.createdAt)
  await db.query({
    text: `insert into invitations (digest, invitation_id, organization_id, email, name, role, invited_by, inviter_id, language,
                                    created_at, expires_at, sealed_token, mail_due_at)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
    values: [
      digest,
      invitation.invitationId,
      invitation.organizationId,
      invitation.email,
      invitation.name,
      invitation.role,
      invitation.invitedBy,
      invitation.inviterId,
      invitation.language,
      createdAt,
      isoInstant(invitation.expiresAt),
      sealedToken,
      sealedToken === null ? null : createdAt,
    ],
  })
}

// Those that can still be accepted, oldest first.
export async function listOpenInvitations(
  db: Queryable,
  organizationId: string,
  now: Instant,
): Promise<Invitation[]> {
  const living = await listUnexpiredInvitations(db, organizationId, now)
  return living.filter(({ usedAt }) => usedAt === null)
}

// Those that were neither revoked nor are too old, used or not, oldest first.
export async function listUnexpiredInvitations(
  db: Queryable,
  organizationId: string,
  now: Instant,
): Promise<Invitation[]> {
  const result = await db.query<Invitation>({
    text: `select ${INVITATION_COLUMNS}
             from invitations i
            where i.organization_id = $1 and i.revoked_at is null and i.expires_at > $2
            order by i.created_at, i.invitation_id`,
    values: [organizationId, isoInstant(now)],
  })
  return result.rows
}

export async function countInvitationsSince(
  db: Queryable,
  organizationId: string,
  since: Instant,
): Promise<number> {
  const result = await db.query<{ count: number }>({
    text: `select count(*)::integer as count from invitations where organization_id = $1 and created_at > $2`,
    values: [organizationId, isoInstant(since)],
  })
  return result.rows[0]?.count ?? 0
}

export async function findInvitation(db: Queryable, digest: Buffer): Promise<Invitation | undefined> {
  const result = await db.query<Invitation>({
    text: `select ${INVITATION_COLUMNS} from invitations i where i.digest = $1`,
    values: [digest],
  })
  return result.rows[0]
}

// As it is, until the transaction ends: nobody uses or revokes it meanwhile.
export async function lockInvitation(tx: Queryable, digest: Buffer): Promise<Invitation | undefined> {
  const result = await tx.query<Invitation>({
    text: `select ${INVITATION_COLUMNS} from invitations i where i.digest = $1 for no key update`,
    values: [digest],
  })
  return result.rows[0]
}

export async function getInvitation(
  db: Queryable,
  organizationId: string,
  invitationId: string,
): Promise<Invitation | undefined> {
  const result = await db.query<Invitation>({
    text: `select ${INVITATION_COLUMNS} from invitations i where i.organization_id = $1 and i.invitation_id = $2`,
    values: [organizationId, invitationId],
  })
  return result.rows[0]
}

// False if it was accepted, revoked or too old: of many who try at once, one has it.
export async function useInvitation(db: Queryable, digest: Buffer, now: Instant): Promise<boolean> {
  const result = await db.query({
    text: `update invitations
              set used_at = $2, sealed_token = null, mail_due_at = null
            where digest = $1 and used_at is null and revoked_at is null and expires_at > $2`,
    values: [digest, isoInstant(now)],
  })
  return result.rowCount === 1
}

// False if it was revoked already, or is too old. One that was used may work once more (flows/team/unfinished-account.ts).
export async function revokeInvitation(
  db: Queryable,
  organizationId: string,
  invitationId: string,
  now: Instant,
): Promise<boolean> {
  const result = await db.query({
    text: `update invitations
              set revoked_at = $3, sealed_token = null, mail_due_at = null
            where organization_id = $1 and invitation_id = $2 and revoked_at is null and expires_at > $3`,
    values: [organizationId, invitationId, isoInstant(now)],
  })
  return result.rowCount === 1
}
