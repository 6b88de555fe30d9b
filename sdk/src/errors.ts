// Error classes to branch on. Every message says what is wrong and what to do about it, and contains no secrets.

import type { Problem } from './schema.ts'

/** Wrong use of the client itself. Also the base class of all other errors. */
export class RecaudoError extends Error {
  override name = 'RecaudoError'

  constructor(message: string, details?: object) {
    super(message, details)
    Object.assign(this, details)
  }
}

export type FieldError = NonNullable<Problem['errors']>[number]

/** The server refused the request. */
export class ApiError extends RecaudoError {
  override name = 'ApiError'
  /** The HTTP status. */
  declare readonly status: number
  /** Stable: branch on this. `UNEXPECTED_ANSWER` does not come from the server: something else answered. */
  declare readonly code: Problem['code'] | 'UNEXPECTED_ANSWER'
  /** The server's explanation. */
  declare readonly detail: string
  /** The address of the code's section in the server's documentation. */
  declare readonly type: string
  /** Identifies the request in the server's log. Empty if something else answered. */
  declare readonly requestId: string
  /** Every field that is wrong. */
  declare readonly errors: readonly FieldError[]
  /** How long the server asks to wait before the next attempt. */
  declare readonly retryAfterMs: number | undefined
  /** The key of a POST. Repeat the call with it, and it is done at most once. */
  declare readonly idempotencyKey: string | undefined
  /** How many attempts were made. */
  declare readonly tries: number
}

/** No answer: the server is down, the address is wrong, or the connection broke. */
export class ConnectionError extends RecaudoError {
  override name = 'ConnectionError'
  /** The key of a POST. Repeat the call with it, and it is done at most once. */
  declare readonly idempotencyKey: string | undefined
}

/** No answer in time. */
export class TimeoutError extends ConnectionError {
  override name = 'TimeoutError'
}

/** The request is not a genuine event, or cannot be proven to be one. Answer it with 400 and do nothing else. */
export class WebhookVerificationError extends RecaudoError {
  override name = 'WebhookVerificationError'
  declare readonly code:
    | 'BODY_PARSED'
    | 'HEADERS_MISSING'
    | 'SECRET_INVALID'
    | 'SIGNATURE_MISMATCH'
    | 'TIMESTAMP_OUT_OF_TOLERANCE'
}
