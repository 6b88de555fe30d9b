// Parsing of answers, byte for byte: however an answer is split, it parses the same, and an ambiguous answer is
// rejected.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createAnswerReader } from '../../src/webhooks/answer-reader.ts'
import { SendFailure } from '../../src/webhooks/failure.ts'

const HEADER_BYTES = 1_024

type Reading = {
  status: number | null
  length: number | null
  retryAfter: string | undefined
  body: string
  isWhole: boolean
  keepMs: number
}

function read(pieces: readonly string[], ends = true): Reading | string {
  const reading: Reading = {
    status: null,
    length: null,
    retryAfter: undefined,
    body: '',
    isWhole: false,
    keepMs: 0,
  }
  const reader = createAnswerReader(HEADER_BYTES)
  reader.begin({
    onHead: ({ status, length, retryAfter }) => Object.assign(reading, { status, length, retryAfter }),
    onBody: (bytes) => {
      reading.body += bytes.toString('latin1')
    },
  })
  try {
    for (const piece of pieces)
      if (!reading.isWhole) reading.isWhole = reader.take(Buffer.from(piece, 'latin1'))
    if (!reading.isWhole && ends) reading.isWhole = reader.end()
    return { ...reading, keepMs: reader.keepMs() }
  } catch (error) {
    if (!(error instanceof SendFailure)) throw error
    return error.failure
  }
}

const OK = 'HTTP/1.1 200 OK\r\n'
const whole = (body: string, changes: Partial<Reading> = {}): Reading => ({
  status: 200,
  length: null,
  retryAfter: undefined,
  body,
  isWhole: true,
  keepMs: 4_000,
  ...changes,
})

const ANSWERS: Record<string, [text: string, expected: Reading]> = {
  'with a length': [`${OK}content-length: 5\r\n\r\nhello`, whole('hello', { length: 5 })],
  'without a body': [`${OK}Content-Length:0\r\n\r\n`, whole('', { length: 0 })],
  'that has no body by its status': [
    'HTTP/1.1 204 No Content\r\ntransfer-encoding: chunked\r\n\r\n',
    whole('', { status: 204 }),
  ],
  'in chunks': [`${OK}Transfer-Encoding: Chunked\r\n\r\n5\r\nhello\r\n1\r\n!\r\n0\r\n\r\n`, whole('hello!')],
  'in chunks, with extensions and trailers': [
    `${OK}transfer-encoding: chunked\r\n\r\nA;a=b\r\n0123456789\r\n0;c="d e"\r\nx-sum: 1\r\n\r\n`,
    whole('0123456789'),
  ],
  'that ends with the connection': [`${OK}x: y\r\n\r\nuntil the end`, whole('until the end', { keepMs: 0 })],
  'after hints': [
    `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n${OK}content-length: 2\r\n\r\nok`,
    whole('ok', { length: 2 }),
  ],
  'without a reason, of an old server': [
    'HTTP/1.0 503\r\nRetry-After:  120 \t\r\ncontent-length: 0\r\n\r\n',
    whole('', { status: 503, retryAfter: '120', length: 0, keepMs: 0 }),
  ],
}

