// A server that listens on IPv6 sees its clients of IPv4 as addresses inside IPv6. Each is one of its own all the same.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { createAddressLimits } from '../../../src/api/http/address-limits.ts'

describe('clients of IPv4 at a server that listens on IPv6', () => {
  const settings = { maxConnectionsPerAddress: 0, unauthenticatedPerSecond: 1 }
  const open = createAddressLimits({ ...settings, trustedProxies: [] }, () => 0)
  const proxied = createAddressLimits({ ...settings, trustedProxies: ['127.0.0.9/32'] }, () => 0)
  const seen: string[] = []
  const server = createServer((request, response) => {
    seen.push(request.socket.remoteAddress ?? '')
    const told = {
      client: open.clientOf(request),
      counted: open.addressOf(request),
      named: proxied.clientOf(request),
      isRefused: open.takeUnauthenticated(request) !== undefined,
    }
    response.end(JSON.stringify(told))
  })
  before(async () => {
    server.listen(0, '::')
    await once(server, 'listening')
  })
  after(() => server.close())

  const ask = async (localAddress: string) => {
    const { port } = server.address() as AddressInfo
    const headers = { 'x-forwarded-for': '203.0.113.7' }
    const request = get({ host: '127.0.0.1', port, localAddress, headers, agent: false })
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    return JSON.parse(String(Buffer.concat(await response.toArray())))
  }

  it('are known by their own address, and one costs another nothing', async () => {
    const one = { client: '127.0.0.5', counted: '127.0.0.5', named: '127.0.0.5' }
    const asked = [await ask('127.0.0.5'), await ask('127.0.0.5'), await ask('127.0.0.5')]
    assert.deepEqual(
      asked,
      [false, false, true].map((isRefused) => ({ ...one, isRefused })),
    )
    assert.equal((await ask('127.0.0.6')).isRefused, false)
    assert.match(seen[0] ?? '', /^::ffff:/)
  })

  it('are believed who they name if they are a proxy that we know', async () => {
    assert.equal((await ask('127.0.0.9')).named, '203.0.113.7')
  })
})
