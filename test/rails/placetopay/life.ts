// An order at the simulated PlacetoPay, for the shared contract.

import { placetopay } from '../../../src/sandbox/providers/placetopay/gateway.ts'
import { PAYIN_BOOKS } from '../../sandbox/providers/books.ts'
import { simulate } from '../../sandbox/providers/simulated.ts'
import { type FarSide, LIFE_LIMITS, type Life } from '../conformance/lives.ts'
import { handle, open, order } from './orders.ts'

const OUTCOME_DELAY_MS = 2_000
const made = {
  ...order,
  source: { rail: 'PSE', bank: 'CO_BANCO_DE_PRUEBAS', personType: 'INDIVIDUAL' },
} as const

async function begin(): Promise<FarSide> {
  const simulated = await simulate(placetopay)
  const { now } = simulated
  const ordered = { reference: order.reference, amountInCents: Number(order.amountInCents) }
  return {
    url: simulated.url,
    open: async (url, record) => {
      const credentials = { ...placetopay.credentials, url }
      const rails = open({ credentials }, { now, wallClock: now, record, limits: LIFE_LIMITS })
      await rails.banks?.()
      return {
        submit: () => rails.pse.submit(made),
        search: () => rails.pse.query(handle(null)),
        close: rails.close,
      }
    },
    made: () => PAYIN_BOOKS.placetopay.made({ placetopay: simulated }, ordered),
    paid: () => PAYIN_BOOKS.placetopay.paid({ placetopay: simulated }, ordered),
    letPay: () => simulated.advance(OUTCOME_DELAY_MS),
    advance: simulated.advance,
    [Symbol.asyncDispose]: simulated[Symbol.asyncDispose],
  }
}

export const placetopayLife: Life = {
  name: 'a payin',
  amountInCents: order.amountInCents,
  begin,
  isOrder: (method, path) => method === 'POST' && path.endsWith('/process'),
  // While the first is open or paid, its idempotence key shows it.
  again: { status: 208, orders: 1 },
  againAfterADay: { status: 208, orders: 1 },
}
