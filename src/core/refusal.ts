// Every way we refuse a request, in one place. A refusal is a value: it is returned as the result, never thrown. The
// codes are part of the contract and are never renamed. docs/errors.md is printed from this table.

export const REFUSALS = {
  INVALID_INPUT:
    'One or more fields are missing or wrong. `errors` lists each with its path, up to twenty; correct them all and send again.',
  INVALID_JSON:
    'The body is not a JSON object in UTF-8, is nested too deeply, holds more than 2,000 values, or a forbidden key such as `__proto__`.',
  AMOUNT_ABOVE_MAXIMUM:
    'The amount is above what one payment over this rail may carry. Send less, or use another rail.',
  RAIL_NOT_ENABLED:
    'This organization does not have the rail enabled. Enable it in the organization settings, or use another.',
  AMOUNT_NOT_CONNECTED:
    'No connection of this organization takes this amount. `detail` says from what to what amount they do: change the amount, or the limits of a connection.',
  RAIL_NOT_CONNECTED:
    'This installation has no network of its own for this rail, and the organization has no enabled connection for it. Add one: `POST /connections`.',
  CONNECTION_IN_USE:
    'Payments of this connection are still open or wait for settlement. Disable it (`enabled: false`), and delete it when they have ended.',
  BALANCE_TOO_LOW:
    'The balance holds less than that. `detail` says how much there is; what is reserved for payouts cannot be withdrawn.',
  TOO_MANY_CONNECTIONS:
    'The organization already has the maximum number of connections. Delete one that it does not use.',
  UNKNOWN_BANK: 'No PSE bank has this code. `GET /pse/banks` lists the codes and their aliases.',
  KEY_INVALID:
    'This is not a Bre-B key of any kind: document, phone, e-mail, `@` alphanumeric or merchant code.',
  CURSOR_INVALID:
    'The cursor was not made by this list, was altered, belongs to another organization, or is used with other filters. Start again without a cursor.',
  UNAUTHORIZED:
    'The request carries no valid credential: missing, unknown, expired or revoked, or two that name different organizations.',
  INSUFFICIENT_SCOPE:
    'The credential is valid but lacks the scope this operation needs. Use another key, or make one with that scope.',
  SCOPE_NOT_HELD:
    'A key or client may be given only what whoever gives it may do. Leave out the scopes that you do not hold, or ask somebody who holds them.',
  CREDENTIAL_LIMITED:
    'A key or client that has limits of its own cannot make, roll or change others, because they would not have its limits. Use another, or the console.',
  ADDRESS_NOT_ALLOWED:
    'The credential is valid, but may not be used from the address that this request came from. Ask whoever runs the service which addresses are allowed.',
  NOT_FOUND: 'Nothing with this id or address exists for this organization.',
  KEY_NOT_FOUND: 'No account is registered under this Bre-B key, or it was cancelled.',
  METHOD_NOT_ALLOWED:
    'The address exists but not with this method. The `Allow` header lists the methods it takes.',
  REQUEST_TIMEOUT: 'The request did not arrive completely in time. Send it again on a new connection.',
  DUPLICATE_REFERENCE:
    'A payin with this reference exists already. `errors` holds its id; use a new reference for a new payment.',
  PAYIN_ALREADY_FINAL: 'The payin has ended, and a final state never changes.',
  DAY_NOT_OVER: 'The day has not ended in Bogotá. It can be closed after midnight there.',
  SUSPENSE_DECIDED:
    'The money was returned, attached, charged back or counted already, is on its way back, or is counted elsewhere too. `detail` says which; nothing was done.',
  RETURN_REFUSED:
    'The network or provider does not send this money back. `detail` says why; the money stays in suspense: pay the payer yourself, or attach it.',
  ALARM_TAKEN: 'Somebody else has taken the alarm. `detail` says who, and since when.',
  ALARM_RESOLVED: 'The alarm is resolved, and stays so. What happens again raises another one.',
  LINK_ALREADY_FINAL: 'The payment link was paid or has expired, and a final state never changes.',
  PAGE_CLOSED: 'The payment page is closed, and a closed page stays closed. Create another one.',
  PAYOUT_NOT_CANCELABLE: 'The payout was handed to the network or has ended: it can no longer be canceled.',
  PAYIN_NOT_REFUNDABLE: 'Only a confirmed payin can be given back. `detail` says what became of this one.',
  REFUND_ABOVE_REMAINING:
    'The refund is larger than what is left of the payin. `detail` says how much is: what arrived, without what its network took back and what other refunds hold.',
  REFUND_WAY_NOT_POSSIBLE:
    'The payin cannot be given back in this way. `detail` says why; leave `way` out to have the first one that is possible.',
  REFUND_NOT_CANCELABLE:
    'Money of the refund is on its way, or the refund has ended: it can no longer be canceled.',
  FILE_REFUSED:
    'The file cannot be read as one of payouts. `detail` names why and what to change: another layout or encoding, merged cells, too many rows. Nothing was stored.',
  BATCH_FILE_REPEATED:
    'The same file was handed in within the last 30 days. `detail` names its batch. Where its people are to be paid once more, send it with `repeat` true.',
  BATCH_NOT_READY:
    'The batch cannot take this step yet. `detail` says what is missing: rows with errors, warnings that nobody accepted, look-ups that run. Nothing was sent.',
  BATCH_NOT_EDITABLE:
    'The batch was submitted, has ended or was canceled: it can no longer be changed or submitted.',
  KEY_OF_SOMEBODY_ELSE:
    'The directory names another document for this Bre-B key. Ask the receiver for their key.',
  KEY_NOT_VERIFIED:
    'The book has another key for this document that is verified, and whose the new one is could not be seen now. Try again later, or delete the entry first. Nothing has changed.',
  BATCH_CHANGED: 'Somebody has changed the batch since you read it. Read it again, and decide anew.',
  TOO_MANY_ENDPOINTS:
    'The organization already has the maximum number of webhook endpoints. Delete one, or change an existing one.',
  ENDPOINT_DISABLED:
    'The webhook endpoint is switched off, and nothing is sent to it. Enable it first: `PATCH /webhook-endpoints/{endpointId}` with `status` `ENABLED`.',
  ENDPOINT_NOT_VERIFIED:
    'The receiver has not shown that it holds the secret of this webhook endpoint. It must answer 2xx to a request that is signed with it, and 400 to one that is not; then `POST /webhook-endpoints/{endpointId}/verify`.',
  CREDENTIAL_ENDED: 'The API key or client was revoked or has expired, and stays so. Make another one.',
  TOO_MANY_CREDENTIALS:
    'The organization already has the maximum number of working API keys, or of clients. Revoke one that nobody uses.',
  IDEMPOTENCY_KEY_IN_USE:
    'The first request with this Idempotency-Key is still running. Wait as `Retry-After` says and send the same again.',
  SIMULATION_REFUSED:
    'Staging only: the simulated network cannot produce this outcome, because the payment has ended or has not reached it yet.',
  ROLE_NOT_GRANTABLE:
    'A role is given, changed or taken away only by somebody who holds all of its scopes, and the role of an owner only by owners; a key never does that. `detail` says what is missing.',
  LAST_OWNER:
    'The organization has no other owner. Make somebody else an owner first: `PATCH /team/members/{userId}`.',
  ALREADY_A_MEMBER: 'Somebody with this e-mail address belongs to the organization already.',
  TEAM_TOO_LARGE:
    'The organization already has the maximum number of members and open invitations. Remove somebody, or revoke an invitation.',
  TOO_MANY_INVITATIONS:
    'The organization has made the maximum number of invitations in a day. Wait as `Retry-After` says.',
  PERSON_REQUIRED:
    'Approvals are decided by people in the console. A key or client can read them, and never approve or refuse.',
  APPROVAL_OWN:
    'Whoever asked for something cannot approve or refuse it, whatever their role. Somebody else must decide.',
  APPROVAL_PROOF_WRONG:
    'What was sent does not show that it was this person: the passkey did not sign this approval, or the code of the authenticator app is wrong, was used, or is missing. Try again.',
  APPROVAL_DECIDED_BEFORE:
    'This person has decided about this approval already. If it asks for two, the other must be somebody else.',
  APPROVAL_ENDED:
    'The approval was approved, refused or voided, and stays so. Each is used once: what still must happen is asked for anew.',
  APPROVAL_LAPSED: 'Nobody decided within seven days. What was reserved for it is released; ask for it anew.',
  APPROVAL_STALE:
    'What is to be approved is not what was read: `digest` differs, or it was changed meanwhile. Read it again with `GET /approvals/{approvalId}`.',
  APPROVAL_REQUIRED:
    'The organization’s rules ask other people first. It was submitted, and `errors` holds the id of the approval that waits. A connection changes when they have approved; for a key or client, and for a return from suspense, send the same request once more then, within seven days.',
  TOO_FEW_APPROVERS:
    'The rules ask for more people than may approve. `detail` says how many are needed: give more of the team a role that approves, or ask for fewer.',
  BODY_TOO_LARGE: 'The body is larger than 64 KiB, or a file of payouts larger than 4 MB.',
  UNSUPPORTED_MEDIA_TYPE: 'The body must be sent as `content-type: application/json` in UTF-8.',
  IDEMPOTENCY_KEY_REUSED:
    'This Idempotency-Key was used with another request. Use a new key for a new request.',
  KEY_SUSPENDED: 'The Bre-B key exists but is suspended: ask the receiver for another.',
  KEY_NOT_LOOKED_UP:
    'This organization pays only to keys it looked up in the last 30 minutes: look the key up, then create the payout.',
  PAYOUT_LIMIT_REACHED:
    'The payout would go beyond what this credential or organization may pay out in a day in Bogotá. `detail` says which limit, how much is left and when the next day begins; so does `Retry-After`. Nothing was sent.',
  QUIET_HOURS:
    'The organization pays out nothing at this hour. `detail` says when the quiet hours end; so does `Retry-After`. Nothing was sent.',
  RATE_LIMITED:
    'This credential or organization sent more requests than its limit allows, or your address sent too many without a valid credential or has too many connections open. Wait as `Retry-After` says.',
  TOO_MANY_STREAMS:
    'This organization already has the maximum number of event streams open. Close one, or share one between several readers.',
  HEADERS_TOO_LARGE: 'The request line and headers together are larger than 16 KiB.',
  INTERNAL_ERROR:
    'Something broke on our side. Nothing you sent can cause this; tell us the `requestId`. Sending again with the same Idempotency-Key is safe.',
  OVERLOADED:
    'More requests are waiting than the service can hold. Nothing was done; wait as `Retry-After` says and send the same again.',
  DIRECTORY_UNAVAILABLE:
    'The Bre-B directory cannot be reached at the moment. Try again as `Retry-After` says.',
  DIRECTORY_TIMEOUT: 'The Bre-B directory did not answer in time. Try again as `Retry-After` says.',
  PROVIDER_UNAVAILABLE:
    'The provider of this connection cannot be asked at the moment. `detail` says why, and `POST /connections/{connectionId}/test` says more. Try again as `Retry-After` says.',
  STORE_UNAVAILABLE:
    'The database cannot be reached at the moment. Send the same again as `Retry-After` says, with the same Idempotency-Key.',
} as const

