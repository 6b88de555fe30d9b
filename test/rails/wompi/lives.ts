// Orders at the simulated Wompi, for the shared contract.

import { wompi } from '../../../src/sandbox/providers/wompi/payments.ts'
import { wompiPayouts } from '../../../src/sandbox/providers/wompi/payouts.ts'
import { PAYIN_BOOKS, PAYOUT_BOOKS } from '../../sandbox/providers/books.ts'
import { type Simulated, simulate } from '../../sandbox/providers/simulated.ts'
import { type FarSide, LIFE_LIMITS, type Life } from '../conformance/lives.ts'
import { offered } from '../port.ts'
import { accepted, handle, open, payinOrder, payoutOrder } from './wompi.ts'

const OUTCOME_DELAY_MS = 2_000
const AMOUNT = 2_490_000n

const common = (simulated: Simulated) => ({
  url: simulated.url,
  letPay: () => simulated.advance(OUTCOME_DELAY_MS),
  advance: simulated.advance,
  [Symbol.asyncDispose]: simulated[Symbol.asyncDispose],
})

async function beginPayin(): Promise<FarSide> {
  const simulated = await simulate(wompi)
  const { reference } = payinOrder()
  const ordered = { reference, amountInCents: Number(AMOUNT) }
  return {
    ...common(simulated),
    open: async (url, record) => {
      const { now } = simulated
      const rails = open({ payments: `${url}/v1` }, { now, limits: LIFE_LIMITS, record })
      const terms = accepted(await offered(rails.terms)()).map((one) => one.url)
      return {
        submit: () => rails.pse.submit(payinOrder({ acceptedTerms: terms })),
        search: () => rails.pse.query(handle(payinOrder())),
        close: rails.close,
      }
    },
    made: () => PAYIN_BOOKS.wompi.made({ wompi: simulated }, ordered),
    paid: () => PAYIN_BOOKS.wompi.paid({ wompi: simulated }, ordered),
  }
}

async function beginPayout(): Promise<FarSide> {
  const simulated = await simulate(wompiPayouts)
  const { reference } = payoutOrder()
  const ordered = { reference, amountInCents: Number(AMOUNT) }
  const books = offered(PAYOUT_BOOKS.wompi)
  return {
    ...common(simulated),
    open: (url, record) => {
      const { now } = simulated
      const rails = open({ payouts: url }, { now, limits: LIFE_LIMITS, record })
      return {
        submit: () => rails.out.submit(payoutOrder()),
        search: () => rails.out.query(handle(payoutOrder())),
        resendAfterMs: rails.out.resendAfterMs,
        close: rails.close,
      }
    },
    made: () => books.made({ 'wompi-payouts': simulated }, ordered),
    paid: () => books.paid({ 'wompi-payouts': simulated }, ordered),
  }
}

export const wompiLives: readonly Life[] = [
  {
    name: 'a payin',
    amountInCents: AMOUNT,
    begin: beginPayin,
    isOrder: (method, path) => method === 'POST' && path.endsWith('/transactions'),
    // A reference is used once, for ever.
    again: { status: 422, orders: 1 },
    againAfterADay: { status: 422, orders: 1 },
  },
  {
    name: 'a payout',
    amountInCents: AMOUNT,
    begin: beginPayout,
    isOrder: (method, path) => method === 'POST' && path.endsWith('/payouts'),
    // The idempotency key is kept for a day. Then the order is a new one.
    again: { status: 409, orders: 1 },
    againAfterADay: { status: 201, orders: 2 },
  },
]
