// Answers of receivers, made by chance: valid ones of every form, ones that are broken or can be read in two ways, and valid
// ones with some bytes damaged. Texts are bytes (latin1).

import type { Random } from '../random.ts'

export type GeneratedAnswer = {
  readonly kind: 'valid' | 'smuggled' | 'broken' | 'damaged'
  readonly text: string
}

export function generateAnswer(random: Random): GeneratedAnswer {
  const draw = random.below(10)
  if (draw < 3) return { kind: 'valid', text: validAnswer(random) }
  if (draw < 6) return { kind: 'smuggled', text: smuggledAnswer(random) }
  if (draw < 8) return { kind: 'broken', text: brokenAnswer(random) }
  return { kind: 'damaged', text: damaged(random, validAnswer(random)) }
}

const STATUSES = [200, 200, 200, 201, 202, 299, 301, 307, 400, 404, 410, 429, 500, 503, 599]
const BODYLESS = [204, 304]
const REASONS = [' OK', ' ', '', ' No Content', ' \x80\xff', ' a b\tc']
const BODIES = [
  '',
  'ok',
  'hello',
  '{"received":true}',
  '\r\n\r\n',
  'HTTP/1.1 200 OK\r\n\r\n',
  '0\r\n\r\n',
  'x'.repeat(300),
]
const PLAIN_FIELDS = [
  'date: Mon, 16 Nov 2026 12:00:00 GMT',
  'Server: nginx',
  'x-empty:',
  'X-Wide:  spaced  \t',
  'x-latin: \xe9\xff',
  'retry-after: 120',
  'content-type: application/json; charset=utf-8',
  'x-content-length: 7',
  "!#$%&'*+-.^_`|~: odd name",
]
const CONNECTION_FIELDS = [
  'connection: keep-alive',
  'Connection: close',
  'Proxy-Connection: close',
  'connection: Close, x-a',
  'connection: x-a\r\nconnection: close',
  'connection: closet',
  'keep-alive: timeout=5',
  'Keep-Alive: max=10, timeout=20',
  'connection: keep-alive\r\nkeep-alive: timeout=1',
]
const HINTS = [
  'HTTP/1.1 100 Continue\r\n\r\n',
  'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n',
  'HTTP/1.1 102 \r\n\r\n',
]

function validAnswer(random: Random): string {
  const body = random.pick(BODIES)
  const fields = plainFields(random)
  const hints = random.oneIn(8) ? random.pick(HINTS).repeat(1 + random.below(2)) : ''
  if (random.oneIn(8)) {
    if (random.oneIn(3))
      fields.push(random.pick(['content-length: 0', 'content-length: 5', 'transfer-encoding: chunked']))
    return hints + head(random, random.pick(BODYLESS), fields)
  }
  const status = random.pick(STATUSES)
  const form = random.below(5)
  if (form < 2) {
    fields.push(`${random.pick(['content-length:', 'Content-Length: ', 'CONTENT-LENGTH:\t'])}${body.length}`)
    return hints + head(random, status, fields) + body
  }
  if (form < 4) {
    fields.push(
      random.pick(['transfer-encoding: chunked', 'Transfer-Encoding:chunked', 'TRANSFER-ENCODING: Chunked ']),
    )
    return hints + head(random, status, fields) + chunked(random, body)
  }
  return hints + head(random, status, fields) + body
}

function plainFields(random: Random): string[] {
  const fields = Array.from({ length: random.below(4) }, () => random.pick(PLAIN_FIELDS))
  if (random.oneIn(2)) fields.push(random.pick(CONNECTION_FIELDS))
  return fields
}

function head(random: Random, status: number, fields: string[]): string {
  const version = random.oneIn(10) ? 'HTTP/1.0' : 'HTTP/1.1'
  // A word that changes how the rest is read may stand anywhere.
  if (random.oneIn(2)) fields.reverse()
  return `${version} ${status}${random.pick(REASONS)}\r\n${fields.map((field) => `${field}\r\n`).join('')}\r\n`
}

const EXTENSIONS = ['', '', '', ';a=b', ';a', ';a="b c"']
const TRAILERS = ['', '', '', 'x-sum: 1\r\n', 'x-a:\r\nx-b: c\r\n']

