// Pages that wait for their payment to change. All pages of a process are looked at together, many in a statement, so that
// what waiting costs hardly depends on how many payers keep a page open.

import { openPayinPageToken } from '../core/payins/page-token.ts'
import type { PayinAddress } from '../core/payins/payin.ts'
import { readLinkToken } from '../core/payment-links/payment-link.ts'
import type { Context } from '../flows/context.ts'
import { type LinkTokenAddress, linkPageMarks, payinPageMarks } from '../store/page-marks.ts'

// A payer would not notice a shorter delay.
const LOOK_EVERY_MS = 500
const PAGES_PER_STATEMENT = 1_000

type Watched = {
  payin: PayinAddress | undefined
  link: LinkTokenAddress | undefined
  // Undefined until the first look.
  mark: string | null | undefined
  listeners: Set<() => void>
}

// Calls back after the first look, which says what later ones are compared with, and whenever the page may have changed.
export function createPageWatch(
  ctx: Pick<Context, 'db' | 'settings'>,
  pagesPerStatement = PAGES_PER_STATEMENT,
): (token: string, onChange: () => void) => { stop(): void } {
  const pages = new Map<string, Watched>()
  let timer: NodeJS.Timeout | undefined

  const lookAndGoOn = async (): Promise<void> => {
    // A look that fails changes nothing. The next one compares with what was seen last.
    await lookAt(ctx.db, [...pages.values()], pagesPerStatement).catch(() => {})
    // Whoever came meanwhile may have set a timer.
    clearTimeout(timer)
    timer = pages.size > 0 ? setTimeout(lookAndGoOn, LOOK_EVERY_MS) : undefined
  }

  return (token, onChange) => {
    const page = pages.get(token) ?? newPage(ctx, token)
    pages.set(token, page)
    page.listeners.add(onChange)
    // Who comes later than the first look has missed its call.
    page.mark = undefined
    timer ??= setTimeout(lookAndGoOn, LOOK_EVERY_MS)
    return {
      stop: () => {
        page.listeners.delete(onChange)
        if (page.listeners.size > 0) return
        pages.delete(token)
        if (pages.size > 0) return
        clearTimeout(timer)
        timer = undefined
      },
    }
  }
}

function newPage(ctx: Pick<Context, 'settings'>, token: string): Watched {
  const payin = openPayinPageToken(ctx.settings.keys.page, token)
  const link = payin === undefined ? readLinkToken(token) : undefined
  return { payin, link, mark: undefined, listeners: new Set() }
}

async function lookAt(db: Context['db'], pages: readonly Watched[], atOnce: number): Promise<void> {
  const look = async <Address>(
    addressOf: (page: Watched) => Address | undefined,
    read: (db: Context['db'], addresses: Address[]) => Promise<(string | null)[]>,
  ): Promise<void> => {
    const found = pages.filter((page) => addressOf(page) !== undefined)
    for (const part of partsOf(found, atOnce))
      tellChanges(part, await read(db, part.map(addressOf) as Address[]))
  }
  await look(({ payin }) => payin, payinPageMarks)
  await look(({ link }) => link, linkPageMarks)
}

function partsOf<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, part) =>
    items.slice(part * size, (part + 1) * size),
  )
}

function tellChanges(pages: readonly Watched[], marks: readonly (string | null)[]): void {
  for (const [index, page] of pages.entries()) {
    const mark = marks[index] ?? null
    if (mark === page.mark) continue
    page.mark = mark
    for (const tell of page.listeners) tell()
  }
}
