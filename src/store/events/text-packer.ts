// Which texts are stored packed (core/events/packed-text.ts). Versions before 0058 read texts as they are, so nothing is packed in a database
// that one of them may still use: one that stands at 0058, where it was upgraded while they ran. From 0059 on they are not let in.

import { packText } from '../../core/events/packed-text.ts'
import { databaseOf, type Queryable } from '../db.ts'

export type TextPacker = (text: string) => string

const known = new WeakMap<Queryable, TextPacker>()

// A process asks the database once: versions that were refused stay refused. A transaction asks by itself, because it may have the last
// connection.
export async function textPacker(queryable: Queryable): Promise<TextPacker> {
  const db = databaseOf(queryable)
  const found = known.get(db)
  if (found !== undefined) return found
  const schema = await oldestReader(queryable)
  const packer: TextPacker = (text) => packText(text, schema)
  known.set(db, packer)
  return packer
}

// The oldest schema whose code is let in (migrate.ts, assertKnown).
async function oldestReader(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ schema: number }>({
    text: 'select max(coalesce(works_with, version)) as schema from schema_migrations',
  })
  return rows[0]?.schema ?? 0
}
