// How often payers may act: begin an attempt, leave it, say that they have paid. Each of these may call a network, so each link
// has its measure, and so has each address, whatever the number of links it knows. Pages are read without limit.

import { createTokenBuckets } from '../core/token-buckets.ts'

// Seconds to wait, or undefined if the action may go on. The address is null where nobody is named.
export type ActionLimit = (token: string, address: string | null) => number | undefined

// Many payers share an address: a household, an office, a mobile network.
const LINKS_PER_ADDRESS = 6
const MINUTE_SECONDS = 60
// With the address beside the token of a payment page.
const MAX_TOKEN_LENGTH = 200

export function createActionLimit(perMinute: number, clockMs: () => number): ActionLimit {
  if (perMinute === 0) return () => undefined
  const bucketsOf = (actions: number) =>
    createTokenBuckets({ perSecond: actions / MINUTE_SECONDS, burst: actions })
  const ofLink = bucketsOf(perMinute)
  const ofAddress = bucketsOf(perMinute * LINKS_PER_ADDRESS)
  return (token, address) => {
    const nowMs = clockMs()
    // No page has a longer one. It is not worth remembering.
    const link = token.length > MAX_TOKEN_LENGTH ? undefined : ofLink.take(token, nowMs)
    if (link?.allowed === false) return link.retryAfterSeconds
    const client = address === null ? undefined : ofAddress.take(address, nowMs)
    return client === undefined || client.allowed ? undefined : client.retryAfterSeconds
  }
}
