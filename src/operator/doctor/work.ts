// Whether the workers keep up: each queue, each loop by what it leaves behind, and rows that nobody will finish.

import type { Config } from '../../config.ts'
import { endOfDay } from '../../core/bogota-day.ts'
import type { Instant } from '../../core/instant.ts'
import type { Db } from '../../store/db.ts'
import {
  DUE_QUEUES,
  MAX_COUNTED_ROWS,
  openAlarmCount,
  overdueIn,
  STUCK_KINDS,
  type StuckKind,
  stuckRows,
  untoldAlarms,
} from '../../store/doctor/overdue-work.ts'
import { invalidIndexes } from '../../store/doctor/server-state.ts'
import { earliestUnsequenced } from '../../store/events/events.ts'
import { lastReconciledDays } from '../../store/ledger/statement-runs.ts'
import { PARTITION_GROUPS, partitionsMissing } from '../../store/partitions.ts'
import { type DoctorFinding, type DoctorLimits, durationText, note, ok, problem } from './finding.ts'

type Settings = Pick<Config, 'smtp' | 'installationRails'>

export async function examineWork(
  db: Db,
  settings: Settings,
  now: Instant,
  limits: DoctorLimits,
): Promise<DoctorFinding[]> {
  const findings = [
    ...(await examineQueues(db, settings, now, limits)),
    ...(await examineLoops(db, settings, now, limits)),
    ...(await examineRows(db, now, limits)),
  ]
  return findings
}

const KEEP_UP =
  'is a process with workers running (`recaudo start`, or `start --workers`)? Its log names what fails (`"job failed"`); if nothing fails, it falls behind: give it more processes or connections'

// Mails wait where none are sent.
const MAILS: readonly string[] = ['receipt_mails', 'invitations']
const WEBHOOKS: readonly string[] = ['deliveries', 'first_attempt_batches']

async function examineQueues(
  db: Db,
  { smtp }: Settings,
  now: Instant,
  limits: DoctorLimits,
): Promise<DoctorFinding[]> {
  const findings: DoctorFinding[] = []
  for (const queue of DUE_QUEUES) {
    if (smtp === null && MAILS.includes(queue)) continue
    const isWebhooks = WEBHOOKS.includes(queue)
    const limitMs =
      queue === 'closing_marks' ? limits.hourlyMs : isWebhooks ? limits.deliveryOverdueMs : limits.overdueMs
    const overdue = await overdueIn(db, queue, now - limitMs)
    if (overdue === null) continue
    const { rows, taken, oldestDueAt } = overdue
    findings.push(
      problem(
        `queue ${queue}`,
        `${counted(rows)} overdue, the oldest for ${durationText(now - oldestDueAt)}${taken === 0 ? '' : `; ${counted(taken)} of them were taken by a worker that did not come back`}`,
        isWebhooks
          ? `\`recaudo webhooks backlog\` shows whose endpoints are slow. If all are, ${KEEP_UP}`
          : KEEP_UP,
      ),
    )
  }
  const unsequenced = await earliestUnsequenced(db, true)
  if (unsequenced !== null && now - unsequenced > limits.overdueMs)
    findings.push(
      problem(
        'queue events',
        `an event has had no number for ${durationText(now - unsequenced)}: no webhook of its organization is sent`,
        `${KEEP_UP}. A transaction that holds its organization’s counter stops it too: \`table pg_locks\` shows who waits`,
      ),
    )
  return findings.length > 0 ? findings : [ok('queues', `all ${DUE_QUEUES.length + 1} keep up`)]
}

