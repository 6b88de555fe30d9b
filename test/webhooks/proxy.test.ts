// Webhooks through an HTTP proxy: which address the proxy is asked for, and what its refusals mean.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { createSender, type SenderOptions } from '../../src/webhooks/send.ts'
import { answering, type Receiver, receiver } from './receiver.ts'

type Proxy = AsyncDisposable & { port: number; heads: string[]; answerWith: (answer: string | null) => void }

// Opens the tunnel, unless it is told to answer something else.
async function startProxy(): Promise<Proxy> {
  const heads: string[] = []
  const sockets = new Set<Socket>()
  let instead: string | null = null
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('data', (bytes) => {
      const head = bytes.toString('latin1')
      heads.push(head)
      if (instead !== null) {
        socket.write(instead)
        return
      }
      const port = /^CONNECT [^ ]*:(\d+) /.exec(head)?.[1]
      const upstream = connect(Number(port), '127.0.0.1')
      sockets.add(upstream)
      upstream.on('error', () => socket.destroy())
      socket.write('HTTP/1.1 200 Connection established\r\nvia: test\r\n\r\n')
      upstream.pipe(socket).pipe(upstream)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    heads,
    answerWith: (answer) => {
      instead = answer
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

describe('webhooks through a proxy', () => {
  let proxy: Proxy
  let shop: Receiver
  before(async () => {
    proxy = await startProxy()
    shop = await receiver(answering('200 OK'))
  })
  after(async () => {
    await proxy[Symbol.asyncDispose]()
    await shop[Symbol.asyncDispose]()
  })

  const send = async (url: string, options: Partial<SenderOptions> = {}, credentials = '') => {
    const sender = createSender({
      allowPrivate: true,
      proxy: new URL(`http://${credentials}127.0.0.1:${proxy.port}`),
      lookup: async () => ['127.0.0.1'],
      ...options,
    })
    try {
      const secrets = [Buffer.alloc(32, 7)]
      return await sender.send({ url, id: 'event-1', timestampSeconds: 1_760_000_000, body: '{}', secrets })
    } finally {
      await sender.close()
    }
  }

  it('asks the proxy for the address that was checked, not for the name', async () => {
    proxy.answerWith(null)
    const sent = await send(`http://shop.example:${shop.port}/hooks`)
    assert.equal(sent.delivered, true, String(sent.failure))
    assert.equal(
      proxy.heads.at(-1),
      `CONNECT 127.0.0.1:${shop.port} HTTP/1.1\r\nhost: 127.0.0.1:${shop.port}\r\n\r\n`,
    )
    assert.equal(shop.requests.at(-1)?.headers.host, `shop.example:${shop.port}`)
  })

  it('gives the proxy its credentials, and the receiver none of them', async () => {
    proxy.answerWith(null)
    assert.equal((await send(shop.url, {}, 'us%40er:pa%3Ass@')).delivered, true)
    assert.match(
      proxy.heads.at(-1) ?? '',
      new RegExp(`proxy-authorization: Basic ${Buffer.from('us@er:pa:ss').toString('base64')}\r\n`),
    )
    assert.equal(shop.requests.at(-1)?.headers['proxy-authorization'], undefined)
  })

  it('does not ask the proxy for a private address', async () => {
    const asked = proxy.heads.length
    const sent = await send('https://shop.example/hooks', {
      allowPrivate: false,
      lookup: async () => ['203.0.114.1', '10.0.0.1'],
    })
    assert.equal(sent.failure, 'BLOCKED_ADDRESS')
    assert.equal(proxy.heads.length, asked)
  })

  it('asks for the port of the protocol where the address names none', async () => {
    proxy.answerWith('HTTP/1.1 502 Bad Gateway\r\n\r\n')
    for (const [protocol, port] of [
      ['https', 443],
      ['http', 80],
    ]) {
      await send(`${protocol}://shop.example/hooks`)
      assert.match(proxy.heads.at(-1) ?? '', new RegExp(`^CONNECT 127\\.0\\.0\\.1:${port} HTTP/1\\.1\r\n`))
    }
  })

  it('brackets an IPv6 address', async () => {
    proxy.answerWith('HTTP/1.1 502 Bad Gateway\r\n\r\n')
    await send('http://shop.example:8080/', { lookup: async () => ['2600:1f18::1'] })
    assert.match(proxy.heads.at(-1) ?? '', /^CONNECT \[2600:1f18::1\]:8080 HTTP\/1\.1\r\n/)
  })

  const refusals: [string, string, string][] = [
    ['a proxy that forbids the address', 'HTTP/1.1 403 Forbidden\r\n\r\n', 'BLOCKED_ADDRESS'],
    [
      'a proxy that wants other credentials',
      'HTTP/1.1 407 Proxy Authentication Required\r\n\r\n',
      'NOT_SENT',
    ],
    ['a proxy that cannot reach the receiver', 'HTTP/1.1 502 Bad Gateway\r\n\r\n', 'CONNECTION'],
    ['a proxy that speaks another protocol', '220 mail.example ESMTP\r\n\r\n', 'NOT_SENT'],
    ['a proxy that says more than it may', 'HTTP/1.1 200 OK\r\n\r\nHTTP/1.1 200 OK\r\n', 'NOT_SENT'],
    ['a proxy that never ends its answer', `HTTP/1.1 200 OK\r\n${'x: y\r\n'.repeat(2_000)}`, 'NOT_SENT'],
    ['a proxy that is silent', '', 'TIMEOUT'],
  ]
  for (const [name, answer, failure] of refusals)
    it(`${name} is ${failure}`, async () => {
      proxy.answerWith(answer)
      const requests = shop.requests.length
      const sent = await send(shop.url, { limits: { connectMs: 500 } })
      assert.equal(sent.failure, failure)
      assert.equal(shop.requests.length, requests)
    })

  it('a proxy that is away says nothing about the endpoint', async () => {
    const sent = await send(shop.url, { proxy: new URL('http://127.0.0.1:1') })
    assert.equal(sent.failure, 'NOT_SENT')
  })
})
