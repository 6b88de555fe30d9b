// What waits for a second pair of eyes, and the rules of who is asked. An entry of its own, so that whoever only collects and sends
// does not load it.

import { type ClientOptions, type Connection, openConnection } from './connection.ts'
import type { Credentials } from './credentials.ts'
import { type List, listOf } from './list.ts'
import type { CallOptions } from './request.ts'
import type {
  Approval,
  ApprovalList,
  ApprovalRules,
  DecideApproval,
  ListApprovalsQuery,
  ReplaceApprovalRules,
} from './schema.ts'

export { ApiError, ConnectionError, RecaudoError, TimeoutError } from './errors.ts'
export type { List } from './list.ts'
export type {
  Approval,
  ApprovalDecision,
  ApprovalList,
  ApprovalRule,
  ApprovalRules,
  ApprovalTier,
  DecideApproval,
  ListApprovalsQuery,
  ReplaceApprovalRules,
} from './schema.ts'

/** The approvals of one organization. */
export class Approvals {
  readonly #connection: Connection

  constructor(credentials: Credentials, options: ClientOptions = {}) {
    this.#connection = openConnection(credentials, options)
  }

  /** Newest first. */
  list(query?: ListApprovalsQuery, options?: CallOptions): List<ApprovalList> {
    return listOf((page) => this.#connection.call('GET /approvals', { query: page }, options), query)
  }

  get(approvalId: string, options?: CallOptions): Promise<Approval> {
    return this.#connection.call('GET /approvals/{approvalId}', { id: approvalId }, options)
  }

  /** Answers `PERSON_REQUIRED` to every key and client: people decide, in the console. */
  approve(approvalId: string, body: DecideApproval, options?: CallOptions): Promise<Approval> {
    return this.#connection.call('POST /approvals/{approvalId}/approve', { id: approvalId, body }, options)
  }

  /** As `approve`. */
  refuse(approvalId: string, body: DecideApproval, options?: CallOptions): Promise<Approval> {
    return this.#connection.call('POST /approvals/{approvalId}/refuse', { id: approvalId, body }, options)
  }

  rules(options?: CallOptions): Promise<ApprovalRules> {
    return this.#connection.call('GET /approval-rules', {}, options)
  }

  /** While the rules ask for it, the change waits as an approval: see `waitingApprovalId`. */
  replaceRules(body: ReplaceApprovalRules, options?: CallOptions): Promise<ApprovalRules> {
    return this.#connection.call('PUT /approval-rules', { body }, options)
  }
}
