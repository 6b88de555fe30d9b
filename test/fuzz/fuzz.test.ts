// The service under generated requests: a short run of `npm run fuzz`, and that each thing it looks for is found where it is.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { randomFrom } from '../../fuzz/random.ts'
import { apiRequest } from '../../fuzz/service/api-requests.ts'
import { readDocument } from '../../fuzz/service/document.ts'
import { fuzz, growthIn } from '../../fuzz/service/fuzz.ts'
import type { FuzzedRequest } from '../../fuzz/service/fuzzed-request.ts'
import { faultOf } from '../../fuzz/service/invariants.ts'
import type { State } from '../../fuzz/service/server.ts'
import { startService } from '../../fuzz/service/service.ts'
import { type Merchant, newSubjects } from '../../fuzz/service/subjects.ts'
import { byDepth } from '../depth.ts'
import { createDatabase } from '../world.ts'

const REQUESTS = byDepth(1_000, 2_000)
const SEED = 20_261_116

describe('the service', () => {
  it('answers whatever it is sent as documented, to nobody but whom it concerns, and does not grow', async (t) => {
    const database = await createDatabase()
    try {
      await using service = await startService(database.url)
      const { sent, byStatus, failures } = await fuzz(service, {
        requests: REQUESTS,
        seed: SEED,
        // A busy machine is not a hanging service.
        limitMs: 20_000,
      })
      assert.deepEqual(failures, [])
      assert.ok(sent >= REQUESTS)
      t.diagnostic(
        `seed ${SEED}: ${Object.entries(byStatus)
          .map(([name, times]) => `${name}×${times}`)
          .join(', ')}`,
      )
      // Chance has met what it is meant to meet.
      for (const name of [
        'valid 200',
        'valid 201',
        'near-valid 400',
        'hostile 400',
        'page 200',
        'page 303',
        'notification 200',
        'notification 401',
        'unknown address 404',
        'raw bytes 400',
      ])
        assert.ok((byStatus[name] ?? 0) > 0, name)
    } finally {
      await database.drop()
    }
  })
})

const merchant = (canary: string): Merchant => ({ apiKey: 'k', canary, clientId: 'c', clientSecret: 's' })
const MERCHANTS = [merchant('canary-a'), merchant('canary-b')] as const
const document = readDocument()

describe('a fault', () => {
  const operation = document.operations.find(({ method, path }) => method === 'GET' && path === '/payins')
  assert.ok(operation !== undefined)
  const asked: FuzzedRequest = {
    kind: 'valid',
    merchant: 0,
    method: 'GET',
    path: '/payins',
    headers: {},
    body: undefined,
    operation,
  }
  const headers = { 'content-type': 'application/json' }
  const page = { data: [], page: { size: 0, hasMore: false, nextCursor: null } }
  const found = (status: number, body: unknown, request = asked): string | null =>
    faultOf(document, MERCHANTS, request, { status, headers, text: JSON.stringify(body) })

  it('is a 5xx, whichever', () => {
    for (const status of [500, 502, 503, 504]) assert.equal(found(status, {}), `status ${status}`)
  })

  it('is another merchant’s canary, or anybody’s before nobody', () => {
    assert.match(found(200, { ...page, a: 'canary-b' }) ?? '', /canary of merchant 1/)
    assert.match(found(200, { a: 'canary-a' }, { ...asked, merchant: null }) ?? '', /canary of merchant 0/)
  })

  it('is a status or a body that openapi.json does not document', () => {
    assert.equal(found(202, {}), 'status 202 is not documented')
    assert.match(found(200, { data: 'none' }) ?? '', /not as documented/)
    assert.match(found(401, { message: 'no' }) ?? '', /not as documented/)
    const { operation: _, ...unknown } = asked
    assert.match(found(404, { message: 'no' }, unknown) ?? '', /not a problem/)
  })

  it('is what shows our insides', () => {
    assert.equal(found(400, { detail: 'at readBody (server.ts:1)' }), 'the insides are shown')
  })

  it('is growth that nobody asked for, a logged error, or books that do not hold', () => {
    const calm: State = { heapBytes: 0, handles: 10, rows: 10, errors: [], ledgerFindings: [] }
    assert.deepEqual(growthIn(calm, { ...calm, rows: 12 }, 1), [])
    for (const [grown, said] of [
      [{ heapBytes: 100 * 1024 ** 2 }, /heap/],
      [{ handles: 500 }, /handles/],
      [{ rows: 13 }, /rows/],
      [{ errors: ['{"msg":"x"}'] }, /logged/],
      [{ ledgerFindings: [{}] }, /books/],
    ] as const)
      assert.match(growthIn(calm, { ...calm, ...grown }, 1).join(), said)
  })
})

describe('generated requests', () => {
  it('are the same for the same seed, and reach every operation', () => {
    const draw = (seed: number): string[] => {
      const random = randomFrom(seed)
      const subjects = newSubjects(MERCHANTS)
      return Array.from({ length: 12 * document.operations.length }, () => {
        const { method, operation } = apiRequest(random, document, subjects, 'near-valid')
        return `${method} ${operation?.path}`
      })
    }
    assert.deepEqual(draw(3), draw(3))
    assert.notDeepEqual(draw(3), draw(4))
    assert.equal(new Set(draw(3)).size, document.operations.length)
  })

  it('call nobody outside, and do not move the clock', () => {
    const random = randomFrom(5)
    const subjects = newSubjects(MERCHANTS)
    for (let drawn = 0; drawn < byDepth(5_000, 20_000); drawn += 1) {
      const { operation, body } = apiRequest(
        random,
        document,
        subjects,
        random.pick(['valid', 'near-valid', 'hostile']),
      )
      const text = body?.toString() ?? ''
      if (operation?.path.startsWith('/webhook-endpoints'))
        for (const [, host] of text.matchAll(/"url":"https?:\/\/([^:/"]*)/g))
          assert.ok(['localhost', '[', ''].includes(host as string), text)
      if (operation?.path === '/sandbox/clock/advance')
        assert.doesNotMatch(text, /"seconds":\s*[1-9]\d+\b(?!e)/)
    }
  })
})
