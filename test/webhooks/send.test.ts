// One attempt against every kind of receiver we could think of, over real sockets. Whatever the receiver does, the
// attempt ends in time, with the documented failure, and releases the connection.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'
import type { TLSSocket } from 'node:tls'
import { gzipSync } from 'node:zlib'
import { Webhook } from 'standardwebhooks'
import {
  type Attempt,
  createSender,
  type Sender,
  type SenderOptions,
  senderOptions,
} from '../../src/webhooks/send.ts'
import { newWebhookSecret, secretBytes } from '../../src/webhooks/sign.ts'
import { eventually } from '../eventually.ts'
import { selfSigned } from './certificate.ts'
import { answering, type Behaviour, type ReceiverOptions, receiver } from './receiver.ts'

const LIMITS = { connectMs: 1_000, headersMs: 1_000, totalMs: 1_500, waitMs: 1_200 }
// Far above the limits of the test, far below those of production: a busy machine passes, a missing deadline does not.
const IN_TIME_MS = 5_000
const SECRET = newWebhookSecret(randomBytes)
const BODY = JSON.stringify({ id: 'evt_1', event: 'payin.confirmed', data: { description: 'Café ☕ ñandú' } })

function sender(options: Partial<SenderOptions> = {}): Sender & AsyncDisposable {
  const made = createSender({ allowPrivate: true, limits: LIMITS, ...options })
  return { ...made, [Symbol.asyncDispose]: made.close }
}

function event(url: string, body = BODY) {
  return {
    url,
    id: 'evt_1',
    timestampSeconds: Math.floor(Date.now() / 1_000),
    body,
    secrets: [secretBytes(SECRET)],
  }
}

// One attempt against one receiver. Afterwards all of the receiver's connections must be gone.
async function attempt(behave: Behaviour, options: Partial<SenderOptions> = {}, at: ReceiverOptions = {}) {
  await using far = await receiver(behave, at)
  await using near = sender(options)
  const result = await near.send(event(far.url))
  await near.close()
  await far.abandoned()
  assert.ok(result.latencyMs < IN_TIME_MS, `took ${result.latencyMs} ms`)
  return result
}

type Outcome = Partial<Attempt>
const said = ({ status, failure, delivered, gone }: Attempt): Outcome => ({
  status,
  failure,
  delivered,
  gone,
})
const refused = (status: number | null, failure: Attempt['failure']): Outcome => ({
  status,
  failure,
  delivered: false,
  gone: status === 410,
})
const acknowledged = (status: number): Outcome => ({ status, failure: null, delivered: true, gone: false })

