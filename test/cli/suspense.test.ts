// recaudo unmatched and recaudo alarms: what waits for a person is listed, decided about and resolved.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { newAlarm } from '../api/http/calls.ts'
import { lateMoney } from '../late-money.ts'
import { createWorld, type World } from '../world.ts'
import type { Merchant } from './binary.ts'
import { merchantInProcess } from './in-process.ts'

describe('recaudo unmatched', () => {
  let world: World
  let merchant: Merchant
  before(async () => {
    world = await createWorld()
    merchant = merchantInProcess(world)
  })
  after(async () => {
    merchant[Symbol.dispose]()
    await world[Symbol.asyncDispose]()
  })

  it('lists money in suspense, shows what it may be meant for, and decides about it', async () => {
    const [kept, back] = [await lateMoney(world), await lateMoney(world)]
    const listed = await merchant.run(['unmatched', 'list', '--state', 'OPEN'])
    assert.equal(listed.code, 0, listed.stderr)
    assert.match(
      listed.stdout,
      new RegExp(`${kept.suspenseId} .*50\\.000.* BRE_B +LATE +OPEN +${kept.payinId}`),
    )
    const { stdout } = await merchant.run(['unmatched', 'get', kept.suspenseId])
    assert.match(stdout, new RegExp(`${kept.payinId} .*CANCELED.*NAMED, SAME_AMOUNT`))
    const noted = await merchant.json('unmatched', 'note', kept.suspenseId, '--note', 'Whose?')
    assert.equal(noted.note, 'Whose?')
    assert.equal((await merchant.json('unmatched', 'note', kept.suspenseId, '--note', 'none')).note, null)
    const missing = await merchant.run(['unmatched', 'attach', kept.suspenseId])
    assert.equal(missing.code, 2)
    assert.match(missing.stderr, /--payin is required/)
    const attached = await merchant.json('unmatched', 'attach', kept.suspenseId, '--payin', kept.payinId)
    assert.equal(attached.attachedTo, kept.payinId)
    const returned = await merchant.json('unmatched', 'return', back.suspenseId, '--idempotency-key', 'back')
    assert.equal(returned.state, 'RETURNED')
    const again = await merchant.run(['unmatched', 'return', back.suspenseId])
    assert.equal(again.code, 1)
    assert.match(again.stderr, /RETURNED/)
  })

  it('takes an alarm and resolves it with a word', async () => {
    const alarmId = await newAlarm(world, world.client)
    const taken = await merchant.run(['alarms', 'take', alarmId])
    assert.match(taken.stdout, /taken by +test/)
    assert.match((await merchant.run(['alarms', 'list'])).stdout, new RegExp(`${alarmId} .* OPEN +test `))
    assert.match((await merchant.run(['alarms', 'resolve', alarmId])).stderr, /--word is required/)
    const resolved = await merchant.json('alarms', 'resolve', alarmId, '--word', 'It was ours.')
    assert.deepEqual([resolved.status, resolved.resolution], ['RESOLVED', 'It was ours.'])
  })
})
