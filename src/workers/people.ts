// Seals people who are still plain, and writes the digests by which new ones are found. Where the service does not own its tables, it
// may not rewrite events: organizations that have people from before are left to the owner, and the log says so once.

import type { Logger } from 'pino'
import type { Context } from '../flows/context.ts'
import { sealStored } from '../flows/people/seal-stored.ts'
import { type Loop, startLoop } from './loop.ts'

// Who is new can be found by document or e-mail after this long.
const PEOPLE_REST_MS = 60_000

export function startPeople(ctx: Context, log: Logger): Loop {
  return startLoop({
    name: 'people',
    restMs: PEOPLE_REST_MS,
    turn: peopleTurn(ctx, log),
    log,
    givesWay: true,
  })
}

export function peopleTurn(ctx: Context, log: Logger): () => Promise<number> {
  const refused = new Set<string>()
  let isSaid = false
  return async () => {
    const done = await sealStored(ctx, refused)
    if (refused.size > 0 && !isSaid) {
      isSaid = true
      log.warn(
        { job: 'people' },
        'people from before are not sealed: run `recaudo customer seal` as the tables’ owner',
      )
    }
    // All others are done. These are tried again after the rest: the owner may have been there.
    if (done === 0) refused.clear()
    return done
  }
}
