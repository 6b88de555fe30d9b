// What a PostgreSQL says of itself, for an operator: its settings, connections, replication, sizes and clock. Everything is read,
// nothing is changed. What a role may not read is undefined, not an error.

import { type Queryable, sqlState } from '../db.ts'

const INSUFFICIENT_PRIVILEGE = '42501'

// By names in lower case, in their base units, as this session has them. A setting that this role may not see is not there.
export async function readSettings(
  db: Queryable,
  names: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const result = await db.query<{ name: string; setting: string }>({
    text: 'select lower(name) as name, setting from pg_settings where lower(name) = any($1)',
    values: [names],
  })
  return new Map(result.rows.map(({ name, setting }) => [name, setting]))
}

export type ServerActivity = {
  readonly connections: number
  readonly oldestTransactionMs: number
  // False: this role sees only its own.
  readonly seesAllTransactions: boolean
  readonly oldestPreparedMs: number
  // Transactions since the oldest row that was not frozen. At two thousand million PostgreSQL takes no more writes.
  readonly transactionAge: number
  readonly serverTimeMs: number
}

export async function readActivity(db: Queryable): Promise<ServerActivity> {
  const result = await db.query<ServerActivity>({
    text: `select (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as connections,
                  coalesce((select extract(epoch from max(clock_timestamp() - xact_start)) * 1000
                              from pg_stat_activity
                             where backend_type = 'client backend' and datname = current_database()
                               and pid <> pg_backend_pid()), 0)::float8 as "oldestTransactionMs",
                  pg_has_role(current_user, 'pg_read_all_stats', 'usage') as "seesAllTransactions",
                  coalesce((select extract(epoch from max(clock_timestamp() - prepared)) * 1000
                              from pg_prepared_xacts
                             where database = current_database()), 0)::float8 as "oldestPreparedMs",
                  (select age(datfrozenxid) from pg_database where datname = current_database()) as "transactionAge",
                  (extract(epoch from clock_timestamp()) * 1000)::float8 as "serverTimeMs"`,
  })
  return result.rows[0] as ServerActivity
}

export type Replication = {
  readonly isStandby: boolean
  readonly standbys: readonly Standby[]
  readonly slots: readonly Slot[]
  // The last file of the log could not be archived: its name, and for how long none could.
  readonly archiving: { readonly file: string; readonly failingMs: number } | null
}

export type Standby = {
  readonly name: string
  readonly isSynchronous: boolean
  readonly lagBytes: number
}

export type Slot = {
  readonly name: string
  readonly isActive: boolean
  // Of the log, kept for it.
  readonly keptBytes: number
  readonly isLost: boolean
}

export async function readReplication(db: Queryable): Promise<Replication> {
  const standby = await db.query<{ is_standby: boolean }>({
    text: 'select pg_is_in_recovery() as is_standby',
  })
  const isStandby = standby.rows[0]?.is_standby === true
  const end = isStandby ? 'pg_last_wal_replay_lsn()' : 'pg_current_wal_lsn()'
  const standbys = await db.query<Standby>({
    text: `select application_name as name, sync_state in ('sync', 'quorum') as "isSynchronous",
                  coalesce(pg_wal_lsn_diff(${end}, replay_lsn), 0)::float8 as "lagBytes"
             from pg_stat_replication
            where state is not null
            order by application_name`,
  })
  const slots = await db.query<Slot>({
    text: `select slot_name as name, active as "isActive", coalesce(wal_status = 'lost', false) as "isLost",
                  coalesce(pg_wal_lsn_diff(${end}, restart_lsn), 0)::float8 as "keptBytes"
             from pg_replication_slots
            order by slot_name`,
  })
  const archiver = await db.query<{ file: string; failing_ms: number }>({
    text: `select last_failed_wal as file,
                  (extract(epoch from clock_timestamp() - coalesce(last_archived_time, stats_reset, last_failed_time)) * 1000)::float8 as failing_ms
             from pg_stat_archiver
            where last_failed_time > coalesce(last_archived_time, '-infinity')`,
  })
  const [failing] = archiver.rows
  return {
    isStandby,
    standbys: standbys.rows,
    slots: slots.rows,
    archiving: failing === undefined ? null : { file: failing.file, failingMs: failing.failing_ms },
  }
}

export type Sizes = { readonly databaseBytes: number; readonly logBytes: number | undefined }

export async function readSizes(db: Queryable): Promise<Sizes> {
  const database = await db.query<{ bytes: number }>({
    text: 'select pg_database_size(current_database())::float8 as bytes',
  })
  return { databaseBytes: database.rows[0]?.bytes ?? 0, logBytes: await readLogBytes(db) }
}

async function readLogBytes(db: Queryable): Promise<number | undefined> {
  try {
    const log = await db.query<{ bytes: number }>({
      text: 'select coalesce(sum(size), 0)::float8 as bytes from pg_ls_waldir()',
    })
    return log.rows[0]?.bytes ?? 0
  } catch (error) {
    if (sqlState(error) === INSUFFICIENT_PRIVILEGE) return undefined
    throw error
  }
}

// One that a migration was building when it was interrupted, or is building now. Nobody uses it, and every write keeps it.
export async function invalidIndexes(db: Queryable): Promise<string[]> {
  const result = await db.query<{ name: string }>({
    text: `select c.relname as name
             from pg_index i
             join pg_class c on c.oid = i.indexrelid
             join pg_namespace n on n.oid = c.relnamespace
            where not i.indisvalid and n.nspname = current_schema()
            order by c.relname`,
  })
  return result.rows.map(({ name }) => name)
}
