// Audit entries as rows: added, read and listed, never changed. Beside each stands a row that says that it is not in the chain yet.

import type { Actor } from '../../core/audit/actor.ts'
import { type AuditEntry, OUTCOMES } from '../../core/audit/entry.ts'
import { type Instant, isoInstant } from '../../core/instant.ts'
import type { Queryable } from '../db.ts'
import { type IdBounds, type ListCase, listOf } from '../keyset-list.ts'

// In the transaction of the act.
export async function insertEntry(tx: Queryable, entry: AuditEntry): Promise<void> {
  const { organizationId, entryId, actor } = entry
  await tx.query({
    name: 'insert-audit-entry',
    text: `insert into audit_entries (organization_id, entry_id, at, actor_kind, actor_id, actor_name, session_id, address,
                                      request_id, act, object_kind, object_id, changes, outcome, refusal)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)`,
    values: [
      organizationId,
      entryId,
      isoInstant(entry.at),
      actor.kind,
      actor.id,
      actor.name,
      actor.sessionId,
      actor.address,
      actor.requestId,
      entry.act,
      entry.objectKind,
      entry.objectId,
      entry.changes,
      entry.outcome,
      entry.refusal,
    ],
  })
  await tx.query({
    name: 'insert-audit-unchained',
    text: `insert into audit_unchained (organization_id, entry_id, due_at) values ($1, $2, $3)`,
    values: [organizationId, entryId, isoInstant(entry.at)],
  })
}

export type EntryRow = {
  organization_id: string
  entry_id: string
  at: Instant
  actor_kind: Actor['kind']
  actor_id: string | null
  actor_name: string | null
  session_id: string | null
  address: string | null
  request_id: string | null
  act: string
  object_kind: string
  object_id: string | null
  changes_text: string
  outcome: AuditEntry['outcome']
  refusal: string | null
}

// The changes as text, as they were written: that is what was digested.
export const ENTRY_COLUMNS = `audit_entries.organization_id, audit_entries.entry_id, at, actor_kind, actor_id, actor_name, session_id,
  address, request_id, act, object_kind, object_id, changes::text as changes_text, outcome, refusal`

export function toEntry(row: EntryRow): AuditEntry {
  return {
    organizationId: row.organization_id,
    entryId: row.entry_id,
    at: row.at,
    actor: {
      kind: row.actor_kind,
      id: row.actor_id,
      name: row.actor_name,
      sessionId: row.session_id,
      address: row.address,
      requestId: row.request_id,
    },
    act: row.act,
    objectKind: row.object_kind,
    objectId: row.object_id,
    changes: row.changes_text,
    outcome: row.outcome,
    refusal: row.refusal,
  }
}

// An entry and its line in the chain. A line is added within a second or so, and is null until then.
export type ListedEntry = AuditEntry & { readonly sequence: number | null; readonly digest: Buffer | null }

export type EntryFilters = IdBounds & {
  actorId?: string
  act?: string
  objectId?: string
  outcome?: AuditEntry['outcome']
}

export type ListedRow = EntryRow & { sequence: bigint | null; digest: Buffer | null }

export const LISTED_COLUMNS = `${ENTRY_COLUMNS},
    (select sequence from audit_chain c
      where c.organization_id = audit_entries.organization_id and c.entry_id = audit_entries.entry_id) as sequence,
    (select digest from audit_chain c
      where c.organization_id = audit_entries.organization_id and c.entry_id = audit_entries.entry_id) as digest`

export function toListed({ sequence, digest, ...row }: ListedRow): ListedEntry {
  return { ...toEntry(row), sequence: sequence === null ? null : Number(sequence), digest }
}

export const auditList = listOf<EntryFilters, ListedRow, ListedEntry>({
  table: 'audit_entries',
  idColumn: 'entry_id',
  columns: LISTED_COLUMNS,
  cases: casesOf,
  read: toListed,
})

// A thing has few entries: its index is read, and no other, so the rest is asked for in a form that fits none. Whatever else is asked
// for, the outcome stands last in its index.
export function casesOf({ actorId, act, objectId, outcome }: EntryFilters): ListCase[] {
  if (objectId !== undefined) {
    const also = { actor_id: actorId, act, outcome }
    return [
      {
        key: [['object_id', objectId]],
        also: Object.entries(also).map(([column, value]) => [`coalesce(${column}, '')`, value]),
      },
    ]
  }
  const key = [['actor_id', actorId] as const, ['act', act] as const].filter(
    ([, value]) => value !== undefined,
  )
  if (key.length === 0 && outcome === undefined) return [{}]
  const outcomes = outcome === undefined ? OUTCOMES : [outcome]
  return outcomes.map((one) => ({ key: [...key, ['outcome', one]] }))
}
