// Every loop finds its work in several ways, and each alone is enough: by polling when every signal is lost, by the watch that
// polls for all of them, and by a signal when polling is as good as off. A loop without a row here fails the test.

import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import pino from 'pino'
import { createLogPositions } from '../../src/api/events/log-positions.ts'
import { DAY_MS } from '../../src/core/instant.ts'
import type { WorkKind } from '../../src/flows/context.ts'
import { createDeliveryWorkerOptions } from '../../src/service.ts'
import { insertNotices } from '../../src/store/connections/notices.ts'
import { getRecords, insertRecord } from '../../src/store/idempotency.ts'
import { requestRun } from '../../src/store/ledger/statement-runs.ts'
import { startWorkers, type Workers } from '../../src/workers/start.ts'
import { insertEvents } from '../api/events/insert-events.ts'
import { newBatch, newPayout } from '../api/http/calls.ts'
import { sequenceAllEvents } from '../sequence-events.ts'
import { brebPayin, CUSTOMER, createWorld, endPayin, eventually, type World } from '../world.ts'

const log = pino({ level: 'silent' })
const SRC = join(import.meta.dirname, '../../src/workers')
// The rests of the watch and of the loops that it wakes, with their jitter.
const WATCH_REST_MS = { from: 225, to: 275 }
const LOOP_REST_MS = { from: 4_500, to: 5_500 }
const LOOPS_WITH_SIGNALS = 9
// By then a loop without work has had its first turn and rests.
const SETTLED_MS = 200

// Makes work that is due, and returns whether it is done.
type Work = (world: World) => Promise<() => Promise<boolean>>

const open = { inlineCustomer: { ...CUSTOMER, idNumber: '1000000007' } }

const LOOPS: Readonly<Partial<Record<WorkKind, Work>>> = {
  payins: async (world) => {
    const { json } = await world.client('POST', '/payins', brebPayin(open))
    return holds(world, `select from payins where payin_id = $1 and rail_stage <> 'TO_OPEN'`, json.id)
  },
  payouts: async (world) => {
    const { json } = await world.client('POST', '/payouts', newPayout(open))
    return holds(world, `select from payouts where payout_id = $1 and stage <> 'CREATED'`, json.id)
  },
  refunds: async (world) => {
    const { json } = await world.client('POST', `/payins/${paidId}/refunds`, {
      amountInCents: 1,
      reason: 'OTHER',
      way: 'RAIL',
    })
    return holds(world, `select from refunds where refund_id = $1 and stage <> 'READY'`, json.id)
  },
  batches: async (world) => {
    const batchId = await newBatch(world.client)
    return holds(world, `select from payout_batches where batch_id = $1 and status <> 'CHECKING'`, batchId)
  },
  links: async (world) => {
    const { json } = await world.client('POST', '/payment-links', {
      amountType: 'FIXED',
      amountInCents: 100_000,
      reference: 'order',
      callbackUrl: 'https://shop.example/return',
    })
    await world.db.query({
      text: `update payment_links set expires_at = created_at, due_at = created_at where payment_link_id = $1`,
      values: [json.paymentLinkId],
    })
    const expired = `select from payment_links where payment_link_id = $1 and status = 'EXPIRED'`
    return holds(world, expired, json.paymentLinkId)
  },
  notices: async (world) => {
    const { json } = await world.client('POST', '/payins', brebPayin(open))
    const noticeId = world.ctx.ids.next()
    const now = world.ctx.clock.now()
    await insertNotices(world.db, [
      {
        organizationId: world.organization.organizationId,
        rail: 'BRE_B',
        noticeId,
        subjectKind: 'payin',
        subjectId: json.id,
        update: { kind: 'payin.declined', reason: 'BANK_DECLINED' },
        networkCode: 'BANK_DECLINED',
        occurredAt: now,
        receivedAt: now,
      },
    ])
    return holds(world, `select from rail_notices where notice_id = $1 and state = 'DONE'`, noticeId)
  },
  events: async (world) => {
    const { organizationId } = world.organization
    await insertEvents(world, organizationId, ['payin.settled'])
    return async () =>
      !(await holds(
        world,
        `select from events where organization_id = $1 and sequence is null`,
        organizationId,
      )())
  },
  deliveries: async (world) => {
    const { organizationId } = world.organization
    const made = receivedCount
    await insertEvents(world, organizationId, ['payin.confirmed'])
    await sequenceAllEvents(world.ctx, organizationId)
    return async () => receivedCount > made
  },
  audit: async (world) => {
    const requestId = world.ctx.ids.next()
    const change = { payinExpiryMinutes: 20 }
    await world.client('PATCH', '/organization', change, { 'x-request-id': requestId })
    const chained = `select from audit_chain join audit_entries using (organization_id, entry_id) where request_id = $1`
    return holds(world, chained, requestId)
  },
}