describe('an answer', () => {
  for (const [name, [text, expected]] of Object.entries(ANSWERS)) {
    it(`${name} is the same in one piece, cut in two anywhere, and byte by byte`, () => {
      assert.deepEqual(read([text]), expected)
      for (let cut = 1; cut < text.length; cut += 1)
        assert.deepEqual(read([text.slice(0, cut), text.slice(cut)]), expected, `cut at ${cut}`)
      assert.deepEqual(read([...text]), expected)
    })

    it(`${name} is not complete before its last byte`, () => {
      if (expected.keepMs === 0 && expected.length === null) return
      for (let cut = 0; cut < text.length; cut += 1) {
        const reading = read([text.slice(0, cut)])
        assert.ok(typeof reading === 'object' && !reading.isWhole, `cut at ${cut}`)
      }
    })
  }

  const keptFor = (headers: string, rest = ''): number => {
    const reading = read([`${OK}${headers}content-length: 0\r\n\r\n${rest}`])
    assert.ok(typeof reading === 'object')
    return reading.keepMs
  }

  it('says how long its connection may be reused, a second less than the receiver says', () => {
    assert.equal(keptFor(''), 4_000)
    assert.equal(keptFor('keep-alive: timeout=5\r\n'), 4_000)
    assert.equal(keptFor('Keep-Alive: max=10, timeout=20\r\n'), 19_000)
    assert.equal(keptFor('keep-alive: timeout=600\r\n'), 30_000)
    assert.equal(keptFor('keep-alive: timeout=1\r\n'), 0)
    assert.equal(keptFor('connection: close\r\n'), 0)
    assert.equal(keptFor('connection: x\r\nConnection: y, Close\r\n'), 0)
    assert.equal(keptFor('proxy-connection: close\r\n'), 0)
    assert.equal(keptFor('connection: closet\r\n'), 4_000)
  })

  it('followed by extra bytes is the last on its connection', () => {
    assert.equal(keptFor('', '\r\n'), 0)
    assert.equal(keptFor('', `${OK}content-length: 0\r\n\r\n`), 0)
  })
})

const AMBIGUOUS = [
  'content-length: 2\r\ncontent-length: 2\r\n\r\nok',
  'transfer-encoding: chunked\t\r\n\r\n0\r\n\r\n',
  'transfer-encoding: chunked\r\n\r\n5 ;a\r\nhello\r\n0\r\n\r\n',
  'transfer-encoding: chunked\r\n\r\n5;a=\0\r\nhello\r\n0\r\n\r\n',
  'transfer-encoding: chunked\r\n\r\n5;a="\r\nhello\r\n0\r\n\r\n',
  'transfer-encoding: chunked\r\n\r\n0\r\ncontent-length: 9\r\n\r\n',
  'transfer-encoding: chunked\r\n\r\n0\r\nTransfer-Encoding: chunked\r\n\r\n',
  'content-length: 5\r\ncontent-length: 6\r\n\r\nhello!',
  'content-length: 5, 5\r\n\r\nhello',
  'content-length: +5\r\n\r\nhello',
  'content-length: 0x5\r\n\r\nhello',
  'content-length: 5 5\r\n\r\nhello',
  'content-length: 5\xa0\r\n\r\nhello',
  'content-length: \r\n\r\n',
  'content-length: 99999999999999999999\r\n\r\n',
  'content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
  'transfer-encoding: gzip, chunked\r\n\r\n',
  'transfer-encoding: chunked\r\ntransfer-encoding: chunked\r\n\r\n',
  'transfer-encoding: identity\r\n\r\n',
  'content-length : 5\r\n\r\nhello',
  'x-a: b\r\n content-length: 5\r\n\r\nhello',
  ': nameless\r\n\r\n',
  'no colon\r\n\r\n',
  'x-a: b\ncontent-length: 0\r\n\r\n',
  'x-a: b\rcontent-length: 0\r\n\r\n',
  'x-a: \0\r\n\r\n',
  'x-a: b\n\n',
  'transfer-encoding: chunked\r\n\r\n-1\r\n',
  'transfer-encoding: chunked\r\n\r\n0x1\r\na\r\n',
  'transfer-encoding: chunked\r\n\r\n1 1\r\na\r\n',
  'transfer-encoding: chunked\r\n\r\n\r\n',
  'transfer-encoding: chunked\r\n\r\n1\r\nab\r\n',
  'transfer-encoding: chunked\r\n\r\n1\na\r\n',
  `transfer-encoding: chunked\r\n\r\n1;${'x'.repeat(300)}\r\n`,
  'transfer-encoding: chunked\r\n\r\n100000000\r\n',
  'transfer-encoding: chunked\r\n\r\n0\r\nno colon\r\n\r\n',
]

