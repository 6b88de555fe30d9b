// Of several days that wait for their statement, the oldest is taken first, one day by one process.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { openDb } from '../../../src/store/db.ts'
import { claimRun, insertRuns } from '../../../src/store/ledger/statement-runs.ts'
import { createDatabase } from '../../world.ts'

const NOW = Date.UTC(2026, 10, 16, 12)
const DAYS = ['2026-11-14', '2026-11-12', '2026-11-13', '2026-11-15']

describe('days whose statement is due', () => {
  it('are claimed from the oldest on, each once, and none before it is due', async () => {
    const database = await createDatabase()
    const db = openDb({ url: database.url, poolSize: 1 })
    try {
      const isDue = (day: string): boolean => day !== '2026-11-15'
      await insertRuns(
        db,
        'BRE_B',
        DAYS.map((day) => ({ day, dueAt: isDue(day) ? NOW : NOW + 1 })),
      )
      const claim = async (token: string) =>
        (await claimRun(db, ['BRE_B'], null, NOW, { token, until: NOW + 60_000 }))?.day
      const tokens = [1, 2, 3, 4].map((number) => `00000000-0000-7000-8000-00000000000${number}`)
      const claimed = []
      for (const token of tokens) claimed.push(await claim(token))
      assert.deepEqual(claimed, ['2026-11-12', '2026-11-13', '2026-11-14', undefined])
      const claimNamed = async (day: string) =>
        (await claimRun(db, ['BRE_B'], day, NOW + 1, { token: tokens[0] as string, until: NOW }))?.day
      assert.equal(await claimNamed('2026-11-10'), undefined, 'a day that is named, and no other')
      assert.equal(await claimNamed('2026-11-15'), '2026-11-15')
    } finally {
      await db.close()
      await database.drop()
    }
  })
})
