// How we prove to the gateway who we are, and how its notifications prove who sent them.

import { createHash, timingSafeEqual } from 'node:crypto'
import { BOGOTA_OFFSET_MS } from '../../core/bogota-day.ts'
import { type Instant, isoInstant } from '../../core/instant.ts'
import type { ProviderDependencies } from '../provider.ts'
import type { Auth } from './wire.ts'

const NONCE_BYTES = 16

// Each call makes another one: the gateway may refuse a nonce that it has seen.
export function authFields(
  login: string,
  secretKey: string,
  { wallClock, randomBytes }: Pick<ProviderDependencies, 'wallClock' | 'randomBytes'>,
): () => { auth: Auth } {
  return () => {
    const nonce = randomBytes(NONCE_BYTES)
    const seed = bogotaTime(wallClock())
    return {
      auth: { login, seed, nonce: nonce.toString('base64'), tranKey: tranKeyOf(nonce, seed, secretKey) },
    }
  }
}

export function tranKeyOf(nonce: Buffer, seed: string, secretKey: string): string {
  return createHash('sha256')
    .update(nonce)
    .update(seed + secretKey)
    .digest('base64')
}

// 2026-01-01T12:00:00-05:00
function bogotaTime(instant: Instant): string {
  return `${isoInstant(instant - BOGOTA_OFFSET_MS).slice(0, 19)}-05:00`
}

// The documentation says SHA-256, its sample is as long as SHA-1, and one page has the signature in a header. Each is accepted:
// a notification only makes us ask.
export function isSigned(
  secretKeys: readonly string[],
  content: string,
  presented: readonly unknown[],
): boolean {
  const signatures = presented.map(signatureBytes).filter((bytes) => bytes !== undefined)
  return secretKeys.some((secretKey) =>
    ['sha256', 'sha1'].some((algorithm) => {
      const expected = createHash(algorithm)
        .update(content + secretKey)
        .digest()
      return signatures.some((bytes) => bytes.length === expected.length && timingSafeEqual(bytes, expected))
    }),
  )
}

const SIGNATURE = /^(?:sha256:)?([0-9a-f]{64}|[0-9a-f]{40})$/i

function signatureBytes(presented: unknown): Buffer | undefined {
  const [, hex] = (typeof presented === 'string' && SIGNATURE.exec(presented)) || []
  return hex === undefined ? undefined : Buffer.from(hex, 'hex')
}
