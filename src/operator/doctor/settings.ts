// The settings of the database, those of our sessions on it, and what its connections are doing.

import type { Config } from '../../config.ts'
import { type Db, SESSION_SETTINGS } from '../../store/db.ts'
import { readConnectionLimit } from '../../store/doctor/connection-limit.ts'
import { readActivity, readSettings, type ServerActivity } from '../../store/doctor/server-state.ts'
import { CONNECTIONS_BESIDE_POOL } from '../processes/process-count.ts'
import { type DoctorFinding, type DoctorLimits, durationText, note, ok, problem } from './finding.ts'

// What must be on, and what happens if it is not.
const MUST_BE_ON = {
  fsync: 'a power cut loses or destroys what merchants were told is done',
  full_page_writes: 'a power cut may leave pages half written, beyond repair',
  autovacuum: 'what was deleted stays in every queue, which get slower until they stand still',
  track_counts: 'autovacuum does not learn what to clean up',
} as const

export async function examineSettings(
  db: Db,
  config: Pick<Config, 'databasePool'>,
  processes: number,
  limits: DoctorLimits,
): Promise<DoctorFinding[]> {
  const settings = await readSettings(db, [
    ...Object.keys(MUST_BE_ON),
    ...Object.keys(SESSION_SETTINGS),
    'default_transaction_read_only',
    'server_version',
    'server_encoding',
  ])
  const activity = await readActivity(db)
  return [
    ok('database', `PostgreSQL ${settings.get('server_version')}, ${settings.get('server_encoding')}`),
    ...Object.entries(MUST_BE_ON).map(([name, otherwise]) =>
      settings.get(name) === 'on'
        ? ok(name, 'on')
        : problem(
            name,
            `off: ${otherwise}`,
            `\`alter system set ${name} = on; select pg_reload_conf();\`, and look who set it: the command line wins over the files`,
          ),
    ),
    examineSession(settings),
    settings.get('default_transaction_read_only') === 'off'
      ? ok('writes', 'are taken')
      : problem(
          'writes',
          'are refused: default_transaction_read_only is on',
          '`alter database … reset default_transaction_read_only`, or of the role; managed databases set it when their disk is full',
        ),
    await examineConnections(db, config, processes, activity, limits),
    ...examineTransactions(activity, limits),
  ]
}

// An `options` in DATABASE_URL takes the place of ours, and a pooler may drop them.
function examineSession(settings: ReadonlyMap<string, string>): DoctorFinding {
  const others = Object.entries(SESSION_SETTINGS).filter(
    ([name, value]) => settings.get(name)?.toLowerCase() !== String(value).toLowerCase(),
  )
  if (others.length === 0)
    return ok('session', 'has the time limits, the durability and the time zone it asks for')
  return problem(
    'session',
    `does not get what it asks for: ${others.map(([name, value]) => `${name} is ${settings.get(name)}, not ${value}`).join('; ')}`,
    'take `options` out of DATABASE_URL; a pooler between must pass on what a session asks for when it begins (PgBouncer: pool_mode session, and `options` not in ignore_startup_parameters)',
  )
}

async function examineConnections(
  db: Db,
  { databasePool }: Pick<Config, 'databasePool'>,
  processes: number,
  { connections }: ServerActivity,
  limits: DoctorLimits,
): Promise<DoctorFinding> {
  const { max, reserved } = await readConnectionLimit(db)
  const allowed = max - reserved
  const needed = processes * (databasePool + CONNECTIONS_BESIDE_POOL)
  const text = `${connections} of ${allowed} are open; ${processes} ${processes === 1 ? 'process' : 'processes'} with DATABASE_POOL=${databasePool} may open ${needed}`
  if (needed > allowed)
    return problem(
      'connections',
      `${text}, more than there are`,
      `raise max_connections to ${needed + reserved}, or lower DATABASE_POOL`,
    )
  if (connections > allowed * limits.connectionShare)
    return note(
      'connections',
      `${text}: few are left`,
      '`table pg_stat_activity` shows whose they are; lower DATABASE_POOL, or raise max_connections',
    )
  return ok('connections', text)
}

function examineTransactions(
  { oldestTransactionMs, oldestPreparedMs, transactionAge, seesAllTransactions }: ServerActivity,
  limits: DoctorLimits,
): DoctorFinding[] {
  const findings: DoctorFinding[] = []
  if (oldestTransactionMs > limits.openTransactionMs)
    findings.push(
      problem(
        'transactions',
        `one has been open for ${durationText(oldestTransactionMs)}: what was deleted since cannot be cleaned up, and queues get slower`,
        '`table pg_stat_activity` names it, by its xact_start; `select pg_terminate_backend(pid)` ends it',
      ),
    )
  if (oldestPreparedMs > limits.openTransactionMs)
    findings.push(
      problem(
        'transactions',
        `a prepared one has waited for ${durationText(oldestPreparedMs)}, with all its locks`,
        '`table pg_prepared_xacts` names it; ask its owner, then `commit prepared` or `rollback prepared`. On Citus, `select recover_prepared_transactions()`',
      ),
    )
  if (transactionAge > limits.transactionAge)
    findings.push(
      problem(
        'transaction ids',
        `${transactionAge} since rows were last frozen; at 2,000,000,000 PostgreSQL takes no more writes`,
        'end old transactions and drop slots that nobody uses, then run `vacuum freeze` as the owner',
      ),
    )
  if (findings.length > 0) return findings
  const text = `the oldest is ${durationText(oldestTransactionMs)} old`
  return [
    seesAllTransactions
      ? ok('transactions', text)
      : note(
          'transactions',
          `${text}, of those that this role sees: its own`,
          '`grant pg_monitor to …` lets it see those of others; one that is left open slows every queue',
        ),
  ]
}
