// A payout as merchants see it, in responses and events. Its receiver is opened when the text is sent (people/shown.ts).

import { isoInstant, isoOrNull } from '../instant.ts'
import { centsToNumber, centsToPesos } from '../money.ts'
import { presentNote } from '../people/note.ts'
import { isSealed } from '../people/sealed.ts'
import { destinationOf, SEALED_DESTINATION } from '../people/shown.ts'
import type { Payout } from './payout.ts'

export function presentPayout(payout: Payout): Record<string, unknown> {
  const { receiver } = payout
  return {
    id: payout.payoutId,
    amount: centsToPesos(payout.amountInCents),
    amountInCents: centsToNumber(payout.amountInCents),
    currency: payout.currency,
    status: payout.status,
    stage: payout.stage === 'AWAITING_APPROVAL' ? payout.stage : null,
    rail: 'BRE_B',
    reference: payout.reference,
    ...presentNote(payout.note),
    inlineCustomer: isSealed(receiver) ? receiver : receiver.customer,
    errorCode: payout.errorCode,
    ...(payout.missingInCents !== null && { missingAmountInCents: centsToNumber(payout.missingInCents) }),
    ...(payout.feeInCents > 0n && {
      feeInCents: centsToNumber(payout.feeInCents),
      feeTaxInCents: centsToNumber(payout.feeTaxInCents),
    }),
    createdAt: isoInstant(payout.createdAt),
    updatedAt: isoInstant(payout.updatedAt),
    resultAt: isoOrNull(payout.resultAt),
    returnedAt: isoOrNull(payout.returnedAt),
    ...(payout.refundId !== null && { refundId: payout.refundId }),
    organizationId: payout.organizationId,
    sourceData: isSealed(receiver) ? SEALED_DESTINATION : destinationOf(receiver),
  }
}
