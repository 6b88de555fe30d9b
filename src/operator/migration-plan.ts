// recaudo migrate --plan: what a migration would do and whom it would stop, before anybody runs it.

import type { Db } from '../store/db.ts'
import { STOPS } from '../store/migration-locks.ts'
import { planMigrations } from '../store/migration-plan.ts'
import type { Row } from './flags.ts'

const SHOWN_CHARACTERS = 70

// One row for each lock, or for a statement that locks nothing that is there already.
export async function showPlan(db: Db): Promise<Row[]> {
  return (await planMigrations(db)).flatMap(({ migration, statement, locks }): Row[] => {
    const shown =
      statement.length > SHOWN_CHARACTERS ? `${statement.slice(0, SHOWN_CHARACTERS - 1)}…` : statement
    const none = { table: null, lock: null, stops: 'nobody', takes: 'a moment', rows: null }
    if (locks.length === 0) return [{ migration, statement: shown, ...none }]
    return locks.map(({ table, mode, work, rows }) => ({
      migration,
      statement: shown,
      table,
      lock: mode,
      stops: STOPS[mode],
      takes: work,
      rows,
    }))
  })
}
