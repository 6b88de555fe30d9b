// One rate limit for many processes of a machine. The keeper has the true bucket of each organization, and of each
// credential that has a limit of its own. Every process has a copy, takes from it at once, and reports what it took in
// portions; the keeper answers with what is really left. Portions are large while more than half of the bucket is left and
// small after that, so far from the limit it costs next to nothing. A process with a portion reported and another one taken
// waits for the answer, so that all together never take more than two portions each beyond the limit. What was taken too
// much is owed: it comes off what follows.

import {
  type Bucket,
  createBuckets,
  policyOf,
  type RateLimit,
  type RateLimitDecision,
  type RateLimitPolicy,
  takeToken,
} from './rate-limit.ts'

// What a process took since its last report, and how many a second it may where that is not the installation's limit.
export type Use = [id: string, tokens: number, perSecond?: number]
// What is left, and whether that is so much that portions may be large.
export type Balance = [id: string, tokens: number, isFar: boolean]

// All processes together, as a part of the burst: what they may have taken and not reported.
const NEAR_PART = 1 / 100
const FAR_PART = 1 / 8
// Without an answer for so long, a process goes by its copy: better a limit that is not exact than requests that hang.
const ANSWER_WITHIN_MS = 1_000

export function portionOf(policy: RateLimitPolicy, processes: number, isFar: boolean): number {
  return Math.max(1, Math.floor((policy.burst * (isFar ? FAR_PART : NEAR_PART)) / processes))
}

export type RateLimitKeeper = { report: (process: number, uses: readonly Use[]) => Balance[] }

// `recall` tells a process that an organization has come near its limit.
export function createRateLimitKeeper(
  policy: RateLimitPolicy,
  clockMs: () => number,
  recall: (process: number, balance: Balance) => void,
): RateLimitKeeper {
  // The processes that were told to report in large portions.
  const bucketOf = createBuckets(policy, clockMs, () => ({ far: new Set<number>() }))
  return {
    report: (process, uses) =>
      uses.map(([id, used, perSecond]): Balance => {
        const bucket = bucketOf(id, perSecond === undefined ? undefined : policyOf(perSecond))
        bucket.tokens -= used
        const isFar = bucket.tokens > bucket.policy.burst / 2
        if (isFar) bucket.far.add(process)
        else {
          for (const other of bucket.far) if (other !== process) recall(other, [id, bucket.tokens, false])
          bucket.far.clear()
        }
        return [id, bucket.tokens, isFar]
      }),
  }
}

export type SharedRateLimit = {
  limit: RateLimit
  // The keeper's answer to a report, and its word that an organization has come near its limit.
  receive: (balances: readonly Balance[]) => void
  recall: (balance: Balance) => void
}

type Copy = Bucket & {
  isFar: boolean
  // Taken and not reported yet, and reported without an answer yet.
  unreported: number
  reported: number
  // Requests that wait for the answer, and when it is late.
  waiting: ((decision: RateLimitDecision) => void)[]
  late: NodeJS.Timeout | undefined
}

export function createSharedRateLimit(
  policy: RateLimitPolicy,
  processes: number,
  clockMs: () => number,
  send: (uses: Use[]) => void,
): SharedRateLimit {
  const copyOf = createBuckets<Omit<Copy, keyof Bucket>>(policy, clockMs, () => ({
    isFar: false,
    unreported: 0,
    reported: 0,
    waiting: [],
    late: undefined,
  }))
  const isPortionFull = (copy: Copy): boolean =>
    copy.unreported >= portionOf(copy.policy, processes, copy.isFar)
  const mustWait = (copy: Copy): boolean => copy.reported > 0 && isPortionFull(copy) && copy.tokens >= 1

  // One message for all that is due in this turn of the event loop.
  let outbox: [string, Copy][] = []
  const flush = (): void => {
    const due = outbox
    outbox = []
    send(
      due.map(
        ([id, copy]): Use =>
          copy.policy === policy ? [id, copy.reported] : [id, copy.reported, copy.policy.perSecond],
      ),
    )
  }
  const reportWhenDue = (id: string, copy: Copy): void => {
    if (copy.reported > 0 || !isPortionFull(copy)) return
    copy.reported = copy.unreported
    copy.unreported = 0
    if (outbox.push([id, copy]) === 1) setImmediate(flush)
  }

  const take = (id: string, copy: Copy): RateLimitDecision => {
    const decision = takeToken(copy)
    if (decision.allowed) copy.unreported += 1
    reportWhenDue(id, copy)
    return decision
  }
  const expectAnswer = (id: string, copy: Copy): void => {
    copy.late ??= setTimeout(() => {
      copy.late = undefined
      for (const decide of copy.waiting.splice(0)) decide(take(id, copy))
    }, ANSWER_WITHIN_MS).unref()
  }
  const wait = (id: string, copy: Copy): Promise<RateLimitDecision> => {
    expectAnswer(id, copy)
    return new Promise((resolve) => copy.waiting.push(resolve))
  }
  const admitWaiting = (id: string, copy: Copy): void => {
    clearTimeout(copy.late)
    copy.late = undefined
    while (copy.waiting.length > 0 && !mustWait(copy)) copy.waiting.shift()?.(take(id, copy))
    if (copy.waiting.length > 0) expectAnswer(id, copy)
  }

  return {
    limit: (id, own) => {
      const copy = copyOf(id, own)
      return mustWait(copy) ? wait(id, copy) : take(id, copy)
    },
    receive: (balances) => {
      for (const [id, tokens, isFar] of balances) {
        const copy = copyOf(id)
        copy.tokens = tokens - copy.unreported
        copy.isFar = isFar
        copy.reported = 0
        reportWhenDue(id, copy)
        admitWaiting(id, copy)
      }
    },
    // What this process has reported may not be in it yet. The answer follows.
    recall: ([id, tokens]) => {
      const copy = copyOf(id)
      copy.tokens = Math.min(copy.tokens, tokens - copy.unreported)
      copy.isFar = false
      reportWhenDue(id, copy)
    },
  }
}
