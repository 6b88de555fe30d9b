// Money that an organization puts into its accounts at providers, or takes out of them. An entry of its own, so that whoever only
// collects and sends does not load it.

import { type ClientOptions, type Connection, openConnection } from './connection.ts'
import type { Credentials } from './credentials.ts'
import { type List, listOf } from './list.ts'
import type { CallOptions } from './request.ts'
import type {
  ConnectionMovement,
  ConnectionMovementList,
  CreateConnectionMovement,
  ListConnectionDepositsQuery,
  ListConnectionWithdrawalsQuery,
} from './schema.ts'

export { ApiError, ConnectionError, RecaudoError, TimeoutError } from './errors.ts'
export type { ConnectionMovement, ConnectionMovementList, CreateConnectionMovement } from './schema.ts'

/** The deposits and withdrawals of one organization, as it records them. Recording moves no money. */
export class Deposits {
  readonly #connection: Connection

  constructor(credentials: Credentials, options: ClientOptions = {}) {
    this.#connection = openConnection(credentials, options)
  }

  /** You put money into the account at the provider. */
  create(
    connectionId: string,
    body: CreateConnectionMovement,
    options?: CallOptions,
  ): Promise<ConnectionMovement> {
    const input = { id: connectionId, body }
    return this.#connection.call('POST /connections/{connectionId}/deposits', input, options)
  }

  list(
    connectionId: string,
    query?: ListConnectionDepositsQuery,
    options?: CallOptions,
  ): List<ConnectionMovementList> {
    const read = (page?: ListConnectionDepositsQuery) =>
      this.#connection.call(
        'GET /connections/{connectionId}/deposits',
        { id: connectionId, query: page },
        options,
      )
    return listOf(read, query)
  }

  /** Money left the account at the provider, and is yours elsewhere. */
  withdraw(
    connectionId: string,
    body: CreateConnectionMovement,
    options?: CallOptions,
  ): Promise<ConnectionMovement> {
    const input = { id: connectionId, body }
    return this.#connection.call('POST /connections/{connectionId}/withdrawals', input, options)
  }

  withdrawals(
    connectionId: string,
    query?: ListConnectionWithdrawalsQuery,
    options?: CallOptions,
  ): List<ConnectionMovementList> {
    const read = (page?: ListConnectionWithdrawalsQuery) =>
      this.#connection.call(
        'GET /connections/{connectionId}/withdrawals',
        { id: connectionId, query: page },
        options,
      )
    return listOf(read, query)
  }
}
