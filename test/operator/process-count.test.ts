// How many processes run: what the command line may say, and what the server's connections allow.

import assert from 'node:assert/strict'
import { availableParallelism } from 'node:os'
import { describe, it } from 'node:test'
import { processesThatFit, readProcesses } from '../../src/operator/processes/process-count.ts'
import type { Db } from '../../src/store/db.ts'

const CORES = availableParallelism()

// A server that allows so many connections.
function serverWith(max: number) {
  const db = { query: async () => ({ rows: [{ max, reserved: 3 }] }) } as unknown as Db
  return { db, description: 'PostgreSQL at db/shop' }
}

describe('the number of processes', () => {
  it('is one unless something else is said', () => {
    assert.equal(readProcesses(undefined), 1)
    assert.equal(readProcesses('4'), 4)
    assert.equal(readProcesses('auto'), CORES === 1 ? 1 : 'auto')
  })

  it('is what was asked for, up to the last connection', async () => {
    const exactly = 4 * (10 + 1) + 3 + 3
    const { count } = await processesThatFit(4, { databasePool: 10 }, serverWith(exactly))
    assert.equal(count, 4)
    await assert.rejects(processesThatFit(4, { databasePool: 10 }, serverWith(exactly - 1)), {
      message:
        '4 processes need 47 connections (each 10 by DATABASE_POOL and one for signals, and 3 for the parent); the PostgreSQL at db/shop allows 46 (max_connections is 49, of which 3 are reserved). Lower --processes to 3 or DATABASE_POOL to 9, or raise max_connections to 50.',
    })
  })

  it('is what the connections allow where it is left to us', async () => {
    const few = await processesThatFit('auto', { databasePool: 10 }, serverWith(17))
    assert.equal(few.count, 1)
    const many = await processesThatFit('auto', { databasePool: 10 }, serverWith(10_000))
    assert.deepEqual(many, { count: CORES, description: `${CORES}, with 10 connections each` })
  })

  it('names no remedy that does not help', async () => {
    await assert.rejects(processesThatFit('auto', { databasePool: 10 }, serverWith(8)), {
      message: /allows 5 \(max_connections is 8, of which 3 are reserved\)\. Raise max_connections to 17\.$/,
    })
  })
})
