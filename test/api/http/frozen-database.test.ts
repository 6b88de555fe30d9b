// A database that hangs: every caller learns so soon, nothing is sent twice, and all goes on once it answers again.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import { CONNECT_TIMEOUT_MS, STATEMENT_TIMEOUT_MS } from '../../../src/store/db.ts'
import { freezableDatabase } from '../../frozen-database.ts'
import { brebPayin, createWorld } from '../../world.ts'
import { newPayout } from './calls.ts'
import { assertProblem } from './problem.ts'

// A statement has 2.8 s. Whoever asked twice, or one by one for ten callers, would need at least twice that.
const TWO_LIMITS_MS = 5_600

describe('a database that does not answer', () => {
  it('keeps nobody waiting: each gets 503 after one limit, and all goes on when it answers again', async () => {
    await using database = freezableDatabase()
    await using world = await createWorld({
      databaseVia: database.via,
      statementTimeoutMs: STATEMENT_TIMEOUT_MS,
      connectTimeoutMs: CONNECT_TIMEOUT_MS,
    })
    const { json: payin } = await world.client('POST', '/payins', brebPayin())
    // Connections that are open: a new one would stand still before it could send anything.
    await Promise.all(Array.from({ length: 30 }, () => world.client('GET', '/payins')))
    database.freeze()
    const frozenAt = performance.now()
    const bodies = Array.from({ length: 10 }, () => brebPayin())
    const answers = await Promise.all([
      ...bodies.map((body) => world.client('POST', '/payins', body)),
      world.client('GET', `/payins/${payin.id}`),
      world.client('GET', '/payins'),
      world.client('POST', `/payins/${payin.id}/cancel`),
      world.client('POST', '/payouts', newPayout(), { 'idempotency-key': randomUUID() }),
      world.client('GET', '/balance'),
    ])
    const waitedMs = performance.now() - frozenAt
    database.thaw()
    for (const answer of answers) assertProblem(answer, 'STORE_UNAVAILABLE')
    assert.ok(waitedMs < TWO_LIMITS_MS, `the last of them waited ${waitedMs} ms`)
    const again = await Promise.all(bodies.map((body) => world.client('POST', '/payins', body)))
    // What was on its way may have been written: then the reference is taken, and nothing is there twice.
    for (const { status } of again) assert.ok([201, 409].includes(status), String(status))
    const { json: listed } = await world.client('GET', '/payins?limit=100')
    const references = listed.data.map(({ reference }: { reference: string }) => reference)
    assert.equal(new Set(references).size, references.length)
    for (const { reference } of bodies) assert.ok(references.includes(reference))
  })
})
