// Wraps data keys under a key that is not in the database. Here that is SECRETS_KEY. An external key service is another adapter
// of the same port: it is asked once for each organization and process, never while a payment waits for it.

import { openSecret, SEAL_NONCE_BYTES, type SealingKey, sealSecret } from '../../core/seal.ts'

export type KeyWrapper = {
  // `label` says whose key it is. A wrapped key that was moved elsewhere does not open there.
  readonly wrap: (dataKey: Buffer, label: string) => Promise<Buffer>
  // Undefined if it was wrapped under another key, or changed.
  readonly unwrap: (wrapped: Buffer, label: string) => Promise<Buffer | undefined>
}

export function dataKeyLabel(organizationId: string, version: number): string {
  return `data-key ${organizationId} ${version}`
}

export function secretsKeyWrapper(key: SealingKey, randomBytes: (count: number) => Buffer): KeyWrapper {
  return {
    wrap: async (dataKey, label) => sealSecret(key, dataKey, label, randomBytes(SEAL_NONCE_BYTES)),
    unwrap: async (wrapped, label) => openSecret(key, wrapped, label),
  }
}
