// How many deliveries an endpoint with a limit may be sent now. What is granted is counted as sent one after the other at the
// endpoint's rate; `sendsUntil` is when the last of them would be. Half a second's worth may be granted ahead, because
// workers look four times a second.

import type { Instant } from '../instant.ts'

const AHEAD_MS = 500

export type SendGrant = { readonly count: number; readonly sendsUntil: Instant }

export function grantSends(
  maxPerSecond: number,
  sendsUntil: Instant | null,
  now: Instant,
  wanted: number,
): SendGrant {
  const from = Math.max(sendsUntil ?? now, now)
  const most = Math.ceil((maxPerSecond * AHEAD_MS) / 1_000)
  const counted = Math.ceil(((from - now) * maxPerSecond) / 1_000)
  const count = Math.max(0, Math.min(wanted, most - counted))
  return { count, sendsUntil: from + Math.ceil((count * 1_000) / maxPerSecond) }
}