export type RefusalCode = keyof typeof REFUSALS

// What can be wrong with one field. A refusal code may be used too, if the rule about the field has a code of its own.
export const FIELD_CODES = {
  REQUIRED: 'The field is missing.',
  WRONG_TYPE: 'The value has a different JSON type than the field takes.',
  OUT_OF_RANGE: 'The number is smaller or larger than the field takes.',
  WRONG_LENGTH: 'The text is shorter or longer than the field takes.',
  WRONG_FORMAT: 'The text does not have the form the field takes.',
  NOT_ALLOWED: 'The value is not one of those the field takes.',
} as const

export type FieldCode = keyof typeof FIELD_CODES | RefusalCode

export type FieldProblem = {
  path: string
  code: FieldCode
  message: string
  payinId?: string
  approvalId?: string
}

export type Refusal = {
  readonly refused: RefusalCode
  readonly detail: string
  readonly errors?: readonly FieldProblem[]
  readonly retryAfterSeconds?: number
  // Sent if the caller should know more than the body says, such as the remaining budget.
  readonly headers?: Readonly<Record<string, string>>
}

export function refuse(
  refused: RefusalCode,
  detail: string,
  extra: { errors?: readonly FieldProblem[]; retryAfterSeconds?: number } = {},
): Refusal {
  return { refused, detail, ...extra }
}

// More than a developer reads at once. Whoever sends a thousand wrong fields gets no answer a thousand times as long.
export const MAX_PROBLEMS = 20

// Several problems make one refusal. If all have the same code and it is a refusal code, the refusal takes it.
export function refuseFields(problems: readonly FieldProblem[]): Refusal {
  const codes = new Set(problems.map((problem) => problem.code))
  const [only] = codes
  const sharedCode =
    codes.size === 1 && only !== undefined && only in REFUSALS ? (only as RefusalCode) : undefined
  const first = problems[0]
  const where = first === undefined || first.path === '' ? 'the body' : first.path
  const detail =
    problems.length === 1 && first !== undefined
      ? `${where}: ${first.message}`
      : problems.length > MAX_PROBLEMS
        ? `More than ${MAX_PROBLEMS} fields are wrong; errors lists ${MAX_PROBLEMS}.`
        : `${problems.length} fields are wrong; see errors.`
  return refuse(sharedCode ?? 'INVALID_INPUT', detail, { errors: problems.slice(0, MAX_PROBLEMS) })
}

export function isRefusal(value: unknown): value is Refusal {
  return typeof value === 'object' && value !== null && 'refused' in value
}
