// Orders at the simulated Mono, for the shared contract.

import { PAYIN_BOOKS, PAYOUT_BOOKS, payKey } from '../../sandbox/providers/books.ts'
import { OUTCOME_DELAY_MS, simulateMono } from '../../sandbox/providers/mono-caller.ts'
import { type FarSide, LIFE_LIMITS, type Life, type LifeRails } from '../conformance/lives.ts'
import {
  AMOUNT,
  handle,
  type OpenedMono,
  OUR_KEY,
  openAt,
  PAYIN,
  PAYOUT,
  payinOrder,
  payoutOrder,
} from './opened.ts'

const begin =
  (kind: 'payin' | 'payout', railsOf: (rails: OpenedMono) => Omit<LifeRails, 'close'>) =>
  async (): Promise<FarSide> => {
    const mono = await simulateMono()
    const books = kind === 'payin' ? PAYIN_BOOKS.mono : PAYOUT_BOOKS.mono
    const ordered = { reference: kind === 'payin' ? PAYIN : PAYOUT, amountInCents: Number(AMOUNT) }
    return {
      url: mono.url,
      open: (url, record) => {
        const rails = openAt(url, { now: mono.now, limits: LIFE_LIMITS, record })
        return { ...railsOf(rails), close: rails.close }
      },
      made: async () => (await books?.made({ mono }, ordered)) ?? 0,
      paid: async () => (await books?.paid({ mono }, ordered)) ?? [],
      letPay: async () => {
        // The key is registered, paid, and the payment has its outcome.
        await mono.advance(OUTCOME_DELAY_MS)
        if (kind === 'payin') await payKey({ mono }, OUR_KEY, Number(AMOUNT))
        await mono.advance(OUTCOME_DELAY_MS)
      },
      advance: mono.advance,
      [Symbol.asyncDispose]: mono[Symbol.asyncDispose],
    }
  }

export const monoLives: readonly Life[] = [
  {
    name: 'a payin',
    amountInCents: AMOUNT,
    begin: begin('payin', ({ payin }) => ({
      submit: () => payin.submit(payinOrder()),
      search: () => payin.query(handle(PAYIN)),
    })),
    isOrder: (method, path) => method === 'POST' && path.endsWith('/collections'),
    // Mono shows the collection that it has.
    again: { status: 200, orders: 1 },
    againAfterADay: { status: 200, orders: 1 },
  },
  {
    name: 'a payout',
    amountInCents: AMOUNT,
    begin: begin('payout', ({ payout }) => ({
      submit: () => payout.submit(payoutOrder()),
      search: () => payout.query(handle(PAYOUT)),
      resendAfterMs: payout.resendAfterMs,
    })),
    isOrder: (method, path) => method === 'POST' && path.endsWith('/outgoing_transfers'),
    // Mono pays each of them.
    again: { status: 202, orders: 2 },
    againAfterADay: { status: 202, orders: 2 },
  },
]
