// Content-type parsers, and the response to a client whose bytes are not valid HTTP.

import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { isRefusal, type Refusal, type RefusalCode, refuse } from '../../core/refusal.ts'
import { problemBody, STATUS_OF } from './errors.ts'
import { readJsonBody } from './json-body.ts'

// Not imported: see src/sandbox/listener.ts.
const { STATUS_CODES } = process.getBuiltinModule('node:http')
const FILE_TYPES = [
  { type: /^text\/csv\s*(?:;|$)/i, name: 'pagos.csv' },
  { type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', name: 'pagos.xlsx' },
]

export function addBodyParsers(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  // Excludes types such as `application/json-patch+json`, which mean something else.
  app.addContentTypeParser(/^application\/json\s*(?:;|$)/i, { parseAs: 'buffer' }, (request, bytes, done) => {
    const charset = /charset=["']?([^\s;"']+)/i.exec(request.headers['content-type'] ?? '')?.[1]
    if (charset !== undefined && !/^utf-?8$/i.test(charset)) {
      done(refuse('UNSUPPORTED_MEDIA_TYPE', `JSON must be UTF-8, not ${charset}.`) as unknown as Error)
      return
    }
    // A signature covers the raw bytes, so a handler that verifies one needs them unparsed.
    if (request.routeOptions.config.rawBody === true) return done(null, bytes)
    // An empty payload means no body. Operations that need one refuse it themselves.
    if (bytes.length === 0) return done(null, undefined)
    const read = readJsonBody(bytes as Buffer)
    if (isRefusal(read)) done(read as unknown as Error)
    else done(null, read.value)
  })
  // A file of payouts may be sent as it is. It is what its operation takes in JSON, and the address says the rest.
  for (const { type, name } of FILE_TYPES)
    app.addContentTypeParser(type, { parseAs: 'buffer' }, (request, bytes, done) => {
      const isFile = request.routeOptions.config.operation?.operationId === 'createPayoutBatch'
      const { fileName, repeat } = request.query as { fileName?: unknown; repeat?: unknown }
      const file = (bytes as Buffer).toString('base64')
      if (isFile) done(null, { file, fileName: fileName ?? name, ...(repeat === 'true' && { repeat: true }) })
      else
        done(
          refuse(
            'UNSUPPORTED_MEDIA_TYPE',
            'Send the body as content-type: application/json.',
          ) as unknown as Error,
        )
    })
  // RFC 6749 requires forms at the token endpoint. No other route accepts them.
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (request, text, done) => {
      if (request.routeOptions.url === '/oauth/token') {
        const form = readTokenForm(text as string)
        if (isRefusal(form)) done(form as unknown as Error)
        else done(null, form)
      } else
        done(
          refuse(
            'UNSUPPORTED_MEDIA_TYPE',
            'Send the body as content-type: application/json.',
          ) as unknown as Error,
        )
    },
  )
}

// A token request has four fields. What else is sent is ignored, and must not be a thousand fields to read.
const MAX_FORM_FIELDS = 100

function readTokenForm(text: string): Record<string, string> | Refusal {
  const fields = text.split('&', MAX_FORM_FIELDS + 1).length
  return fields > MAX_FORM_FIELDS
    ? refuse('INVALID_INPUT', `The form has more than ${MAX_FORM_FIELDS} fields.`)
    : Object.fromEntries(new URLSearchParams(text))
}

// Node's parser failed before there was a request. We still send our own error format, then close the connection.
export function answerClientError(
  publicUrl: string,
  nextId: () => string,
  commonHeaders: Readonly<Record<string, string>>,
) {
  return (error: { code?: string }, socket: Socket): void => {
    // One that is being closed has had its answer.
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy()
      return
    }
    const [code, detail] = refusalForClientError(error.code)
    const status = STATUS_OF[code]
    const requestId = nextId()
    const body = problemBody(publicUrl, refuse(code, detail), requestId)
    const headers = {
      ...commonHeaders,
      'content-type': 'application/json; charset=utf-8',
      'x-request-id': requestId,
      connection: 'close',
      'content-length': Buffer.byteLength(body),
    }
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`)
  }
}

function refusalForClientError(code: string | undefined): [RefusalCode, string] {
  if (code === 'HPE_HEADER_OVERFLOW')
    return ['HEADERS_TOO_LARGE', 'Request line and headers may have 16 KiB together.']
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return ['REQUEST_TIMEOUT', 'The request did not arrive in time.']
  if (code === 'HPE_INVALID_METHOD') return ['METHOD_NOT_ALLOWED', 'HTTP knows no such method.']
  return ['INVALID_INPUT', 'This is not a well-formed HTTP/1.1 request.']
}
