// What looks like an attack, or like a program gone wrong, and so is told to a person: a credential used from an address that is not
// on its list, and bursts of failed sign-ins, of refusals and of look-ups that find nobody. It is counted in memory, by every process
// for itself, and the memory is bounded. Nothing here is refused: other limits do that.

import { hash } from 'node:crypto'
import { isUuid } from '../ids.ts'
import type { Instant } from '../instant.ts'
import { type BucketPolicy, createTokenBuckets } from '../token-buckets.ts'
import { uuidText } from '../uuid-token.ts'

// So many at once, and again within so many seconds, are not remarkable.
export type BurstThreshold = { readonly count: number; readonly withinSeconds: number }

export const ABUSE_THRESHOLDS = {
  // The first is enough: the list says that it cannot be the merchant.
  'address-refused': { count: 0, withinSeconds: 60 },
  // By address. A person mistypes, and a forgotten program tries every few seconds.
  'failed-sign-ins': { count: 50, withinSeconds: 60 },
  // By key or client. A program that polls for what is not there yet stays below it.
  'many-refusals': { count: 300, withinSeconds: 60 },
  // By organization. The budget of look-ups lets 50 misses pass at once.
  'many-missed-lookups': { count: 20, withinSeconds: 600 },
} as const satisfies Readonly<Record<string, BurstThreshold>>

export type AbuseKind = keyof typeof ABUSE_THRESHOLDS
export const ABUSE_KINDS = Object.keys(ABUSE_THRESHOLDS) as AbuseKind[]

// While it goes on, the store is not asked again for so long whether the alarm is still open.
const TOLD_AGAIN_AFTER_SECONDS = 600

export type AbuseWatch = {
  // Whether a person is to be told now. `who` is an address, a credential or an organization.
  count: (kind: AbuseKind, who: string, now: Instant) => boolean
}

export function createAbuseWatch(maxKeys?: number): AbuseWatch {
  const counters = Object.fromEntries(
    Object.entries(ABUSE_THRESHOLDS).map(([kind, threshold]) => [
      kind,
      threshold.count === 0 ? null : createTokenBuckets(policyOf(threshold), maxKeys),
    ]),
  ) as Record<AbuseKind, ReturnType<typeof createTokenBuckets> | null>
  const told = createTokenBuckets({ burst: 1, perSecond: 1 / TOLD_AGAIN_AFTER_SECONDS }, maxKeys)
  return {
    count: (kind, who, now) => {
      if (counters[kind]?.take(who, now).allowed === true) return false
      return told.take(`${kind} ${who}`, now).allowed
    },
  }
}

function policyOf({ count, withinSeconds }: BurstThreshold): BucketPolicy {
  return { burst: count, perSecond: count / withinSeconds }
}

// What the alarm says. `address` is null if a proxy named nobody.
export function abuseDetail(kind: AbuseKind, who: string, address: string | null): string {
  const { count, withinSeconds } = ABUSE_THRESHOLDS[kind]
  const often = `More than ${count} within ${withinSeconds} s:`
  return {
    'address-refused': `The key or client ${who} was used from ${address ?? 'an address that no proxy named'}, which is not on its list.`,
    'failed-sign-ins': `${often} sign-ins from ${who} failed.`,
    'many-refusals': `${often} requests of the key or client ${who} were refused.`,
    'many-missed-lookups': `${often} look-ups of Bre-B keys found nobody.`,
  }[kind]
}

// Alarms name their subject by a UUID. What has none, an address or a client, gets one that is always the same.
export function subjectIdOf(who: string): string {
  return isUuid(who) ? who : uuidText(hash('sha256', who, 'buffer').subarray(0, 16))
}
