// What is old leaves, hour by hour, and partitions are made for the time ahead (docs/guides/en/operating.md has the table). It
// costs so many statements, whatever the number of organizations. What fails is logged, and does not stop the rest.

import type { Logger } from 'pino'
import { bogotaDay } from '../core/bogota-day.ts'
import { isoInstant } from '../core/instant.ts'
import {
  daysBefore,
  INVITATION_DAYS,
  KEY_LOOKUP_DAYS,
  PAYOUT_USAGE_DAYS,
  REDELIVERY_DAYS,
  SESSION_DAYS,
  SIGN_IN_DAYS,
  STATEMENT_LINE_DAYS,
} from '../core/retention.ts'
import type { Needs } from '../flows/context.ts'
import { undeliveredBefore } from '../store/events/undelivered.ts'
import { RECORD_LIFE_MS } from '../store/idempotency.ts'
import { deleteOldRows, OLD_TABLES, type OldTable } from '../store/old-rows.ts'
import {
  addPartitions,
  dropOldestPartition,
  EVENT_PARTITIONS,
  EXCHANGE_PARTITIONS,
  PARTITION_GROUPS,
  type PartitionGroup,
  partitionsMissing,
} from '../store/partitions.ts'
import { eraseEarlierSecrets } from '../store/secrets.ts'
import { ownsTables } from '../store/service-role.ts'
import { errorSummary, type Loop, startLoop } from './loop.ts'

const REST_MS = 60 * 60_000
// A delete of so many rows takes a fraction of the time that a statement may take.
const ROWS_PER_DELETE = 5_000

type RetentionContext = Needs<'clock' | 'db' | 'settings'>

export function startRetention(ctx: RetentionContext, log: Logger): Loop {
  return startLoop({ name: 'retention', restMs: REST_MS, turn: () => applyRetention(ctx, log), log })
}

// Returns how much was done. There may be more to do.
export async function applyRetention(ctx: RetentionContext, log: Logger): Promise<number> {
  const steps = [
    ...PARTITION_GROUPS.map((group) => () => makeAhead(ctx, group, log)),
    ...OLD_TABLES.map((table) => () => deleteOld(ctx, table)),
    () => eraseEarlierSecrets(ctx.db, 'connections', ctx.clock.now()),
    () => eraseEarlierSecrets(ctx.db, 'webhook_endpoints', ctx.clock.now()),
    ...PARTITION_GROUPS.map((group) => () => dropOld(ctx, group, log)),
  ]
  let done = 0
  for (const step of steps) {
    try {
      done += await step()
    } catch (error) {
      log.error({ job: 'retention', error: errorSummary(error) }, 'job failed')
    }
  }
  return done
}

// For the tables' owner, where the service is not.
export async function keepPartitions(
  ctx: RetentionContext,
  group: PartitionGroup,
  log: Logger,
): Promise<number> {
  return (await makeAhead(ctx, group, log)) + (await dropOld(ctx, group, log))
}

async function makeAhead(ctx: RetentionContext, group: PartitionGroup, log: Logger): Promise<number> {
  if (!(await ownsTables(ctx.db))) {
    // Nothing is lost: rows without a partition are in the default one. But the owner should know in time.
    const missing = await partitionsMissing(ctx.db, group, ctx.clock.now())
    if (missing > 0)
      log.warn(
        { job: 'retention', tables: group.tables, missing },
        'partitions are missing; their owner makes them: recaudo partitions',
      )
    return 0
  }
  if (!(await addPartitions(ctx.db, group, ctx.clock.now()))) return 0
  const tables = group.tables.map((table) => `${table}_default`)
  log.warn({ job: 'retention', tables }, 'rows had no partition; the default one became theirs')
  return 1
}

const OLD_BEFORE: Readonly<Record<OldTable, (ctx: RetentionContext) => string>> = {
  idempotency_records: (ctx) => isoInstant(ctx.clock.now() - RECORD_LIFE_MS),
  rail_notices: (ctx) => dateBefore(ctx, ctx.settings.retention.notices),
  alarms: (ctx) => dateBefore(ctx, ctx.settings.retention.alarms),
  key_lookups: (ctx) => dateBefore(ctx, KEY_LOOKUP_DAYS),
  payout_usage: (ctx) => dayBefore(ctx, PAYOUT_USAGE_DAYS),
  redeliveries: (ctx) => dateBefore(ctx, REDELIVERY_DAYS),
  statement_lines: (ctx) => dayBefore(ctx, STATEMENT_LINE_DAYS),
  bookings_of_other_days: (ctx) => dayBefore(ctx, STATEMENT_LINE_DAYS),
  invitations: (ctx) => realDateBefore(ctx, INVITATION_DAYS),
  sessions: (ctx) => realDateBefore(ctx, SESSION_DAYS),
  sign_in_tokens: (ctx) => realDateBefore(ctx, SIGN_IN_DAYS),
  sign_in_failures: (ctx) => realDateBefore(ctx, SIGN_IN_DAYS),
}

export function deleteOld(ctx: RetentionContext, table: OldTable): Promise<number> {
  return deleteOldRows(ctx.db, table, OLD_BEFORE[table](ctx), ROWS_PER_DELETE)
}

function dateBefore(ctx: RetentionContext, days: number): string {
  return isoInstant(daysBefore(ctx.clock.now(), days))
}

// What people sign in with lives by real time: nobody is signed out because staging's clock was moved.
function realDateBefore(ctx: RetentionContext, days: number): string {
  return isoInstant(daysBefore(ctx.clock.wallClock(), days))
}

// Statements are of days in Bogotá.
function dayBefore(ctx: RetentionContext, days: number): string {
  return bogotaDay(daysBefore(ctx.clock.now(), days))
}

export async function dropOld(ctx: RetentionContext, group: PartitionGroup, log: Logger): Promise<number> {
  if (!(await ownsTables(ctx.db))) return 0
  const { events, exchanges, requests } = ctx.settings.retention
  const isOfEvents = group === EVENT_PARTITIONS
  const days = isOfEvents ? events : group === EXCHANGE_PARTITIONS ? exchanges : requests
  const before = daysBefore(ctx.clock.now(), days)
  const ended = await dropOldestPartition(ctx.db, group, before, isOfEvents ? undeliveredBefore : nobodyNeeds)
  if (ended === null) return 0
  if (ended.because === null) {
    log.info({ job: 'retention', partition: ended.partition }, 'an old partition was dropped')
    return 1
  }
  log.warn(
    { job: 'retention', partition: ended.partition, because: ended.because },
    'an old partition was not dropped',
  )
  return 0
}

const nobodyNeeds = async (): Promise<null> => null
