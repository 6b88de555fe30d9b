// Refusals on the wire: one status per code, and one body format for all.

import { REFUSALS, type Refusal, type RefusalCode } from '../../core/refusal.ts'

export const STATUS_OF = {
  INVALID_INPUT: 400,
  INVALID_JSON: 400,
  AMOUNT_ABOVE_MAXIMUM: 400,
  RAIL_NOT_ENABLED: 400,
  AMOUNT_NOT_CONNECTED: 400,
  RAIL_NOT_CONNECTED: 400,
  UNKNOWN_BANK: 400,
  KEY_INVALID: 400,
  CURSOR_INVALID: 400,
  UNAUTHORIZED: 401,
  INSUFFICIENT_SCOPE: 403,
  SCOPE_NOT_HELD: 403,
  CREDENTIAL_LIMITED: 403,
  ADDRESS_NOT_ALLOWED: 403,
  ROLE_NOT_GRANTABLE: 403,
  NOT_FOUND: 404,
  KEY_NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  REQUEST_TIMEOUT: 408,
  DUPLICATE_REFERENCE: 409,
  PAYIN_ALREADY_FINAL: 409,
  SUSPENSE_DECIDED: 409,
  ALARM_TAKEN: 409,
  ALARM_RESOLVED: 409,
  LINK_ALREADY_FINAL: 409,
  PAGE_CLOSED: 409,
  PAYOUT_NOT_CANCELABLE: 409,
  CONNECTION_IN_USE: 409,
  TOO_MANY_CONNECTIONS: 409,
  TOO_MANY_ENDPOINTS: 409,
  ENDPOINT_DISABLED: 409,
  ENDPOINT_NOT_VERIFIED: 409,
  LAST_OWNER: 409,
  ALREADY_A_MEMBER: 409,
  TEAM_TOO_LARGE: 409,
  CREDENTIAL_ENDED: 409,
  TOO_MANY_CREDENTIALS: 409,
  IDEMPOTENCY_KEY_IN_USE: 409,
  SIMULATION_REFUSED: 409,
  BODY_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  IDEMPOTENCY_KEY_REUSED: 422,
  KEY_SUSPENDED: 422,
  KEY_NOT_LOOKED_UP: 422,
  BALANCE_TOO_LOW: 422,
  RETURN_REFUSED: 422,
  PAYOUT_LIMIT_REACHED: 422,
  QUIET_HOURS: 422,
  RATE_LIMITED: 429,
  TOO_MANY_STREAMS: 429,
  TOO_MANY_INVITATIONS: 429,
  HEADERS_TOO_LARGE: 431,
  INTERNAL_ERROR: 500,
  OVERLOADED: 503,
  DIRECTORY_UNAVAILABLE: 503,
  DIRECTORY_TIMEOUT: 504,
  PROVIDER_UNAVAILABLE: 503,
  STORE_UNAVAILABLE: 503,
} as const satisfies Record<RefusalCode, number>

const TITLES: Readonly<Record<number, string>> = {
  400: 'Bad request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not found',
  405: 'Method not allowed',
  408: 'Request timeout',
  409: 'Conflict',
  413: 'Payload too large',
  415: 'Unsupported media type',
  422: 'Unprocessable',
  429: 'Too many requests',
  431: 'Headers too large',
  500: 'Internal error',
  503: 'Service unavailable',
  504: 'Gateway timeout',
}

export function problemBody(publicUrl: string, refusal: Refusal, requestId: string): string {
  const status = STATUS_OF[refusal.refused]
  return JSON.stringify({
    type: problemType(publicUrl, refusal.refused),
    title: TITLES[status],
    status,
    detail: refusal.detail,
    code: refusal.refused,
    requestId,
    ...(refusal.errors && { errors: refusal.errors }),
  })
}

export function problemType(publicUrl: string, code: RefusalCode): string {
  return `${publicUrl}/docs/errors#${code}`
}

export function refusalCodes(): RefusalCode[] {
  return Object.keys(REFUSALS) as RefusalCode[]
}
