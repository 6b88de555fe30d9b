// Money that fits no open payin: what waits, which payins it may be meant for, and what is decided about it. An entry of its own, so
// that whoever only collects and sends does not load it.

import { type ClientOptions, type Connection, openConnection } from './connection.ts'
import type { Credentials } from './credentials.ts'
import { type List, listOf } from './list.ts'
import type { CallOptions } from './request.ts'
import type {
  AttachSuspenseItem,
  ListSuspenseQuery,
  SuspenseItem,
  SuspenseItemChanges,
  SuspenseItemList,
  SuspenseItemWithCandidates,
} from './schema.ts'

export { ApiError, ConnectionError, RecaudoError, TimeoutError } from './errors.ts'
export type { List } from './list.ts'
export type {
  AttachSuspenseItem,
  ListSuspenseQuery,
  SuspenseCandidate,
  SuspenseItem,
  SuspenseItemChanges,
  SuspenseItemList,
  SuspenseItemWithCandidates,
} from './schema.ts'

/** The money in suspense of one organization. */
export class Suspense {
  readonly #connection: Connection

  constructor(credentials: Credentials, options: ClientOptions = {}) {
    this.#connection = openConnection(credentials, options)
  }

  list(query?: ListSuspenseQuery, options?: CallOptions): List<SuspenseItemList> {
    return listOf((page) => this.#connection.call('GET /suspense', { query: page }, options), query)
  }

  /** With the payins that it may be meant for. */
  get(id: string, options?: CallOptions): Promise<SuspenseItemWithCandidates> {
    return this.#connection.call('GET /suspense/{suspenseId}', { id }, options)
  }

  /** To whoever sent it. `RETURNING`: the network has not said whether it arrived; call again, it never leaves twice. */
  return(id: string, options?: CallOptions): Promise<SuspenseItem> {
    return this.#connection.call('POST /suspense/{suspenseId}/return', { id }, options)
  }

  /** It was meant for this payin, and is yours. */
  attach(id: string, body: AttachSuspenseItem, options?: CallOptions): Promise<SuspenseItem> {
    return this.#connection.call('POST /suspense/{suspenseId}/attach', { id, body }, options)
  }

  /** A note for your staff; null takes it away. */
  note(id: string, body: SuspenseItemChanges, options?: CallOptions): Promise<SuspenseItem> {
    return this.#connection.call('PATCH /suspense/{suspenseId}', { id, body }, options)
  }
}
