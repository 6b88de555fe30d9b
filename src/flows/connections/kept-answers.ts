// What providers answered to questions of payers' pages, kept for a while in this process. Pages that ask at the same time share one
// question, and none of them waits long for it.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Instant } from '../../core/instant.ts'
import type { RailAnswer } from '../../rails/rail.ts'
import type { Needs } from '../context.ts'

// Undefined: it cannot be had.
export type AskKept<Value> = (
  key: string,
  ask: () => Promise<RailAnswer<Value, never>>,
) => Promise<Value | undefined>

type Kept<Value> = { readonly value: Value | undefined; readonly at: Instant }

// A page is shown without the answer after this long. The answer is kept for the next one.
const PATIENCE_MS = 2_000
// A provider that did not answer is not asked again by every page.
const ASK_AGAIN_AFTER_MS = 3_000
const MAX_KEPT = 2_000

export function keptAnswers<Value>(ctx: Needs<'clock'>, keepMs: number): AskKept<Value> {
  const kept = new Map<string, Kept<Value>>()
  const asking = new Map<string, Promise<Value | undefined>>()

  const keep = (key: string, value: Value | undefined): Value | undefined => {
    kept.delete(key)
    const [oldest] = kept.keys()
    if (kept.size >= MAX_KEPT && oldest !== undefined) kept.delete(oldest)
    kept.set(key, { value, at: ctx.clock.now() })
    return value
  }
  const begin = (key: string, ask: () => Promise<RailAnswer<Value, never>>): Promise<Value | undefined> => {
    const answer = ask()
      .then(
        (one) => keep(key, one.outcome === 'accepted' ? one.value : undefined),
        () => keep(key, undefined),
      )
      .finally(() => asking.delete(key))
    asking.set(key, answer)
    return answer
  }

  return async (key, ask) => {
    const known = kept.get(key)
    const ageMs = known === undefined ? -1 : ctx.clock.now() - known.at
    // Staging's clock may be set back.
    if (
      known !== undefined &&
      ageMs >= 0 &&
      ageMs < (known.value === undefined ? ASK_AGAIN_AFTER_MS : keepMs)
    )
      return known.value
    return Promise.race([asking.get(key) ?? begin(key, ask), sleep(PATIENCE_MS, undefined, { ref: false })])
  }
}
