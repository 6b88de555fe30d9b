// Statements that read every partition of a table: to plan one costs more than to run it, and PostgreSQL would plan it anew each
// time, in the hope of a better plan for the values at hand. There is none.

import type pg from 'pg'
import type { Db } from './db.ts'
import { isDistributed } from './distribute.ts'

const KEEP_THE_PLAN: pg.QueryConfig = {
  name: 'keep-the-plan',
  text: `select set_config('plan_cache_mode', 'force_generic_plan', true)`,
}

// For a statement with a name, under which its plan is kept. A distributed PostgreSQL has no plan that lasts.
export async function queryWithLastingPlan<Row extends pg.QueryResultRow>(
  db: Db,
  statement: pg.QueryConfig & { name: string },
): Promise<pg.QueryResult<Row>> {
  if (await isDistributed(db)) return db.query(statement)
  const results = await db.sendTransaction([KEEP_THE_PLAN, statement])
  return results[1] as pg.QueryResult<Row>
}
