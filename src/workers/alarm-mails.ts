// Tells of alarms by incoming webhooks, and by e-mail where SMTP_URL is set. Where it is not, mails that have waited too long are given
// up, so that nothing waits for ever. The log names the mail, never the address.

import type { Logger } from 'pino'
import { HOUR_MS, isoOrNull } from '../core/instant.ts'
import type { Context } from '../flows/context.ts'
import {
  type AlarmMailReport,
  type AlarmSenders,
  forgetOldAlarmMails,
  mailDueAlarms,
} from '../flows/ledger/alarm-mails.ts'
import { type Loop, startLoop } from './loop.ts'

const REST_MS = 5_000
const FORGET_EVERY_MS = HOUR_MS

export function startAlarmMails(ctx: Context, log: Logger, senders: AlarmSenders): Loop {
  let isStopping = false
  const turn = alarmMailTurn(ctx, log, senders, () => isStopping)
  const loop = startLoop({ name: 'alarm-mails', restMs: REST_MS, turn, log })
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
  senders: AlarmSenders,
  isStopping?: () => boolean,
): () => Promise<number> {
  let forgetAt = Number.NEGATIVE_INFINITY
  return async () => {
    const told = await mailDueAlarms(ctx, senders, (one) => logMail(log, one), isStopping)
    const now = ctx.clock.now()
    if (senders.send !== undefined || now < forgetAt) return told
    forgetAt = now + FORGET_EVERY_MS
    return told + (await forgetOldAlarmMails(ctx))
  }
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
