// Invitations that are to be sent by e-mail. A mail is found by its time, and claimed one by one, because sending takes longer than
// claiming. Once it is sent or given up, nobody can read the token any more.

import { type Instant, isoInstant } from '../../core/instant.ts'
import type { Invitation } from '../../core/team/invitation.ts'
import type { Queryable } from '../db.ts'
import { INVITATION_COLUMNS } from './invitations.ts'

// Those that have waited longest first.
export async function listDueInvitations(db: Queryable, now: Instant, limit: number): Promise<string[]> {
  const result = await db.query<{ invitationId: string }>({
    name: 'list-due-invitations',
    text: `select invitation_id as "invitationId"
             from invitations
            where mail_due_at <= $1
            order by mail_due_at
            limit $2`,
    values: [isoInstant(now), limit],
  })
  return result.rows.map(({ invitationId }) => invitationId)
}

// `attempts` counts this one too.
export type InvitationClaim = Invitation & {
  readonly organizationName: string
  readonly sealedToken: Buffer
  readonly attempts: number
  readonly until: Instant
}

// Undefined if somebody else has it. Until the lease ends, nobody else sends it.
export async function claimInvitation(
  db: Queryable,
  invitationId: string,
  now: Instant,
  until: Instant,
): Promise<InvitationClaim | undefined> {
  const result = await db.query<Omit<InvitationClaim, 'until'>>({
    name: 'claim-invitation',
    text: `update invitations i
              set mail_due_at = $3, mail_attempts = mail_attempts + 1
             from organizations o
            where i.invitation_id = $1 and i.mail_due_at <= $2 and o.organization_id = i.organization_id
        returning ${INVITATION_COLUMNS}, o.name as "organizationName", i.sealed_token as "sealedToken",
                  i.mail_attempts as attempts`,
    values: [invitationId, isoInstant(now), isoInstant(until)],
  })
  return result.rows[0] && { ...result.rows[0], until }
}

// Of a failed sending. Nothing is written if the lease was lost.
export async function putOffInvitation(db: Queryable, claim: InvitationClaim, dueAt: Instant): Promise<void> {
  await db.query({
    name: 'put-off-invitation',
    text: `update invitations set mail_due_at = $3 where invitation_id = $1 and mail_due_at = $2`,
    values: [claim.invitationId, isoInstant(claim.until), isoInstant(dueAt)],
  })
}

// Sent or given up, whoever holds the lease now.
export async function finishInvitation(db: Queryable, { invitationId }: InvitationClaim): Promise<void> {
  await db.query({
    name: 'finish-invitation',
    text: `update invitations set mail_due_at = null, sealed_token = null where invitation_id = $1`,
    values: [invitationId],
  })
}