describe('a delivered event', () => {
  it('carries its headers and exactly the bytes that were signed', async () => {
    await using far = await receiver(answering('200 OK'))
    await using near = sender()
    const { status, failure, delivered } = await near.send(event(`${far.url}?source=a%20b`))
    assert.deepEqual([status, failure, delivered], [200, null, true])
    const [request] = far.requests
    assert.ok(request)
    assert.equal(request.line, 'POST /hooks?source=a%20b HTTP/1.1')
    assert.equal(request.body, BODY)
    assert.deepEqual(new Webhook(SECRET).verify(request.body, request.headers), JSON.parse(BODY))
    const { host, connection, 'content-length': length, ...rest } = request.headers
    assert.deepEqual([host, connection], [`127.0.0.1:${far.port}`, 'keep-alive'])
    assert.equal(Number(length), Buffer.byteLength(BODY))
    assert.deepEqual(Object.keys(rest).sort(), [
      'content-type',
      'user-agent',
      'webhook-id',
      'webhook-signature',
      'webhook-timestamp',
    ])
    assert.deepEqual([rest['content-type'], rest['user-agent']], ['application/json', 'Recaudo-Webhooks/1'])
  })

  for (const status of ['200 OK', '201 Created', '202 Accepted', '204 No Content', '299 Fine'])
    it(`is accepted with ${status}`, async () => {
      assert.deepEqual(said(await attempt(answering(status))), acknowledged(Number.parseInt(status, 10)))
    })

  it('is accepted after an early hint', async () => {
    const behave: Behaviour = (socket, request) => {
      socket.write('HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n')
      answering('200 OK')(socket, request)
    }
    assert.deepEqual(said(await attempt(behave)), acknowledged(200))
  })

  it('is accepted when the answer ends with the connection', async () => {
    const { response, ...result } = await attempt((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\nthank you'))
    assert.deepEqual([response, result.delivered], ['thank you', true])
  })

  it('shares its connection with the next events to the same host', async () => {
    await using far = await receiver(answering('200 OK'))
    await using near = sender()
    for (let sent = 0; sent < 20; sent += 1) await near.send(event(far.url))
    assert.equal(far.requests.length, 20)
    // Two, because a connection rests for a moment before it is used again.
    assert.ok(far.connections.opened <= 2)
  })

  it('may be sent again at once on a new connection if the receiver closes each', async () => {
    await using far = await receiver((socket) =>
      socket.end('HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 0\r\n\r\n'),
    )
    await using near = sender()
    for (let sent = 0; sent < 3; sent += 1) assert.equal((await near.send(event(far.url))).delivered, true)
    assert.equal(far.connections.opened, 3)
  })
})

const KIB = 1_024
const OK = 'HTTP/1.1 200 OK\r\n'

const RECEIVERS: Record<string, [behave: Behaviour, expected: Outcome]> = {
  'never answers': [() => {}, refused(null, 'TIMEOUT')],
  'stops in the middle of the headers': [
    (socket) => socket.write(`${OK}x-a: b\r\n`),
    refused(null, 'TIMEOUT'),
  ],
  'stops after the headers': [
    (socket) => socket.write(`${OK}content-length: 5\r\n\r\n`),
    refused(200, 'TIMEOUT'),
  ],
  'sends hints for ever': [
    (socket) => repeat(socket, 20, () => socket.write('HTTP/1.1 103 Early Hints\r\n\r\n')),
    refused(null, 'TIMEOUT'),
  ],
  'trickles the headers': [
    (socket) => {
      socket.write(OK)
      repeat(socket, 100, () => socket.write('x-a: b\r\n'))
    },
    refused(null, 'TIMEOUT'),
  ],
  'trickles the body, a byte every 100 ms': [
    (socket) => {
      socket.write(`${OK}content-length: 1000\r\n\r\n`)
      repeat(socket, 100, () => socket.write('x'))
    },
    refused(200, 'TIMEOUT'),
  ],
  'trickles the body of a 410': [
    (socket) => {
      socket.write('HTTP/1.1 410 Gone\r\ncontent-length: 1000\r\n\r\n')
      repeat(socket, 100, () => socket.write('x'))
    },
    refused(410, 'STATUS'),
  ],
  'has an endless body': [
    (socket) => {
      socket.write(`${OK}transfer-encoding: chunked\r\n\r\n`)
      repeat(socket, 1, () => socket.write(`4000\r\n${'x'.repeat(16 * KIB)}\r\n`))
    },
    refused(200, 'RESPONSE_TOO_LARGE'),
  ],
  'has an endless error page': [
    (socket) => {
      socket.write('HTTP/1.1 500 Oops\r\n\r\n')
      repeat(socket, 1, () => socket.write('x'.repeat(16 * KIB)))
    },
    refused(500, 'STATUS'),
  ],
  'announces a gigabyte of gzip': [
    (socket) => socket.write(`${OK}content-encoding: gzip\r\ncontent-length: 1073741824\r\n\r\n`),
    refused(200, 'RESPONSE_TOO_LARGE'),
  ],
  'answers 64 KiB and one byte': [
    answering('200 OK', [], 'x'.repeat(64 * KIB + 1)),
    refused(200, 'RESPONSE_TOO_LARGE'),
  ],
  'answers 64 KiB': [answering('200 OK', [], 'x'.repeat(64 * KIB)), acknowledged(200)],
  'answers a gzip bomb': [
    answering('200 OK', ['content-encoding: gzip'], gzipSync(Buffer.alloc(20 * KIB * KIB))),
    acknowledged(200),
  ],
  'has headers of 20 KiB': [
    (socket) => socket.write(`${OK}x-long: ${'x'.repeat(20 * KIB)}\r\ncontent-length: 0\r\n\r\n`),
    refused(null, 'RESPONSE_TOO_LARGE'),
  ],
  'has headers without end': [
    (socket) => {
      socket.write(OK)
      repeat(socket, 1, () => socket.write(`x-a: ${'b'.repeat(8 * KIB)}\r\n`))
    },
    refused(null, 'RESPONSE_TOO_LARGE'),
  ],
  'hangs up instead of answering': [(socket) => socket.end(), refused(null, 'CONNECTION')],
  'resets instead of answering': [(socket) => socket.resetAndDestroy(), refused(null, 'CONNECTION')],
  'hangs up in the middle of the body': [
    (socket) => socket.end(`${OK}content-length: 10\r\n\r\nhalf`),
    refused(200, 'CONNECTION'),
  ],
  'hangs up in the middle of a body that would have been its last': [
    (socket) => socket.end(`${OK}connection: close\r\ncontent-length: 10\r\n\r\nhalf`),
    refused(200, 'CONNECTION'),
  ],
  'breaks off a chunked body': [
    (socket) => socket.end(`${OK}transfer-encoding: chunked\r\n\r\n4\r\nhalf\r\n`),
    refused(200, 'CONNECTION'),
  ],
  'speaks another protocol': [
    (socket) => socket.write('220 mail.example.com ESMTP\r\n'),
    refused(null, 'INVALID_RESPONSE'),
  ],
  'answers with random bytes': [
    (socket) => socket.write(Buffer.alloc(256, 0xf3)),
    refused(null, 'INVALID_RESPONSE'),
  ],
  'gives its length twice': [
    (socket) => socket.write(`${OK}content-length: 1\r\ncontent-length: 2\r\n\r\nab`),
    refused(null, 'INVALID_RESPONSE'),
  ],
  'switches protocols unasked': [
    (socket) => socket.write('HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'),
    refused(null, 'CONNECTION'),
  ],
  'says 301': [answering('301 Moved', ['location: /elsewhere']), refused(301, 'REDIRECT')],
  'says 304': [answering('304 Not Modified'), refused(304, 'REDIRECT')],
  'says 400': [answering('400 Bad Request'), refused(400, 'STATUS')],
  'says 404, and is not gone for good': [answering('404 Not Found'), refused(404, 'STATUS')],
  'says 410': [answering('410 Gone'), refused(410, 'STATUS')],
  'says 500': [answering('500 Oops'), refused(500, 'STATUS')],
  'says 999': [answering('999 What'), refused(999, 'STATUS')],
}

function repeat(
  socket: { on: (event: 'close', then: () => void) => void },
  everyMs: number,
  act: () => void,
): void {
  const timer = setInterval(act, everyMs)
  socket.on('close', () => clearInterval(timer))
}

describe('a receiver that', { concurrency: 8 }, () => {
  for (const [name, [behave, expected]] of Object.entries(RECEIVERS))
    it(`${name}: ${expected.failure ?? 'delivered'}`, async () => {
      assert.deepEqual(said(await attempt(behave)), expected)
    })
})

describe('a connection', () => {
  it('that is reset in the middle of the body is a failure, whether or not the status was read before', async () => {
    const { failure, delivered } = await attempt((socket) =>
      socket.write(`${OK}content-length: 10\r\n\r\nhalf`, () => socket.resetAndDestroy()),
    )
    assert.deepEqual([failure, delivered], ['CONNECTION', false])
  })

  it('that is refused is a failure of the connection', async () => {
    const far = await receiver(() => {})
    await far[Symbol.asyncDispose]()
    await using near = sender()
    assert.deepEqual(said(await near.send(event(far.url))), refused(null, 'CONNECTION'))
  })

  it('to a name that does not exist is a failure of DNS', async () => {
    for (const lookup of [() => Promise.reject(new Error('ENOTFOUND')), async () => []]) {
      await using near = sender({ lookup })
      assert.deepEqual(said(await near.send(event('http://merchant.example.com/'))), refused(null, 'DNS'))
    }
  })

  it('to a name that is never resolved ends in time', async () => {
    await using near = sender({ lookup: () => new Promise(() => {}) })
    const result = await near.send(event('http://merchant.example.com/'))
    assert.deepEqual(said(result), refused(null, 'TIMEOUT'))
    assert.ok(result.latencyMs < IN_TIME_MS)
  })

  it('tries the next address of a name if the first refuses', async () => {
    await using far = await receiver(answering('200 OK'))
    await using near = sender({ lookup: async () => ['127.0.0.2', '127.0.0.1'] })
    assert.deepEqual(
      said(await near.send(event(`http://merchant.example.com:${far.port}/`))),
      acknowledged(200),
    )
    assert.equal(far.requests[0]?.headers.host, `merchant.example.com:${far.port}`)
  })
})

describe('TLS', () => {
  const ours = selfSigned('merchant.example.com')
  const lookup = async () => ['127.0.0.1']
  const sendOver = async (certificate: typeof ours, host: string, options: Partial<SenderOptions>) => {
    await using far = await receiver(answering('200 OK'), { certificate })
    await using near = sender({ lookup, ...options })
    const result = await near.send(event(`https://${host}:${far.port}/`))
    return { ...said(result), requests: far.requests.length }
  }
  const tlsFailure = { ...refused(null, 'TLS'), requests: 0 }

  it('delivers to a certificate of a known authority, by name and by address', async () => {
    const delivered = { ...acknowledged(200), requests: 1 }
    assert.deepEqual(await sendOver(ours, 'merchant.example.com', { ca: ours.cert }), delivered)
    assert.deepEqual(await sendOver(ours, 'merchant.example.com.', { ca: ours.cert }), delivered)
    const address = selfSigned('127.0.0.1')
    assert.deepEqual(await sendOver(address, '127.0.0.1', { ca: address.cert }), delivered)
  })

  it('names the host in the handshake without its final dot', async () => {
    const named: unknown[] = []
    const behave: Behaviour = (socket, request) => {
      named.push((socket as TLSSocket).servername)
      answering('200 OK')(socket, request)
    }
    await using far = await receiver(behave, { certificate: ours })
    await using near = sender({ lookup, ca: ours.cert })
    await near.send(event(`https://merchant.example.com.:${far.port}/`))
    assert.deepEqual(named, ['merchant.example.com'])
  })

  it('refuses a self-signed certificate', async () => {
    assert.deepEqual(await sendOver(ours, 'merchant.example.com', {}), tlsFailure)
  })

  it('refuses it even if the environment disables verification', async () => {
    const before = process.env.NODE_TLS_REJECT_UNAUTHORIZED
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
    try {
      assert.deepEqual(await sendOver(ours, 'merchant.example.com', {}), tlsFailure)
    } finally {
      if (before === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED
      else process.env.NODE_TLS_REJECT_UNAUTHORIZED = before
    }
  })

  it('refuses a certificate for another name or address', async () => {
    assert.deepEqual(await sendOver(ours, 'other.example.com', { ca: ours.cert }), tlsFailure)
    assert.deepEqual(await sendOver(ours, '127.0.0.1', { ca: ours.cert }), tlsFailure)
  })

  it('refuses an expired certificate', async () => {
    const old = selfSigned('merchant.example.com', '20210101000000Z')
    assert.deepEqual(await sendOver(old, 'merchant.example.com', { ca: old.cert }), tlsFailure)
  })

  it('fails where the port speaks plain HTTP', async () => {
    const plain = createServer((_request, response) => response.end()).listen(0, '127.0.0.1')
    await once(plain, 'listening')
    await using near = sender()
    const { port } = plain.address() as AddressInfo
    assert.deepEqual(said(await near.send(event(`https://127.0.0.1:${port}/`))), refused(null, 'TLS'))
    plain.close()
  })

  it('fails where plain HTTP is sent to a port that speaks TLS', async () => {
    await using far = await receiver(answering('200 OK'), { certificate: ours })
    await using near = sender()
    const { failure, status } = await near.send(event(far.url.replace('https:', 'http:')))
    assert.equal(status, null)
    assert.match(String(failure), /^(CONNECTION|INVALID_RESPONSE)$/)
  })

  it('ends in time where the handshake is never answered', async () => {
    await using silent = await receiver(() => {})
    await using near = sender()
    const result = await near.send(event(silent.url.replace('http:', 'https:')))
    assert.deepEqual(said(result), refused(null, 'TIMEOUT'))
    await silent.abandoned()
  })
})

describe('Retry-After', () => {
  const asked = async (header: string, status = '429 Slow Down'): Promise<number | null> =>
    (await attempt(answering(status, [`retry-after: ${header}`]))).retryAfterSeconds

  it('is read in seconds, up to an hour', async () => {
    assert.equal(await asked('120'), 120)
    assert.equal(await asked('0', '503 Busy'), 0)
    assert.equal(await asked('86400'), 3_600)
    assert.equal(await asked('99999999999999'), 3_600)
  })

  it('is read as a date, up to an hour', async () => {
    const inSeconds = await asked(new Date(Date.now() + 120_000).toUTCString())
    assert.ok(inSeconds !== null && inSeconds > 90 && inSeconds <= 120, String(inSeconds))
    assert.equal(await asked(new Date(Date.now() - 60_000).toUTCString()), 0)
    assert.equal(await asked('Fri, 31 Dec 2199 23:59:59 GMT'), 3_600)
  })

  it('is ignored if it cannot be read or the event was delivered', async () => {
    for (const header of ['soon', '-5', '1.5', '2199-12-31', 'Fri, 99 Dec 2199 23:59:59 GMT', ''])
      assert.equal(await asked(header), null, header)
    assert.equal(await asked('120', '200 OK'), null)
  })
})

describe('the recorded response', () => {
  const kept = async (body: string | Buffer, status = '200 OK'): Promise<string> =>
    (await attempt(answering(status, [], body))).response

  it('is its text, also of a refusal', async () => {
    assert.equal(await kept('{"error":"año inválido ☕"}', '422 No'), '{"error":"año inválido ☕"}')
    assert.equal(await kept(''), '')
  })

  it('is the first KiB, never half a character', async () => {
    assert.equal(await kept('x'.repeat(5_000)), 'x'.repeat(1_024))
    assert.equal(await kept(`${'x'.repeat(1_022)}☕☕☕`), 'x'.repeat(1_022))
    assert.equal(await kept(`${'x'.repeat(1_021)}☕☕☕`), `${'x'.repeat(1_021)}☕`)
  })

  it('has no control character, no bidirectional override and no broken text', async () => {
    assert.equal(await kept('a\u0000b\u001b[31mc\r\nd\te'), 'a\\u{0}b\\u{1b}[31mc\\r\\nd\\te')
    assert.equal(await kept('a\u202eb\u2028c\u0085d'), 'a\\u{202e}b\\u{2028}c\\u{85}d')
    assert.equal(await kept(Buffer.from([0x61, 0xff, 0xc3])), 'a\uFFFD\uFFFD')
    const zeros = await kept(Buffer.alloc(2_000))
    assert.ok(zeros.length <= 1_024 && zeros.startsWith('\\u{0}\\u{0}'))
  })

  it('is joined from its chunks', async () => {
    const coffee = Buffer.from('☕')
    const inPieces: Behaviour = (socket) => {
      socket.write(`${OK}transfer-encoding: chunked\r\n\r\n`)
      for (const byte of coffee)
        socket.write(Buffer.concat([Buffer.from('1\r\n'), Buffer.from([byte]), Buffer.from('\r\n')]))
      socket.write('0\r\n\r\n')
    }
    assert.equal((await attempt(inPieces)).response, '☕')
  })
})

describe('a sender', () => {
  it('opens only so many connections for one endpoint, and reports what it could not send in time', async () => {
    const slow: Behaviour = () => {}
    await using far = await receiver(slow)
    await using near = sender({ limits: { ...LIMITS, headersMs: 10_000, connectionsPerEndpoint: 2 } })
    const results = await Promise.all(Array.from({ length: 6 }, () => near.send(event(far.url))))
    assert.equal(far.connections.mostAtOnce, 2)
    assert.deepEqual(results.map(({ failure }) => failure).sort(), [
      ...Array(4).fill('NOT_SENT'),
      ...Array(2).fill('TIMEOUT'),
    ])
    await near.close()
    assert.equal(far.requests.length, 2)
  })

  it('sends nothing that has waited so long for its turn that no answer could come in time', async () => {
    let answer = () => {}
    await using far = await receiver((socket, request) => {
      answer = () => answering('200 OK')(socket, request)
    })
    const limits = { ...LIMITS, headersMs: 60_000, totalMs: 60_000, connectionsPerEndpoint: 1 }
    await using near = sender({ limits: { ...limits, waitMs: 500 } })
    const begun = near.send(event(far.url))
    const waiting = near.send(event(far.url))
    const startedMs = performance.now()
    const hasWaited = async () => far.requests.length === 1 && performance.now() - startedMs > 500
    await eventually(hasWaited, (isOver) => isOver)
    answer()
    assert.deepEqual([(await begun).failure, (await waiting).failure], [null, 'NOT_SENT'])
    assert.equal(far.requests.length, 1)
  })

  it('closes the least recently used host to free capacity for another', async () => {
    await using first = await receiver(answering('200 OK'))
    await using second = await receiver(answering('200 OK'))
    await using third = await receiver(answering('200 OK'))
    await using near = sender({ limits: { ...LIMITS, endpoints: 2 } })
    for (const { url } of [first, second, first, third])
      assert.equal((await near.send(event(url))).delivered, true)
    await second.abandoned()
    assert.deepEqual([first.connections.open, second.connections.open, third.connections.open], [1, 0, 1])
  })

  it('is not blocked at one endpoint by another of the same host that hangs', async () => {
    await using far = await receiver((socket, request) => {
      if (request.line.includes('/healthy')) answering('200 OK')(socket, request)
    })
    await using near = sender({ limits: { ...LIMITS, connectionsPerEndpoint: 2 } })
    const to = (path: string, endpointId: string) =>
      near.send({ ...event(`http://127.0.0.1:${far.port}${path}`), endpointId })
    let hanging = 6
    const stuck = Array.from({ length: hanging }, (_, index) =>
      to('/hanging', `hanging-${index % 3}`).then(() => {
        hanging -= 1
      }),
    )
    assert.equal((await to('/healthy', 'healthy')).delivered, true)
    assert.equal(hanging, 6)
    await Promise.all(stuck)
  })

  it('follows the operator: whether private addresses are reached, and over how many connections', async () => {
    const settings = { webhookAllowPrivate: true, webhookConcurrency: 1, webhookProxy: null }
    await using far = await receiver(answering('200 OK'))
    await using strict = sender(senderOptions({ ...settings, webhookAllowPrivate: false }))
    assert.equal((await strict.send(event(far.url))).failure, 'BLOCKED_ADDRESS')
    await using near = sender(senderOptions(settings))
    const results = await Promise.all(Array.from({ length: 3 }, () => near.send(event(far.url))))
    assert.ok(results.every(({ delivered }) => delivered))
    assert.deepEqual([far.requests.length, far.connections.opened], [3, 1])
  })

  it('closes what the receiver will not keep open, although nothing more is sent', async () => {
    await using far = await receiver(answering('200 OK', ['keep-alive: timeout=2']))
    await using near = sender()
    assert.equal((await near.send(event(far.url))).delivered, true)
    await eventually(
      async () => far.connections.open,
      (open) => open === 0,
    )
  })

  it('is not blocked at one endpoint by another with the same address', async () => {
    let answer = () => {}
    await using far = await receiver((socket, request) => {
      const now = () => answering('200 OK')(socket, request)
      if (far.requests.length > 1) now()
      else answer = now
    })
    const limits = { ...LIMITS, headersMs: 10_000, totalMs: 10_000, connectionsPerEndpoint: 1 }
    await using near = sender({ limits })
    const to = (endpointId: string) => near.send({ ...event(far.url), endpointId })
    const slow = to('slow')
    await eventually(
      async () => far.requests.length,
      (count) => count === 1,
    )
    assert.equal((await to('healthy')).delivered, true)
    answer()
    assert.equal((await slow).delivered, true)
  })

  it('waits less long for the start of an answer than for its end', async () => {
    const { failure, latencyMs } = await attempt(() => {}, { limits: { headersMs: 200, totalMs: 60_000 } })
    assert.equal(failure, 'TIMEOUT')
    assert.ok(latencyMs >= 200)
  })

  it('keeps the deadline of each attempt, whichever end before and after it', async () => {
    await using far = await receiver((socket, request) => {
      if (request.body === '"answer"') answering('200 OK')(socket, request)
    })
    await using near = sender({ limits: { headersMs: 60_000, totalMs: 1_500 } })
    const send = async (body: string) => (await near.send(event(far.url, body))).failure
    const outcomes = Promise.all(['"hang"', '"answer"', '"hang"', '"answer"', '"answer"', '"hang"'].map(send))
    assert.equal(await send('"answer"'), null)
    assert.equal(await send('"hang"'), 'TIMEOUT')
    assert.deepEqual(await outcomes, ['TIMEOUT', null, 'TIMEOUT', null, null, 'TIMEOUT'])
  })

  it('is not blocked at one host by another that hangs', async () => {
    await using hanging = await receiver(() => {})
    await using healthy = await receiver(answering('200 OK'))
    await using near = sender()
    let hangs = true
    const stuck = near.send(event(hanging.url)).then(() => {
      hangs = false
    })
    assert.equal((await near.send(event(healthy.url))).delivered, true)
    assert.equal(hangs, true)
    await stuck
  })

  it('finishes running attempts when it closes, and sends nothing afterwards', async () => {
    let answer = (): void => {}
    const arrived = Promise.withResolvers<void>()
    await using far = await receiver((socket, request) => {
      answer = () => answering('200 OK')(socket, request)
      arrived.resolve()
    })
    const near = createSender({ allowPrivate: true })
    const underWay = near.send(event(far.url))
    await arrived.promise
    const closed = near.close()
    assert.deepEqual(said(await near.send(event(far.url))), refused(null, 'NOT_SENT'))
    answer()
    assert.equal((await underWay).delivered, true)
    await closed
    assert.equal(far.requests.length, 1)
  })

  it('never throws, whatever it is given', async () => {
    await using near = sender()
    const good = event('http://127.0.0.1:1/')
    for (const wrong of [
      { ...good, url: '' },
      { ...good, url: 'no url' },
      { ...good, url: 'ftp://127.0.0.1/' },
      { ...good, url: 'data:text/plain,x' },
      { ...good, url: 'javascript:alert(1)' },
      { ...good, id: 'evt\r\nx: y' },
      { ...good, id: '' },
      { ...good, secrets: [] },
      { ...good, timestampSeconds: Number.NaN },
    ])
      assert.deepEqual(said(await near.send(wrong)), refused(null, 'NOT_SENT'))
  })
})

describe('a kept connection', () => {
  it('is not used again after a surplus answer, which would be taken for that of the next event', async () => {
    let events = 0
    await using far = await receiver((socket, request) => {
      events += 1
      answering(events === 1 ? '200 OK' : '503 Busy')(socket, request)
      if (events === 1) answering('200 OK')(socket, request)
    })
    await using near = sender()
    const results = [await near.send(event(far.url)), await near.send(event(far.url))]
    assert.deepEqual(
      results.map(({ status }) => status),
      [200, 503],
    )
    assert.equal(far.connections.opened, 2)
  })

  it('is closed when the receiver sends unasked, or closes it, while it is idle', async () => {
    for (const behave of [
      (socket: Parameters<Behaviour>[0]) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'),
      (socket: Parameters<Behaviour>[0]) => socket.end(),
    ]) {
      let last: Parameters<Behaviour>[0] | undefined
      await using far = await receiver((socket, request) => {
        last = socket
        answering('202 Accepted')(socket, request)
      })
      await using near = sender()
      assert.equal((await near.send(event(far.url))).status, 202)
      assert.ok(last)
      behave(last)
      await far.abandoned()
      assert.equal((await near.send(event(far.url))).status, 202)
      assert.equal(far.connections.opened, 2)
    }
  })

  it('is closed before the receiver closes it, as early as the receiver says', async () => {
    await using far = await receiver(answering('200 OK', ['keep-alive: timeout=1']))
    await using near = sender()
    for (let sent = 0; sent < 3; sent += 1) assert.equal((await near.send(event(far.url))).delivered, true)
    assert.equal(far.connections.opened, 3)
  })

  it('is renewed after a thousand events, so that a host that moves is followed', async () => {
    await using far = await receiver(answering('200 OK'))
    // A busy machine is slow, and a connection that is too slow is renewed as well.
    const patience = { connectMs: 60_000, headersMs: 60_000, totalMs: 60_000, waitMs: 60_000 }
    await using near = sender({ limits: { ...LIMITS, ...patience, connectionsPerEndpoint: 1 } })
    const send = () => near.send(event(far.url))
    await Promise.all(Array.from({ length: 1_000 }, send))
    assert.equal(far.connections.opened, 1)
    await send()
    assert.equal(far.connections.opened, 2)
  })
})

describe('many events at once', () => {
  let near: Sender
  before(() => {
    near = createSender({ allowPrivate: true })
  })
  after(() => near.close())

  it('each get their own answer', async () => {
    await using far = await receiver((socket, { headers, body }) =>
      answering('200 OK', [], `${headers['webhook-id']}=${body}`)(socket, { line: '', headers, body }),
    )
    const ids = Array.from({ length: 500 }, (_, index) => `evt_${index}`)
    const results = await Promise.all(
      ids.map((id) => near.send({ ...event(far.url, `"body of ${id}"`), id })),
    )
    assert.deepEqual(
      results.map(({ response }) => response),
      ids.map((id) => `${id}="body of ${id}"`),
    )
    assert.ok(far.connections.mostAtOnce <= 32)
  })
})
