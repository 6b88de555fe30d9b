// What can go wrong, as classes to branch on. Every message says what is wrong and what to do about it; nothing in it is
// secret.

import type { Problem } from './schema.ts'

/** Wrong use of the client itself, and the base of all other errors. */
export class RecaudoError extends Error {
  override name = 'RecaudoError'

  constructor(message: string, known?: object) {
    super(message, known)
    Object.assign(this, known)
  }
}

export type FieldError = NonNullable<Problem['errors']>[number]

/** The server answered no. */
export class ApiError extends RecaudoError {
  override name = 'ApiError'
  /** The HTTP status. */
  declare readonly status: number
  /** Stable: branch on this. `UNEXPECTED_ANSWER` is not the server's: something else answered. */
  declare readonly code: Problem['code'] | 'UNEXPECTED_ANSWER'
  /** What the server said. */
  declare readonly detail: string
  /** The address of the code's paragraph in the server's documentation. */
  declare readonly type: string
  /** Names the request in the server's log. Empty where something else answered. */
  declare readonly requestId: string
  /** Every field that is wrong. */
  declare readonly errors: readonly FieldError[]
  /** How long the server asks to wait before the next try. */
  declare readonly retryAfterMs: number | undefined
  /** The key of a POST: repeat it with this, and it is done once at most. */
  declare readonly idempotencyKey: string | undefined
  /** How often it was tried. */
  declare readonly tries: number
}

/** No answer: the server is down, the address is wrong, or the connection broke. */
export class ConnectionError extends RecaudoError {
  override name = 'ConnectionError'
  /** The key of a POST: repeat it with this, and it is done once at most. */
  declare readonly idempotencyKey: string | undefined
}

/** No answer in time. */
export class TimeoutError extends ConnectionError {
  override name = 'TimeoutError'
}

/** What arrived is not, or not provably, an event of ours. Answer it with 400 and do nothing else. */
export class WebhookVerificationError extends RecaudoError {
  override name = 'WebhookVerificationError'
  declare readonly code:
    | 'BODY_PARSED'
    | 'HEADERS_MISSING'
    | 'SECRET_INVALID'
    | 'SIGNATURE_MISMATCH'
    | 'TIMESTAMP_OUT_OF_TOLERANCE'
}
