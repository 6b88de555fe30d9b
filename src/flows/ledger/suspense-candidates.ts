// Looks for payins that money in suspense may be meant for: the one that the network named, those of the same amount or key, and those
// of the same payer. Amounts and keys are found by the words of the search, which are written up to a minute after a payin.

import { firstIdAt } from '../../core/ids.ts'
import {
  CANDIDATE_WINDOW,
  type Candidate,
  candidatesFor,
  keyOf,
  MAX_CANDIDATES,
} from '../../core/ledger/suspense-candidate.ts'
import type { Payin } from '../../core/payins/payin.ts'
import { keyText } from '../../core/search/fact.ts'
import { wordOf } from '../../core/search/word.ts'
import type { SuspenseItem } from '../../store/ledger/suspense.ts'
import {
  type Neighborhood,
  payinsOfPersonNear,
  payinsWithWordNear,
} from '../../store/ledger/suspense-candidates.ts'
import type { Needs } from '../context.ts'
import { openCustomer, type Vault } from '../people/vault.ts'

export async function findCandidates(
  ctx: Needs<'db' | 'vault' | 'batched'>,
  item: SuspenseItem,
): Promise<Candidate[]> {
  const { organizationId, suspenseId, payinId, amountInCents, createdAt } = item
  const near: Neighborhood = {
    at: suspenseId,
    fromId: firstIdAt(createdAt - CANDIDATE_WINDOW.beforeMs),
    beforeId: firstIdAt(createdAt + CANDIDATE_WINDOW.afterMs),
    limit: MAX_CANDIDATES,
  }
  const vault = await ctx.vault(organizationId)
  const named = payinId === null ? undefined : await ctx.batched.getPayin({ organizationId, payinId })
  const key = named === undefined ? null : keyOf(named)
  const words = [
    wordOf('payin', { trait: 'amount', text: amountInCents.toString() }, vault.digest),
    ...(key === null ? [] : [wordOf('payin', { trait: 'key', text: keyText(key) }, vault.digest)]),
  ]
  const [worded, ofSamePayer] = await Promise.all([
    payinsWithWordNear(ctx.db, organizationId, words, near),
    named === undefined ? [] : payinsOfPayer(ctx, vault, named, near),
  ])
  const found = new Set([...worded, ...ofSamePayer].filter((id) => id !== payinId))
  const others = await Promise.all(
    [...found].map((id) => ctx.batched.getPayin({ organizationId, payinId: id })),
  )
  const payins = [named, ...others].filter((payin) => payin !== undefined)
  return candidatesFor(item, payins, new Set(ofSamePayer))
}

// By the document. Whose data was erased is nobody's.
async function payinsOfPayer(
  { db }: Needs<'db'>,
  vault: Vault,
  { organizationId, payinId, customer }: Payin,
  near: Neighborhood,
): Promise<string[]> {
  const payer = openCustomer(vault, payinId, customer)
  if (payer === null || typeof payer === 'string') return []
  const { idType, idNumber } = payer
  return payinsOfPersonNear(db, organizationId, vault.digest({ by: 'document', idType, idNumber }), near)
}
