// Whether we are on the primary, whether its standbys follow, and what keeps its log.

import type { Config } from '../../config.ts'
import { readDatabaseUrl } from '../../store/database-url.ts'
import { type Db, openDb } from '../../store/db.ts'
import { readReplication, readSettings, type Slot, type Standby } from '../../store/doctor/server-state.ts'
import {
  type DoctorFinding,
  type DoctorLimits,
  durationText,
  note,
  ok,
  problem,
  sizeText,
} from './finding.ts'

export async function examineReplication(
  db: Db,
  { databaseUrl, environment }: Pick<Config, 'databaseUrl' | 'environment'>,
  limits: DoctorLimits,
): Promise<DoctorFinding[]> {
  const { isStandby, standbys, slots, archiving } = await readReplication(db)
  const names = (await readSettings(db, ['synchronous_standby_names'])).get('synchronous_standby_names') ?? ''
  return [
    isStandby
      ? problem(
          'primary',
          'the database is a standby, which takes no writes',
          'name the primary in DATABASE_URL, or all servers with target_session_attrs=read-write; if the primary is gone, promote this one: `select pg_promote()`',
        )
      : ok('primary', 'the database takes writes'),
    ...(databaseUrl === null ? [] : await examineServers(databaseUrl)),
    ...examineStandbys(standbys, names, environment, limits),
    ...slots.map(examineSlot),
    ...(archiving === null
      ? []
      : [
          problem(
            'archive',
            `the log cannot be archived for ${durationText(archiving.failingMs)} (${archiving.file}): it fills the disk, and a restore to a point in time ends there`,
            'PostgreSQL’s own log says why archive_command fails: often the place is full, or its rights were changed',
          ),
        ]),
  ]
}

// Where the address names several, each is asked by itself: a standby that is gone is noticed before it is needed.
async function examineServers(url: string): Promise<DoctorFinding[]> {
  const read = readDatabaseUrl(url)
  if ('mistake' in read || read.servers.length < 2) return []
  const asked = await Promise.all(
    read.servers.map(async ({ name, url: own }) => {
      const db = openDb({ url: own, poolSize: 1 })
      try {
        return { name, isStandby: (await readReplication(db)).isStandby }
      } catch (error) {
        return { name, failure: (error as Error).message || 'it does not answer' }
      } finally {
        await db.close()
      }
    }),
  )
  const primaries = asked.filter(({ isStandby }) => isStandby === false).map(({ name }) => name)
  return [
    ...asked.map(({ name, isStandby, failure }) =>
      failure === undefined
        ? ok(`server ${name}`, isStandby ? 'a standby' : 'takes writes')
        : problem(
            `server ${name}`,
            `cannot be used: ${failure}`,
            'start it or take it out of DATABASE_URL: until then there is one server less to go on with',
          ),
    ),
    ...(primaries.length > 1
      ? [
          problem(
            'servers',
            `${primaries.join(' and ')} both take writes: some of what is written is missing on either`,
            'stop the service and the server that was the primary before, at once; compare them before either is used again',
          ),
        ]
      : []),
  ]
}

function examineStandbys(
  standbys: readonly Standby[],
  synchronousNames: string,
  environment: Config['environment'],
  limits: DoctorLimits,
): DoctorFinding[] {
  if (synchronousNames !== '' && !standbys.some(({ isSynchronous }) => isSynchronous))
    return [
      problem(
        'standbys',
        `every commit waits for a standby that is not connected (synchronous_standby_names is ${JSON.stringify(synchronousNames)})`,
        "bring the standby back; to go on without it, `alter system set synchronous_standby_names = ''; select pg_reload_conf();`, knowing that the next failure of the primary then loses what was answered",
      ),
    ]
  if (standbys.length === 0)
    return environment === 'production'
      ? [
          note(
            'standbys',
            'none',
            'if this machine fails, the service waits for a restore: docs/guides/en/deploying.md tells how a standby is added',
          ),
        ]
      : [ok('standbys', 'none')]
  return standbys.map(({ name, isSynchronous, lagBytes }) =>
    lagBytes > limits.standbyLagBytes
      ? problem(
          `standby ${name}`,
          `is ${sizeText(lagBytes)} of the log behind`,
          'look at its disk, its network and its long queries (`select now() - pg_last_xact_replay_timestamp()` there); until it has caught up, do not fail over to it',
        )
      : ok(
          `standby ${name}`,
          `${isSynchronous ? 'synchronous, ' : ''}${sizeText(lagBytes)} of the log behind`,
        ),
  )
}

function examineSlot({ name, isActive, isLost, keptBytes }: Slot): DoctorFinding {
  const about = `slot ${name}`
  if (isLost)
    return problem(
      about,
      'has lost its place in the log',
      `make its standby anew, after \`select pg_drop_replication_slot('${name}')\``,
    )
  if (!isActive)
    return problem(
      about,
      `nobody reads it, and ${sizeText(keptBytes)} of the log are kept for it, until the disk is full`,
      `bring back whoever reads it, or \`select pg_drop_replication_slot('${name}')\``,
    )
  return ok(about, `read, ${sizeText(keptBytes)} of the log kept`)
}
