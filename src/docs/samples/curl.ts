// A call with curl. Credentials come from the environment, so that a sample can be copied and run as it is.

import { quoted } from '../../core/shell-text.ts'
import { type Call, examplePath, exampleQuery } from './call.ts'

export function curlSample({ operation, body, baseUrl }: Call): string {
  if (operation.operationId === 'createAccessToken') return tokenSample(baseUrl)
  const query = new URLSearchParams(
    Object.entries(exampleQuery(operation)).map(([name, value]) => [name, String(value)]),
  ).toString()
  const address = `${baseUrl}${examplePath(operation)}${query && `?${query}`}`
  const isStream = operation.success.mediaType === 'text/event-stream'
  const method =
    operation.method === 'GET' || (operation.method === 'POST' && body !== undefined)
      ? ''
      : `-X ${operation.method} `
  const parts = [
    `curl ${isStream ? '-N ' : ''}${method}${quoted(address)}`,
    ...(operation.isPublic ? [] : ['-H "x-api-key: $RECAUDO_API_KEY"']),
    ...(body === undefined ? [] : ["-H 'content-type: application/json'"]),
    ...keyHeader(body),
    ...(body === undefined ? [] : [`-d ${quoted(JSON.stringify(body, null, 2))}`]),
  ]
  return parts.join(' \\\n  ')
}

// The merchant's reference is also the idempotency key, so that a sample that is run twice creates once.
function keyHeader(body: unknown): string[] {
  const reference = (body as { reference?: unknown } | undefined)?.reference
  return typeof reference === 'string' ? [`-H ${quoted(`idempotency-key: ${reference}`)}`] : []
}

// RFC 6749 prefers client id and secret by HTTP Basic.
function tokenSample(baseUrl: string): string {
  return [
    `curl ${quoted(`${baseUrl}/oauth/token`)}`,
    '-u "$RECAUDO_CLIENT_ID:$RECAUDO_CLIENT_SECRET"',
    '-d grant_type=client_credentials',
  ].join(' \\\n  ')
}
