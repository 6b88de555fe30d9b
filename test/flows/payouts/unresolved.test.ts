// A payout that the network may have: only the network ends it, however long that takes.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { claimPayouts, dispatchPayout } from '../../../src/flows/payouts/dispatch.ts'
import { unknown } from '../../../src/rails/rail.ts'
import { listOpenAlarms, resolveAlarm } from '../../../src/store/ledger/alarms.ts'
import { CUSTOMER, createWorld, type World } from '../../world.ts'

const DAY = 24 * 60 * 60_000
const PAYOUT = {
  amountInCents: 1_000_000,
  currency: 'COP',
  rail: 'BRE_B',
  reference: 'wages',
  inlineCustomer: { ...CUSTOMER, idNumber: '1000000007' },
  breb: { keyString: '@ANAGOMEZ' },
}

describe('a payout without a decision', () => {
  let world: World
  before(async () => {
    world = await createWorld()
  })
  after(() => world[Symbol.asyncDispose]())

  const alarmsOf = async (payoutId: string) =>
    (await listOpenAlarms(world.db)).filter((alarm) => alarm.subjectId === payoutId)
  const rowOf = async (payoutId: string) => {
    const { rows } = await world.db.query<{ stage: string; status: string }>({
      text: 'select stage, status from payouts where payout_id = $1',
      values: [payoutId],
    })
    return rows[0]
  }

  it('a payout that was handed over is released by nobody but the network, and a day later a person is told', async () => {
    const { networks } = world.ctx
    // The network takes it and hides it, and the directory is away.
    const hidden = {
      ...world.ctx,
      networks: {
        ...networks,
        payouts: {
          submit: async () => unknown('timeout', 'no answer'),
          query: async () => ({ outcome: 'accepted', value: { state: 'absent' } }) as const,
        },
        directory: { lookUp: async () => unknown('unavailable', 'the directory is away') },
      },
    }
    const answering = { ...hidden, networks: { ...hidden.networks, directory: networks.directory } }
    const { organization, client } = world
    const payout = (await client('POST', '/payouts', PAYOUT)).json
    const dispatch = async (ctx: World['ctx']) => {
      for (const claim of await claimPayouts(ctx, organization.organizationId, 10))
        await dispatchPayout(ctx, claim)
    }
    await dispatch(answering)
    assert.equal((await rowOf(payout.id))?.stage, 'SENDING')
    for (let hours = 0; hours < 23; hours += 1) {
      world.advance(60 * 60_000)
      await dispatch(hidden)
    }
    assert.deepEqual(await rowOf(payout.id), { stage: 'SENDING', status: 'PROCESSING' })
    assert.deepEqual(await alarmsOf(payout.id), [])
    for (let hours = 0; hours < 48; hours += 1) {
      world.advance(60 * 60_000)
      await dispatch(hidden)
    }
    assert.deepEqual(
      (await alarmsOf(payout.id)).map(({ kind }) => kind),
      ['payout-unresolved'],
    )
    assert.equal((await client('GET', '/balance')).json.reservedInCents, 1_000_000)
    assert.equal((await client('POST', `/payouts/${payout.id}/cancel`)).status, 409)
  })

  const processing = async () => ({ outcome: 'accepted', value: { state: 'processing' } }) as const
  const silence = async () => unknown('timeout', 'no answer')
  for (const [what, first, query] of [
    ['that its network has', 20_000, processing],
    ['whose network does not answer', 1_000, silence],
  ] as const) {
    it(`a payout ${what} is asked about ever more seldom, for ever, with one alarm after a day`, async () => {
      const { organization, client } = world
      const { networks } = world.ctx
      const ctx = { ...world.ctx, networks: { ...networks, payouts: { submit: query, query } } }
      const { id } = (await client('POST', '/payouts', PAYOUT)).json
      const dispatch = async () => {
        for (const claim of await claimPayouts(ctx, organization.organizationId, 10))
          await dispatchPayout(ctx, claim)
      }
      const dueIn = async (): Promise<number> => {
        const { rows } = await world.db.query<{ due_at: number }>({
          text: 'select due_at from payouts where payout_id = $1',
          values: [id],
        })
        return (rows[0]?.due_at as number) - world.ctx.clock.now()
      }
      const begunAt = world.ctx.clock.now()
      await dispatch()
      const pauses: number[] = []
      for (let asked = 0; asked < 20; asked += 1) {
        pauses.push(await dueIn())
        world.advance(Math.max(pauses.at(-1) as number, 0))
        await dispatch()
        const isDayOver = world.ctx.clock.now() >= begunAt + DAY
        assert.equal((await alarmsOf(id)).length, isDayOver ? 1 : 0, `after ${pauses}`)
      }
      const [alarm] = await alarmsOf(id)
      await resolveAlarm(world.db, alarm?.alarmId as string, world.ctx.clock.now())
      await dispatch()
      assert.deepEqual(await alarmsOf(id), [], 'a person has looked at it')
      world.advance(DAY + 5_000)
      await dispatch()
      assert.equal((await alarmsOf(id)).length, 1, 'a day later it is still so')
      const isAbout = (expected: number) => (pause: number) => Math.abs(pause - expected) < 5_000
      assert.ok(isAbout(first)(pauses[0] as number), `${pauses}`)
      assert.ok(pauses.slice(12).every(isAbout(DAY)), `${pauses}`)
      assert.deepEqual(await rowOf(id), {
        stage: query === processing ? 'SENT' : 'SENDING',
        status: 'PROCESSING',
      })
    })
  }
})
