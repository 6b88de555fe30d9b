// Writes the words that objects are found by.

import type { Logger } from 'pino'
import type { Context } from '../flows/context.ts'
import { writeWords } from '../flows/search/write-words.ts'
import { type Loop, startLoop } from './loop.ts'

// What is new or has become known is found by words after this long; the newest are looked through without.
const SEARCH_REST_MS = 30_000

export function startSearch(ctx: Context, log: Logger): Loop {
  return startLoop({
    name: 'search',
    restMs: SEARCH_REST_MS,
    turn: () => writeWords(ctx),
    log,
    givesWay: true,
  })
}
