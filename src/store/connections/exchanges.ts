// Requests to the networks and their responses, kept for the operator.

import type { Instant } from '../../core/instant.ts'
import { isoInstant } from '../../core/instant.ts'
import type { Queryable } from '../db.ts'

export type StoredExchange = {
  organizationId: string
  exchangeId: string
  rail: string
  operation: string
  reference: string
  at: Instant
  tookMs: number
  status: number | null
  request: string
  response: string
  failure: string | null
}

export async function insertExchanges(db: Queryable, exchanges: StoredExchange[]): Promise<void> {
  await db.query({
    name: 'insert-rail-exchanges',
    text: `insert into rail_exchanges (organization_id, exchange_id, rail, operation, reference, at, took_ms, status, request,
                                       response, failure)
           select "organizationId", "exchangeId", rail, operation, reference, at, "tookMs", status, request, response, failure
             from json_to_recordset($1) as r (
                    "organizationId" uuid, "exchangeId" uuid, rail text, operation text, reference text, at timestamptz,
                    "tookMs" integer, status integer, request text, response text, failure text)`,
    values: [
      JSON.stringify(
        exchanges.map((exchange) => ({
          ...exchange,
          at: isoInstant(exchange.at),
          tookMs: Math.round(exchange.tookMs),
        })),
      ),
    ],
  })
}

export async function listExchanges(
  db: Queryable,
  organizationId: string,
  reference: string,
): Promise<StoredExchange[]> {
  const result = await db.query<StoredExchange>({
    text: `select organization_id as "organizationId", exchange_id as "exchangeId", rail, operation, reference, at,
                  took_ms as "tookMs", status, request, response, failure
             from rail_exchanges
            where organization_id = $1 and reference = $2
            order by exchange_id`,
    values: [organizationId, reference],
  })
  return result.rows
}
