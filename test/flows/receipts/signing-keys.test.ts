// The keys that sign receipts are read once a second, and at once again where that failed.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { it } from 'node:test'
import { createStatements } from '../../../src/flows/receipts/statements.ts'
import type { Db } from '../../../src/store/db.ts'

it('keys that could not be read are read again for the next receipt, and those that could are kept for a second', async () => {
  let now = 0
  let reads = 0
  let isAway = true
  const query = async () => {
    reads += 1
    if (isAway) throw new Error('away')
    return { rows: [] }
  }
  const { keys } = createStatements({
    db: { query } as unknown as Db,
    sealingKey: { current: randomBytes(32), accepted: [] },
    now: () => now,
  })
  await assert.rejects(keys(), /away/)
  isAway = false
  assert.deepEqual(await keys(), [])
  now = 999
  await Promise.all([keys(), keys()])
  assert.equal(reads, 2)
  now = 1_000
  await Promise.all([keys(), keys()])
  assert.equal(reads, 3)
})
