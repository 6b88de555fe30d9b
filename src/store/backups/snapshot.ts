// All rows as they were at one moment, read while the service goes on. The schema's lock is held meanwhile: a migration waits for
// us there, where no payment waits behind it. Tables are locked no more than by any reader.

import type { Readable } from 'node:stream'
import {
  type AppliedMigration,
  inLoadOrder,
  type Manifest,
  type OrganizationEnds,
} from '../../core/backups/manifest.ts'
import type { Bounds } from '../../core/partitions.ts'
import type { Queryable } from '../db.ts'
import { appliedMigrations, assertKnown, readMigrations } from '../migrate.ts'
import { listPartitions, PARTITION_GROUPS } from '../partitions.ts'
import { lockSchemaForSession } from '../schema-lock.ts'
import { activeSecretsKey } from '../secrets.ts'
import { copyOut } from './copy.ts'
import { openSession } from './session.ts'

// Adding and dropping partitions takes a moment. What takes longer is a migration.
const SCHEMA_LOCK_WAIT_MS = 30_000

export type SnapshotTable = { readonly table: string; readonly columns: readonly string[] }

export type Snapshot = Omit<Manifest, 'format' | 'tables'> & {
  readonly tables: readonly SnapshotTable[]
  // Tables in the same schema that no migration of ours made.
  readonly leftOut: readonly string[]
  readonly rowsOf: (table: SnapshotTable) => Readable
}

// Somebody is changing the schema and does not come to an end.
export class SchemaBusy extends Error {
  override name = 'SchemaBusy'
}

export async function withSnapshot<Result>(
  url: string,
  use: (snapshot: Snapshot) => Promise<Result>,
): Promise<Result> {
  await using session = await openSession(url)
  const { client, tx } = session
  if (!(await lockSchemaForSession(tx, SCHEMA_LOCK_WAIT_MS)))
    throw new SchemaBusy('the schema is being changed')
  // The transaction's view begins with its first statement, which therefore comes after the lock.
  await client.query('begin transaction isolation level repeatable read, read only')
  // A newer schema has tables that this version does not know, whether or not it works with them.
  const schema = (await appliedMigrations(tx)).map(({ version, name, checksum, stepsLeft }) => ({
    version,
    name,
    checksum,
    // A migration was interrupted. Rows are as they were before these steps.
    ...(stepsLeft > 0 && { stepsLeft }),
  }))
  assertKnown(schema, readMigrations())
  const { tables, leftOut } = await readTables(tx)
  const secretsKey = has(schema, 'secrets-keys') ? await activeSecretsKey(tx) : undefined
  const result = await use({
    ...(await readMoment(tx)),
    schema,
    tables,
    leftOut,
    partitions: await readPartitions(tx),
    organizations: await readEnds(tx, schema),
    secretsKeyId: secretsKey?.keyId ?? null,
    ...(secretsKey?.isFinished === false && { isKeyHalfChanged: true as const }),
    rowsOf: ({ table, columns }) =>
      copyOut(client, `copy (select ${columns.map(quoted).join(', ')} from ${quoted(table)}) to stdout`),
  })
  await client.query('commit')
  return result
}

async function readMoment(tx: Queryable): Promise<Pick<Manifest, 'takenAt' | 'postgresql'>> {
  const { rows } = await tx.query<{ taken_at: string; postgresql: string }>({
    text: `select to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as taken_at,
                  current_setting('server_version') as postgresql`,
  })
  const [{ taken_at: takenAt, postgresql }] = rows as [(typeof rows)[number]]
  return { takenAt, postgresql }
}

async function readTables(tx: Queryable): Promise<Pick<Snapshot, 'tables' | 'leftOut'>> {
  const { rows } = await tx.query<{ table: string; columns: string[]; refers_to: string[] }>({
    text: `select c.relname as table,
                  (select array_agg(a.attname::text order by a.attnum)
                     from pg_attribute a
                    where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns,
                  array(select distinct r.relname::text
                          from pg_constraint f
                          join pg_class r on r.oid = f.confrelid
                         where f.conrelid = c.oid and f.contype = 'f') as refers_to
             from pg_class c
            where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
              and c.relname <> 'schema_migrations'
            order by c.relname`,
  })
  const ours = tablesOfMigrations()
  const known = rows.filter(({ table }) => ours.has(table))
  const ordered = inLoadOrder(known.map((row) => ({ ...row, refersTo: row.refers_to })))
  return {
    tables: ordered.map(({ table, columns }) => ({ table, columns })),
    leftOut: rows.filter(({ table }) => !ours.has(table)).map(({ table }) => table),
  }
}

function tablesOfMigrations(): Set<string> {
  const statements = readMigrations().flatMap(({ sql }) => [...sql.matchAll(/^create table (\w+)/gm)])
  return new Set(statements.map(([, table]) => table as string))
}

async function readPartitions(tx: Queryable): Promise<Manifest['partitions']> {
  const bounds: Record<string, readonly Bounds[]> = {}
  for (const group of PARTITION_GROUPS) bounds[group.tables[0] ?? ''] = await listPartitions(tx, group)
  return bounds
}

// Backups of older schemas have less.
function has(schema: readonly AppliedMigration[], migration: string): boolean {
  return schema.some(({ name }) => name === migration)
}

async function readEnds(tx: Queryable, schema: readonly AppliedMigration[]): Promise<OrganizationEnds[]> {
  const { rows } = await tx.query<{ organization_id: string; last_event: string; head: string | null }>({
    text: `select o.organization_id, coalesce(c.last_sequence, 0)::text as last_event,
                  ${
                    has(schema, 'audit')
                      ? `(select concat(l.sequence, ':', encode(l.digest, 'hex'))
                            from audit_chain l
                           where l.organization_id = o.organization_id
                           order by l.sequence desc
                           limit 1)`
                      : 'null'
                  } as head
             from organizations o
             left join event_counters c on c.organization_id = o.organization_id
            order by o.organization_id`,
  })
  return rows.map((row) => ({
    organizationId: row.organization_id,
    lastEvent: Number(row.last_event),
    auditHead: row.head,
  }))
}

export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
