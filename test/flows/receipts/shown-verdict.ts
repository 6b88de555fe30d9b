// What the page of /verify says to whoever has no script. The page holds all of its words for its script, so only what stands in the
// result counts.

import assert from 'node:assert/strict'

export function shownVerdictOf(page: string): string {
  const [, result] = /<div id="result"[^>]*>([\s\S]*?)<div id="ways"/.exec(page) ?? []
  return result ?? assert.fail('the page has a result')
}
