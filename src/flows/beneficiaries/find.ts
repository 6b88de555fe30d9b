// Finds people in the beneficiary book by what is typed of them. They are sealed, and no word of the book is stored, so the entries
// are opened one by one, newest first, and so many at a time.

import type { Beneficiary } from '../../core/beneficiaries/beneficiary.ts'
import { personFacts } from '../../core/search/fact.ts'
import { isAnswered, type Question } from '../../core/search/question.ts'
import { beneficiaryList } from '../../store/beneficiaries/beneficiaries.ts'
import type { Needs } from '../context.ts'

// To open so many takes some ten milliseconds, in which this process answers nobody.
const OPENED_AT_ONCE = 500
const LOOKED_AT = 5_000

export type FoundInBook = {
  readonly found: Beneficiary[]
  // Behind which entry the next ones are. Null: there are no more.
  readonly readTo: string | null
}

export async function findInBook(
  ctx: Needs<'db' | 'vault'>,
  organizationId: string,
  question: Question,
  from: string | null,
  limit: number,
): Promise<FoundInBook> {
  const vault = await ctx.vault(organizationId)
  const list = beneficiaryList(ctx.db, organizationId, {})
  const found: Beneficiary[] = []
  let readTo = from
  for (let looked = 0; looked < LOOKED_AT; looked += OPENED_AT_ONCE) {
    const entries = await list.seek({ direction: 'older', from: readTo }, OPENED_AT_ONCE)
    for (const entry of entries) {
      readTo = entry.beneficiaryId
      const fields = vault.open(entry.person, entry.beneficiaryId)
      if (typeof fields === 'string') continue
      const facts = personFacts('payout', fields)
      const isMeant = question.readings.some((reading) =>
        isAnswered(
          reading,
          facts.filter(({ trait }) => trait === reading.trait).map(({ text }) => text),
        ),
      )
      if (!isMeant) continue
      found.push(entry)
      if (found.length === limit) return { found, readTo }
    }
    if (entries.length < OPENED_AT_ONCE) return { found, readTo: null }
  }
  return { found, readTo }
}
