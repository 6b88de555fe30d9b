// The address of a payer's page is a capability: whoever has it may see and pay, nobody can guess it. It carries the
// organization and the payin, sealed, so that no directory is needed to find them.

import { openToken, sealToken } from './seal.ts'

export type PayinAddress = { organizationId: string; payinId: string }

const CONTEXT = 'payin-page'

export function payinPageToken(key: Buffer, address: PayinAddress): string {
  return sealToken(
    key,
    Buffer.concat([uuidBytes(address.organizationId), uuidBytes(address.payinId)]),
    CONTEXT,
  )
}

export function readPayinPageToken(key: Buffer, token: string): PayinAddress | undefined {
  const payload = openToken(key, token, CONTEXT)
  if (payload?.length !== 32) return undefined
  return { organizationId: uuidText(payload.subarray(0, 16)), payinId: uuidText(payload.subarray(16)) }
}

export function uuidBytes(uuid: string): Buffer {
  return Buffer.from(uuid.replaceAll('-', ''), 'hex')
}

export function uuidText(bytes: Buffer): string {
  const hex = bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
