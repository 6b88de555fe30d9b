// A refund as merchants see it, in responses and events. It names nobody: whose key was claimed is masked. Whoever has the address of its page
// can name a key, so whoever may approve that key does not see it.

import { isoInstant, isoOrNull } from '../instant.ts'
import { centsToNumber, centsToPesos } from '../money.ts'
import { isScopeGranted, type Scope } from '../organizations/scope.ts'
import type { Presenter } from '../payins/object.ts'
import { refundClaimToken } from './claim-token.ts'
import { legalDeadline } from './deadline.ts'
import type { Refund } from './refund.ts'

export type RefundReader = {
  readonly kind: 'key' | 'client' | 'person'
  readonly scopes: readonly Scope[] | null
  readonly credentialId: string
}

// `reader` is null for events: many read them.
export function presentRefund(
  presenter: Presenter,
  refund: Refund,
  reader: RefundReader | null,
): Record<string, unknown> {
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
    claimUrl: reader && claimUrl(presenter, refund, reader),
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

// Null unless the payer must go there, and the reader may know where.
export function claimUrl(
  { checkoutUrl, keys }: Presenter,
  refund: Refund,
  reader: RefundReader,
): string | null {
  return refund.stage === 'AWAITING_CLAIM' && maySeeClaimPage(refund, reader)
    ? `${checkoutUrl}/refund/${refundClaimToken(keys.page, refund)}`
    : null
}

// Whoever asked for the refund cannot approve it, nor can whoever has seen the secret of the key that did. Another key may be anybody's.
function maySeeClaimPage(refund: Refund, { kind, scopes, credentialId }: RefundReader): boolean {
  if (credentialId === refund.credentialId) return true
  return (
    kind === 'person' && isScopeGranted(scopes, 'refunds:write') && !isScopeGranted(scopes, 'approvals:write')
  )
}
