// A payout as merchants see it, in responses and events.

import { isoInstant, isoOrNull } from '../instant.ts'
import { centsToNumber, centsToPesos } from '../money.ts'
import type { Payout } from './payout.ts'

export function presentPayout(payout: Payout): Record<string, unknown> {
  return {
    id: payout.payoutId,
    amount: centsToPesos(payout.amountInCents),
    amountInCents: centsToNumber(payout.amountInCents),
    currency: payout.currency,
    status: payout.status,
    rail: 'BRE_B',
    reference: payout.reference,
    inlineCustomer: payout.customer,
    errorCode: payout.errorCode,
    createdAt: isoInstant(payout.createdAt),
    updatedAt: isoInstant(payout.updatedAt),
    resultAt: isoOrNull(payout.resultAt),
    organizationId: payout.organizationId,
    sourceData: { keyString: payout.keyStringSent, canonicalKeyString: payout.keyString },
  }
}