// Loops that no signal wakes.
const WITHOUT_SIGNAL: Readonly<Record<string, string>> = {
  approvals: 'ends what nobody decided for a week, a few seconds later',
  people: 'gives those who are new their digests, once a minute',
  'receipt-mails': 'nobody misses a receipt for five seconds',
  'invitation-mails': 'nor an invitation',
  'alarm-mails': 'nor an alarm, which the console shows at once',
  reconciliation: 'a day becomes due by the clock, and nobody waits for it',
  'daily-closes': 'so does the close of a day',
  'minimum-balances': 'nobody misses a low balance for fifteen seconds',
  retention: 'what is old leaves once an hour, and when staging’s clock was moved',
  search: 'gives those who are new their words, twice a minute; the newest are found without',
  suspense: 'looks for money that is counted twice, once an hour',
  watch: 'does no work, and wakes those that do',
}

// Found by polling, as the work of the others is.
const POLLED: Readonly<Record<string, Work>> = {
  reconciliation: async (world) => {
    const day = '2026-01-02'
    await requestRun(world.db, 'BRE_B', day, world.ctx.clock.now())
    return holds(world, `select from reconciliation_runs where day = $1 and run > 0`, day)
  },
}

let receivedCount = 0
// A payin with money to give back.
let paidId = ''

function holds(world: World, text: string, id: string): () => Promise<boolean> {
  return async () => (await world.db.query({ text, values: [id] })).rowCount !== 0
}

