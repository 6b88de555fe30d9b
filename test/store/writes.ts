// A write of a payin or payout with everything that can belong to it.

import type { NewEvent } from '../../src/core/events/event.ts'
import type { Transfer } from '../../src/core/ledger/bookings.ts'
import type { Payin } from '../../src/core/payins/payin.ts'
import type { PayinWrite } from '../../src/store/payins/write.ts'
import type { PayoutWrite } from '../../src/store/payouts/write.ts'
import { IDS, LATER, LEASE, type Subjects } from './twins.ts'

const ALARM = { alarmId: IDS.fresh, kind: 'payin-contradiction', detail: 'fresh' } as const

export function payinWriteOf(
  mine: Pick<Subjects, 'organizationId' | 'payin'> & Partial<Pick<Subjects, 'link'>>,
  completesLink = false,
): PayinWrite {
  const { organizationId, link } = mine
  const payin: Payin = { ...mine.payin, version: 2, updatedAt: LATER }
  return {
    payin,
    expectedVersion: 1,
    leaseToken: LEASE.token,
    dueAt: LATER,
    at: LATER,
    transfers: [transferOf(organizationId, payin.payinId)],
    suspense: { suspenseId: IDS.freshToo, reason: 'LATE', amountInCents: 5n, paymentId: 'payment-3' },
    alarm: ALARM,
    event: eventOf(organizationId, payin.payinId),
    link:
      completesLink && link !== undefined
        ? { next: { ...link, status: 'COMPLETED', version: 2, completedAt: LATER }, expectedVersion: 1 }
        : null,
    notice: { rail: 'BRE_B', noticeId: 'notice-1' },
    mailsReceipt: true,
  }
}

export function payoutWriteOf({ organizationId, payout }: Subjects): PayoutWrite {
  return {
    payout: { ...payout, version: 2, updatedAt: LATER },
    expectedVersion: 1,
    leaseToken: LEASE.token,
    keepLease: false,
    dueAt: LATER,
    attempts: 1,
    at: LATER,
    transfers: [transferOf(organizationId, payout.payoutId)],
    alarm: ALARM,
    event: eventOf(organizationId, payout.payoutId),
    noticeId: 'notice-1',
  }
}

function transferOf(organizationId: string, subjectId: string): Transfer {
  return {
    organizationId,
    transferId: IDS.fresh,
    booking: 'money in suspense',
    subjectId,
    debit: 'CLEARING_BRE_B',
    credit: 'SUSPENSE',
    amountInCents: 5n,
    createdAt: LATER,
  }
}

function eventOf(organizationId: string, objectId: string): NewEvent {
  const [type, resource] = ['payin.confirmed', 'payin'] as const
  return {
    organizationId,
    eventId: IDS.fresh,
    type,
    resource,
    objectId,
    version: 2,
    data: '{}',
    createdAt: LATER,
  }
}
