// Sends invitations by e-mail. It happens after the invitation and beside it: a mail is claimed, sent outside any transaction, and
// finished. A server that is down is tried again for a day. If a process dies after sending, the mail is sent once more; both have
// the same Message-ID.

import { type Instant, MINUTE_MS } from '../../core/instant.ts'
import { type MailOutcome, nextMailAt, type SendMail } from '../../core/receipts/mail.ts'
import { isOpen } from '../../core/team/invitation.ts'
import { invitationMail } from '../../core/team/invitation-mail.ts'
import { invitationLink } from '../../core/team/site.ts'
import {
  claimInvitation,
  finishInvitation,
  type InvitationClaim,
  listDueInvitations,
  putOffInvitation,
} from '../../store/team/invitation-mails.ts'
import type { Needs } from '../context.ts'
import { invitationLabel, openFor } from './sealed-secrets.ts'

export type InvitationReport = MailOutcome & {
  readonly organizationId: string
  readonly invitationId: string
  readonly attempts: number
  readonly nextAt: Instant | null
}

type MailContext = Needs<'clock' | 'db' | 'settings'>

// Longer than any sending takes.
const LEASE_MS = 5 * MINUTE_MS
const BATCH = 20

// Returns how many were due. What was tried is reported without anybody's address.
export async function mailDueInvitations(
  ctx: MailContext,
  send: SendMail,
  report: (one: InvitationReport) => void,
  isStopping: () => boolean = () => false,
): Promise<number> {
  const due = await listDueInvitations(ctx.db, ctx.clock.wallClock(), BATCH)
  for (const invitationId of due) {
    if (isStopping()) break
    const now = ctx.clock.wallClock()
    const claim = await claimInvitation(ctx.db, invitationId, now, now + LEASE_MS)
    if (claim !== undefined) await mailInvitation(ctx, claim, send, report)
  }
  return due.length
}

async function mailInvitation(
  ctx: MailContext,
  claim: InvitationClaim,
  send: SendMail,
  report: (one: InvitationReport) => void,
): Promise<void> {
  const { organizationId, invitationId, email, organizationName, sealedToken, attempts } = claim
  if (!isOpen(claim, ctx.clock.wallClock())) return finishInvitation(ctx.db, claim)
  const token = openFor(ctx, sealedToken, invitationLabel(invitationId)).toString()
  const url = invitationLink(ctx.settings.publicUrl, token)
  const mail = invitationMail(claim, organizationName, url)
  const result = await send({ ...mail, to: email, id: `invitation.${invitationId}` })
  const nextAt = result.outcome === 'failed' ? nextMailAt(attempts, ctx.clock.wallClock()) : null
  if (nextAt === null) await finishInvitation(ctx.db, claim)
  else await putOffInvitation(ctx.db, claim, nextAt)
  report({ organizationId, invitationId, ...result, attempts, nextAt })
}
