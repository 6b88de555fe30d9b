// One stream of events, with a client, a clock and a log of the test's own: what is written, when, and how it ends.

import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { describe, it, type TestContext } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import Fastify from 'fastify'
import { type Stream, serveStream } from '../../../src/api/events/stream.ts'
import { routeEventStream } from '../../../src/api/events/stream-route.ts'
import type { Caller } from '../../../src/api/http/auth.ts'
import type { Context } from '../../../src/flows/context.ts'
import { StoreBusy, StoreUnavailable } from '../../../src/store/db.ts'

const TIMES = { heartbeatMs: 15_000, stallMs: 10_000, recheckMs: 200 }

// What a client gets. It reads at once, unless it is full.
class Client extends EventEmitter {
  written: string[] = []
  state: 'open' | 'ended' | 'destroyed' = 'open'
  isFull = false
  get writableNeedDrain(): boolean {
    return this.isFull
  }
  write(text: string): boolean {
    this.written.push(text)
    return !this.isFull
  }
  end(): void {
    this.state = 'ended'
  }
  destroy(): void {
    this.state = 'destroyed'
  }
}

type Row = Record<string, unknown>
type Statement = { text: string; values?: unknown[] }
const event = (sequence: number, type = 'payin.confirmed'): Row => ({
  eventId: `e${sequence}`,
  sequence: BigInt(sequence),
  type,
  resource: 'payin',
  version: 1,
  data: '{"a":1}',
  createdAt: 0,
})

const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 12; turn += 1) await setImmediate()
}

function streaming(t: TestContext, from = { sequence: 0, redelivery: 0 }) {
  t.mock.timers.enable({ apis: ['setInterval', 'setTimeout'] })
  const client = new Client()
  const ended = new AbortController()
  const log = { events: [] as Row[], redeliveries: [] as Row[], position: from, error: null as Error | null }
  const asked: unknown[][] = []
  let authorized: () => Promise<boolean> = async () => true
  let checks = 0
  let wake: (() => void)[] = []
  const query = async ({ text, values = [] }: Statement) => {
    if (!/from (?:events|redeliveries)\b/.test(text)) return { rows: [] }
    asked.push(values)
    if (log.error !== null) throw log.error
    const [, after, limit] = values as [string, number, number]
    const [rows, at] = text.includes('from redeliveries')
      ? [log.redeliveries, 'number']
      : [log.events, 'sequence']
    return { rows: rows.filter((row) => Number(row[at as string]) > after).slice(0, limit) }
  }
  // One database that is not spread over several machines.
  const db = {
    query,
    sendTransaction: async ([, one]: Statement[]) => [undefined, await query(one as Statement)],
  }
  const ctx = { db, vault: async () => ({}) } as unknown as Context
  const logEnd = {
    get position() {
      return log.position
    },
    waitForNewer: (known: typeof from, signal: AbortSignal) =>
      new Promise<void>((resolve) => {
        const look = () => {
          const isNewer = log.position.sequence > known.sequence || log.position.redelivery > known.redelivery
          if (isNewer || signal.aborted) resolve()
          else wake.push(look)
        }
        signal.addEventListener('abort', () => resolve())
        look()
      }),
  }
  const stream = {
    organizationId: 'one',
    from,
    filters: {},
    response: client as unknown as ServerResponse,
    logEnd,
    isAuthorized: () => {
      checks += 1
      return authorized()
    },
  }
  return {
    client,
    ended,
    asked,
    log,
    serve: (changes: Partial<Stream> = {}) => serveStream(ctx, TIMES, { ...stream, ...changes }, ended),
    tell: async (position: Partial<typeof from>) => {
      log.position = { ...log.position, ...position }
      for (const look of wake.splice(0)) look()
      wake = []
      await settled()
    },
    tick: async (ms: number) => {
      t.mock.timers.tick(ms)
      await settled()
    },
    authorize: (answer: () => Promise<boolean>) => {
      authorized = answer
    },
    checks: () => checks,
  }
}

const frame = (sequence: number, type = 'payin.confirmed') =>
  new RegExp(`^id: ${sequence}\\nevent: ${type}\\ndata: \\{.*"sequence":${sequence}.*\\}\\n\\n$`)

