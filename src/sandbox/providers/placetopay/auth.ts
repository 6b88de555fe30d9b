// How a caller proves who it is: in the body of each request, with a hash of a nonce, the time and the secret. Each way to fail has its
// own code.

import { createHash } from 'node:crypto'
import { MINUTE_MS } from '../../../core/instant.ts'
import { type Answer, matchesSecret } from '../../http.ts'
import { fieldsOf, isText } from '../input.ts'
import type { ProviderContext } from '../provider.ts'
import { INACTIVE_SITES, PLACETOPAY } from './credentials.ts'

const MEMBERS = ['login', 'seed', 'nonce', 'tranKey'] as const
const SEED_WITHIN_MS = 5 * MINUTE_MS
const ISO_WITH_ZONE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:?\d\d)$/

/** Undefined if the caller is the site. */
export function authFailure(context: ProviderContext, auth: unknown): Answer | undefined {
  const code = failureCode(context, fieldsOf(auth))
  return code === undefined
    ? undefined
    : {
        status: 401,
        json: { status: { status: 'FAILED', reason: 401, message: `Authentication failed ${code}` } },
      }
}

function failureCode(
  { storage, clock }: ProviderContext,
  auth: Readonly<Record<string, unknown>>,
): number | undefined {
  if (MEMBERS.some((member) => auth[member] === undefined || auth[member] === '')) return 100
  const { login, seed, nonce, tranKey } = auth
  if (!isText(login, 255) || !isText(seed, 40) || !isText(nonce, 255) || !isText(tranKey, 255)) return 107
  const rawNonce = Buffer.from(nonce, 'base64')
  const seededAt = ISO_WITH_ZONE.test(seed) ? Date.parse(seed) : Number.NaN
  if (Number.isNaN(seededAt) || rawNonce.length === 0 || rawNonce.toString('base64') !== nonce) return 107
  if (login !== PLACETOPAY.login && !Object.hasOwn(INACTIVE_SITES, login)) return 101
  if (!matchesSecret(tranKey, tranKeyOf(rawNonce, seed, PLACETOPAY.secretKey))) return 102
  if (Math.abs(seededAt - clock.now()) > SEED_WITHIN_MS) return 103
  // Whether a nonce may be used twice is unpublished. This is the stricter way: once, and the second time it is as old as a late seed.
  if (storage.get('nonce', nonce) !== undefined) return 103
  storage.put('nonce', nonce, '', true)
  return INACTIVE_SITES[login]
}

/** SHA-256 over the nonce before its base64, the seed as it is sent and the secret. */
export function tranKeyOf(rawNonce: Buffer, seed: string, secretKey: string): string {
  return createHash('sha256')
    .update(rawNonce)
    .update(seed + secretKey)
    .digest('base64')
}
