// Makes an organization's chain again from its entries, and says where it ends or what is wrong with it. It reads everything, so it
// is the operator's to run.

import { type ChainHead, type ChainProblem, checkLines, EMPTY_CHAIN } from '../../core/audit/check.ts'
import { entriesAfter, linesAfter } from '../../store/audit/chain.ts'
import type { Needs } from '../context.ts'

const PER_PAGE = 1_000
const FIRST_ID = '00000000-0000-0000-0000-000000000000'

export type VerifiedChain = {
  readonly head: ChainHead
  // Entries that are too new to be in the chain.
  readonly waiting: number
  readonly problem: ChainProblem | null
}

// `noted`: where the chain once ended, as somebody has kept it elsewhere. It shows that nothing before was cut off or made anew.
export async function verifyChain(
  { db }: Needs<'db'>,
  organizationId: string,
  noted?: ChainHead,
): Promise<VerifiedChain> {
  let head = EMPTY_CHAIN
  const broken = (problem: ChainProblem): VerifiedChain => ({ head, waiting: 0, problem })
  for (let isMore = true; isMore; ) {
    const lines = await linesAfter(db, organizationId, head.sequence, PER_PAGE)
    const checked = checkLines(head, lines)
    if ('kind' in checked) return broken(checked)
    const kept = noted && [head, ...lines].find(({ sequence }) => sequence === noted.sequence)
    if (kept !== undefined && noted !== undefined && !kept.digest.equals(noted.digest))
      return broken(otherThanNoted(noted))
    head = checked
    isMore = lines.length === PER_PAGE
  }
  if (noted !== undefined && noted.sequence > head.sequence) return broken(shorterThanNoted(head, noted))
  const loose = await looseEntries(db, organizationId)
  const [added] = loose.filter(({ isDue }) => !isDue)
  if (added !== undefined)
    return broken({
      kind: 'added',
      sequence: null,
      entryId: added.entryId,
      detail: `the entry ${added.entryId} is in no line of the chain: it was put in, or its line was cut off`,
    })
  return { head, waiting: loose.length, problem: null }
}

function otherThanNoted({ sequence }: ChainHead): ChainProblem {
  const detail = `line ${sequence} has another digest than was noted: the chain was made anew`
  return { kind: 'changed', sequence, entryId: null, detail }
}

function shorterThanNoted(head: ChainHead, noted: ChainHead): ChainProblem {
  const sequence = head.sequence + 1
  const detail = `the chain ends with line ${head.sequence}, and line ${noted.sequence} was noted: lines from ${sequence} on were removed`
  return { kind: 'removed', sequence, entryId: null, detail }
}

// An entry that is chained between our two looks was seen as waiting at most once.
async function looseEntries(db: Needs<'db'>['db'], organizationId: string) {
  const loose = []
  for (let after: string | null = FIRST_ID; after !== null; ) {
    const page = await entriesAfter(db, organizationId, after, PER_PAGE)
    loose.push(...page.loose)
    after = page.last
  }
  return loose
}
