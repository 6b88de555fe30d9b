// What providers answered to questions of payers' pages, kept for a while in this process. Pages that ask at the same time share one
// question, and none of them waits long for it.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Instant } from '../../core/instant.ts'
import type { RailAnswer } from '../../rails/rail.ts'
import type { Needs } from '../context.ts'

// Undefined: it cannot be had. What was asked before `notBefore` is known to be old.
export type AskKept<Value> = (
  key: string,
  ask: () => Promise<RailAnswer<Value, never>>,
  notBefore?: Instant | null,
) => Promise<Value | undefined>

type Kept<Value> = { readonly value: Value | undefined; readonly askedAt: Instant; readonly at: Instant }
type Asking<Value> = { readonly answer: Promise<Value | undefined>; readonly askedAt: Instant }

// A page is shown without the answer after this long. The answer is kept for the next one.
const PATIENCE_MS = 2_000
// A provider that did not answer is not asked again by every page.
const ASK_AGAIN_AFTER_MS = 3_000
const MAX_KEPT = 2_000

export function keptAnswers<Value>(ctx: Needs<'clock'>, keepMs: number): AskKept<Value> {
  const kept = new Map<string, Kept<Value>>()
  const asking = new Map<string, Asking<Value>>()

  const keep = (key: string, askedAt: Instant, value: Value | undefined): Value | undefined => {
    kept.delete(key)
    const [oldest] = kept.keys()
    if (kept.size >= MAX_KEPT && oldest !== undefined) kept.delete(oldest)
    kept.set(key, { value, askedAt, at: ctx.clock.now() })
    return value
  }
  const begin = (key: string, ask: () => Promise<RailAnswer<Value, never>>): Asking<Value> => {
    const askedAt = ctx.clock.now()
    const answer = ask()
      .then(
        (one) => keep(key, askedAt, one.outcome === 'accepted' ? one.value : undefined),
        () => keep(key, askedAt, undefined),
      )
      .finally(() => {
        if (asking.get(key) === begun) asking.delete(key)
      })
    const begun = { answer, askedAt }
    asking.set(key, begun)
    return begun
  }

  return async (key, ask, notBefore = null) => {
    const isOld = ({ askedAt }: { askedAt: Instant }): boolean => notBefore !== null && askedAt <= notBefore
    const known = kept.get(key)
    const ageMs = known === undefined ? -1 : ctx.clock.now() - known.at
    // Staging's clock may be set back.
    if (known !== undefined && ageMs >= 0) {
      if (known.value === undefined && ageMs < ASK_AGAIN_AFTER_MS) return undefined
      if (known.value !== undefined && ageMs < keepMs && !isOld(known)) return known.value
    }
    const under = asking.get(key)
    const { answer } = under === undefined || isOld(under) ? begin(key, ask) : under
    return Promise.race([answer, sleep(PATIENCE_MS, undefined, { ref: false })])
  }
}
