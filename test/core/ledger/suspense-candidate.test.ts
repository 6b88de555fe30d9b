// Which payin is offered first for money that arrived unexplained.

import assert from 'node:assert/strict'
import { it } from 'node:test'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/core/instant.ts'
import { candidatesFor, MAX_CANDIDATES } from '../../../src/core/ledger/suspense-candidate.ts'
import type { Payin } from '../../../src/core/payins/payin.ts'

const ARRIVED = Date.UTC(2026, 10, 18, 12)
const MONEY = { payinId: 'named', amountInCents: 500n, createdAt: ARRIVED }

// What the choice looks at.
function payin(
  payinId: string,
  { beforeMs = DAY_MS, key = '@OTHER', amountInCents = 1n, status = 'CANCELED' } = {},
) {
  const source = { rail: 'BRE_B', keyString: key }
  return { payinId, amountInCents, status, source, createdAt: ARRIVED - beforeMs } as unknown as Payin
}
const offered = (payins: Payin[], ofSamePayer: string[] = []) =>
  candidatesFor(MONEY, payins, new Set(ofSamePayer)).map(({ payin: { payinId } }) => payinId)

it('the payin that the network named comes first, then those for which most speaks', () => {
  const named = payin('named', { key: '@NAMED' })
  const alike = payin('alike', { key: '@NAMED', amountInCents: 500n, beforeMs: MINUTE_MS })
  const amount = payin('amount', { amountInCents: 500n, beforeMs: HOUR_MS + 1 })
  const payer = payin('payer', { amountInCents: 500n, beforeMs: 2 * DAY_MS })
  assert.deepEqual(offered([amount, payer, alike, named], ['payer']), ['named', 'alike', 'payer', 'amount'])
})

it('of two for which as much speaks, the one without its money, and then the nearer in time', () => {
  const near = payin('near', { amountInCents: 500n, beforeMs: 2 * HOUR_MS })
  const far = payin('far', { amountInCents: 500n, beforeMs: 3 * HOUR_MS })
  const after = payin('after', { amountInCents: 500n, beforeMs: -HOUR_MS - 1 })
  const paid = payin('paid', { amountInCents: 500n, beforeMs: HOUR_MS + 2, status: 'CONFIRMED' })
  assert.deepEqual(offered([paid, far, near, after]), ['after', 'near', 'far', 'paid'])
})

it('being near in time is no reason by itself, and twenty are enough', () => {
  assert.deepEqual(offered([payin('near', { beforeMs: 0 })]), [])
  const many = Array.from({ length: 25 }, (_, at) => payin(`${at}`, { amountInCents: 500n }))
  assert.equal(offered(many).length, MAX_CANDIDATES)
})

it('each says why it fits', () => {
  const payins = [
    payin('named', { key: '@NAMED', amountInCents: 500n, beforeMs: HOUR_MS }),
    payin('alike', { key: '@NAMED', beforeMs: HOUR_MS + 1 }),
    payin('payer', { amountInCents: 2n, beforeMs: -HOUR_MS }),
    payin('amount', { amountInCents: 500n }),
  ]
  const found = candidatesFor(MONEY, payins, new Set(['named', 'payer']))
  assert.deepEqual(
    found.map(({ payin: { payinId }, fits }) => [payinId, ...fits]),
    [
      ['named', 'NAMED', 'SAME_AMOUNT', 'NEAR_IN_TIME'],
      ['payer', 'SAME_PAYER', 'NEAR_IN_TIME'],
      ['alike', 'SAME_KEY'],
      ['amount', 'SAME_AMOUNT'],
    ],
  )
})

it('a key that nobody has is nobody’s', () => {
  const overPse = (payinId: string) => ({ ...payin(payinId), source: { rail: 'PSE' } }) as unknown as Payin
  assert.deepEqual(offered([overPse('named'), overPse('other')]), ['named'])
  assert.deepEqual(offered([overPse('other'), payin('another', { key: '@NAMED' })]), [])
})

it('what the network named is before whatever else fits, and a payin that waits before one that has its money', () => {
  const named = payin('named', { status: 'CONFIRMED' })
  const best = payin('best', { amountInCents: 500n, beforeMs: 0 })
  assert.deepEqual(offered([best, named], ['best']), ['named', 'best'])
})
