// What an endpoint with a backlog sees: first attempts of new events reach it beside retries that keep failing, every
// event keeps its own schedule, and staging's clock shortens every wait.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import pino from 'pino'
import type { AttemptResult } from '../../src/core/webhooks/delivery.ts'
import { BREAKER_REST_MS, RETRY_AFTER_MS } from '../../src/core/webhooks/delivery.ts'
import { deliveryPump } from '../../src/workers/deliveries.ts'
import { createPump } from '../../src/workers/pump.ts'
import { insertEvents } from '../api/events/insert-events.ts'
import { sequenceAllEvents } from '../sequence-events.ts'
import { type Client, createWorld, type World } from '../world.ts'

const REFUSED_TYPE = 'payin.declined'
const REFUSED = 40

describe('an endpoint that refuses some events', () => {
  let world: World
  let merchant: { organizationId: string; client: Client }
  const sent: { type: string; id: string; at: number }[] = []
  let refuses = (type: string): boolean => type === REFUSED_TYPE
  let pump: ReturnType<typeof createPump<never>>

  before(async () => {
    world = await createWorld()
    const { organization, client } = await world.newMerchant()
    merchant = { organizationId: organization.organizationId, client }
    await client('POST', '/webhook-endpoints', { url: 'https://shop.example/hooks' })
    const sender = {
      send: async ({ body }: { body: string }): Promise<AttemptResult> => {
        const { event, id } = JSON.parse(body)
        sent.push({ type: event, id, at: world.ctx.clock.now() })
        const delivered = !refuses(event)
        const status = delivered ? 200 : 500
        const failure = delivered ? null : 'STATUS'
        return {
          status,
          latencyMs: 1,
          response: '',
          failure,
          retryAfterSeconds: null,
          delivered,
          gone: false,
        }
      },
      close: async () => {},
    }
    const settings = { schedule: RETRY_AFTER_MS, perEndpoint: 1 }
    const delivering = { sender: sender as never, settings }
    pump = createPump(deliveryPump(world.ctx, delivering, pino({ level: 'silent' }))) as never
  })
  after(() => world[Symbol.asyncDispose]())

  const cause = async (types: string[]) => {
    await insertEvents(world, merchant.organizationId, types)
    await sequenceAllEvents(world.ctx, merchant.organizationId)
  }
  const turn = async () => {
    await pump.turn()
    await pump.drained()
  }
  const restAndTurn = async (times: number) => {
    for (let time = 0; time < times; time += 1) {
      world.advance(BREAKER_REST_MS)
      await turn()
    }
  }

  it('gets the first attempts of others, however many retries are due', async () => {
    await cause(Array(REFUSED).fill(REFUSED_TYPE))
    await turn()
    // One probe a rest, until each has failed once or more. Then all are due again.
    while (new Set(sent.map(({ id }) => id)).size < REFUSED) await restAndTurn(1)
    world.advance(3 * 60_000)
    sent.length = 0
    await cause(['payin.confirmed', 'payin.canceled', 'payin.confirmed'])
    await restAndTurn(3)
    const others = sent.filter(({ type }) => type !== REFUSED_TYPE)
    assert.equal(others.length, 3, `sent: ${sent.map(({ type }) => type).join()}`)
  })

  it('gets each event on its own schedule: never sooner, and with no attempt left out', async () => {
    for (let minute = 0; minute < 4; minute += 1) await restAndTurn(12)
    const { rows } = await world.db.query<{
      event_id: string
      number: number
      at: number
      due: number | null
    }>({
      text: `select event_id, number, extract(epoch from at)::float8 * 1000 as at,
                    extract(epoch from next_at)::float8 * 1000 as due
               from delivery_attempts
              where organization_id = $1
              order by event_id, number`,
      values: [merchant.organizationId],
    })
    const attempts = Map.groupBy(rows, ({ event_id }) => event_id)
    assert.equal(attempts.size, REFUSED + 3)
    let retried = 0
    for (const [id, of] of attempts) {
      for (const [index, { number, at }] of of.entries()) {
        assert.equal(number, index + 1, id)
        const before = of[index - 1]
        if (before === undefined) continue
        retried += 1
        assert.ok(at >= (before.due ?? Number.POSITIVE_INFINITY), `${id}: attempt ${number} came too soon`)
        const waited = (before.due ?? 0) - before.at
        const planned = RETRY_AFTER_MS[index - 1] as number
        assert.ok(waited >= planned * 0.89 && waited <= planned * 1.11, `${id}: ${waited} for ${planned}`)
      }
    }
    assert.ok(retried > REFUSED, `${retried} retries`)
  })

  it('is tried at once when staging’s clock is moved, whatever rest its breaker had begun', async () => {
    await restAndTurn(2)
    const before = sent.length
    await turn()
    assert.equal(sent.length, before, 'the breaker rests')
    const signaled: string[] = []
    world.ctx.signals.onWork((kind) => signaled.push(kind))
    const moved = await world.client('POST', '/sandbox/clock/advance', { seconds: 3_600 })
    assert.equal(moved.status, 200, moved.text)
    for (const kind of ['clock', 'payins', 'payouts', 'links', 'notices', 'events', 'deliveries'])
      assert.ok(signaled.includes(kind), kind)
    refuses = () => false
    await turn()
    assert.equal(sent.length, before + 1)
  })
})