async function examineLoops(
  db: Db,
  { installationRails }: Settings,
  now: Instant,
  limits: DoctorLimits,
): Promise<DoctorFinding[]> {
  const findings: DoctorFinding[] = []
  // Those that were missing hours ago already: the loop runs every hour.
  for (const group of PARTITION_GROUPS)
    if ((await partitionsMissing(db, group, now - limits.hourlyMs)) > 0)
      findings.push(
        problem(
          `partitions of ${group.tables.join(', ')}`,
          'none are made ahead: new rows gather in the default one, and old ones do not leave',
          'run `recaudo partitions` as the tables’ owner, by the hour if the service is not their owner; otherwise its log names what fails (`"job":"retention"`)',
        ),
      )
  for (const { rail, day } of await lastReconciledDays(db))
    if (installationRails.includes(rail) && now - endOfDay(day) > limits.reconciledMs)
      findings.push(
        problem(
          `reconciliation of ${rail}`,
          `the last day that was compared is ${day}`,
          '`recaudo reconcile list` shows the day that waits and why; `recaudo reconcile --day …` tries it now',
        ),
      )
  const untold = await untoldAlarms(db, now - limits.deliveryOverdueMs)
  if (untold > 0) findings.push(problem('alarms', `${counted(untold)} were told to nobody`, KEEP_UP))
  return findings.length > 0
    ? findings
    : [ok('loops', 'partitions, reconciliation and alarms are up to date')]
}

const HELD_BACK = {
  text: 'they wait since a restore, because they may have been paid already',
  remedy: () =>
    '`recaudo backup held` shows what to look for at the network; `recaudo backup release …` lets go what it has not paid',
}

const OF_ROWS: Readonly<Record<StuckKind, { text: string; remedy: (example: string) => string }>> = {
  'unknown payouts': {
    text: 'the network has not said what became of them',
    remedy: (id) =>
      `\`recaudo exchange list ${id}\` shows what was said; ask the network by that reference. The money stays reserved, and is never sent again by itself: do not send it by another way`,
  },
  'contradicted payouts': {
    text: 'the network contradicted itself',
    remedy: (id) =>
      `\`recaudo alarm list\` and \`recaudo exchange list ${id}\` show how; a person must ask the network`,
  },
  'forgotten payouts': {
    text: 'nothing is due for them, so nobody will finish them',
    remedy: (id) => `this is a fault: keep the rows, and report it with \`recaudo exchange list ${id}\``,
  },
  'unended payins': {
    text: 'they expired and are still open',
    remedy: (id) =>
      `\`recaudo exchange list ${id}\` shows what the network answers; the log of the workers, what fails`,
  },
  'forgotten payins': {
    text: 'nothing is due for them, so nobody will finish them',
    remedy: (id) => `this is a fault: keep the rows, and report it with \`recaudo exchange list ${id}\``,
  },
  'unknown refunds': {
    text: 'the network has not said what became of them',
    remedy: (id) => `\`recaudo exchange list ${id}\` shows what was said; ask the network by that reference`,
  },
  'forgotten batches': {
    text: 'nothing is due for them, so nobody will finish them',
    remedy: (id) => `this is a fault: keep the rows, and report it with the id ${id}`,
  },
  'batches held back': HELD_BACK,
  'refunds held back': HELD_BACK,
  'payouts held back': HELD_BACK,
  'approvals that should have lapsed': { text: 'their time is over', remedy: () => KEEP_UP },
}

async function examineRows(db: Db, now: Instant, limits: DoctorLimits): Promise<DoctorFinding[]> {
  const findings: DoctorFinding[] = []
  for (const kind of STUCK_KINDS) {
    // A payin whose network is silent is asked about for an hour after its expiry.
    const stuck = await stuckRows(db, kind, now - limits.stuckMs * (kind === 'unended payins' ? 2 : 1))
    if (stuck === null) continue
    const { text, remedy } = OF_ROWS[kind]
    findings.push(
      problem(kind, `${counted(stuck.rows)}, such as ${stuck.example}: ${text}`, remedy(stuck.example)),
    )
  }
  const indexes = await invalidIndexes(db)
  if (indexes.length > 0)
    findings.push(
      problem(
        'indexes',
        `${indexes.join(', ')} cannot be used: a migration was interrupted, or runs now`,
        'if none runs, `drop index concurrently …` as the owner and run `recaudo migrate` again',
      ),
    )
  if (findings.length === 0) findings.push(ok('rows', 'none is stuck'))
  const alarms = await openAlarmCount(db)
  if (alarms > 0)
    findings.push(
      note('open alarms', counted(alarms), '`recaudo alarm list` shows what a person must look at'),
    )
  return findings
}

function counted(rows: number): string {
  return rows >= MAX_COUNTED_ROWS ? `${MAX_COUNTED_ROWS} or more` : `${rows}`
}
