// recaudo doctor --operator: looks at all that the service stands on (the database and its settings, replication, disk, clock,
// certificates) and at what it does (queues, loops, rows that nobody finishes), and says what to do about each problem. It changes
// nothing. A part that cannot be looked at is told as such, and the others are looked at.

import type { Config } from '../../config.ts'
import type { Instant } from '../../core/instant.ts'
import type { Db } from '../../store/db.ts'
import { isMigrated, SchemaMismatch } from '../../store/migrate.ts'
import { missingRights } from '../../store/service-role.ts'
import { readClockOffset } from '../../store/staging-clock.ts'
import { type OpenDatabase, openForCommand } from '../database.ts'
import { OperatorFailure, USAGE_EXIT_CODE } from '../failure.ts'
import type { Flags } from '../flags.ts'
import { sayRights } from '../service-role.ts'
import { examineClock } from './clock.ts'
import type { Diagnosis } from './diagnosis.ts'
import { examineDisk } from './disk.ts'
import { DOCTOR_LIMITS, type DoctorFinding, type DoctorLimits, note, ok, problem } from './finding.ts'
import { examineReplication } from './replication.ts'
import { examineSettings } from './settings.ts'
import { examineTls } from './tls.ts'
import { examineWork } from './work.ts'

export async function diagnose(
  config: Config,
  flags: Flags = {},
  // Tests move them: a disk is not filled and a clock not moved for a test.
  { limits = DOCTOR_LIMITS, now = Date.now }: { limits?: DoctorLimits; now?: () => Instant } = {},
): Promise<Diagnosis> {
  const processes = readCount(flags.processes)
  const findings = [
    ...(await examineDatabase(config, processes, limits, now)),
    ...(await part('certificates', () => examineTls(config, now(), limits))),
  ]
  return { ok: findings.every(({ level }) => level !== 'problem'), findings }
}

async function examineDatabase(
  config: Config,
  processes: number,
  limits: DoctorLimits,
  now: () => Instant,
): Promise<DoctorFinding[]> {
  let database: OpenDatabase
  try {
    database = await openForCommand(config)
  } catch (error) {
    return [
      problem(
        'database',
        (error as Error).message,
        `put that right first: the rest can be looked at only then${config.databaseUrl === null ? '' : '. `psql` with the same address should answer `select 1`'}`,
      ),
    ]
  }
  const { db } = database
  try {
    return [
      ...(await part('settings', () => examineSettings(db, config, processes, limits))),
      ...(await part('replication', () => examineReplication(db, config, limits))),
      ...(await part('disk', () => examineDisk(db, config.databaseUrl, limits))),
      ...(await part('clock', () => examineClock(db, now, limits))),
      ...(await part('work', () => examineSchema(db, config, limits, now))),
    ]
  } finally {
    await database.close()
  }
}

// What is in the tables can be told only of tables that are known.
async function examineSchema(
  db: Db,
  config: Config,
  limits: DoctorLimits,
  now: () => Instant,
): Promise<DoctorFinding[]> {
  const missing = await missingRights(db)
  if (missing.some(({ right }) => right === 'select'))
    return [problem('rights', `this role may not ${sayRights(missing)}`, GRANT_AGAIN)]
  // Whoever may only read can look at everything, if the service runs as somebody else.
  const rights =
    missing.length === 0 ? [] : [note('rights', `this role may not ${sayRights(missing)}`, GRANT_AGAIN)]
  try {
    if (!(await isMigrated(db)))
      return [
        problem(
          'schema',
          'is not this version’s',
          '`recaudo migrate --plan` shows what is missing and whom it would stop; `recaudo migrate` brings it',
        ),
      ]
  } catch (error) {
    if (!(error instanceof SchemaMismatch)) throw error
    return [problem('schema', error.message, 'run the version that the schema is of; nothing was changed')]
  }
  // In staging, time is where it was moved to.
  const offsetMs = config.environment === 'staging' ? await readClockOffset(db) : 0
  return [
    ...rights,
    ok('schema', 'is this version’s'),
    ...(await examineWork(db, config, now() + offsetMs, limits)),
  ]
}

const GRANT_AGAIN =
  'if the service runs as it, `recaudo migrate --grant` with its name, as the tables’ owner, gives it what is missing. Until then the service waits'

async function part(about: string, examine: () => Promise<DoctorFinding[]>): Promise<DoctorFinding[]> {
  try {
    return await examine()
  } catch (error) {
    // Nobody knows whether it is well.
    return [
      problem(
        about,
        `could not be looked at: ${(error as Error).message}`,
        'run it as a role that may read this (the service’s own, or `grant pg_monitor to …`), or again when the database is less busy; if it times out again, `table pg_locks` shows who locks what',
      ),
    ]
  }
}

function readCount(value: Flags[string]): number {
  if (value === undefined) return 1
  if (typeof value === 'string' && /^[1-9]\d{0,3}$/.test(value)) return Number(value)
  throw new OperatorFailure(
    `--processes takes a whole number from 1 to 9999, not ${JSON.stringify(value)}.`,
    USAGE_EXIT_CODE,
  )
}
