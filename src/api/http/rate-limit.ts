// Limits the requests per second of each organization, with capacity for a burst. Here are the token buckets of one
// process; shared-rate-limit.ts keeps one bucket for many.

export type RateLimitDecision = { allowed: boolean; remaining: number; retryAfterSeconds: number }

// A promise only where other processes have to be asked first.
export type RateLimit = (organizationId: string) => RateLimitDecision | Promise<RateLimitDecision>

export type RateLimitPolicy = { perSecond: number; burst: number }

export type Bucket = { tokens: number; atMs: number }

// A burst may be twice the rate.
export function policyOf(perSecond: number): RateLimitPolicy {
  return { perSecond, burst: perSecond * 2 }
}

// Above this number, buckets that are full again are dropped.
const MAX_BUCKETS = 10_000

export function createRateLimit(
  policy: RateLimitPolicy,
  clockMs: () => number,
): (organizationId: string) => RateLimitDecision {
  const bucketOf = createBuckets(policy, clockMs, () => ({}))
  return (organizationId) => takeToken(policy, bucketOf(organizationId))
}

// Returns an organization's bucket, refilled up to now. `fresh` makes what else is kept with a new one.
export function createBuckets<Extra>(
  policy: RateLimitPolicy,
  clockMs: () => number,
  fresh: () => Extra,
): (organizationId: string) => Bucket & Extra {
  const buckets = new Map<string, Bucket & Extra>()
  const refilled = (bucket: Bucket, nowMs: number): number =>
    Math.min(policy.burst, bucket.tokens + ((nowMs - bucket.atMs) * policy.perSecond) / 1_000)

  const dropFullBuckets = (nowMs: number): void => {
    for (const [id, bucket] of buckets) if (refilled(bucket, nowMs) >= policy.burst) buckets.delete(id)
  }

  return (organizationId) => {
    const nowMs = clockMs()
    let bucket = buckets.get(organizationId)
    if (bucket === undefined) {
      if (buckets.size >= MAX_BUCKETS) dropFullBuckets(nowMs)
      bucket = { tokens: policy.burst, atMs: nowMs, ...fresh() }
      buckets.set(organizationId, bucket)
    }
    bucket.tokens = refilled(bucket, nowMs)
    bucket.atMs = nowMs
    return bucket
  }
}

export function takeToken(policy: RateLimitPolicy, bucket: Bucket): RateLimitDecision {
  const allowed = bucket.tokens >= 1
  if (allowed) bucket.tokens -= 1
  return {
    allowed,
    remaining: Math.max(0, Math.floor(bucket.tokens)),
    retryAfterSeconds: Math.max(1, Math.ceil((1 - bucket.tokens) / policy.perSecond)),
  }
}
