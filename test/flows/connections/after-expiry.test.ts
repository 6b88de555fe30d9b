// A payin whose time is over, at a provider that cannot end it: we ask at once and then every minute, and end it when the provider says
// that it is over. Nobody guesses. One that was never ordered ends without anybody's word.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { MINUTE_MS } from '../../../src/core/instant.ts'
import { CUSTOMER, createWorld, type World } from '../../world.ts'
import { accepted, connect, openedPayin, type ScriptedProvider, silence } from './scripted-provider.ts'

const EXPIRY_MS = 15 * MINUTE_MS
// No pause between two questions is longer.
const LONGEST_PAUSE_MS = MINUTE_MS
let count = 0

describe('a payin whose time is over, at a provider that cannot end it', () => {
  let world: World
  let provider: ScriptedProvider
  before(async () => {
    world = await createWorld()
    provider = await connect(world, { uses: ['PSE_IN'] })
  })
  after(() => world[Symbol.asyncDispose]())

  const create = async (changes: Record<string, unknown> = {}) => {
    count += 1
    provider.submitPayin = () => accepted(openedPayin({ pageUrl: 'https://bank.example/' }))
    provider.payin = () => accepted({ state: 'open', opened: openedPayin() })
    const { json } = await world.client('POST', '/payins', {
      amountInCents: 5_000_000,
      currency: 'COP',
      rail: 'PSE',
      reference: `after-expiry-${count}`,
      inlineCustomer: CUSTOMER,
      pse: { bank: 'CO_BANCOLOMBIA', personType: 'INDIVIDUAL' },
      ...changes,
    })
    await world.work()
    provider.calls.length = 0
    return json
  }
  const read = async (id: string): Promise<[string, string | null]> => {
    const { json } = await world.client('GET', `/payins/${id}`)
    return [json.status, json.errorCode]
  }
  const pass = async (ms: number, stepMs: number) => {
    for (let past = 0; past < ms; past += stepMs) await world.passTime(stepMs)
  }
  const ENDED = {
    declined: accepted({
      state: 'ended',
      how: 'declined',
      reason: 'RAIL_ERROR',
      networkCode: 'DECLINED',
    } as const),
    expired: accepted({
      state: 'ended',
      how: 'expired',
      reason: 'EXPIRED',
      networkCode: 'EXPIRED',
    } as const),
  }

  it('is asked about when its time is over, and ends at once if the provider says so', async () => {
    const payin = await create()
    await pass(EXPIRY_MS - 20_000, EXPIRY_MS - 20_000)
    provider.calls.length = 0
    provider.payin = () => ENDED.expired
    await world.passTime(20_000)
    assert.deepEqual(provider.calls, ['cancel payin'])
    assert.deepEqual(await read(payin.id), ['CANCELED', 'EXPIRED'])
  })

  for (const [how, end] of [
    ['declined', ['DECLINED', 'RAIL_ERROR']],
    ['expired', ['CANCELED', 'EXPIRED']],
  ] as const)
    for (const laterMs of [30_000, 10 * MINUTE_MS])
      it(`ends within a minute of the provider’s word (${how}, ${laterMs / 1_000} s later), and not before`, async () => {
        const payin = await create()
        await pass(EXPIRY_MS, EXPIRY_MS)
        await pass(laterMs, 10_000)
        // Neither silence nor an answer that decides nothing ends it.
        provider.payin = () => silence
        await pass(2 * LONGEST_PAUSE_MS, 10_000)
        assert.deepEqual(await read(payin.id), ['PROCESSING', null])
        provider.payin = () => ENDED[how]
        provider.calls.length = 0
        await pass(LONGEST_PAUSE_MS, 5_000)
        assert.deepEqual(await read(payin.id), end)
        assert.equal(provider.calls.length, 1)
      })

  it('that is open at its bank an hour later ends for the merchant, and is asked about no sooner than PSE allows', async () => {
    const payin = await create()
    await pass(EXPIRY_MS, EXPIRY_MS)
    await pass(59 * MINUTE_MS, 59 * MINUTE_MS)
    assert.deepEqual(await read(payin.id), ['PROCESSING', null])
    await world.passTime(MINUTE_MS)
    assert.deepEqual(await read(payin.id), ['CANCELED', 'EXPIRED'])
    provider.calls.length = 0
    await pass(10 * MINUTE_MS, MINUTE_MS)
    assert.deepEqual(provider.calls, [])
    await pass(3 * MINUTE_MS, MINUTE_MS)
    assert.deepEqual(provider.calls, ['cancel payin'])
  })

  it('that was never ordered, because its payer did not come, ends at once, though the provider is silent', async () => {
    await using other = await createWorld()
    const absent = await connect(other, { uses: ['PSE_IN'], provider: 'wompi' })
    absent.payin = () => silence
    const { json } = await other.client('POST', '/payins', {
      amountInCents: 5_000_000,
      currency: 'COP',
      rail: 'PSE',
      reference: 'nobody-came',
      inlineCustomer: CUSTOMER,
      pse: { bank: 'CO_BANCOLOMBIA', personType: 'INDIVIDUAL' },
    })
    await other.work()
    await other.passTime(EXPIRY_MS)
    const { status, errorCode } = (await other.client('GET', `/payins/${json.id}`)).json
    assert.deepEqual([status, errorCode, absent.calls], ['CANCELED', 'EXPIRED', []])
  })
})