function chunked(random: Random, body: string): string {
  let text = ''
  for (let rest = body; rest.length > 0; ) {
    const size = 1 + random.below(rest.length)
    const written = random.pick([
      size.toString(16),
      size.toString(16).toUpperCase(),
      `00${size.toString(16)}`,
    ])
    text += `${written}${random.pick(EXTENSIONS)}\r\n${rest.slice(0, size)}\r\n`
    rest = rest.slice(size)
  }
  return `${text}0${random.pick(EXTENSIONS)}\r\n${random.pick(TRAILERS)}\r\n`
}

// What can be read in two ways: as one answer or as two, as long or as short.
const SMUGGLED_FIELDS = [
  'content-length: 5\r\ncontent-length: 6',
  'content-length: 5\r\ncontent-length: 5',
  'content-length: 5, 5',
  'content-length: 5\r\ntransfer-encoding: chunked',
  'transfer-encoding: chunked\r\ncontent-length: 5',
  'transfer-encoding: chunked\r\ntransfer-encoding: chunked',
  'transfer-encoding: chunked, identity',
  'transfer-encoding: identity\r\ncontent-length: 2',
  'transfer-encoding: gzip, chunked',
  'transfer-encoding: chunked, chunked',
  'transfer-encoding: xchunked',
  'transfer-encoding: "chunked"',
  'transfer-encoding:\x0bchunked',
  'transfer-encoding: chunked\x00',
  'transfer-encoding: chunked\t',
  'transfer-encoding : chunked',
  'transfer-encoding\t: chunked',
  ' transfer-encoding: chunked',
  'transfer-encoding:\r\n chunked',
  'x-a: b\r\n transfer-encoding: chunked',
  'x-a: b\ntransfer-encoding: chunked',
  'x-a: b\rtransfer-encoding: chunked',
  'x-a: b\n\ncontent-length: 2',
  'content-length: +5',
  'content-length: -1',
  'content-length: 0x5',
  'content-length: 05',
  'content-length: 5 5',
  'content-length: 5;a',
  'content-length: 5.0',
  'content-length: 5\r\n 0',
  'content-length:\r\n 5',
  'content-length: 18446744073709551621',
  'content-length: 4294967301',
  'content-length:',
  'content-length : 5',
  'content_length: 5',
  'connection: close\r\n keep-alive',
  'connection: upgrade\r\nupgrade: h2c',
  'upgrade: websocket\r\nconnection: upgrade\r\ncontent-length: 2',
  'proxy-connection: close\r\ncontent-length: 2',
]
const SMUGGLED_BODIES = [
  '5\r\nhello\r\n0\r\n\r\n',
  '0\r\n\r\n',
  'hello',
  'hello!',
  'ok',
  '0\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n',
  'okHTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n',
  '5;\nhello\r\n0\r\n\r\n',
  '5\nhello\n0\n\n',
  '5 ;a\r\nhello\r\n0\r\n\r\n',
  '5;a=\x00\r\nhello\r\n0\r\n\r\n',
  '5;a="\r\nhello\r\n0\r\n\r\n',
  ' 5\r\nhello\r\n0\r\n\r\n',
  '5\r\nhelloX\r\n0\r\n\r\n',
  '5\r\nhello0\r\n\r\n',
  '5\r\nhello\n0\r\n\r\n',
  '5\r\nhello\r\n0\r\nx-a: b\r\n c\r\n\r\n',
  '5\r\nhello\r\n0\r\ntransfer-encoding: chunked\r\n\r\n',
  '5\r\nhello\r\n0\r\ncontent-length: 9\r\n\r\n',
  '5\r\nhello\r\n0\r\nconnection: close\r\n\r\n',
  '5\r\nhello\r\n0\r\nx : b\r\n\r\n',
  '5\r\nhello\r\n0\r\nx: b\n\r\n',
  '5\r\nhello\r\n0\n\r\n',
  '0x5\r\nhello\r\n0\r\n\r\n',
  '-5\r\nhello\r\n0\r\n\r\n',
  '100000005\r\nhello\r\n0\r\n\r\n',
  'fffffffffffffffff\r\nhello\r\n0\r\n\r\n',
  '',
  '\r\n',
]

