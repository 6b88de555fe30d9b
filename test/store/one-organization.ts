// A database in which one organization has rows in every table, and what is read from it after changes that are undone again.

import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { type Db, openDb } from '../../src/store/db.ts'
import { createDatabase } from '../world.ts'
import { undone } from './rows.ts'
import { insertTwin, type Subjects } from './twins.ts'

export const ORGANIZATION_ID = '01900000-0000-7000-8000-000000000001'

export type OneOrganizationDatabase = {
  readonly subjects: () => Subjects
  // Each change must change something. They are undone after the reading.
  readonly readAfter: <Answer>(
    changes: readonly string[],
    read: (tx: Db) => Promise<Answer>,
  ) => Promise<Answer>
}

// Opened before the tests of a suite and dropped after them.
export function openOneOrganizationDatabase(): OneOrganizationDatabase {
  let db: Db
  let drop: () => Promise<void>
  let subjects: Subjects
  before(async () => {
    const database = await createDatabase()
    drop = database.drop
    db = openDb({ url: database.url, poolSize: 1 })
    subjects = await insertTwin(db, 1, ORGANIZATION_ID)
  })
  after(async () => {
    await db.close()
    await drop()
  })
  return {
    subjects: () => subjects,
    readAfter: (changes, read) =>
      undone(db, async (tx) => {
        for (const text of changes) {
          const { rowCount } = await tx.query({ text })
          assert.ok((rowCount ?? 0) > 0, `rows are changed: ${text}`)
        }
        return read(tx)
      }),
  }
}
