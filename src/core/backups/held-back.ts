// What a restored database would pay anew, and which providers would let it: those that do not know an order again that came before.

import { PROVIDER_DESCRIPTIONS, PROVIDERS, type Provider } from '../connections/provider.ts'
import { HOUR_MS, type Instant } from '../instant.ts'

export const HELD_KINDS = ['batch', 'refund', 'payout'] as const
export type HeldKind = (typeof HELD_KINDS)[number]

export type HeldSubject = { readonly kind: HeldKind; readonly id: string; readonly organizationId: string }

// Payouts are handed over when the workers start, and not when the restore is over. The guide says so many hours.
const WORKERS_START_WITHIN_MS = 6 * HOUR_MS

// Those that may have forgotten an order that was handed over right after the backup, before it is handed over again. Null: nobody
// says when that was, so all that forget.
export function forgetfulProviders(takenAt: Instant | null, now: Instant): Provider[] {
  const ageMs = takenAt === null ? Number.POSITIVE_INFINITY : now - takenAt
  const isKnown = (provider: Provider): boolean =>
    ageMs + WORKERS_START_WITHIN_MS < PROVIDER_DESCRIPTIONS[provider].knowsOrdersForMs
  return PROVIDERS.filter((provider) => !isKnown(provider))
}
