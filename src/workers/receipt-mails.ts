// Sends receipts by e-mail where SMTP_URL is set. The log names the payin of each, never the payer.

import type { Logger } from 'pino'
import { isoOrNull } from '../core/instant.ts'
import type { Context } from '../flows/context.ts'
import { type Mailing, type MailReport, mailDueReceipts } from '../flows/receipts/mail.ts'
import { type Loop, startLoop } from './loop.ts'

const REST_MS = 5_000

export function startReceiptMails(ctx: Context, log: Logger, mailing: Mailing): Loop {
  let isStopping = false
  const turn = mailTurn(ctx, log, mailing, () => isStopping)
  const loop = startLoop({ name: 'receipt-mails', restMs: REST_MS, turn, log })
  return {
    ...loop,
    // Sending may be slow: what is under way is finished, and no more is begun.
    stop: () => {
      isStopping = true
      return loop.stop()
    },
  }
}

export function mailTurn(
  ctx: Context,
  log: Logger,
  mailing: Mailing,
  isStopping?: () => boolean,
): () => Promise<number> {
  return () => mailDueReceipts(ctx, mailing, (one) => logMail(log, one), isStopping)
}

function logMail(log: Logger, one: MailReport): void {
  const { organizationId, payinId, attempts } = one
  const line = { job: 'receipt-mails', organizationId, payinId, attempts }
  if (one.outcome === 'sent') {
    log.info(line, 'receipt sent')
    return
  }
  const failure = { ...line, reason: one.reason, nextAt: isoOrNull(one.nextAt) }
  if (one.nextAt === null) log.error(failure, 'receipt not sent, and given up')
  else log.warn(failure, 'receipt not sent; it is tried again')
}
