// Work that nobody signals is found by polling; work under way is finished before a pump stops; and a process that lost its
// connection hears signals again.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import pino from 'pino'
import { HOUR_MS } from '../../src/core/instant.ts'
import { createDeliveryWorkerOptions, startWorkers } from '../../src/service.ts'
import { listenForWorkSignals } from '../../src/store/work-signals.ts'
import { createPump, startPump } from '../../src/workers/pump.ts'
import { startReceiver } from '../api/webhooks/receiver.ts'
import { brebPayin, CUSTOMER, createWorld, eventually, type World } from '../world.ts'

const log = pino({ level: 'silent' })

describe('without any signal', () => {
  let world: World
  before(async () => {
    world = await createWorld({ sandbox: { delayMs: 0 } })
  })
  after(() => world[Symbol.asyncDispose]())

  it('workers find payins, notices, payouts, links, events and deliveries by themselves', async () => {
    await using receiver = await startReceiver()
    await world.client('POST', '/webhook-endpoints', { url: receiver.url })
    const delivering = createDeliveryWorkerOptions(world.config)
    // Nothing connects these workers to the context's signals.
    const workers = startWorkers(world.ctx, log, delivering)
    const told = (type: string, objectId: string) =>
      eventually(
        async () => receiver.got.map(({ body }) => JSON.parse(body)),
        (got) =>
          got.some(({ event, data }) => event === type && [data.id, data.paymentLinkId].includes(objectId)),
      )
    try {
      // The second round begins while every loop rests after its first.
      for (const round of [1, 2]) {
        const { json: payin } = await world.client('POST', '/payins', brebPayin())
        await told('payin.confirmed', payin.id)
        const { json: payout } = await world.client('POST', '/payouts', {
          amountInCents: 100_000,
          currency: 'COP',
          rail: 'BRE_B',
          reference: `polled-${round}`,
          inlineCustomer: CUSTOMER,
          breb: { keyString: '@ANAGOMEZ' },
        })
        await told('payout.confirmed', payout.id)
      }
      const { json: link } = await world.client('POST', '/payment-links', {
        amountType: 'FIXED',
        amountInCents: 100_000,
        reference: randomUUID(),
        callbackUrl: 'https://shop.example/',
      })
      // Last, because the networks' clock stays behind.
      world.advance(HOUR_MS + 1_000)
      await told('paymentlink.expired', link.paymentLinkId)
    } finally {
      await workers.stop()
      await delivering.sender.close()
    }
  })

  it('a process whose connection was cut listens again', async (t) => {
    const heard: string[] = []
    const listener = listenForWorkSignals(world.databaseUrl, (kind) => void heard.push(kind))
    t.after(() => listener.stop())
    const hears = async () => {
      heard.length = 0
      await eventually(async () => {
        world.ctx.signals.workAdded('payins')
        return heard.length
      }, Boolean)
    }
    await hears()
    const cut = await world.db.query({
      text: `select pg_terminate_backend(pid) from pg_stat_activity
              where datname = current_database() and application_name = 'recaudo-signals'`,
    })
    assert.equal(cut.rowCount, 1)
    await hears()
  })

  it('a pump that stops takes nothing more, and ends when its work under way has ended', async () => {
    const begun = Promise.withResolvers<void>()
    const finish = Promise.withResolvers<void>()
    let isStopped = false
    let claims = 0
    const pump = startPump<string>({
      name: 'test',
      restMs: 5,
      log,
      maxPerOrganization: 1,
      maxTotal: 1,
      dueOrganizations: async () => ['one'],
      claim: async () => {
        claims += 1
        return ['work']
      },
      act: async () => {
        begun.resolve()
        await finish.promise
      },
    })
    await begun.promise
    const stopping = pump.stop().then(() => {
      isStopped = true
    })
    // The loop itself has ended by then.
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve))
    await new Promise((resolve) => setTimeout(resolve, 50))
    assert.equal(isStopped, false)
    assert.equal(pump.hasCapacity(), false)
    finish.resolve()
    await stopping
    assert.equal(claims, 1)
  })
})

describe('a pump', () => {
  it('that has taken work looks again at once, and rests only when nothing is due', async (t) => {
    const due = ['one', 'one', 'one']
    let looks = 0
    const pump = startPump<string>({
      name: 'test',
      restMs: 60_000,
      log,
      maxPerOrganization: 100,
      maxTotal: 100,
      dueOrganizations: async () => {
        looks += 1
        return due.splice(0, 1)
      },
      claim: async () => ['work'],
      act: async () => {},
    })
    t.after(() => pump.stop())
    await eventually(
      async () => looks,
      (count) => count === 4,
    )
  })

  it('looks again when an organization that was at its limit has room, and does not rest first', async (t) => {
    const ends: (() => void)[] = []
    let left = 20
    let looksInVain = 0
    const pump = startPump<string>({
      name: 'test',
      restMs: 3_600_000,
      log,
      maxPerOrganization: 4,
      maxTotal: 100,
      dueOrganizations: async () => {
        looksInVain += 1
        return left > 0 ? ['one'] : []
      },
      claim: async (_, limit) => {
        looksInVain = 0
        const claimed = Math.min(left, limit)
        left -= claimed
        return Array.from({ length: claimed }, () => 'work')
      },
      act: () => new Promise<void>((end) => ends.push(end)),
    })
    t.after(() => pump.stop())
    for (let ended = 0; ended < 20; ended += 4) {
      // It has found that there is room for no more, and rests.
      await eventually(
        async () => ends.length === 4 && looksInVain > 0,
        (isResting) => isResting,
      )
      for (const end of ends.splice(0)) end()
    }
    assert.equal(left, 0)
  })

  it('never has more of an organization under way than its limit, whatever has ended', async () => {
    const ends: (() => void)[] = []
    const limits: number[] = []
    const pump = createPump<() => Promise<void>>({
      name: 'test',
      restMs: 5,
      log,
      maxPerOrganization: 3,
      maxTotal: 100,
      dueOrganizations: async () => ['one'],
      claim: async (_, limit) => {
        limits.push(limit)
        return Array.from({ length: limit }, () => () => new Promise<void>((end) => ends.push(end)))
      },
      act: (work) => work(),
    })
    const turn = () => new Promise((resolve) => setImmediate(resolve))
    for (const ended of [0, 1, 2, 3, 1]) {
      for (const end of ends.splice(0, ended)) end()
      await turn()
      await pump.poll()
      await turn()
      assert.equal(ends.length, 3)
    }
    assert.deepEqual(limits, [3, 1, 2, 3, 1])
  })
})
