// recaudo migrate --plan: what a migration would do, whom it would stop and about for how long, before anybody runs it.

import type { Db } from '../store/db.ts'
import { STOPS } from '../store/migration-locks.ts'
import { planMigrations } from '../store/migration-plan.ts'
import type { Row } from './flags.ts'

const SHOWN_CHARACTERS = 70

// One row for each lock, or for a statement that locks nothing that is there already.
export async function showPlan(db: Db): Promise<Row[]> {
  return (await planMigrations(db)).flatMap(({ migration, statement, isOnline, locks }): Row[] => {
    const shown =
      statement.length > SHOWN_CHARACTERS ? `${statement.slice(0, SHOWN_CHARACTERS - 1)}…` : statement
    const what = { migration, runs: isOnline ? 'online' : 'in one transaction', statement: shown }
    const none = { table: null, lock: null, stops: 'nobody', takes: 'a moment', rows: null, seconds: 0 }
    if (locks.length === 0) return [{ ...what, ...none }]
    return locks.map(({ table, mode, work, rows, seconds }) => ({
      ...what,
      table,
      lock: mode,
      stops: STOPS[mode],
      takes: work,
      rows,
      seconds,
    }))
  })
}