describe('a loop', () => {
  let world: World
  const receiver = createServer((request, response) => {
    receivedCount += 1
    request.resume()
    response.writeHead(200).end()
  })
  before(async () => {
    world = await createWorld()
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks`
    assert.equal((await world.client('POST', '/webhook-endpoints', { url })).status, 201)
    paidId = (await world.client('POST', '/payins', brebPayin(open))).json.id
    await endPayin(world, world.client, paidId, 'confirmed')
  })
  after(async () => {
    await world[Symbol.asyncDispose]()
    receiver.closeAllConnections()
    receiver.close()
  })

  // The workers hear no signal but those that a test sends by `wake`.
  const deaf = async (run: (workers: Workers) => Promise<void>): Promise<void> => {
    const delivering = createDeliveryWorkerOptions(world.config)
    const workers = startWorkers(world.ctx, log, delivering)
    try {
      await run(workers)
    } finally {
      await workers.stop()
      await delivering.sender.close()
    }
  }

  it('has a row in the table', () => {
    const named = globSync('*.ts', { cwd: SRC }).flatMap((file) =>
      [...readFileSync(join(SRC, file), 'utf8').matchAll(/\bname: '([\w-]+)'/g)].map(([, name]) =>
        String(name),
      ),
    )
    assert.deepEqual(named.sort(), [...Object.keys(LOOPS), ...Object.keys(WITHOUT_SIGNAL)].sort())
    assert.equal(Object.keys(LOOPS).length, LOOPS_WITH_SIGNALS)
  })

  for (const [kind, work] of Object.entries(LOOPS)) {
    it(`${kind}: the signal alone is enough`, async (t) => {
      const resting = parkRests(t, [WATCH_REST_MS, LOOP_REST_MS])
      await deaf(async (workers) => {
        await eventually(
          async () => resting(),
          (count) => count > LOOPS_WITH_SIGNALS,
        )
        const isDone = await work(world)
        assert.equal(await isDone(), false, 'nobody has polled')
        workers.wake(kind as WorkKind)
        await eventually(isDone, Boolean)
      })
      // What the others left.
      await world.work()
    })
  }

  for (const [kind, work] of Object.entries(LOOPS)) {
    it(`${kind}: the watch alone is enough`, async (t) => {
      const resting = parkRests(t, [LOOP_REST_MS])
      await deaf(async () => {
        await eventually(
          async () => resting(),
          (count) => count >= LOOPS_WITH_SIGNALS,
        )
        await eventually(await work(world), Boolean)
      })
      await world.work()
    })
  }

  for (const [kind, work] of Object.entries({ ...LOOPS, ...POLLED })) {
    it(`${kind}: polling alone is enough`, async () => {
      await deaf(async () => {
        // Work that is there when a loop begins, or is about to look again, proves nothing. So the loop is left to rest first.
        const beganMs = performance.now()
        await eventually(
          async () => performance.now() - beganMs,
          (elapsedMs) => elapsedMs > SETTLED_MS,
        )
        await eventually(await work(world), Boolean)
      })
    })
  }

  it('that deletes what is old does so when it begins, and leaves what is not', async () => {
    const { organizationId } = world.organization
    const now = world.ctx.clock.now()
    const record = { fingerprint: Buffer.alloc(32), status: 201, body: '{}' }
    const ages = { old: 30 * DAY_MS + 60_000, young: 30 * DAY_MS - 60_000 }
    for (const [key, age] of Object.entries(ages))
      await insertRecord(world.db, organizationId, { ...record, key }, now - age)
    const kept = async () => {
      const found = await getRecords(
        world.db,
        Object.keys(ages).map((key) => ({ organizationId, key })),
        // As of then: whether a row is still there, and not whether it still counts.
        now - 2 * ages.old,
      )
      return found.flatMap((one) => (one === undefined ? [] : [one.key]))
    }
    const line = `insert into statement_lines (organization_id, rail, day, line_key, network_id, amount_cents, run, times, reference)
                  values ($1, 'PSE', '2020-01-01', 'old', '', 0, 1, 1, '')`
    await world.db.query({ text: line, values: [organizationId] })
    const lines = holds(world, 'select from statement_lines where organization_id = $1', organizationId)
    await deaf(async () => {
      await eventually(kept, (keys) => keys.length < 2)
      await eventually(lines, (areThere) => !areThere)
    })
    assert.deepEqual(await kept(), ['young'])
  })

  it('of a stream finds new events by polling alone, and by a signal alone', async (t) => {
    const { organizationId } = world.organization
    for (const way of ['polling', 'signal']) {
      if (way === 'signal') t.mock.timers.enable({ apis: ['setInterval'] })
      const ended = new AbortController()
      let signal = (): void => {}
      const signals = {
        ...world.ctx.signals,
        onWork: (listener: (kind: WorkKind, organizationId?: string) => void) => {
          signal = () => listener('streams', organizationId)
        },
      }
      const end = createLogPositions({ ...world.ctx, signals }).watch(organizationId, ended.signal)
      await end.waitForNewer({ sequence: 0, redelivery: 0 }, ended.signal)
      const newer = end.waitForNewer(end.position, ended.signal)
      await insertEvents(world, organizationId, ['payin.settled'])
      await sequenceAllEvents(world.ctx, organizationId)
      if (way === 'signal') signal()
      await newer
      ended.abort()
    }
  })
})

// Loops that rest now rest for ever, unless a signal wakes them. Returns how many have begun to.
function parkRests(
  t: { after: (restore: () => void) => void },
  rests: readonly { from: number; to: number }[],
): () => number {
  const real = globalThis.setTimeout
  const later = real as (run: () => void, ms?: number, ...args: unknown[]) => NodeJS.Timeout
  let parked = 0
  const parking = (run: () => void, ms?: number, ...args: unknown[]) => {
    if (ms === undefined || !rests.some(({ from, to }) => ms >= from && ms <= to))
      return later(run, ms, ...args)
    parked += 1
    return later(run, 2_000_000_000, ...args).unref()
  }
  globalThis.setTimeout = Object.assign(parking, real) as unknown as typeof setTimeout
  t.after(() => {
    globalThis.setTimeout = real
  })
  return () => parked
}
