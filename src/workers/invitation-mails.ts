// Sends invitations by e-mail where SMTP_URL is set. The log names the invitation, never the address or the link.

import type { Logger } from 'pino'
import { isoOrNull } from '../core/instant.ts'
import type { SendMail } from '../core/receipts/mail.ts'
import type { Context } from '../flows/context.ts'
import { type InvitationReport, mailDueInvitations } from '../flows/team/invitation-mails.ts'
import { type Loop, startLoop } from './loop.ts'

const REST_MS = 5_000

export function startInvitationMails(ctx: Context, log: Logger, send: SendMail): Loop {
  let isStopping = false
  const turn = invitationTurn(ctx, log, send, () => isStopping)
  const loop = startLoop({ name: 'invitation-mails', restMs: REST_MS, turn, log })
  return {
    ...loop,
    // Sending may be slow: what is under way is finished, and no more is begun.
    stop: () => {
      isStopping = true
      return loop.stop()
    },
  }
}

export function invitationTurn(
  ctx: Context,
  log: Logger,
  send: SendMail,
  isStopping?: () => boolean,
): () => Promise<number> {
  return () => mailDueInvitations(ctx, send, (one) => logMail(log, one), isStopping)
}

function logMail(log: Logger, one: InvitationReport): void {
  const { organizationId, invitationId, attempts } = one
  const line = { job: 'invitation-mails', organizationId, invitationId, attempts }
  if (one.outcome === 'sent') {
    log.info(line, 'invitation sent')
    return
  }
  const failure = { ...line, reason: one.reason, nextAt: isoOrNull(one.nextAt) }
  if (one.nextAt === null) log.error(failure, 'invitation not sent, and given up')
  else log.warn(failure, 'invitation not sent; it is tried again')
}
