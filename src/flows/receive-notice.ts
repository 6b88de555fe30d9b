// A network tells us something. It is stored under the network's own id and answered; what it means is worked out after
// that, so that no decision of ours can make the network lose a notice.

import type { RailNotice } from '../core/rail-notice.ts'
import { readRailReference } from '../core/rail-reference.ts'
import { type Refusal, refuse } from '../core/refusal.ts'
import type { Context } from './context.ts'

// True where it was new, false where we have it already.
export async function receiveNotice(ctx: Context, notice: RailNotice): Promise<boolean | Refusal> {
  const subject = readRailReference(notice.reference)
  const about = notice.happening.kind.split('.')[0]
  if (subject === undefined || subject.kind !== about) {
    return refuse('INVALID_INPUT', `The reference does not name a ${about} of ours.`, {
      errors: [{ path: '/reference', code: 'WRONG_FORMAT', message: 'must be the reference we gave' }],
    })
  }
  ctx.passing('receipt-before-commit')
  const stored = await ctx.together.insertNotice({
    organizationId: subject.organizationId,
    rail: notice.rail,
    noticeId: notice.noticeId,
    subjectKind: about as 'payin' | 'payout',
    subjectId: subject.id,
    happening: notice.happening,
    networkCode: notice.networkCode,
    occurredAt: notice.occurredAt,
    receivedAt: ctx.now(),
  })
  ctx.passing('receipt-after-commit')
  ctx.hint('notices')
  return stored
}
