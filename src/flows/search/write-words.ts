// Writes the words that payins, payouts and links are found by, off the way of money. Rows are looked through once in the order of their
// ids, behind those who seal people and write their digests; later facts, such as a CUS or a payer who was typed on a page, come by the
// events that tell of them.

import { isSealed } from '../../core/people/sealed.ts'
import { plainFacts, type SearchableText, WORDED, type Worded } from '../../core/search/fact.ts'
import { isIndexedSearchText, wordOf } from '../../core/search/word.ts'
import {
  attemptsOnLinks,
  behindEvents,
  behindPeople,
  moveEventMark,
  moveSearchMark,
  type SearchedRow,
  searchedBetween,
  searchedRows,
  toldAfter,
} from '../../store/search/objects.ts'
import { deleteWords, insertWords, type ObjectWord } from '../../store/search/words.ts'
import type { Needs } from '../context.ts'
import { personWordsOf } from '../people/person-words.ts'
import type { Vault } from '../people/vault.ts'

type WordsContext = Needs<'db' | 'vault'>

const ORGANIZATIONS_PER_TURN = 100
// A page takes a few milliseconds, in which this process answers nobody.
const ROWS_PER_PAGE = 100
const EVENTS_PER_PAGE = 200

// One page of each organization that is behind. Returns how much was looked at: there may be more.
export async function writeWords(ctx: WordsContext): Promise<number> {
  let done = 0
  for (const resource of WORDED) {
    for (const { organizationId, after, through } of await behindPeople(
      ctx.db,
      resource,
      ORGANIZATIONS_PER_TURN,
    )) {
      const rows = await searchedBetween(ctx.db, resource, organizationId, after, through, ROWS_PER_PAGE)
      await writeWordsOf(ctx, organizationId, resource, rows)
      const last = rows.length < ROWS_PER_PAGE ? through : rows.at(-1)?.objectId
      await moveSearchMark(ctx.db, organizationId, resource, last ?? through)
      done += Math.max(rows.length, 1)
    }
  }
  return done + (await followEvents(ctx))
}

// Whether an event may tell of something to find by. What a page or an endpoint was told, nobody looks for.
const TELLS = /^(?:payin\.(?:processing|confirmed|canceled|declined)|payout\.|paymentlink\.)/

async function followEvents(ctx: WordsContext): Promise<number> {
  let done = 0
  for (const { organizationId, after } of await behindEvents(ctx.db, ORGANIZATIONS_PER_TURN)) {
    const told = await toldAfter(ctx.db, organizationId, after, EVENTS_PER_PAGE)
    const of = (resource: string): string[] => [
      ...new Set(
        told
          .filter(({ type }) => TELLS.test(type) && type.startsWith(`${resource}.`))
          .map(({ objectId }) => objectId),
      ),
    ]
    const links = of('paymentlink')
    const attempts = links.length === 0 ? [] : await attemptsOnLinks(ctx.db, organizationId, links)
    for (const [resource, ids] of [
      ['payin', [...of('payin'), ...attempts]],
      ['payout', of('payout')],
    ] as const) {
      if (ids.length === 0) continue
      const rows = await searchedRows(ctx.db, resource, organizationId, ids)
      await writeWordsOf(ctx, organizationId, resource, rows)
    }
    const last = told.at(-1)
    if (last === undefined) continue
    await moveEventMark(ctx.db, organizationId, last.sequence)
    done += told.length
  }
  return done
}

async function writeWordsOf(
  ctx: WordsContext,
  organizationId: string,
  resource: Worded,
  rows: readonly SearchedRow[],
): Promise<void> {
  if (rows.length === 0) return
  const vault = await ctx.vault(organizationId)
  const words = rows.flatMap((row) => [
    ...plainWordsOf(vault, resource, row),
    ...personWordsOf(vault, resource, row),
  ])
  await insertWords(ctx.db, organizationId, words)
  await removeErased(ctx, vault, organizationId, resource, rows)
}

// Somebody may have been erased between our look and our words. Whoever erases later finds the words, and removes them.
async function removeErased(
  { db }: WordsContext,
  vault: Vault,
  organizationId: string,
  resource: Worded,
  rows: readonly SearchedRow[],
): Promise<void> {
  const named = rows.filter(({ customer }) => customer !== null)
  if (named.length === 0) return
  const now = new Map(
    (
      await searchedRows(
        db,
        resource,
        organizationId,
        named.map(({ objectId }) => objectId),
      )
    ).map((row) => [row.objectId, row]),
  )
  const gone = named.filter(({ objectId }) => isErased(vault, now.get(objectId)))
  const words = gone.flatMap((row) => personWordsOf(vault, resource, row))
  if (words.length > 0) await deleteWords(db, organizationId, words)
}

function isErased(vault: Vault, row: SearchedRow | undefined): boolean {
  if (row === undefined) return true
  return (
    row.customer !== null && isSealed(row.customer) && vault.open(row.customer, row.objectId) === 'ERASED'
  )
}

function plainWordsOf(vault: Vault, resource: Worded, row: SearchedRow): ObjectWord[] {
  const words = plainFactsOf(row)
    .filter(isIndexedSearchText)
    .map((fact) => wordOf(resource, fact, vault.digest))
  return [...new Set(words)].map((word) => ({ word, objectId: row.objectId }))
}

export function plainFactsOf({ reference, amounts, ownKey, traces }: SearchedRow): SearchableText[] {
  return plainFacts({
    reference,
    amountsInCents: amounts.filter((cents) => cents !== null).map(BigInt),
    keyString: ownKey,
    traces: traces.filter((trace) => trace !== null),
  })
}
