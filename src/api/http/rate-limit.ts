// So many requests a second for each organization, with room for a burst: a token bucket, kept by each API process.

export type RateLimit = (organizationId: string) => {
  allowed: boolean
  remaining: number
  retryAfterSeconds: number
}

export type RateLimitPolicy = { perSecond: number; burst: number }

// Twice the rate may be used at once.
export function policyOf(perSecond: number): RateLimitPolicy {
  return { perSecond, burst: perSecond * 2 }
}

// Buckets that are full again are forgotten when there are more than this.
const MAX_BUCKETS = 10_000

export function createRateLimit(policy: RateLimitPolicy, clockMs: () => number): RateLimit {
  const buckets = new Map<string, { tokens: number; atMs: number }>()
  const refilled = (bucket: { tokens: number; atMs: number }, nowMs: number): number =>
    Math.min(policy.burst, bucket.tokens + ((nowMs - bucket.atMs) * policy.perSecond) / 1_000)

  const forgetFull = (nowMs: number): void => {
    for (const [id, bucket] of buckets) if (refilled(bucket, nowMs) >= policy.burst) buckets.delete(id)
  }

  return (organizationId) => {
    const nowMs = clockMs()
    let bucket = buckets.get(organizationId)
    if (bucket === undefined) {
      if (buckets.size >= MAX_BUCKETS) forgetFull(nowMs)
      bucket = { tokens: policy.burst, atMs: nowMs }
      buckets.set(organizationId, bucket)
    }
    bucket.tokens = refilled(bucket, nowMs)
    bucket.atMs = nowMs
    const allowed = bucket.tokens >= 1
    if (allowed) bucket.tokens -= 1
    return {
      allowed,
      remaining: Math.floor(bucket.tokens),
      retryAfterSeconds: Math.max(1, Math.ceil((1 - bucket.tokens) / policy.perSecond)),
    }
  }
}
