// Tells an organization's staff of its alarms by e-mail and by its incoming webhook. First, what waits becomes mails, one for each
// address and one for the webhook, in one transaction. Then each mail is claimed, sent outside any transaction, and finished. A server
// that is down is tried again for a day. If a process dies after sending, the mail is sent once more; both have the same Message-ID.

import { type Instant, MINUTE_MS } from '../../core/instant.ts'
import { alarmMail, alarmMessage, type MailedAlarm } from '../../core/ledger/alarm-mail.ts'
import {
  ALARM_MAIL_WITHIN_MS,
  ALARM_STORM_WITHIN_MS,
  alarmMailPlanOf,
  isTooOldToTell,
} from '../../core/ledger/alarm-telling.ts'
import type { Organization } from '../../core/organizations/organization.ts'
import { type MailOutcome, nextMailAt, type SendMail } from '../../core/receipts/mail.ts'
import { alarmsLink, notificationsLink } from '../../core/team/site.ts'
import {
  type AlarmMailClaim,
  claimAlarmMail,
  countAlarmsTold,
  finishAlarmMail,
  forgetAlarmMails,
  forgetAlarmsToTell,
  insertAlarmMail,
  listAlarmsToTell,
  listDueAlarmMails,
  listOpenAlarmsOf,
  listOrganizationsToTell,
  putOffAlarmMail,
  setAlarmsDue,
} from '../../store/ledger/alarm-mails.ts'
import { getOrganization, lockOrganization } from '../../store/organizations/organizations.ts'
import type { Needs } from '../context.ts'

export type AlarmMailReport = MailOutcome & {
  readonly organizationId: string
  readonly mailId: string
  readonly alarms: number
  readonly attempts: number
  readonly nextAt: Instant | null
}

type MailContext = Needs<'clock' | 'ids' | 'db' | 'settings'>

// One message to an incoming webhook. `id` is the same for every attempt.
export type ChatMessage = { readonly url: string; readonly text: string; readonly id: string }
export type PostToChat = (message: ChatMessage) => Promise<MailOutcome>
// `send` is undefined where no mail server is set: mails then wait for one.
export type AlarmSenders = { readonly send: SendMail | undefined; readonly post: PostToChat }

// Longer than any sending takes.
const LEASE_MS = 5 * MINUTE_MS
const BATCH = 40
// More connections at once are refused by many servers.
const AT_ONCE = 4
// Of one organization in one look. A mail says how many it is about.
const MAX_ALARMS = 1_000

// Returns how much was due. What was tried is reported without anybody's address.
export async function mailDueAlarms(
  ctx: MailContext,
  senders: AlarmSenders,
  report: (one: AlarmMailReport) => void,
  isStopping: () => boolean = () => false,
): Promise<number> {
  const sendsMail = senders.send !== undefined
  const organizationIds = await listOrganizationsToTell(ctx.db, ctx.clock.now(), BATCH, sendsMail)
  for (const organizationId of organizationIds) {
    if (isStopping()) break
    await handOnAlarms(ctx, organizationId)
  }
  const due = await listDueAlarmMails(ctx.db, ctx.clock.now(), BATCH, sendsMail)
  const waiting = due.values()
  const lane = async (): Promise<void> => {
    for (const address of waiting) {
      if (isStopping()) return
      const now = ctx.clock.now()
      const claim = await claimAlarmMail(ctx.db, address, now, now + LEASE_MS)
      if (claim !== undefined) await sendAlarmMail(ctx, claim, senders, report)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, lane))
  return organizationIds.length + due.length
}

// Where nobody sends: what has waited too long is told to nobody.
export async function forgetOldAlarmMails(ctx: Needs<'clock' | 'db'>): Promise<number> {
  const before = ctx.clock.now() - ALARM_MAIL_WITHIN_MS
  return (await forgetAlarmsToTell(ctx.db, before)) + (await forgetAlarmMails(ctx.db, before))
}

async function handOnAlarms(ctx: MailContext, organizationId: string): Promise<void> {
  await ctx.db.inTransaction(async (tx) => {
    const organization = await lockOrganization(tx, organizationId)
    const waiting = await listAlarmsToTell(tx, organizationId, MAX_ALARMS)
    const now = ctx.clock.now()
    const hasWebhook = organization !== undefined && organization.alarmWebhookUrl !== null
    const places = [...(organization?.alarmEmails ?? []), ...(hasWebhook ? [null] : [])]
    const wanted = waiting.filter(
      ({ isOpen, createdAt }) => places.length > 0 && isOpen && !isTooOldToTell(createdAt, now),
    )
    const telling = alarmMailPlanOf(
      wanted,
      await countAlarmsTold(tx, organizationId, now - ALARM_STORM_WITHIN_MS),
      now,
    )
    await setAlarmsDue(tx, organizationId, waiting.map(idOf), null)
    if ('waitUntil' in telling) {
      await setAlarmsDue(tx, organizationId, wanted.map(idOf), telling.waitUntil)
      return
    }
    for (const alarmIds of telling.mails)
      for (const email of places)
        await insertAlarmMail(tx, organizationId, { mailId: ctx.ids.next(), email, alarmIds }, now)
  })
}

const idOf = ({ alarmId }: MailedAlarm): string => alarmId

async function sendAlarmMail(
  ctx: MailContext,
  claim: AlarmMailClaim,
  senders: AlarmSenders,
  report: (one: AlarmMailReport) => void,
): Promise<void> {
  const { organizationId, mailId, attempts } = claim
  const organization = await getOrganization(ctx.db, organizationId)
  const alarms = await listOpenAlarmsOf(ctx.db, claim)
  const sending = sendingOf(ctx, claim, organization, alarms, senders)
  // All of it was resolved, the address was taken off the list, or it was long ago.
  if (sending === undefined) return finishAlarmMail(ctx.db, claim)
  const result = await sending()
  const nextAt = result.outcome === 'failed' ? nextMailAt(attempts, ctx.clock.now()) : null
  if (nextAt === null) await finishAlarmMail(ctx.db, claim)
  else await putOffAlarmMail(ctx.db, claim, nextAt)
  report({ organizationId, mailId, alarms: alarms.length, ...result, attempts, nextAt })
}

function sendingOf(
  { clock, settings }: MailContext,
  { organizationId, mailId, email, createdAt }: AlarmMailClaim,
  organization: Organization | undefined,
  [first, ...others]: readonly MailedAlarm[],
  { send, post }: AlarmSenders,
): (() => Promise<MailOutcome>) | undefined {
  if (organization === undefined || first === undefined) return undefined
  if (isTooOldToTell(createdAt, clock.now())) return undefined
  const alarms = [first, ...others] as const
  const places = {
    organizationName: organization.name,
    alarmsUrl: alarmsLink(
      settings.publicUrl,
      organizationId,
      others.length === 0 ? first.alarmId : undefined,
    ),
    settingsUrl: notificationsLink(settings.publicUrl, organizationId),
  }
  const { alarmEmails, alarmLanguage, alarmWebhookUrl: url } = organization
  const id = `alarm.${mailId}`
  if (email === null)
    return url === null
      ? undefined
      : () => post({ url, text: alarmMessage(alarms, alarmLanguage, places), id })
  if (send === undefined || !alarmEmails.includes(email)) return undefined
  return () => send({ ...alarmMail(alarms, alarmLanguage, places), to: email, id })
}
