// The steps of a comparison, run up to one of them, and what that step left for one organization. A comparison is made for all
// organizations at once, in tables of its transaction, so each step is judged by the part that is one organization's.

import { endOfDay, startOfDay } from '../../src/core/bogota-day.ts'
import { firstIdAt } from '../../src/core/ids.ts'
import { DAY_MS, isoInstant } from '../../src/core/instant.ts'
import { transfer } from '../../src/core/ledger/bookings.ts'
import type { Db } from '../../src/store/db.ts'
import * as comparison from '../../src/store/ledger/comparison.ts'
import * as findings from '../../src/store/ledger/findings.ts'
import * as otherDays from '../../src/store/ledger/other-days.ts'
import { spreadComparison } from '../../src/store/ledger/spread-comparison.ts'
import { insertLines } from '../../src/store/ledger/statement-lines.ts'
import { postTransfers } from '../../src/store/ledger/transfers.ts'
import { citusUrl } from '../citus.ts'
import { DAY, IDS, LATER, lineOf, NEXT_DAY, STATEMENT, type Subjects, TWINS_CREATED_AT } from './twins.ts'

export const JUDGED = { ...STATEMENT, from: startOfDay(DAY), to: endOfDay(DAY) }
// The day without any booking of ours: what was booked was booked on another day.
const WITHOUT_BOOKINGS = { ...JUDGED, from: LATER, to: LATER }

// The steps of which a distributed PostgreSQL takes another form, in the form that the database takes.
export const comparing =
  citusUrl() === undefined ? { ...comparison, ...otherDays, ...findings } : spreadComparison

const STEPS = {
  collectLines: (db: Db) =>
    comparison.collectLines(db, JUDGED, [isoInstant(JUDGED.from), isoInstant(JUDGED.to)]),
  collectBookings: (db: Db) => comparison.collectBookings(db, JUDGED),
  matchLinesWithBookings: comparison.matchLinesWithBookings,
  describeLines: (db: Db) => comparing.describeLines(db, JUDGED),
  collectOtherDays: (db: Db) => comparing.collectOtherDays(db, JUDGED),
  takeBookingsOfOtherDays: (db: Db) => otherDays.takeBookingsOfOtherDays(db, JUDGED),
  markRepeated: (db: Db) => otherDays.markRepeated(db, JUDGED),
  takeLinesOfOtherDays: (db: Db) => otherDays.takeLinesOfOtherDays(db, JUDGED),
  compareWithPayouts: comparing.compareWithPayouts,
  classifyDisagreements: async (db: Db) => {
    await findings.classifyDisagreements(db, JUDGED)
    await comparing.markNewFindings(db, JUDGED)
  },
} as const
export type ComparisonStep = keyof typeof STEPS

// Runs the steps up to this one, without those that are named.
export async function compareUpTo(
  db: Db,
  last: ComparisonStep,
  without: readonly ComparisonStep[] = [],
): Promise<void> {
  await comparison.openComparison(db)
  for (const [name, step] of Object.entries(STEPS)) {
    if (without.includes(name as ComparisonStep)) {
      if (name === 'collectBookings') await comparison.collectBookings(db, WITHOUT_BOOKINGS)
    } else await step(db)
    if (name === last) return
  }
}

type ComparedTable =
  | 'compared_lines'
  | 'compared_bookings'
  | 'compared_totals'
  | 'disagreements'
  | 'keyed_bookings'
  | 'keyed_lines'
  | 'taken_bookings'
  | 'found'

export async function comparedRows(
  db: Db,
  { organizationId }: Pick<Subjects, 'organizationId'>,
  ...tables: ComparedTable[]
): Promise<string[]> {
  const rows: string[] = []
  for (const table of tables) {
    const found = await db.query<{ row: string }>({
      text: `select t::text as row from ${table} t where organization_id = $1`,
      values: [organizationId],
    })
    rows.push(...found.rows.map(({ row }) => `${table} ${row}`))
  }
  return rows
}

// Books the money that is in suspense, as its statement line wants it.
export function bookSuspense(db: Db, { organizationId, suspense }: Subjects): Promise<void> {
  const { amountInCents } = suspense
  const item = { organizationId, transferId: IDS.fresh, subjectId: IDS.suspense, amountInCents }
  return postTransfers(
    db,
    [{ ...transfer('money in suspense', 'BRE_B', item), createdAt: TWINS_CREATED_AT }],
    1,
  )
}

// The payin that was confirmed is booked on the next day, which lists it too.
export async function listPaidOnNextDay(db: Db, { organizationId, payin }: Subjects): Promise<void> {
  await db.query({
    text: 'update ledger_transfers set transfer_id = $3 where organization_id = $1 and transfer_id = $2',
    values: [organizationId, IDS.confirmation, firstIdAt(TWINS_CREATED_AT + DAY_MS)],
  })
  const line = lineOf(organizationId, 1, { amountInCents: payin.amountInCents })
  await insertLines(db, { ...STATEMENT, day: NEXT_DAY }, [line, line])
}

// What a judged comparison writes, for one organization alone.
export async function judgedAlone(db: Db, { organizationId }: Subjects): Promise<void> {
  await compareUpTo(db, 'classifyDisagreements', ['takeLinesOfOtherDays'])
  await db.query({ text: 'delete from found where organization_id <> $1', values: [organizationId] })
}

// The database makes the ids of findings and alarms by chance. Here they follow from what the rows say.
export async function withKnownIds(db: Db, { organizationId }: Subjects): Promise<void> {
  for (const text of [
    `update reconciliation_findings f set alarm_id = md5(a.detail)::uuid from alarms a
      where f.organization_id = $1 and a.organization_id = $1 and a.alarm_id = f.alarm_id`,
    `update alarms set alarm_id = md5(detail)::uuid where organization_id = $1`,
    `update reconciliation_findings set finding_id = md5(kind || line_key)::uuid where organization_id = $1`,
  ])
    await db.query({ text, values: [organizationId] })
}
