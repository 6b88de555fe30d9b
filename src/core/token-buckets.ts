// Token buckets for keys that strangers choose, such as their addresses. The memory is bounded: there are two generations, and
// when the younger is full or old the elder is forgotten. Who was not seen for as long as a bucket takes to fill has a full one
// anyway. Only somebody with more keys than a generation holds gains by it, and he needs no second try with any of them.

export type BucketPolicy = { readonly perSecond: number; readonly burst: number }
export type BucketDecision = { readonly allowed: boolean; readonly retryAfterSeconds: number }

export type TokenBuckets = {
  take: (key: string, nowMs: number) => BucketDecision
  isEmpty: (key: string, nowMs: number) => boolean
  // How many buckets are kept.
  size: () => number
}

type Bucket = { tokens: number; atMs: number }

const MAX_KEYS = 20_000
// A thirtieth of a second times thirty is a little more than one.
const ROUNDING = 1e-6

export function createTokenBuckets(policy: BucketPolicy, maxKeys = MAX_KEYS): TokenBuckets {
  const fullAfterMs = (policy.burst / policy.perSecond) * 1_000
  let young = new Map<string, Bucket>()
  let old = new Map<string, Bucket>()
  let startedAtMs = Number.NEGATIVE_INFINITY

  const tokensOf = (bucket: Bucket | undefined, nowMs: number): number => {
    if (bucket === undefined) return policy.burst
    const passedMs = Math.max(0, nowMs - bucket.atMs)
    return Math.min(policy.burst, bucket.tokens + (passedMs * policy.perSecond) / 1_000)
  }
  const beginGeneration = (nowMs: number): void => {
    if (young.size < maxKeys && nowMs - startedAtMs < fullAfterMs) return
    old = young
    young = new Map()
    startedAtMs = nowMs
  }

  return {
    take: (key, nowMs) => {
      const tokens = tokensOf(young.get(key) ?? old.get(key), nowMs)
      const allowed = tokens >= 1
      const left = allowed ? tokens - 1 : tokens
      if (!young.has(key)) beginGeneration(nowMs)
      young.set(key, { tokens: left, atMs: nowMs })
      return { allowed, retryAfterSeconds: Math.max(1, Math.ceil((1 - left) / policy.perSecond - ROUNDING)) }
    },
    isEmpty: (key, nowMs) => tokensOf(young.get(key) ?? old.get(key), nowMs) < 1,
    size: () => young.size + old.size,
  }
}
