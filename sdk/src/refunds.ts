// Money that an organization gives back to payers. An entry of its own, so that whoever only collects and sends does not load it.

import { type ClientOptions, type Connection, openConnection } from './connection.ts'
import type { Credentials } from './credentials.ts'
import { type List, listOf } from './list.ts'
import type { CallOptions } from './request.ts'
import type { CreateRefund, ListRefundsQuery, Refund, RefundList } from './schema.ts'

export { ApiError, ConnectionError, RecaudoError, TimeoutError } from './errors.ts'
export type { CreateRefund, ListRefundsQuery, Refund, RefundList } from './schema.ts'

/** The refunds of one organization. */
export class Refunds {
  readonly #connection: Connection

  constructor(credentials: Credentials, options: ClientOptions = {}) {
    this.#connection = openConnection(credentials, options)
  }

  /** Gives a confirmed payin back, in full or in part. The answer is never the outcome: that comes by event. */
  create(payinId: string, body: CreateRefund, options?: CallOptions): Promise<Refund> {
    return this.#connection.call('POST /payins/{payinId}/refunds', { id: payinId, body }, options)
  }

  list(query?: ListRefundsQuery, options?: CallOptions): List<RefundList> {
    const read = (page?: ListRefundsQuery) => this.#connection.call('GET /refunds', { query: page }, options)
    return listOf(read, query)
  }

  get(refundId: string, options?: CallOptions): Promise<Refund> {
    return this.#connection.call('GET /refunds/{refundId}', { id: refundId }, options)
  }

  /** While nothing of it was sent. */
  cancel(refundId: string, options?: CallOptions): Promise<Refund> {
    return this.#connection.call('POST /refunds/{refundId}/cancel', { id: refundId }, options)
  }
}