describe('a stream of events', () => {
  it('begins with its position and how soon to come back, and sends what is newer with its sequence', async (t) => {
    const { client, ended, log, serve, tell } = streaming(t, { sequence: 7, redelivery: 0 })
    const served = serve()
    await settled()
    assert.deepEqual(client.written.splice(0), ['retry: 1000\nid: 7\n\n'])
    log.events = [event(7), event(8), event(9, 'payout.failed')]
    await tell({ sequence: 9 })
    const [first = '', second = '', ...others] = client.written.splice(0)
    assert.match(first, frame(8))
    assert.match(second, frame(9, 'payout.failed'))
    assert.deepEqual(others, [])
    ended.abort()
    await served
    assert.equal(client.state, 'ended')
  })

  it('reads fifty at a time, goes on where it was, and asks for nothing that it has sent', async (t) => {
    const { client, ended, asked, log, serve, tell } = streaming(t)
    const served = serve()
    log.events = Array.from({ length: 120 }, (_, index) => event(index + 1))
    await tell({ sequence: 130 })
    assert.equal(client.written.length, 121)
    assert.deepEqual(
      asked.map(([, after, limit]) => [after, limit]),
      [
        [0, 50],
        [50, 50],
        [100, 50],
      ],
    )
    log.events.push(event(131))
    await tell({ sequence: 131 })
    assert.deepEqual(asked.at(-1)?.[1], 130, 'what was left out by a filter is not read again')
    assert.match(client.written.at(-1) ?? '', frame(131))
    ended.abort()
    await served
  })

  it('sends what is sent again after the events before it, without a position, if it fits', async (t) => {
    const { client, ended, asked, log, serve, tell } = streaming(t)
    const served = serve({ filters: { type: 'payin.confirmed' } })
    log.events = [event(1)]
    log.redeliveries = [
      { ...event(1), number: 1n },
      { ...event(2, 'payout.failed'), number: 2n },
    ]
    await tell({ sequence: 1, redelivery: 2 })
    const [, first = '', again = '', ...others] = client.written
    assert.match(first, /^id: 1\n/)
    assert.match(again, /^event: payin\.confirmed\ndata: .*"e1".*\n\n$/)
    assert.deepEqual(others, [])
    assert.equal(asked.length, 2)
    await tell({ redelivery: 3 })
    assert.deepEqual(asked.at(-1), ['one', 2, 50])
    await tell({})
    assert.equal(asked.length, 3)
    ended.abort()
    await served
  })

  it('says that it is alive every fifteen seconds, but not to whoever does not read', async (t) => {
    const { client, ended, serve, tick } = streaming(t)
    const served = serve()
    await settled()
    client.written.splice(0)
    await tick(14_999)
    assert.deepEqual(client.written, [])
    await tick(1)
    assert.deepEqual(client.written.splice(0), [': heartbeat\n\n'])
    client.isFull = true
    await tick(15_000)
    assert.deepEqual(client.written, [])
    client.isFull = false
    ended.abort()
    await served
    await tick(60_000)
    assert.deepEqual(client.written, [], 'nothing after its end')
  })

  it('ends once its credential does, and lives on while nobody can say', async (t) => {
    const { client, ended, serve, tick, authorize, checks } = streaming(t)
    const served = serve()
    await tick(200)
    assert.equal(checks(), 1)
    authorize(() => Promise.reject(new StoreUnavailable('away')))
    await tick(200)
    assert.equal(ended.signal.aborted, false)
    authorize(async () => false)
    await tick(200)
    assert.equal(ended.signal.aborted, true)
    await served
    assert.equal(client.state, 'ended')
    const asked = checks()
    await tick(2_000)
    assert.equal(checks(), asked, 'it is not checked any more')
  })

  it('ends with its client’s connection', async (t) => {
    const { client, ended, serve } = streaming(t)
    const served = serve()
    await settled()
    client.emit('error', new Error('gone'))
    await served
    assert.equal(ended.signal.aborted, true)
  })

  it('waits for a client that is full, and cuts it off after ten seconds', async (t) => {
    const { client, ended, log, serve, tell, tick } = streaming(t)
    const served = serve()
    await settled()
    log.events = [event(1), event(2), event(3)]
    client.isFull = true
    await tell({ sequence: 3 })
    assert.equal(client.written.length, 2, 'the position, and one that it has not read')
    client.isFull = false
    client.emit('drain')
    await settled()
    assert.equal(client.written.length, 4)
    log.events.push(event(4))
    client.isFull = true
    await tell({ sequence: 4 })
    await tick(9_999)
    assert.equal(ended.signal.aborted, false)
    await tick(1)
    assert.equal(ended.signal.aborted, true)
    await served
    assert.equal(client.state, 'destroyed')
    assert.equal(client.listenerCount('drain'), 0)
  })

  it('sends nothing more once it is ended while its client is full', async (t) => {
    const { client, ended, log, serve, tell } = streaming(t)
    const served = serve()
    log.events = [event(1), event(2)]
    client.isFull = true
    await tell({ sequence: 2 })
    ended.abort()
    await served
    assert.equal(client.written.length, 2)
  })

  it('gives its client a second to read the end', async (t) => {
    const { client, ended, serve, tick } = streaming(t)
    const served = serve()
    ended.abort()
    await served
    assert.equal(client.state, 'ended')
    await tick(999)
    assert.equal(client.state, 'ended')
    await tick(1)
    assert.equal(client.state, 'destroyed')
  })

  it('leaves a client alone that has read the end', async (t) => {
    const { client, ended, serve, tick } = streaming(t)
    const served = serve()
    ended.abort()
    await served
    client.emit('close')
    await tick(5_000)
    assert.equal(client.state, 'ended')
  })

  it('tries again half a second after the database was away, and breaks off at what is no outage', async (t) => {
    const { client, log, serve, tell, tick } = streaming(t)
    const served = serve()
    log.events = [event(1)]
    for (const error of [new StoreUnavailable('away'), new StoreBusy('busy')]) {
      log.error = error
      await (error instanceof StoreBusy ? tick(500) : tell({ sequence: 1 }))
      assert.equal(client.written.length, 1)
    }
    log.error = null
    await tick(499)
    assert.equal(client.written.length, 1)
    await tick(1)
    assert.match(client.written.at(-1) ?? '', frame(1))
    log.error = new Error('a column is gone')
    const failed = assert.rejects(served, /a column is gone/)
    await tell({ sequence: 2 })
    await failed
    assert.equal(client.state, 'ended')
  })
})