describe('an ambiguous answer', () => {
  for (const rest of AMBIGUOUS)
    it(`is rejected: ${JSON.stringify(rest.slice(0, 60))}`, () => {
      assert.equal(read([OK + rest]), 'INVALID_RESPONSE')
      assert.equal(read([...(OK + rest)]), 'INVALID_RESPONSE')
    })

  for (const line of [
    'HTTP/2 200 OK',
    'HTTP/1.2 200',
    'http/1.1 200 OK',
    'HTTP/1.1 20 OK',
    'HTTP/1.1 2000',
    'GET /',
    'HTTP/1.1 200 O\u0000K',
  ])
    it(`is rejected: ${line}`, () => {
      assert.equal(read([`${line}\r\n\r\n`]), 'INVALID_RESPONSE')
    })
})

describe('the head of an answer', () => {
  it('is limited, early hints and trailers included', () => {
    const long = `x: ${'y'.repeat(300)}\r\n`
    assert.equal(read([OK, long.repeat(4)]), 'RESPONSE_TOO_LARGE')
    assert.equal(read([`${OK}${long.repeat(4)}\r\n`]), 'RESPONSE_TOO_LARGE')
    assert.equal(read(Array(40).fill('HTTP/1.1 103 Early Hints\r\n\r\n')), 'RESPONSE_TOO_LARGE')
    const trailing = [`${OK}transfer-encoding: chunked\r\n\r\n0\r\n`, ...Array(5).fill(long)]
    assert.equal(read(trailing), 'RESPONSE_TOO_LARGE')
  })

  it('may be as long as the limit, for each answer anew, and so may its trailers and the lines of its chunks', () => {
    const headOf = (bytes: number, fields: string) => {
      const start = `${OK}${fields}x: `
      return `${start}${'y'.repeat(bytes - start.length)}`
    }
    const listener = { onHead: () => {}, onBody: () => {} }
    const reader = createAnswerReader(200)
    const take = (text: string): boolean => {
      reader.begin(listener)
      return reader.take(Buffer.from(text))
    }
    const sized = (bytes: number) => `${headOf(bytes, 'content-length: 0\r\n')}\r\n\r\n`
    assert.ok(take(sized(200)))
    assert.ok(take(sized(200)), 'the next one has as much')
    assert.throws(() => take(sized(201)))

    const chunked = `${OK}transfer-encoding: chunked\r\n\r\n`
    const withTrailer = (bytes: number) => `${chunked}0\r\nx: ${'y'.repeat(bytes - 5)}\r\n\r\n`
    const room = 200 - chunked.length - 2
    assert.ok(take(withTrailer(room)))
    assert.throws(() => take(withTrailer(room + 1)))

    const withLine = (bytes: number) => `${chunked}0;${'x'.repeat(bytes - 4)}\r\n\r\n`
    assert.ok(take(withLine(256)))
    assert.throws(() => take(withLine(257)))
  })

  it('that closes the connection before the answer is rejected', () => {
    for (const hint of ['HTTP/1.0 100 Continue\r\n', 'HTTP/1.1 103 Early Hints\r\nconnection: close\r\n'])
      assert.equal(read([`${hint}\r\n${OK}content-length: 0\r\n\r\n`]), 'INVALID_RESPONSE')
  })

  it('that switches protocols, unasked, ends the exchange', () => {
    assert.equal(read(['HTTP/1.1 101 Switching Protocols\r\n\r\n']), 'CONNECTION')
  })
})

describe('damaged answers', () => {
  it('are parsed or rejected, and nothing else', () => {
    // A fixed seed, so that failures repeat.
    let seed = 20_261_115
    const next = (below: number): number => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
      return seed % below
    }
    const texts = Object.values(ANSWERS).map(([text]) => text)
    for (let turn = 0; turn < 20_000; turn += 1) {
      const characters = [...(texts[next(texts.length)] as string)]
      for (let changes = 1 + next(3); changes > 0; changes -= 1)
        characters.splice(next(characters.length), next(3), String.fromCharCode(next(256)))
      const text = characters.join('')
      const cut = next(text.length)
      const [inOne, inTwo] = [read([text]), read([text.slice(0, cut), text.slice(cut)])]
      assert.deepEqual(inOne, inTwo, JSON.stringify([text, cut]))
    }
  })
})
