// Every operation that takes an Idempotency-Key: its first answer is kept and repeated, and what it did happens once. Old
// answers are deleted by the workers.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import pino from 'pino'
import { fingerprintOf } from '../../../src/api/http/idempotency.ts'
import { DAY_MS } from '../../../src/core/instant.ts'
import { createDeliveryWorkerOptions, startWorkers } from '../../../src/service.ts'
import { insertRecord, UNFINISHED_STATUS } from '../../../src/store/idempotency.ts'
import { brebPayin, createWorld, eventually, type World } from '../../world.ts'
import { exampleCall, MERCHANT_OPERATIONS } from './calls.ts'
import { assertProblem } from './problem.ts'

const IDEMPOTENT = MERCHANT_OPERATIONS.filter(({ idempotent }) => idempotent === true)

describe('an answer under an Idempotency-Key', () => {
  let world: World
  before(async () => {
    world = await createWorld()
  })
  after(() => world[Symbol.asyncDispose]())

  it('is kept by every operation that creates something or ends it', () => {
    // What only a person may do has no answer to keep for a key.
    const posts = MERCHANT_OPERATIONS.filter(
      ({ method, refusals }) => method === 'POST' && !refusals.includes('PERSON_REQUIRED'),
    ).map(({ operationId }) => operationId)
    assert.deepEqual(
      IDEMPOTENT.map(({ operationId }) => operationId).filter((id) => posts.includes(id)),
      posts,
    )
    assert.ok(IDEMPOTENT.length > 10)
  })

  for (const operation of IDEMPOTENT) {
    it(`of ${operation.operationId} is repeated, byte for byte, and kept from another request`, async () => {
      const { method, path, body } = await exampleCall(world, world.client, operation)
      const key = { 'idempotency-key': randomUUID() }
      const first = await world.client(method, path, body, key)
      assert.equal(first.status, operation.success.status, first.text)
      assert.equal(first.headers['idempotent-replayed'], undefined)
      const again = await world.client(method, path, body, key)
      assert.deepEqual(
        [again.status, again.text, again.headers['idempotent-replayed']],
        [first.status, first.text, 'true'],
      )
      const other = await world.client(method, `${path}?other=1`, { ...(body as object), other: 1 }, key)
      assertProblem(other, 'IDEMPOTENCY_KEY_REUSED')
    })
  }

  it('that nobody came back to finish is in use for half a minute, and then what it was', async () => {
    const { organizationId } = world.organization
    const body = brebPayin()
    const fingerprint = fingerprintOf('POST', '/payins', body)
    const begin = async (key: string, agoMs: number) => {
      const record = { key, fingerprint, status: UNFINISHED_STATUS, body: '{"id":"begun"}' }
      await insertRecord(world.db, organizationId, record, world.ctx.clock.now() - agoMs)
      return world.client('POST', '/payins', body, { 'idempotency-key': key })
    }
    assertProblem(await begin('begun-now', 0), 'IDEMPOTENCY_KEY_IN_USE')
    const left = await begin('begun-before', 30_000)
    assert.deepEqual([left.status, left.json], [201, { id: 'begun' }])
  })

  it('is deleted by the workers after thirty days, and not before', async () => {
    const { organizationId } = world.organization
    const now = world.ctx.clock.now()
    const ages = { young: 29 * DAY_MS, old: 31 * DAY_MS }
    for (const [key, ageMs] of Object.entries(ages))
      await insertRecord(
        world.db,
        organizationId,
        { key, fingerprint: Buffer.alloc(32), status: 200, body: '{}' },
        now - ageMs,
      )
    const delivering = createDeliveryWorkerOptions(world.config)
    const workers = startWorkers(world.ctx, pino({ level: 'silent' }), delivering)
    try {
      const kept = async () => {
        const { rows } = await world.db.query<{ key: string }>({
          text: `select idempotency_key as key from idempotency_records where idempotency_key in ('old', 'young')`,
        })
        return rows.map(({ key }) => key)
      }
      await eventually(kept, (keys) => !keys.includes('old'))
      assert.deepEqual(await kept(), ['young'])
    } finally {
      await workers.stop()
      await delivering.sender.close()
    }
  })

  it('is given to another key of the organization too, unless it holds a secret', async () => {
    const other = (await world.key(null)).client
    const asked: [path: string, body: unknown, again: number][] = [
      ['/payins', brebPayin(), 201],
      ['/webhook-endpoints', { url: 'https://shop.example/events' }, 422],
      ['/api-keys', { name: 'One', scopes: ['payins:read'] }, 422],
    ]
    for (const [path, body, again] of asked) {
      const headers = { 'idempotency-key': randomUUID() }
      const first = await world.client('POST', path, body, headers)
      const repeated = await other('POST', path, body, headers)
      assert.deepEqual([first.status, repeated.status], [201, again], path)
      assert.equal(repeated.text === first.text, again === 201)
    }
  })
})

describe('a request that comes again under its key', () => {
  const fingerprint = (...asked: Parameters<typeof fingerprintOf>) => fingerprintOf(...asked).toString('hex')

  it('is the same only with the same method, path, body and asker', () => {
    const same = fingerprint('POST', '/payins', { a: 1, b: 2 }, 'key one')
    assert.equal(fingerprint('POST', '/payins', { b: 2, a: 1 }, 'key one'), same)
    assert.equal(fingerprint('POST', '/payins', undefined), fingerprint('POST', '/payins', null, ''))
    const others = [
      fingerprint('PUT', '/payins', { a: 1, b: 2 }, 'key one'),
      fingerprint('POST', '/payouts', { a: 1, b: 2 }, 'key one'),
      fingerprint('POST', '/payins', { a: 1, b: 3 }, 'key one'),
      fingerprint('POST', '/payins', { a: 1, b: 2 }, 'key two'),
      fingerprint('POST', '/payins', { a: 1, b: 2 }),
    ]
    assert.equal(new Set([same, ...others]).size, 6)
  })
})
