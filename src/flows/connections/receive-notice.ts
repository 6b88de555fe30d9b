// Receives a notice from a network. We store it under the network's own id and answer before we work out what it means,
// so that no decision of ours can make the network lose a notice. If a worker of this process has capacity, it takes
// the notice directly. If it dies, another worker finds the notice when its time is up. A signed notice is never refused:
// it may be about money, even if it names nothing of ours.

import type { RailNotice } from '../../core/connections/notice.ts'
import type { Rail } from '../../core/connections/rail.ts'
import { parseRailReference } from '../../core/connections/reference.ts'
import { UNATTRIBUTED_ORGANIZATION } from '../../core/organizations/organization.ts'
import { contradictsStored, type StoredNotice } from '../../store/connections/notices.ts'
import { type Alarm, insertAlarm } from '../../store/ledger/alarms.ts'
import type { Needs } from '../context.ts'

// True if the notice is new, false if we already have it.
export async function receiveNotice(
  ctx: Needs<'clock' | 'ids' | 'db' | 'batched' | 'signals'>,
  notice: RailNotice,
): Promise<boolean> {
  const subjectKind = notice.update.kind.split('.')[0]
  const named = parseRailReference(notice.reference)
  // A payin's news under a payout's reference names nothing of ours, whatever has that id.
  const subject = named?.kind === subjectKind ? named : undefined
  const receivedAt = ctx.clock.now()
  const worker = ctx.signals.noticeWorker()
  const storedNotice: StoredNotice = {
    organizationId: subject?.organizationId ?? UNATTRIBUTED_ORGANIZATION,
    rail: notice.rail,
    noticeId: notice.noticeId,
    subjectKind: subjectKind as 'payin' | 'payout',
    subjectId: subject?.id ?? UNATTRIBUTED_ORGANIZATION,
    reference: notice.reference,
    update: notice.update,
    networkCode: notice.networkCode,
    occurredAt: notice.occurredAt,
    receivedAt,
  }
  ctx.signals.crashPoint('receipt-before-commit')
  const stored = await ctx.batched.insertNotice({
    ...storedNotice,
    dueAt: worker?.until ?? receivedAt,
    ...doubtAbout(ctx, notice, storedNotice),
  })
  ctx.signals.crashPoint('receipt-after-commit')
  if (worker === undefined) ctx.signals.workAdded('notices')
  else if (stored) worker.take(storedNotice)
  if (!stored && (await contradictsStored(ctx.db, storedNotice))) await raiseOtherContent(ctx, storedNotice)
  return stored
}

// The first notice counts. The second may be about money that nobody else tells us of.
async function raiseOtherContent(
  ctx: Needs<'ids' | 'db'>,
  { organizationId, rail, noticeId, subjectKind, subjectId, update, receivedAt }: StoredNotice,
): Promise<void> {
  const content = Object.entries(update).map(([name, value]) => `${name} ${value}`)
  const detail = `${rail} sent notice ${noticeId} again with another content, which is not applied: ${content.join(', ')}`
  const alarm = { alarmId: ctx.ids.next(), kind: `${subjectKind}-contradiction`, detail } as const
  await insertAlarm(ctx.db, organizationId, subjectId, alarm, receivedAt)
}

// The notice counts as any other. A person should know that the network's clock or its ids are wrong.
function doubtAbout(
  ctx: Needs<'ids'>,
  { timeIsImpossible, idInBody }: RailNotice,
  { rail, noticeId, subjectKind }: StoredNotice,
): { alarm?: Alarm } {
  const doubts = [
    ...(timeIsImpossible ? ['is dated at an impossible time, and is kept under the time it came'] : []),
    ...(idInBody === undefined ? [] : [`is called ${idInBody} in its body, and is kept under its signed id`]),
  ]
  if (doubts.length === 0) return {}
  const detail = `notice ${noticeId} of ${rail} ${doubts.join('; it ')}`
  return { alarm: { alarmId: ctx.ids.next(), kind: `${subjectKind}-contradiction`, detail } }
}

// The network gets no 200 and may send it again, as unreadable as before. If it is about money, a person must find out whose.
export async function raiseUnreadableNotice(
  ctx: Needs<'clock' | 'ids' | 'db'>,
  rail: Rail,
  { noticeId, content }: { noticeId: string; content: string },
): Promise<void> {
  const detail = `${rail} sent notice ${noticeId}, which cannot be read: ${content}`
  const alarm = { alarmId: ctx.ids.next(), kind: 'orphan-notice', detail } as const
  await insertAlarm(ctx.db, UNATTRIBUTED_ORGANIZATION, UNATTRIBUTED_ORGANIZATION, alarm, ctx.clock.now())
}
