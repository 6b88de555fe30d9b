// The URL of a payer's page is a capability: anyone who has it may see and pay, and nobody can guess it. It carries the
// organization and the payin, sealed, so that finding them needs no lookup table.

import { openToken, type SealingKey, sealToken } from '../seal.ts'
import { uuidBytes, uuidText } from '../uuid-token.ts'
import type { PayinAddress } from './payin.ts'

const CONTEXT = 'payin-page'

export function payinPageToken(key: SealingKey, address: PayinAddress): string {
  return sealToken(
    key,
    Buffer.concat([uuidBytes(address.organizationId), uuidBytes(address.payinId)]),
    CONTEXT,
  )
}

export function openPayinPageToken(key: SealingKey, token: string): PayinAddress | undefined {
  const payload = openToken(key, token, CONTEXT)
  if (payload?.length !== 32) return undefined
  return { organizationId: uuidText(payload.subarray(0, 16)), payinId: uuidText(payload.subarray(16)) }
}
