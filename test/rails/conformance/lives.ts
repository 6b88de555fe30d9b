// An order at a simulated far side, which remembers what it was asked. Whatever becomes of the answers, there is one order, a search
// finds it, and it is paid once. Where a second order is a second payment, the adapter says so.

import assert from 'node:assert/strict'
import { it } from 'node:test'
import { HOUR_MS } from '../../../src/core/instant.ts'
import type {
  NetworkExchange,
  PayinRail,
  PayoutRail,
  RailAnswer,
  RailPayinStatus,
  RailPayoutStatus,
} from '../../../src/rails/rail.ts'
import { eventually } from '../../world.ts'
import { shown } from './answers.ts'
import { LOST_ANSWERS, openLossyProxy } from './lossy-proxy.ts'

export type LifeRails = {
  readonly submit: () => ReturnType<PayinRail['submit'] | PayoutRail['submit']>
  // By our reference alone.
  readonly search: () => Promise<RailAnswer<RailPayinStatus | RailPayoutStatus, string>>
  readonly resendAfterMs?: number | undefined
  readonly close: () => Promise<void>
}

export type FarSide = AsyncDisposable & {
  readonly url: string
  // Opens the adapter as a process of ours would: with nothing but the credentials.
  readonly open: (url: string, record: (exchange: NetworkExchange) => void) => LifeRails | Promise<LifeRails>
  // Orders under our reference, and what was paid of them.
  readonly made: () => Promise<number>
  readonly paid: () => Promise<bigint[]>
  // Until the payment has its outcome.
  readonly letPay: () => Promise<void>
  readonly advance: (ms: number) => Promise<void>
}

export type Life = {
  readonly name: string
  readonly amountInCents: bigint
  readonly begin: () => Promise<FarSide>
  readonly isOrder: (method: string, path: string) => boolean
  // What the far side answers to an order that comes again, and how many there are then: at once, and when its memory of keys is over.
  readonly again: { readonly status: number; readonly orders: 1 | 2 }
  readonly againAfterADay: { readonly status: number; readonly orders: 1 | 2 }
}

// An hour more than anybody keeps an idempotency key.
const KEYS_ARE_FORGOTTEN_MS = 25 * HOUR_MS
// Of every order that is answered, so a busy machine has to answer within it too.
export const LIFE_LIMITS = { submitMs: 2_000, pauseFromMs: 1, pauseToMs: 2, breakAfterFailures: 1_000 }

export function lifeConformance({ begin, isOrder, amountInCents, again, againAfterADay }: Life): void {
  const beginThrough = async () => {
    const farSide = await begin()
    const proxy = await openLossyProxy(farSide.url, isOrder)
    const exchanges: NetworkExchange[] = []
    const open = () => farSide.open(proxy.url, (exchange) => void exchanges.push(exchange))
    const rails = await open()
    return {
      farSide,
      proxy,
      rails,
      // Of the orders, in their turn.
      statuses: () =>
        exchanges
          .filter(({ operation }) => isOrder(...(operation.split(' ') as [string, string])))
          .map(({ status }) => status),
      reopen: open,
      [Symbol.asyncDispose]: async () => {
        await rails.close()
        await proxy[Symbol.asyncDispose]()
        await farSide[Symbol.asyncDispose]()
      },
    }
  }

  const assertPaidOnce = async (farSide: FarSide, rails: LifeRails): Promise<void> => {
    await farSide.letPay()
    assert.equal(stateOf(await rails.search()), 'paid')
    assert.deepEqual(await farSide.paid(), [amountInCents])
    assert.equal(await farSide.made(), 1)
  }

  for (const loss of LOST_ANSWERS)
    it(`whose answer is lost (${loss}) is one order, which a search finds`, async () => {
      await using life = await beginThrough()
      const { farSide, proxy, rails } = life
      // What comes before an order, such as a token, is there.
      await rails.search()
      proxy.lose(loss)
      const answer = await rails.submit()
      assert.equal(answer.outcome, 'unknown', shown(answer))
      proxy.lose(null)
      await eventually(farSide.made, (count) => count === 1)
      // Of another process, which knows nothing but the reference.
      const next = await life.reopen()
      assert.equal(stateOf(await next.search()), 'open')
      await assertPaidOnce(farSide, next)
      await next.close()
    })

  it('that never arrived is not found, and may be sent again', async () => {
    await using life = await beginThrough()
    const { farSide, proxy, rails } = life
    await rails.search()
    proxy.lose('order')
    const lost = await rails.submit()
    assert.equal(lost.outcome, 'unknown', shown(lost))
    proxy.lose(null)
    assert.equal(await farSide.made(), 0)
    assert.ok(['nothing', 'unknown'].includes(stateOf(await rails.search())))
    assert.equal((await rails.submit()).outcome, 'accepted')
    await assertPaidOnce(farSide, rails)
  })

  const assertAgain = async (
    life: Awaited<ReturnType<typeof beginThrough>>,
    { status, orders }: Life['again'],
  ): Promise<void> => {
    const { farSide, rails, statuses } = life
    const answer = await rails.submit()
    assert.equal(answer.outcome, 'accepted', shown(answer))
    assert.equal(statuses().at(-1), status)
    assert.equal(await farSide.made(), orders)
    // Whoever would pay twice must be searched first, and given time.
    if (orders === 2) assert.ok((rails.resendAfterMs ?? 0) > 0)
  }

  it(`that comes again is answered with ${again.status}: ${again.orders} in all`, async () => {
    await using life = await beginThrough()
    const { farSide, rails } = life
    const first = await rails.submit()
    await assertAgain(life, again)
    if (again.orders === 2) return assert.equal(stateOf(await rails.search()), 'unknown')
    assert.equal(providerIdOf(await rails.submit()), providerIdOf(first))
    await assertPaidOnce(farSide, rails)
    assert.notEqual((await rails.submit()).outcome, 'rejected')
    assert.equal(await farSide.made(), 1)
  })

  it(`that comes again a day later is answered with ${againAfterADay.status}, and a search finds it before`, async () => {
    await using life = await beginThrough()
    const { farSide, rails } = life
    await rails.submit()
    await farSide.letPay()
    await farSide.advance(KEYS_ARE_FORGOTTEN_MS)
    const next = await life.reopen()
    assert.equal(stateOf(await next.search()), 'paid')
    await next.close()
    await assertAgain(life, againAfterADay)
  })
}

// In the words of both kinds of payments: nothing, open, paid or ended. Unknown: nobody can say.
function stateOf(answer: RailAnswer<RailPayinStatus | RailPayoutStatus, string>): string {
  if (answer.outcome !== 'accepted') return answer.outcome
  const { state } = answer.value
  if (state === 'absent' || (state === 'ended' && answer.value.how === 'not-found')) return 'nothing'
  if (state === 'processing') return 'open'
  return state === 'completed' ? 'paid' : state
}

function providerIdOf(answer: RailAnswer<object, string>): unknown {
  return answer.outcome === 'accepted' && 'providerId' in answer.value
    ? answer.value.providerId
    : answer.outcome
}
