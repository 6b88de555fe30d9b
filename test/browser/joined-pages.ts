// Pages of one frame and one style sheet, laid out one below the other in a single document: whether they fit is seen at once, and which
// of them show what none before them does.

import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { KINDS_IN, sidewaysScroll } from './payer.ts'

/** The content of each page by its name, put into the page that is open. No script of theirs runs. */
export async function joinPages(
  page: Page,
  place: string,
  contents: ReadonlyMap<string, string>,
): Promise<void> {
  await page.evaluate(`for (const [name, content] of ${JSON.stringify([...contents])}) {
    const part = document.createElement('div')
    part.dataset.page = name
    part.innerHTML = content
    document.querySelector('${place}').append(part)
  }`)
}

export async function assertJoinedFit(page: Page, widths: readonly number[]): Promise<void> {
  for (const width of widths) {
    if ((await sidewaysScroll(page, width)) > 0) assert.fail(`at ${width}: ${await page.evaluate(WIDE)}`)
  }
}

const WIDE = `[...document.querySelectorAll('[data-page]')].filter((part) =>
  [...part.querySelectorAll('*')].some((one) => one.getBoundingClientRect().right > document.documentElement.clientWidth))
  .map((part) => part.dataset.page)`

/** The names of those that have an element of a kind that none before them has. */
export async function joinedWithNewKinds(page: Page): Promise<string[]> {
  const kindsOf = `[...document.querySelectorAll('[data-page]')].map((part) => [part.dataset.page, (${KINDS_IN})(part)])`
  const seen = new Set<string>()
  return (await page.evaluate<[string, string[]][]>(kindsOf))
    .filter(([, kinds]) => {
      const before = seen.size
      for (const kind of kinds) seen.add(kind)
      return seen.size > before
    })
    .map(([name]) => name)
}
