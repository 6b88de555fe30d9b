// Tells of alarms by e-mail where SMTP_URL is set, and elsewhere gives up what has waited too long, so that nothing waits for ever. The
// log names the mail, never the address.

import type { Logger } from 'pino'
import { HOUR_MS, isoOrNull } from '../core/instant.ts'
import type { SendMail } from '../core/receipts/mail.ts'
import type { Context } from '../flows/context.ts'
import { type AlarmMailReport, forgetOldAlarmMails, mailDueAlarms } from '../flows/ledger/alarm-mails.ts'
import { type Loop, startLoop } from './loop.ts'

const REST_MS = 5_000
const FORGET_REST_MS = HOUR_MS

export function startAlarmMails(ctx: Context, log: Logger, send: SendMail | undefined): Loop {
  let isStopping = false
  const turn =
    send === undefined ? () => forgetOldAlarmMails(ctx) : alarmMailTurn(ctx, log, send, () => isStopping)
  const restMs = send === undefined ? FORGET_REST_MS : REST_MS
  const loop = startLoop({ name: 'alarm-mails', restMs, turn, log })
  return {
    ...loop,
    // Sending may be slow: what is under way is finished, and no more is begun.
    stop: () => {
      isStopping = true
      return loop.stop()
    },
  }
}

export function alarmMailTurn(
  ctx: Context,
  log: Logger,
  send: SendMail,
  isStopping?: () => boolean,
): () => Promise<number> {
  return () => mailDueAlarms(ctx, send, (one) => logMail(log, one), isStopping)
}

function logMail(log: Logger, one: AlarmMailReport): void {
  const { organizationId, mailId, alarms, attempts } = one
  const line = { job: 'alarm-mails', organizationId, mailId, alarms, attempts }
  if (one.outcome === 'sent') {
    log.info(line, 'alarm sent')
    return
  }
  const failure = { ...line, reason: one.reason, nextAt: isoOrNull(one.nextAt) }
  if (one.nextAt === null) log.error(failure, 'alarm not sent, and given up')
  else log.warn(failure, 'alarm not sent; it is tried again')
}
