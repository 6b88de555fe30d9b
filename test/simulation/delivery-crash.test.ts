// Workers that die during webhook deliveries (some as real processes, dying.ts): before an event is sent, while the receiver has it and has
// not answered, after the answer and before the record, after the record. Nothing is lost, and duplicates have the same
// id and the same body, so that the receiver can recognize them.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it, type TestContext } from 'node:test'
import { Webhook } from 'standardwebhooks'
import type { CrashPoint } from '../../src/flows/context.ts'
import { type Db, openDb } from '../../src/store/db.ts'
import { advanceClock } from '../../src/store/staging-clock.ts'
import { freePort } from '../free-port.ts'
import { brebPayin, type Client, CUSTOMER, clientOf, createDatabase, eventually } from '../world.ts'
import { type Mortal, startMortal } from './dying.ts'

const API_KEY = 'rk_stg_crash_test_key_0002'
const EVENTS = 8
// Longer than the lease of a delivery: whatever a dead worker held is free again.
const PAST_THE_LEASE_MS = 121_000

type Dying = { crashAt?: CrashPoint; isReal?: boolean }
type Arrival = { id: string; headers: IncomingHttpHeaders; body: string }

describe('a worker killed while it delivers', () => {
  let database: { url: string; drop: () => Promise<void> }
  let db: Db
  let dataDir: string
  let settings: Record<string, string>
  let client: Client
  // One for all: it is not the one that dies.
  let api: Mortal
  const cleaning: (() => void | Promise<void>)[] = []

  before(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'recaudo-delivery-crash-'))
    database = await createDatabase()
    const port = await freePort()
    settings = {
      DATABASE_URL: database.url,
      SECRETS_KEY: randomBytes(32).toString('hex'),
      BOOTSTRAP_API_KEY: API_KEY,
      DATA_DIR: dataDir,
      PORT: String(port),
      // Nothing listens there: these payins never reach a network.
      SANDBOX_PORT: String(await freePort()),
    }
    client = clientOf(`http://127.0.0.1:${port}`, { 'x-api-key': API_KEY })
    db = openDb({ url: database.url, poolSize: 3 })
    const owner = { after: (clean: () => void | Promise<void>) => cleaning.push(clean) }
    // A real one, which makes the key of the merchant.
    api = await startMortal(owner, '--api', settings, { isReal: true })
  })
  after(async () => {
    await api.stop().finally(() => Promise.all(cleaning.map((clean) => clean())))
    await db.close()
    await database.drop()
    rmSync(dataDir, { recursive: true, force: true })
  })

  const startWorkers = (t: TestContext, { crashAt, isReal = false }: Dying = {}): Promise<Mortal> =>
    startMortal(t, '--workers', { ...settings, ...(crashAt && { CRASH_AT: `${crashAt}:1` }) }, { isReal })
  const makePayins = async (): Promise<Set<string>> => {
    const made = new Set<string>()
    while (made.size < EVENTS) {
      const body = brebPayin({ inlineCustomer: { ...CUSTOMER, idNumber: '1000000007' } })
      const { json } = await client('POST', '/payins', body)
      assert.equal((await client('POST', `/payins/${json.id}/cancel`)).status, 200)
      made.add(json.id)
    }
    return made
  }
  const deliveredOf = async (endpointId: string): Promise<string[]> => {
    const { rows } = await db.query<{ event_id: string }>({
      text: 'select distinct event_id from delivery_attempts where endpoint_id = $1 and failure is null',
      values: [endpointId],
    })
    return rows.map((row) => row.event_id)
  }
  // The clock is moved before the next worker starts. Later, it would expire that worker's leases as well.
  const deliverAll = async (t: TestContext, endpointId: string): Promise<Mortal> => {
    await advanceClock(db, PAST_THE_LEASE_MS)
    const workers = await startWorkers(t)
    await eventually(
      () => deliveredOf(endpointId),
      (delivered) => delivered.length === EVENTS,
    )
    return workers
  }
  const setUp = async (t: TestContext) => {
    const receiver = await listen(t)
    const { json } = await client('POST', '/webhook-endpoints', { url: receiver.url })
    return { receiver, endpointId: json.id as string, secret: json.secret as string }
  }
  const nothingIsLost = (arrivals: Arrival[], secret: string, payins: Set<string>) => {
    const bodies = new Map<string, string>()
    for (const { id, headers, body } of arrivals) {
      new Webhook(secret).verify(body, headers as Record<string, string>)
      assert.equal(JSON.parse(body).id, id)
      assert.equal(bodies.get(id) ?? body, body, 'a second send has the bytes of the first')
      bodies.set(id, body)
    }
    const delivered = [...bodies.values()].map((body) => JSON.parse(body).data.id)
    assert.deepEqual(new Set(delivered), payins)
    assert.equal(delivered.length, EVENTS, 'who drops what has a known id is told of each once')
  }
  const timesOf = (arrivals: Arrival[], id: string) => arrivals.filter((arrival) => arrival.id === id).length

  for (const point of ['delivery-before-send', 'delivery-after-send', 'delivery-after-commit'] as const) {
    it(`at ${point}`, async (t) => {
      const { receiver, endpointId, secret } = await setUp(t)
      const payins = await makePayins()
      await (await startWorkers(t, { crashAt: point })).died()
      const [sent, recorded] = [[...receiver.arrivals], await deliveredOf(endpointId)]
      if (point === 'delivery-before-send') assert.deepEqual([sent.length, recorded.length], [0, 0])
      if (point === 'delivery-after-send') assert.ok(sent.length > 0 && recorded.length === 0)
      if (point === 'delivery-after-commit') assert.ok(recorded.length > 0)

      const workers = await deliverAll(t, endpointId)
      nothingIsLost(receiver.arrivals, secret, payins)
      for (const id of recorded) assert.equal(timesOf(receiver.arrivals, id), 1, 'what was recorded is over')
      for (const { id } of sent)
        if (!recorded.includes(id)) assert.equal(timesOf(receiver.arrivals, id), 2, 'sent again, same id')
      await client('DELETE', `/webhook-endpoints/${endpointId}`)
      await workers.stop()
    })
  }

  it('while the receiver has the event and has not answered yet', async (t) => {
    const { receiver, endpointId, secret } = await setUp(t)
    receiver.hold()
    const payins = await makePayins()
    const doomed = await startWorkers(t, { isReal: true })
    await eventually(
      async () => receiver.arrivals.length,
      (count) => count > 0,
    )
    doomed.kill()
    await doomed.died()
    const unanswered = receiver.arrivals.map(({ id }) => id)
    assert.deepEqual(await deliveredOf(endpointId), [])

    receiver.answer()
    const workers = await deliverAll(t, endpointId)
    nothingIsLost(receiver.arrivals, secret, payins)
    for (const id of unanswered) assert.equal(timesOf(receiver.arrivals, id), 2)
    await client('DELETE', `/webhook-endpoints/${endpointId}`)
    await workers.stop()
  })
})

async function listen(t: TestContext) {
  const arrivals: Arrival[] = []
  let isHolding = false
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const id = String(request.headers['webhook-id'])
      arrivals.push({ id, headers: request.headers, body: Buffer.concat(chunks).toString() })
      if (!isHolding) response.writeHead(200).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  t.after(close)
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`,
    arrivals,
    hold: () => {
      isHolding = true
    },
    answer: () => {
      isHolding = false
    },
  }
}
