// A network tells us something. It is stored under the network's own id and answered; what it means is worked out after
// that, so that no decision of ours can make the network lose a notice. Where a worker is at hand it takes the notice as it
// is; should it die over it, another finds it when its time is up.

import type { RailNotice } from '../../core/connections/notice.ts'
import { parseRailReference } from '../../core/connections/reference.ts'
import { type Refusal, refuse } from '../../core/refusal.ts'
import type { StoredNotice } from '../../store/connections/notices.ts'
import type { Needs } from '../context.ts'

// True where it was new, false where we have it already.
export async function receiveNotice(
  ctx: Needs<'clock' | 'batched' | 'signals'>,
  notice: RailNotice,
): Promise<boolean | Refusal> {
  const subject = parseRailReference(notice.reference)
  const about = notice.happening.kind.split('.')[0]
  if (subject === undefined || subject.kind !== about) {
    return refuse('INVALID_INPUT', `The reference does not name a ${about} of ours.`, {
      errors: [{ path: '/reference', code: 'WRONG_FORMAT', message: 'must be the reference we gave' }],
    })
  }
  const receivedAt = ctx.clock.now()
  const taker = ctx.signals.noticeWorker()
  const kept: StoredNotice = {
    organizationId: subject.organizationId,
    rail: notice.rail,
    noticeId: notice.noticeId,
    subjectKind: about as 'payin' | 'payout',
    subjectId: subject.id,
    happening: notice.happening,
    networkCode: notice.networkCode,
    occurredAt: notice.occurredAt,
    receivedAt,
  }
  ctx.signals.crashPoint('receipt-before-commit')
  const stored = await ctx.batched.insertNotice({ ...kept, dueAt: taker?.until ?? receivedAt })
  ctx.signals.crashPoint('receipt-after-commit')
  if (taker === undefined) ctx.signals.workAdded('notices')
  else if (stored) taker.take(kept)
  return stored
}