function smuggledAnswer(random: Random): string {
  const fields = plainFields(random)
  fields.push(random.oneIn(4) ? 'transfer-encoding: chunked' : random.pick(SMUGGLED_FIELDS))
  if (random.oneIn(5)) fields.push(random.pick(SMUGGLED_FIELDS))
  const status = random.pick([...STATUSES, ...BODYLESS, 100, 101, 103])
  const rest = random.oneIn(4) ? validAnswer(random) : ''
  return head(random, status, fields) + random.pick(SMUGGLED_BODIES) + rest
}

const BROKEN_STARTS = [
  'HTTP/1.1 200 OK\n',
  'HTTP/1.1 200 OK\r',
  'HTTP/1.1 200\r\r\n',
  'HTTP/1.1  200 OK\r\n',
  'HTTP/1.1\t200 OK\r\n',
  'HTTP/1.1 200\tOK\r\n',
  'HTTP/1.1 20 OK\r\n',
  'HTTP/1.1 2000 OK\r\n',
  'HTTP/1.1 099 OK\r\n',
  'HTTP/1.1 600 OK\r\n',
  'HTTP/1.1 999 OK\r\n',
  'HTTP/1.1 200OK\r\n',
  'HTTP/1.1 200 O\x00K\r\n',
  'HTTP/1.1 200 O\x7fK\r\n',
  'HTTP/1.2 200 OK\r\n',
  'HTTP/2.0 200 OK\r\n',
  'HTTP/0.9 200 OK\r\n',
  'HTTP/1.10 200 OK\r\n',
  'http/1.1 200 OK\r\n',
  'HTTP 1.1 200 OK\r\n',
  'ICY 200 OK\r\n',
  'RTSP/1.0 200 OK\r\n',
  '\r\nHTTP/1.1 200 OK\r\n',
  '\nHTTP/1.1 200 OK\r\n',
  ' HTTP/1.1 200 OK\r\n',
  'POST / HTTP/1.1\r\n',
  '\x16\x03\x01\x02\x00',
  '',
]
const BROKEN_FIELDS = [
  'no colon',
  ': nameless',
  'x a: b',
  'x\x00: b',
  'x: \x00',
  'x: a\x01b',
  'x: a\x7fb',
  'x: a\rb',
  'x: a\nb',
  'x\xe9: b',
  '(x): b',
  'x-folded: a\r\n b',
  'x-folded: a\r\n\tb',
  '\tx: b',
]

function brokenAnswer(random: Random): string {
  const start = random.oneIn(2) ? random.pick(BROKEN_STARTS) : `HTTP/1.1 ${random.pick(STATUSES)} OK\r\n`
  const fields = plainFields(random)
  if (random.oneIn(2)) fields.push(random.pick(BROKEN_FIELDS))
  const body = random.pick(BODIES)
  const isChunked = random.oneIn(2)
  fields.push(isChunked ? 'transfer-encoding: chunked' : `content-length: ${body.length}`)
  if (random.oneIn(2)) fields.reverse()
  const lineEnd = random.pick(['\r\n', '\r\n', '\r\n', '\n', '\r', '\r\r\n'])
  const headEnd = random.pick(['\r\n', '\r\n', '\r\n', '\n', '\r', ''])
  const lines = fields.map((field) => `${field}${lineEnd}`).join('')
  return start + lines + headEnd + (isChunked ? chunked(random, body) : body)
}

const TELLING_BYTES = [
  '\r',
  '\n',
  '\r\n',
  '\0',
  ' ',
  '\t',
  ':',
  ';',
  ',',
  '0',
  '1',
  'f',
  '\x7f',
  '\x80',
  '\xff',
  '-',
  '"',
]

function damaged(random: Random, text: string): string {
  let changed = text
  for (let changes = 1 + random.below(3); changes > 0; changes -= 1) {
    const at = random.below(changed.length)
    const put = random.oneIn(3) ? String.fromCharCode(random.below(256)) : random.pick(TELLING_BYTES)
    changed = changed.slice(0, at) + (random.oneIn(4) ? '' : put) + changed.slice(at + random.below(3))
  }
  return changed
}
