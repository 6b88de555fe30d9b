// The address of the page on which a payer claims a refund. Whoever has it may name a key; nobody can guess it. It carries the organization
// and the refund, sealed.

import { openToken, type SealingKey, sealToken } from '../seal.ts'
import { uuidBytes, uuidText } from '../uuid-token.ts'
import type { Refund } from './refund.ts'

export type RefundAddress = Pick<Refund, 'organizationId' | 'refundId'>

const CONTEXT = 'refund-claim'

export function refundClaimToken(key: SealingKey, { organizationId, refundId }: RefundAddress): string {
  return sealToken(key, Buffer.concat([uuidBytes(organizationId), uuidBytes(refundId)]), CONTEXT)
}

export function openRefundClaimToken(key: SealingKey, token: string): RefundAddress | undefined {
  const payload = openToken(key, token, CONTEXT)
  if (payload?.length !== 32) return undefined
  return { organizationId: uuidText(payload.subarray(0, 16)), refundId: uuidText(payload.subarray(16)) }
}
