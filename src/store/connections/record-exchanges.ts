// Records what went over the wire to a network, beside the call itself.

import { parseRailReference } from '../../core/connections/reference.ts'
import { UNATTRIBUTED_ORGANIZATION } from '../../core/organizations/organization.ts'
import { batchedStatement } from '../batched-statement.ts'
import type { Db } from '../db.ts'
import { insertExchanges, type StoredExchange } from './exchanges.ts'

type NewExchange = Omit<StoredExchange, 'organizationId' | 'exchangeId'>

const MAX_BATCH = 200
const MAX_WAITING = 5_000

// Exchanges are recorded in the background: the operator's record must not slow or fail the call it describes.
export function exchangeRecorder(db: Db, nextId: () => string): (exchange: NewExchange) => void {
  const write = batchedStatement<NewExchange, void>({
    concurrency: 1,
    maxItems: MAX_BATCH,
    maxWaiting: MAX_WAITING,
    run: async (exchanges) => {
      const rows = exchanges.map((exchange) => ({
        ...exchange,
        exchangeId: nextId(),
        // A directory lookup concerns a key, not a payment of an organization.
        organizationId: parseRailReference(exchange.reference)?.organizationId ?? UNATTRIBUTED_ORGANIZATION,
      }))
      await insertExchanges(db, rows)
      return []
    },
  })
  return (exchange) => void write(exchange).catch(() => {})
}
