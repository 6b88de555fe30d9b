// Texts that were sealed with AES-256-GCM, before seal-text.ts. Nothing is sealed so any more; what is stored still opens.
//
// key version (1) · object (16) · nonce (12) · tag (16) · data. The first two are bound to the data, and so is the organization.

import { createDecipheriv, type KeyObject } from 'node:crypto'
import { uuidText } from '../uuid-token.ts'

const NONCE_BEGIN = 1 + 16
const TAG_BEGIN = NONCE_BEGIN + 12
export const GCM_BEGIN = TAG_BEGIN + 16

export function openGcm(
  keys: readonly { readonly version: number; readonly key: KeyObject }[],
  organizationId: Buffer,
  bytes: Buffer,
): string[] | undefined {
  const key = keys.find(({ version }) => version === bytes[0])?.key
  if (key === undefined || bytes.length < GCM_BEGIN) return undefined
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(NONCE_BEGIN, TAG_BEGIN))
  decipher
    .setAAD(Buffer.concat([organizationId, bytes.subarray(0, NONCE_BEGIN)]))
    .setAuthTag(bytes.subarray(TAG_BEGIN, GCM_BEGIN))
  const data = decipher.update(bytes.subarray(GCM_BEGIN))
  try {
    decipher.final()
  } catch {
    return undefined
  }
  return JSON.parse(data.toString('utf8')) as string[]
}

export function objectOfGcm(bytes: Buffer): string {
  return uuidText(bytes.subarray(1, NONCE_BEGIN))
}
