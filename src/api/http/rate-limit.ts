// Limits the requests per second of each organization, and of a credential that has a limit of its own, with capacity for a
// burst. Here are the token buckets of one process; shared-rate-limit.ts keeps one bucket for many.

export type RateLimitDecision = { allowed: boolean; remaining: number; retryAfterSeconds: number }

// The id is an organization's, or a credential's with the policy of its own. A promise only where other processes have to be
// asked first.
export type RateLimit = (
  id: string,
  policy?: RateLimitPolicy,
) => RateLimitDecision | Promise<RateLimitDecision>

export type RateLimitPolicy = { perSecond: number; burst: number }

export type Bucket = { tokens: number; atMs: number; policy: RateLimitPolicy }

// A burst may be twice the rate.
export function policyOf(perSecond: number): RateLimitPolicy {
  return { perSecond, burst: perSecond * 2 }
}

// Above this number, buckets that are full again are dropped.
const MAX_BUCKETS = 10_000

export function createRateLimit(
  policy: RateLimitPolicy,
  clockMs: () => number,
): (id: string, own?: RateLimitPolicy) => RateLimitDecision {
  const bucketOf = createBuckets(policy, clockMs, () => ({}))
  return (id, own) => takeToken(bucketOf(id, own))
}

// Returns a bucket, refilled up to now. `fresh` makes what else is kept with a new one. A bucket goes by the policy that it was
// last asked for with: a limit that was lowered holds at once.
export function createBuckets<Extra>(
  policy: RateLimitPolicy,
  clockMs: () => number,
  fresh: () => Extra,
): (id: string, own?: RateLimitPolicy) => Bucket & Extra {
  const buckets = new Map<string, Bucket & Extra>()
  const refilled = (bucket: Bucket, nowMs: number): number =>
    Math.min(bucket.policy.burst, bucket.tokens + ((nowMs - bucket.atMs) * bucket.policy.perSecond) / 1_000)

  const dropFullBuckets = (nowMs: number): void => {
    for (const [id, bucket] of buckets) if (refilled(bucket, nowMs) >= bucket.policy.burst) buckets.delete(id)
  }

  return (id, own) => {
    const nowMs = clockMs()
    let bucket = buckets.get(id)
    if (bucket === undefined) {
      if (buckets.size >= MAX_BUCKETS) dropFullBuckets(nowMs)
      const { burst } = own ?? policy
      bucket = { tokens: burst, atMs: nowMs, policy: own ?? policy, ...fresh() }
      buckets.set(id, bucket)
    }
    if (own !== undefined) bucket.policy = own
    bucket.tokens = refilled(bucket, nowMs)
    bucket.atMs = nowMs
    return bucket
  }
}

export function takeToken(bucket: Bucket): RateLimitDecision {
  const allowed = bucket.tokens >= 1
  if (allowed) bucket.tokens -= 1
  return {
    allowed,
    remaining: Math.max(0, Math.floor(bucket.tokens)),
    retryAfterSeconds: Math.max(1, Math.ceil((1 - bucket.tokens) / bucket.policy.perSecond)),
  }
}
