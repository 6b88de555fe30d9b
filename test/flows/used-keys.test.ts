// A flow keeps the answer for its Idempotency-Key in the transaction of what it does. A key that another request has used meanwhile undoes
// it: that request's answer is the answer.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { AnsweredBefore, type Idempotency } from '../../src/flows/context.ts'
import { takeAlarm } from '../../src/flows/ledger/take-alarm.ts'
import { cancelPayin } from '../../src/flows/payins/cancel.ts'
import { expireLinkEarly } from '../../src/flows/payment-links/expire.ts'
import { cancelPayout } from '../../src/flows/payouts/cancel.ts'
import { cancelRefund } from '../../src/flows/refunds/cancel.ts'
import { newAlarm, newPayout, newRefund } from '../api/http/calls.ts'
import { brebPayin, CUSTOMER, createWorld, type World } from '../world.ts'

const HELD = { inlineCustomer: { ...CUSTOMER, idNumber: '1000000007' } }

type Key = Idempotency<unknown> | null
type Row = {
  // Where it is shown.
  at: (id: string) => string
  make: (world: World) => Promise<string>
  act: (world: World, id: string, key: Key) => Promise<unknown>
}

const made = async ({ client }: World, path: string, body: unknown): Promise<string> => {
  const { status, json, text } = await client('POST', path, body)
  assert.equal(status, 201, text)
  return json.id ?? json.paymentLinkId
}
const ownerOf = (world: World): string => world.organization.organizationId

const ROWS: Readonly<Record<string, Row>> = {
  'a payin that is canceled': {
    at: (id) => `/payins/${id}`,
    make: (world) => made(world, '/payins', brebPayin(HELD)),
    act: (world, id, key) => cancelPayin(world.ctx, { organizationId: ownerOf(world), payinId: id }, key),
  },
  'a payout that is canceled': {
    at: (id) => `/payouts/${id}`,
    make: (world) => made(world, '/payouts', newPayout(HELD)),
    act: (world, id, key) => cancelPayout(world.ctx, { organizationId: ownerOf(world), payoutId: id }, key),
  },
  'a link that is ended': {
    at: (id) => `/payment-links/${id}`,
    make: (world) =>
      made(world, '/payment-links', {
        amountType: 'FIXED',
        amountInCents: 100_000,
        reference: 'order',
        callbackUrl: 'https://shop.example/return',
      }),
    act: (world, id, key) => expireLinkEarly(world.ctx, ownerOf(world), id, key),
  },
  'a refund that is canceled': {
    at: (id) => `/refunds/${id}`,
    make: (world) => newRefund(world, world.client),
    act: (world, id, key) => cancelRefund(world.ctx, { organizationId: ownerOf(world), refundId: id }, key),
  },
  'an alarm that is taken': {
    at: () => '/alarms',
    make: (world) => newAlarm(world, world.client),
    act: (world, id, key) => takeAlarm(world.ctx, { organizationId: ownerOf(world), alarmId: id }, key),
  },
}

describe('a key', () => {
  let world: World
  before(async () => {
    world = await createWorld()
  })
  after(() => world[Symbol.asyncDispose]())

  const keyNamed = (key: string): Idempotency<unknown> => ({
    key,
    fingerprint: Buffer.alloc(32, 7),
    answer: () => ({ status: 200, body: `{"of":"${key}"}` }),
  })
  const kept = async () => {
    const { rows } = await world.db.query<{ key: string; body: string }>({
      text: 'select idempotency_key as key, body from idempotency_records order by 1',
    })
    return rows.map(({ key, body }) => `${key} ${body}`)
  }

  for (const [what, { at, make, act }] of Object.entries(ROWS)) {
    it(`is kept with the answer of ${what}, and none where there is none`, async () => {
      const before = await kept()
      await act(world, await make(world), null)
      assert.deepEqual(await kept(), before)
      await act(world, await make(world), keyNamed(`fresh ${what}`))
      assert.deepEqual(await kept(), [...before, `fresh ${what} {"of":"fresh ${what}"}`].sort())
    })

    it(`that was used meanwhile leaves ${what} as it was`, async () => {
      await act(world, await make(world), keyNamed(`used ${what}`))
      const id = await make(world)
      const shown = async () => (await world.client('GET', at(id))).text
      const before = [await shown(), await kept()]
      await assert.rejects(act(world, id, keyNamed(`used ${what}`)), AnsweredBefore)
      assert.deepEqual([await shown(), await kept()], before)
    })
  }
})
