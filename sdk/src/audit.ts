// Who did what, and what was asked of the API. An entry of its own, so that whoever only collects and sends does not load it.

import { type ClientOptions, type Connection, openConnection } from './connection.ts'
import type { Credentials } from './credentials.ts'
import { type List, listOf } from './list.ts'
import type { CallOptions } from './request.ts'
import type { AuditEntryList, ListAuditQuery, ListRequestsQuery, LoggedRequestList } from './schema.ts'

export { ApiError, ConnectionError, RecaudoError, TimeoutError } from './errors.ts'
export type { List } from './list.ts'
export type {
  AuditEntry,
  AuditEntryList,
  ListAuditQuery,
  ListRequestsQuery,
  LoggedRequest,
  LoggedRequestList,
} from './schema.ts'

/** The audit log and the request log of one organization. */
export class Audit {
  readonly #connection: Connection

  constructor(credentials: Credentials, options: ClientOptions = {}) {
    this.#connection = openConnection(credentials, options)
  }

  /** Who did what, newest first. */
  entries(query?: ListAuditQuery, options?: CallOptions): List<AuditEntryList> {
    return listOf((page) => this.#connection.call('GET /audit', { query: page }, options), query)
  }

  /** Requests that may have changed something, or were refused, newest first. */
  requests(query?: ListRequestsQuery, options?: CallOptions): List<LoggedRequestList> {
    return listOf((page) => this.#connection.call('GET /requests', { query: page }, options), query)
  }
}
