// A refund as merchants see it, in responses and events. It names nobody: whose key was claimed is masked.

import { isoInstant, isoOrNull } from '../instant.ts'
import { centsToNumber, centsToPesos } from '../money.ts'
import type { Presenter } from '../payins/object.ts'
import { refundClaimToken } from './claim-token.ts'
import { legalDeadline } from './deadline.ts'
import type { Refund } from './refund.ts'

export function presentRefund(presenter: Presenter, refund: Refund): Record<string, unknown> {
  const { claim } = refund
  const deadline = legalDeadline(refund.reason, refund.createdAt)
  return {
    id: refund.refundId,
    payinId: refund.payinId,
    amount: centsToPesos(refund.amountInCents),
    amountInCents: centsToNumber(refund.amountInCents),
    currency: refund.currency,
    status: refund.status,
    stage: refund.stage,
    way: refund.way,
    reason: refund.reason,
    legalDeadline: deadline && { rule: deadline.rule, day: deadline.day, isEstimate: true },
    errorCode: refund.errorCode,
    claimUrl: claimUrl(presenter, refund),
    claimExpiresAt: isoOrNull(refund.claimExpiresAt),
    claim: claim && {
      match: claim.match,
      holderName: claim.holderName,
      participant: claim.participant,
      lastFour: claim.lastFour,
      claimedAt: isoInstant(claim.claimedAt),
    },
    payoutId: refund.payoutId,
    reservedAmountInCents: centsToNumber(refund.reservedInCents),
    createdAt: isoInstant(refund.createdAt),
    updatedAt: isoInstant(refund.updatedAt),
    resultAt: isoOrNull(refund.resultAt),
    returnedAt: isoOrNull(refund.returnedAt),
    organizationId: refund.organizationId,
  }
}

// Null unless the payer must go there.
export function claimUrl({ checkoutUrl, keys }: Presenter, refund: Refund): string | null {
  return refund.stage === 'AWAITING_CLAIM'
    ? `${checkoutUrl}/refund/${refundClaimToken(keys.page, refund)}`
    : null
}