describe('the route of streams', () => {
  it('opens none while its process is stopping, and refuses what is wrong in the header beside the query', async () => {
    const app = Fastify({ return503OnClosing: false, forceCloseConnections: true })
    app.decorateRequest('caller', null)
    const refused: string[] = []
    const signals = { onWork: () => {} }
    const settings = { publicUrl: 'https://api.recaudo.example' }
    const options = {
      ctx: { signals, settings, db: { query: async () => ({ rows: [] }) } },
      metrics: { watchStreams: () => {}, countRefused: (why: string) => refused.push(why) },
    } as unknown as Parameters<typeof routeEventStream>[1]
    routeEventStream(app, options, () => (request, _, done) => {
      request.caller = { organization: { organizationId: 'one' }, scopes: null } as Caller
      done()
    })
    let address = ''
    const ask = async (path = '/events/stream', lastEventId = '7') => {
      const answer = await fetch(`${address}${path}`, { headers: { 'last-event-id': lastEventId } })
      const json = (await answer.json()) as { code: string; errors: { path: string; code: string }[] }
      return { status: answer.status, headers: answer.headers, json }
    }
    // After the hook of the streams themselves.
    let late: Awaited<ReturnType<typeof ask>> | undefined
    app.addHook('preClose', async () => {
      late = await ask()
    })
    address = await app.listen({ host: '127.0.0.1', port: 0 })
    const wrong = await ask('/events/stream?after=-1', 'x')
    assert.equal(wrong.status, 400)
    assert.deepEqual(
      wrong.json.errors.map(({ path, code }) => [path, code]),
      [
        ['/after', 'OUT_OF_RANGE'],
        ['/headers/last-event-id', 'WRONG_FORMAT'],
      ],
    )
    for (const text of ['+', '1234567890123456', '-1', '1.5'])
      assert.equal((await ask('/events/stream', text)).status, 400, text)
    await app.close()
    assert.deepEqual(
      [late?.status, late?.json.code, late?.headers.get('retry-after')],
      [503, 'OVERLOADED', '1'],
    )
    assert.deepEqual(refused, ['overload'])
  })
})
