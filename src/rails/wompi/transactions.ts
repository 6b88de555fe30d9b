// Asks Wompi for a PSE transaction: by its id, or by our reference. Reads take the private key.

import type { Call, Gateway } from '../gateway.ts'
import type { Limits } from '../limits.ts'
import { type Unknown, unknown } from '../rail.ts'
import { undecided, unreadable } from '../wire-format.ts'
import { bearer, type PaymentsAccount } from './account.ts'
import { readTransaction, readTransactions, type Transaction } from './wire.ts'

export type Found = { readonly outcome: 'found'; readonly transaction: Transaction }
// The search answered well, and holds nothing.
export type Nothing = { readonly outcome: 'nothing' }

// What the answer must be about.
export type Sought = { readonly reference: string; readonly amountInCents: bigint }

export type Transactions = {
  readonly byId: (id: string, sought: Sought) => Promise<Found | Unknown>
  readonly search: (sought: Sought) => Promise<Found | Nothing | Unknown>
}

export function wompiTransactions(
  gateway: Gateway,
  limits: Limits,
  { privateKey }: PaymentsAccount,
): Transactions {
  const ask = (reference: string, by: Pick<Call, 'id' | 'query'>) =>
    gateway.ask({
      method: 'GET',
      resource: '/transactions',
      ...by,
      headers: bearer(privateKey),
      reference,
      deadlineMs: limits.queryMs,
      mayAskAgain: true,
    })

  return {
    byId: async (id, sought) => {
      const reply = await ask(sought.reference, { id })
      if (reply.outcome === 'unknown') return reply
      // 404 too: a key that may not read gets it.
      if (reply.outcome === 'refused') return undecided(reply)
      const found = soughtIn(reply.body, sought)
      return found.outcome === 'found' && found.transaction.id !== id ? notTheOne() : found
    },

    search: async (sought) => {
      const { reference } = sought
      const reply = await ask(reference, { id: null, query: { reference } })
      if (reply.outcome === 'unknown') return reply
      if (reply.outcome === 'refused') return undecided(reply)
      const list = readTransactions(reply.body)
      if (list === undefined) return unreadable('the answer is not a list of transactions')
      const { data, meta } = list
      if ((meta?.total_results ?? data.length) !== data.length)
        return unreadable('the list of transactions is not whole')
      const [transaction, second] = data
      if (transaction === undefined) return { outcome: 'nothing' }
      if (second === undefined) return soughtIn({ data: transaction }, sought)
      // A reference is used once. A list of others' was not searched.
      return data.every((one) => one.reference === reference)
        ? unknown('undecided', `there are ${data.length} transactions with one reference`)
        : notTheOne()
    },
  }
}

export function soughtIn(body: unknown, { reference, amountInCents }: Sought): Found | Unknown {
  const transaction = readTransaction(body)?.data
  const isSought =
    transaction?.reference === reference && BigInt(transaction.amount_in_cents) === amountInCents
  return isSought ? { outcome: 'found', transaction } : notTheOne()
}

function notTheOne(): Unknown {
  return unreadable('the answer is not the transaction that was asked for')
}
