// What a gateway makes of a network's answers: which are answers at all, which calls are repeated, when a network is left alone for a
// while, and what is told of our credentials. A real server answers as it is scripted.

import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { byHeaders } from '../../src/rails/authorization.ts'
import { type Connection, openConnection } from '../../src/rails/connection.ts'
import { type Call, gatewayOver } from '../../src/rails/gateway.ts'
import { LIMITS } from '../../src/rails/limits.ts'
import { type Answer, type FakeNetwork, openFakeNetwork } from './fake-network.ts'

const QUESTION: Call = {
  method: 'GET',
  resource: '/orders',
  id: 'P1',
  deadlineMs: 10_000,
  mayAskAgain: false,
}
const ORDER: Call = { ...QUESTION, method: 'PUT', body: { amount: '1.00' } }
// No answer in time.
const HASTY: Call = { ...QUESTION, deadlineMs: 20 }

describe('a gateway', () => {
  let network: FakeNetwork
  let connection: Connection
  let told: (string | null)[] = []
  let unsent: string[] = []
  before(async () => {
    network = await openFakeNetwork()
  })
  beforeEach(() => {
    told = []
    unsent = []
  })
  after(() => network[Symbol.asyncDispose]())

  // Each with a circuit of its own.
  const open = async (limits: Partial<typeof LIMITS> = {}) => {
    await connection?.close()
    const options = {
      now: () => 0,
      monotonicMs: () => performance.now(),
      record: async () => {},
      limits: { ...LIMITS, pauseFromMs: 0, pauseToMs: 1, ...limits },
      onAccess: (refusal: string | null) => told.push(refusal),
    }
    const opened = openConnection('BRE_B', network.url, options)
    connection = { ...opened, recordUnsent: (_call, why) => unsent.push(why) }
    const readCode = (json: unknown) => (json as { code?: string } | undefined)?.code
    return gatewayOver(connection, byHeaders({ 'x-key': 'ours' }), readCode, options)
  }
  after(() => connection.close())

  const outcomeOf = async (answer: Answer, call = QUESTION) => {
    const { ask } = await open({ tries: 1 })
    network.willAnswer(answer)
    const reply = await ask(call)
    return reply.outcome === 'unknown' ? reply.kind : reply.outcome
  }

  it('tells an answer and a refusal from what is neither', async () => {
    const statuses = (kind: string, ...all: number[]) => all.map((status) => [status, kind] as const)
    for (const [status, expected] of [
      ...statuses('answered', 200, 201),
      ...statuses('timeout', 408, 504),
      ...statuses('unavailable', 401, 403, 429, 500, 502, 503),
      ...statuses('unreadable', 300, 400, 404, 422),
    ])
      assert.equal(await outcomeOf({ status, json: {} }), expected, String(status))
    for (const status of [400, 403, 409, 500])
      assert.equal(await outcomeOf({ status, json: { code: 'NO' } }), 'refused', String(status))
    assert.equal(await outcomeOf({ status: 401, json: { code: 'NO' } }), 'unavailable')
    assert.equal(await outcomeOf({ status: 200, bytes: 'not JSON' }), 'unreadable')
    assert.equal(await outcomeOf({ status: 200, bytes: '' }), 'unreadable')
    // Latin-1: a name that was read with other letters would be somebody else's.
    const latin1 = Buffer.from('{"name":"Muñoz"}', 'latin1')
    assert.equal(await outcomeOf({ status: 200, bytes: latin1 }), 'unreadable')
    assert.equal(await outcomeOf({ status: 200, bytes: '' }, { ...QUESTION, mayBeEmpty: true }), 'answered')
  })

  it('asks again only where no answer came, only what moves no money, and no more often than it may', async () => {
    const askedFor = async (answer: Answer, call: Call) => {
      const { ask } = await open({ tries: 3 })
      network.willAnswer(answer)
      await ask(call)
      return network.asked.length
    }
    const again: Call = { ...QUESTION, mayAskAgain: true }
    assert.equal(await askedFor({ status: 503, json: {} }, again), 3)
    assert.equal(await askedFor('reset', again), 3)
    assert.equal(await askedFor({ status: 503, json: {} }, ORDER), 1)
    for (const status of [200, 401, 404, 429, 504])
      assert.equal(await askedFor({ status, json: {} }, again), 1, String(status))
  })

  it('has the last answer where the deadline is over before the next try', async () => {
    const { ask } = await open({ pauseFromMs: 60_000, pauseToMs: 60_000 })
    network.willAnswer({ status: 503, json: {} })
    const reply = await ask({ ...QUESTION, deadlineMs: 2_000, mayAskAgain: true })
    assert.deepEqual([reply.outcome === 'unknown' && reply.kind, network.asked.length], ['unavailable', 1])
  })

  it('leaves no timer behind once it has its answer', async () => {
    const { ask } = await open()
    network.willAnswer({ status: 200, json: {} })
    const timers = () => process.getActiveResourcesInfo().filter((one) => one === 'Timeout').length
    await ask({ ...QUESTION, deadlineMs: 600_000 })
    const before = timers()
    for (const _ of [1, 2, 3]) await ask({ ...QUESTION, deadlineMs: 600_000 })
    // Those of others may end meanwhile.
    assert.ok(timers() <= before, `${timers()} instead of ${before}`)
  })

  it('leaves a network alone that has not answered so many times in a row', async () => {
    const isLeft = async (answer: Answer, call: Call): Promise<boolean> => {
      const { ask, isAway } = await open({ tries: 1, breakAfterFailures: 2, breakMs: 60_000 })
      network.willAnswer(answer)
      for (const _ of [1, 2]) {
        assert.equal(isAway(), false)
        await ask(call)
      }
      const asked = network.asked.length
      const third = await ask(call)
      assert.equal(network.asked.length - asked, isAway() ? 0 : 1)
      if (isAway()) assert.match(third.outcome === 'unknown' ? third.why : '', /was not asked$/)
      return isAway()
    }
    assert.equal(await isLeft({ status: 503, json: {} }, QUESTION), true)
    assert.equal(await isLeft('reset', QUESTION), true)
    assert.equal(await isLeft('silent', HASTY), true)
    // An answer that cannot be read is one, and some answers take their time because of what is asked.
    assert.equal(await isLeft({ status: 404, json: {} }, QUESTION), false)
    assert.equal(await isLeft({ status: 200, bytes: 'not JSON' }, QUESTION), false)
    assert.equal(await isLeft('silent', { ...HASTY, timeoutKeepsCircuitClosed: true }), false)
  })

  it('tells how its credentials are refused, and that they are good, and nothing where nobody said', async () => {
    const toldBy = async (answer: Answer) => {
      await outcomeOf(answer)
      return told.splice(0)
    }
    assert.deepEqual(await toldBy({ status: 200, json: {} }), [null])
    assert.deepEqual(await toldBy({ status: 400, json: { code: 'NO' } }), [null])
    assert.deepEqual(await toldBy({ status: 403, json: { code: 'NO' } }), [
      'the network answered NO (HTTP 403)',
    ])
    for (const status of [401, 403])
      assert.deepEqual(await toldBy({ status, json: {} }), [`the network does not serve us (HTTP ${status})`])
    for (const answer of [{ status: 503, json: {} }, { status: 404, json: {} }, 'reset'] as Answer[])
      assert.deepEqual(await toldBy(answer), [])
  })

  it('sends a key that is ours for good once, however it is refused', async () => {
    const { ask } = await open()
    network.willAnswer({ status: 401, json: {} })
    await ask(ORDER)
    assert.equal(network.asked.length, 1)
    assert.deepEqual(
      network.asked.map(({ headers, body }) => [headers['x-key'], headers['content-type'], body]),
      [['ours', 'application/json', ORDER.body]],
    )
  })

  it('is not asked where we have nothing to prove ourselves with, and that is recorded', async () => {
    const options = { now: () => 0, monotonicMs: () => 0, record: async () => {}, limits: LIMITS }
    const nothing = { outcome: 'unknown', kind: 'unavailable', why: 'no token' } as const
    await open()
    const authorization = { prove: async () => nothing, refused: () => {}, isRenewable: true }
    network.willAnswer({ status: 200, json: {} })
    const reply = await gatewayOver(connection, authorization, () => undefined, options).ask(ORDER)
    assert.deepEqual([reply, network.asked.length, unsent], [nothing, 0, ['no token']])
  })
})
