// Limits the requests per second of each organization, with capacity for a burst. Each API process has its own token
// buckets.

export type RateLimit = (organizationId: string) => {
  allowed: boolean
  remaining: number
  retryAfterSeconds: number
}

export type RateLimitPolicy = { perSecond: number; burst: number }

// A burst may be twice the rate.
export function policyOf(perSecond: number): RateLimitPolicy {
  return { perSecond, burst: perSecond * 2 }
}

// Above this number, buckets that are full again are dropped.
const MAX_BUCKETS = 10_000

export function createRateLimit(policy: RateLimitPolicy, clockMs: () => number): RateLimit {
  const buckets = new Map<string, { tokens: number; atMs: number }>()
  const refilled = (bucket: { tokens: number; atMs: number }, nowMs: number): number =>
    Math.min(policy.burst, bucket.tokens + ((nowMs - bucket.atMs) * policy.perSecond) / 1_000)

  const dropFullBuckets = (nowMs: number): void => {
    for (const [id, bucket] of buckets) if (refilled(bucket, nowMs) >= policy.burst) buckets.delete(id)
  }

  return (organizationId) => {
    const nowMs = clockMs()
    let bucket = buckets.get(organizationId)
    if (bucket === undefined) {
      if (buckets.size >= MAX_BUCKETS) dropFullBuckets(nowMs)
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
