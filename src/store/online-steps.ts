// The part of a migration that takes as long as there are rows: checks of what is stored, indexes, changes of rows in batches. It runs
// beside the service and stops nobody. Each statement is run by itself, and `schema_migrations` says how many are left.

import type { Db, Queryable } from './db.ts'
import { lockTables, patiently } from './patient-locks.ts'
import { lockSchemaForSession, withSchemaLock } from './schema-lock.ts'

// Each statement is noted, so what is interrupted goes on with the statement that it was at. True if this ran the last one: several
// processes may migrate at once.
export async function applyOnline(
  db: Db,
  version: number,
  online: readonly string[],
  patienceMs: number,
): Promise<boolean> {
  for (let endedIt = false; ; ) {
    const left = online.length === 0 ? 0 : await stepsLeft(db, version)
    const text = online[online.length - left]
    if (text === undefined) return endedIt
    const step = { version, left, text }
    const isNoted = await patiently(db, [text], patienceMs, () =>
      isConcurrent(text)
        ? db.onOneConnection((session) => applyConcurrently(session, step))
        : withSchemaLock(db, (tx) => applyStep(tx, step), { timeoutMs: 0 }),
    )
    endedIt = isNoted && left === 1
  }
}

export async function applyInTransaction(tx: Queryable, text: string): Promise<void> {
  const statement = text.replace(/\bindex concurrently\b/, 'index')
  while (((await tx.query({ text: statement })).rowCount ?? 0) > 0 && isRepeated(text)) {}
}

type Step = { version: number; left: number; text: string }

// True if it is done now. False if another has done it meanwhile, or if there may be more rows.
async function applyStep(tx: Queryable, { version, left, text }: Step): Promise<boolean> {
  if ((await stepsLeft(tx, version)) !== left) return false
  await lockTables(tx, [text])
  const { rowCount } = await tx.query({ text })
  const isDone = !isRepeated(text) || rowCount === 0
  if (isDone) await noteStep(tx, version)
  return isDone
}

// Such a statement is no transaction: it may have been done and not noted, or have left an index that is not whole.
async function applyConcurrently(session: Queryable, { version, left, text }: Step): Promise<boolean> {
  await lockSchemaForSession(session, Number.POSITIVE_INFINITY)
  if ((await stepsLeft(session, version)) !== left) return false
  // It waits for transactions that are under way, and nobody waits behind it.
  await session.query({ text: 'set lock_timeout = 0' })
  const [, verb, index = ''] = CONCURRENT.exec(text.trim()) ?? []
  const { rows } = await session.query<{ whole: boolean }>({
    text: 'select indisvalid as whole from pg_index where indexrelid = to_regclass($1)',
    values: [index],
  })
  const [found] = rows
  if (verb === 'create' && found?.whole === false)
    await session.query({ text: `drop index concurrently ${index}` })
  // One that is half dropped is there, and every write keeps it.
  if (verb === 'create' ? found?.whole !== true : found !== undefined) await session.query({ text })
  await noteStep(session, version)
  return true
}

async function stepsLeft(db: Queryable, version: number): Promise<number> {
  const { rows } = await db.query<{ steps_left: number }>({
    text: 'select steps_left from schema_migrations where version = $1',
    values: [version],
  })
  return rows[0]?.steps_left ?? 0
}

async function noteStep(db: Queryable, version: number): Promise<void> {
  await db.query({
    text: 'update schema_migrations set steps_left = steps_left - 1 where version = $1',
    values: [version],
  })
}

const CONCURRENT = /^(create|drop)(?: unique)? index concurrently (\w+)/

function isConcurrent(statement: string): boolean {
  return CONCURRENT.test(statement.trim())
}

// Batch by batch, until no row is left that it changes.
export function isRepeated(statement: string): boolean {
  return /^(?:update|delete|with)\b/.test(statement.trim())
}
