// Adds an organization's new audit entries to its chain. Several processes may do so at once: one waits for the other.

import { chainDigest, FIRST_DIGEST } from '../../core/audit/entry.ts'
import {
  insertChainLines,
  lastLine,
  type NewLine,
  takeUnchained,
  unchainedEntries,
} from '../../store/audit/chain.ts'
import type { Needs } from '../context.ts'

// Enough to keep up, few enough to hold nobody up.
const MAX_ENTRIES_PER_RUN = 200

// Returns how many were dealt with. There may be more.
export async function chainEntries(ctx: Needs<'db'>, organizationId: string): Promise<number> {
  return ctx.db.inTransaction(async (tx) => {
    const taken = await takeUnchained(tx, organizationId, MAX_ENTRIES_PER_RUN)
    if (taken.length === 0) return 0
    // After the wait for whoever was before us: these see what they have written.
    const entries = await unchainedEntries(tx, organizationId, taken)
    const last = await lastLine(tx, organizationId)
    let digest = last?.digest ?? FIRST_DIGEST
    let sequence = last?.sequence ?? 0
    const lines = entries.map((entry): NewLine => {
      digest = chainDigest(digest, entry)
      sequence += 1
      return { entryId: entry.entryId, sequence, digest }
    })
    await insertChainLines(tx, organizationId, lines)
    return taken.length
  })
}
