// Why an attempt failed, as the merchant sees it beside each attempt. The codes are part of the API: they are never
// renamed.

export const ATTEMPT_FAILURES = {
  NOT_SENT:
    'Nothing left this service: the URL is unusable, too many attempts wait for the same host, or we are stopping.',
  BLOCKED_ADDRESS:
    'The host is, or resolves to, an address that is not on the public internet. Nothing was sent.',
  DNS: 'The host name does not resolve.',
  CONNECTION: 'The connection was refused, could not be made, or broke off before the whole answer had come.',
  TLS: 'No trusted encrypted connection: the certificate is self-signed, expired or for another name, or this is not TLS.',
  TIMEOUT:
    'Connecting took over 3 seconds, the answer did not begin within 10, or was not complete within 15.',
  INVALID_RESPONSE: 'What came back is not HTTP/1.1.',
  RESPONSE_TOO_LARGE:
    'The answer is larger than 64 KiB, or its headers than 16 KiB. A short or empty body is best.',
  REDIRECT: 'The answer is a redirect (3xx), and redirects are not followed. Register the final URL.',
  STATUS: 'The answer is not a 2xx.',
} as const

export type AttemptFailure = keyof typeof ATTEMPT_FAILURES

export class SendFailure extends Error {
  readonly failure: AttemptFailure
  constructor(failure: AttemptFailure, cause?: unknown) {
    super(`not delivered: ${failure}`, { cause })
    this.failure = failure
  }
}

export function failureOf(error: unknown): AttemptFailure {
  if (error instanceof SendFailure) return error.failure
  // Some TLS refusals, such as a demand for a client certificate, arrive only after the handshake.
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return /^ERR_(SSL|TLS)_/.test(code) ? 'TLS' : 'CONNECTION'
}
