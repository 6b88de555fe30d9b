// The chain of digests over an organization's audit entries. Lines are only added, after their entries are committed.

import type { AuditEntry } from '../../core/audit/entry.ts'
import type { Queryable } from '../db.ts'
import { ENTRY_COLUMNS, type EntryRow, toEntry } from './entries.ts'

export type ChainLine = { readonly sequence: number; readonly digest: Buffer }
export type NewLine = ChainLine & { readonly entryId: string }

// Takes committed entries to be added, in the order of their ids. One that commits later comes later in the chain. Whoever wants the
// same ones waits until our transaction ends, and then finds the rest.
export async function takeUnchained(tx: Queryable, organizationId: string, limit: number): Promise<string[]> {
  const result = await tx.query<{ entry_id: string }>({
    name: 'take-audit-unchained',
    text: `delete from audit_unchained
            where organization_id = $1
              and entry_id in (select entry_id
                                 from audit_unchained
                                where organization_id = $1
                                order by entry_id
                                limit $2)
        returning entry_id`,
    values: [organizationId, limit],
  })
  return result.rows.map((row) => row.entry_id)
}

// Without those that are in the chain already: a second line for one of them would stand in the way of all others.
export async function unchainedEntries(
  tx: Queryable,
  organizationId: string,
  entryIds: readonly string[],
): Promise<AuditEntry[]> {
  const result = await tx.query<EntryRow>({
    name: 'unchained-audit-entries',
    text: `select ${ENTRY_COLUMNS}
             from audit_entries
            where organization_id = $1 and entry_id = any($2::uuid[])
              and not exists (select from audit_chain c
                               where c.organization_id = $1 and c.entry_id = audit_entries.entry_id)
            order by entry_id`,
    values: [organizationId, entryIds],
  })
  return result.rows.map(toEntry)
}

export async function lastLine(db: Queryable, organizationId: string): Promise<ChainLine | undefined> {
  const result = await db.query<{ sequence: bigint; digest: Buffer }>({
    name: 'last-audit-line',
    text: `select sequence, digest from audit_chain where organization_id = $1 order by sequence desc limit 1`,
    values: [organizationId],
  })
  const [row] = result.rows
  return row && { sequence: Number(row.sequence), digest: row.digest }
}

// Fails with a unique violation if there is such a line already.
export async function insertChainLines(
  tx: Queryable,
  organizationId: string,
  lines: readonly NewLine[],
): Promise<void> {
  await tx.query({
    name: 'insert-audit-lines',
    text: `insert into audit_chain (organization_id, sequence, entry_id, digest)
           select $1, sequence, entry_id, digest
             from unnest($2::bigint[], $3::uuid[], $4::bytea[]) as l (sequence, entry_id, digest)`,
    values: [
      organizationId,
      lines.map(({ sequence }) => sequence),
      lines.map(({ entryId }) => entryId),
      lines.map(({ digest }) => digest),
    ],
  })
}

// A line and its entry, which is undefined if somebody removed it.
export type StoredLine = NewLine & { readonly entry: AuditEntry | undefined }

// In the order of the chain.
export async function linesAfter(
  db: Queryable,
  organizationId: string,
  after: number,
  limit: number,
): Promise<StoredLine[]> {
  const result = await db.query<EntryRow & { sequence: bigint; line_entry_id: string; digest: Buffer }>({
    name: 'audit-lines-after',
    text: `select l.sequence, l.entry_id as line_entry_id, l.digest, ${ENTRY_COLUMNS}
             from (select organization_id, sequence, entry_id, digest
                     from audit_chain
                    where organization_id = $1 and sequence > $2
                    order by sequence
                    limit $3) l
             left join audit_entries on audit_entries.organization_id = $1 and audit_entries.entry_id = l.entry_id
            order by l.sequence`,
    values: [organizationId, after, limit],
  })
  return result.rows.map(({ sequence, line_entry_id: entryId, digest, ...row }) => ({
    sequence: Number(sequence),
    entryId,
    digest,
    entry: row.entry_id === null ? undefined : toEntry(row),
  }))
}

// Entries behind an id that are in no line, and whether they wait for one.
export type LooseEntry = { readonly entryId: string; readonly isDue: boolean }

// The first entries behind an id, and which of them are loose.
export async function entriesAfter(
  db: Queryable,
  organizationId: string,
  after: string,
  limit: number,
): Promise<{ last: string | null; loose: LooseEntry[] }> {
  const result = await db.query<{ entry_id: string; is_chained: boolean; is_due: boolean }>({
    name: 'audit-entries-after',
    text: `select e.entry_id,
                  exists (select from audit_chain c
                           where c.organization_id = $1 and c.entry_id = e.entry_id) as is_chained,
                  exists (select from audit_unchained d
                           where d.organization_id = $1 and d.entry_id = e.entry_id) as is_due
             from audit_entries e
            where e.organization_id = $1 and e.entry_id > $2
            order by e.entry_id
            limit $3`,
    values: [organizationId, after, limit],
  })
  return {
    last: result.rows.length < limit ? null : (result.rows.at(-1)?.entry_id ?? null),
    loose: result.rows
      .filter((row) => !row.is_chained)
      .map((row) => ({ entryId: row.entry_id, isDue: row.is_due })),
  }
}
