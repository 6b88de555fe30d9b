// What the two merchants have: keys, objects with their canaries, and the ids that answers have brought since.

import { randomUUID } from 'node:crypto'
import type { Random } from '../random.ts'

export type Merchant = {
  readonly apiKey: string
  // In names, references, addresses and descriptions of everything that is this merchant's.
  readonly canary: string
  readonly clientId: string
  readonly clientSecret: string
}

export type Subjects = {
  readonly merchants: readonly [Merchant, Merchant]
  // Learns ids and addresses of pages from an answer to a merchant.
  readonly learn: (merchant: 0 | 1, body: unknown) => void
  // An id for a parameter: most often the merchant's own, sometimes the other's, sometimes nobody's.
  readonly idFor: (random: Random, merchant: 0 | 1, parameter: string) => string
  readonly pagePath: (random: Random) => { path: string; merchant: 0 | 1 } | undefined
}

const MOST_KEPT = 400

export function newSubjects(merchants: readonly [Merchant, Merchant]): Subjects {
  const ids = [new Map<string, string[]>(), new Map<string, string[]>()] as const
  const pages: { path: string; merchant: 0 | 1 }[] = []
  const keep = (merchant: 0 | 1, parameter: string, id: string): void => {
    const kept = ids[merchant].get(parameter) ?? []
    if (kept.length >= MOST_KEPT) kept.splice(Math.floor(MOST_KEPT / 2), 1)
    kept.push(id)
    ids[merchant].set(parameter, kept)
  }
  const learnOne = (merchant: 0 | 1, value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    const one = value as Record<string, unknown>
    if (Array.isArray(one.data)) for (const item of one.data.slice(0, 3)) learnOne(merchant, item)
    if (typeof one.paymentLinkId === 'string' && typeof one.paymentLinkUrl === 'string') {
      keep(merchant, 'paymentLinkId', one.paymentLinkId)
      if (pages.length < MOST_KEPT) pages.push({ path: new URL(one.paymentLinkUrl).pathname, merchant })
    }
    if (typeof one.id !== 'string') return
    if (typeof one.event === 'string') keep(merchant, 'eventId', one.id)
    else if (typeof one.url === 'string') keep(merchant, 'endpointId', one.id)
    else if ('settlementStatus' in one) keep(merchant, 'payinId', one.id)
    else if ('sourceData' in one) keep(merchant, 'payoutId', one.id)
    else if ('rail' in one && 'day' in one) keep(merchant, 'reconciliationId', one.id)
  }
  return {
    merchants,
    learn: learnOne,
    idFor: (random, merchant, parameter) => {
      if (parameter === 'keyString')
        return random.pick(['%40ANAGOMEZ', '%40NOBODY', '3001234567', 'a%40b.co'])
      const other = (1 - merchant) as 0 | 1
      const from = ids[random.oneIn(4) ? other : merchant].get(parameter) ?? []
      return from.length === 0 || random.oneIn(10) ? randomUUID() : random.pick(from)
    },
    pagePath: (random) => (pages.length === 0 ? undefined : random.pick(pages)),
  }
}
