// A merchant's URL must not lead into our own network. A canary listens on every loopback address: with private targets
// off it must not see a single connection, however the address is spelled, resolved or redirected to.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { connectGuarded, isPublicAddress } from '../../src/webhooks/address-guard.ts'
import { endpointUrlProblem } from '../../src/webhooks/endpoint-url.ts'
import { SendFailure } from '../../src/webhooks/failure.ts'
import { type Lookup, lookupByNameServers } from '../../src/webhooks/name-lookup.ts'
import { createSender, type SenderOptions } from '../../src/webhooks/send.ts'
import { nameServer } from './name-server.ts'
import { answering, type Receiver, receiver } from './receiver.ts'

const SECRETS = [randomBytes(32)]
// No test waits for a limit. They only stop a bug from hanging forever.
const LIMITS = { connectMs: 5_000, headersMs: 5_000, totalMs: 10_000 }

let canary: Receiver
before(async () => {
  canary = await receiver(answering('200 OK'), { host: '::' })
})
after(() => canary[Symbol.asyncDispose]())

// No test may query a real name server.
const nobody: Lookup = async (name) => {
  throw new Error(`no such name: ${name}`)
}

async function sendTo(url: string, options: SenderOptions) {
  const sender = createSender({ limits: LIMITS, lookup: nobody, ...options })
  try {
    return await sender.send({ url, id: 'evt_1', timestampSeconds: 1, body: '{}', secrets: SECRETS })
  } finally {
    await sender.close()
  }
}

const at = (url: string): string => url.replaceAll('PORT', String(canary.port))

// Each of these reaches the canary if private targets are allowed, so each is a real way in.
const WAYS_TO_LOOPBACK = [
  'http://127.0.0.1:PORT/',
  'http://127.0.0.2:PORT/',
  'http://127.255.255.254:PORT/',
  'http://127.1:PORT/',
  'http://127.0.1:PORT/',
  'http://2130706433:PORT/',
  'http://0x7f000001:PORT/',
  'http://0x7F.1:PORT/',
  'http://0x7f.0x0.0x0.0x1:PORT/',
  'http://0177.0.0.1:PORT/',
  'http://0177.1:PORT/',
  'http://017700000001:PORT/',
  'http://0000177.0.0.1:PORT/',
  'http://127.0.0.1.:PORT/',
  'http://①②⑦.⓪.⓪.①:PORT/',
  'http://１２７.０.０.１:PORT/',
  'http://127。0。0。1:PORT/',
  'http://%31%32%37.0.0.1:PORT/',
  'http://127.0.0.1%2e:PORT/',
  'http://0:PORT/',
  'http://0.0.0.0:PORT/',
  'http://0x0:PORT/',
  'http://[::1]:PORT/',
  'http://[0:0:0:0:0:0:0:1]:PORT/',
  'http://[0000::0001]:PORT/',
  'http://[::]:PORT/',
  'http://[::ffff:127.0.0.1]:PORT/',
  'http://[::ffff:7f00:1]:PORT/',
  'http://[::FFFF:7F00:0001]:PORT/',
  'http://user:password@127.0.0.1:PORT/',
  'http://api.example.com@127.0.0.1:PORT/',
  'http:\\\\127.0.0.1:PORT\\',
  'http:127.0.0.1:PORT/',
  'http:////127.0.0.1:PORT/',
  ' \thttp://127.0.0.1:PORT/ ',
  'ht\ntp://127.0.0.1:PORT/',
  'HTTP://127.0.0.1:PORT/#fragment',
]

const OTHER_CLOSED_ADDRESSES = [
  '10.0.0.1',
  '10.255.255.255',
  '012.0.0.1',
  '0xa.1',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.0.1',
  '0300.0250.0.1',
  '3232235521',
  '169.254.169.254',
  '169.254.170.2',
  '0xA9FEA9FE',
  '2852039166',
  '0251.0376.0251.0376',
  '①⑥⑨.②⑤④.①⑥⑨.②⑤④',
  '100.64.0.1',
  '100.100.100.200',
  '168.63.129.16',
  '192.0.0.192',
  '192.0.2.1',
  '192.88.99.1',
  '198.18.0.1',
  '198.19.255.255',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '239.255.255.250',
  '240.0.0.1',
  '255.255.255.255',
  '0.1.2.3',
  '[::7f00:1]',
  '[::127.0.0.1]',
  '[::ffff:10.0.0.1]',
  '[::ffff:169.254.169.254]',
  '[::ffff:0:127.0.0.1]',
  '[64:ff9b::127.0.0.1]',
  '[64:ff9b::a9fe:a9fe]',
  '[64:ff9b:1::1]',
  '[2002:7f00:1::]',
  '[2002:a9fe:a9fe::1]',
  '[2001:0:7f00:1::1]',
  '[2001:0:4136:e378:8000:63bf:80ff:fffe]',
  '[2001:10::1]',
  '[2001:db8::1]',
  '[3fff::1]',
  '[fc00::1]',
  '[fd00:ec2::254]',
  '[fe80::1]',
  '[febf::1]',
  '[fec0::1]',
  '[ff02::1]',
  '[100::1]',
  '[5f00::1]',
]

const NAMES: Record<string, readonly string[]> = {
  'loopback.example.com': ['127.0.0.1'],
  'loopback6.example.com': ['::1'],
  'mapped.example.com': ['::ffff:127.0.0.1'],
  'nat64.example.com': ['64:ff9b::7f00:1'],
  'any.example.com': ['0.0.0.0'],
  'private.example.com': ['10.1.2.3'],
  'metadata.google.internal': ['169.254.169.254'],
  'zone.example.com': ['fe80::1%lo'],
  'public-then-private.example.com': ['93.184.215.14', '127.0.0.1'],
  'private-then-public.example.com': ['127.0.0.1', '93.184.215.14'],
  'public-four-private-six.example.com': ['93.184.215.14', '::1'],
  'one-of-many.example.com': ['1.1.1.1', '8.8.8.8', '9.9.9.9', '192.168.1.1', '93.184.215.14'],
  'nonsense.example.com': ['127.0.0.1.example.com'],
  '127.0.0.1.nip.example.com': ['127.0.0.1'],
  localhost: ['127.0.0.1', '::1'],
  'localhost.': ['127.0.0.1'],
  'tenant.localhost': ['127.0.0.1'],
}

describe('with private targets off', () => {
  const options = { allowPrivate: false, lookup: async (name: string) => NAMES[name] ?? nobody(name) }

  for (const url of WAYS_TO_LOOPBACK)
    it(`does not go to ${JSON.stringify(url)}`, async () => {
      const { failure, status, delivered } = await sendTo(at(url), options)
      assert.deepEqual(
        { failure, status, delivered },
        { failure: 'BLOCKED_ADDRESS', status: null, delivered: false },
      )
      assert.equal(canary.connections.opened, 0)
      assert.ok(endpointUrlProblem(at(url), { allowPrivate: false, production: false }))
    })

  for (const host of OTHER_CLOSED_ADDRESSES)
    it(`does not go to ${host}`, async () => {
      for (const scheme of ['http', 'https'])
        assert.equal((await sendTo(at(`${scheme}://${host}:PORT/`), options)).failure, 'BLOCKED_ADDRESS')
      assert.ok(endpointUrlProblem(`https://${host}/`, { allowPrivate: false, production: true }))
    })

  for (const [name, addresses] of Object.entries(NAMES))
    it(`does not go to ${name}, which resolves to ${addresses.join(', ')}`, async () => {
      for (const scheme of ['http', 'https'])
        assert.equal((await sendTo(at(`${scheme}://${name}:PORT/`), options)).failure, 'BLOCKED_ADDRESS')
      assert.equal(canary.connections.opened, 0)
    })

  it('does not follow an alias to a private address, and queries the name server once', async () => {
    await using server = await nameServer(() => ({ alias: 'inside.example.net', addresses: ['127.0.0.1'] }))
    const lookup = lookupByNameServers([server.address])
    const { failure } = await sendTo(at('http://alias.example.com:PORT/'), { allowPrivate: false, lookup })
    assert.equal(failure, 'BLOCKED_ADDRESS')
    assert.deepEqual(server.questions, ['alias.example.com'])
    assert.equal(canary.connections.opened, 0)
  })

  it('knows the addresses of both kinds, IPv4 first, also of a name that has only one', async () => {
    const [four, six] = ['93.184.215.14', '2606:2800:220:1:248:1893:25c8:1946']
    await using server = await nameServer((name) => {
      if (name.startsWith('none')) return undefined
      const has = (kind: string) => name.includes(kind) || name.startsWith('both')
      return { addresses: has('four') ? [four] : [], sixes: has('six') ? [six] : [] }
    })
    const lookup = lookupByNameServers([server.address])
    assert.deepEqual(await lookup('both.example.com'), [four, six])
    assert.deepEqual(await lookup('four.example.com'), [four])
    assert.deepEqual(await lookup('six.example.com'), [six])
    await assert.rejects(lookup('none.example.com'))
  })

  it('the canary saw no connection in all of these', () => {
    assert.equal(canary.connections.opened, 0)
  })
})

describe('a name that changes its answer', () => {
  // 127.0.0.2 plays the public internet, 127.0.0.1 our own network. Both are real sockets on this machine.
  const permits = (address: string): boolean => address === '127.0.0.2'

  it('is connected to by the address that was checked, and resolved again only for a new connection', async () => {
    await using inside = await receiver(answering('200 OK'))
    await using outside = await receiver(answering('200 OK', ['connection: close']), {
      host: '127.0.0.2',
      port: inside.port,
    })
    await using server = await nameServer((_name, before) => ({
      addresses: [before % 2 === 0 ? '127.0.0.2' : '127.0.0.1'],
    }))
    const guard = { permits, lookup: lookupByNameServers([server.address]), timeoutMs: 5_000 }
    const target = {
      protocol: 'http:',
      hostname: 'rebinding.example.com',
      port: String(inside.port),
    } as const
    const connect = async (): Promise<string | undefined> => {
      try {
        const socket = await connectGuarded(target, guard)
        const reached = socket.remoteAddress
        socket.destroy()
        return reached
      } catch (error) {
        return error instanceof SendFailure ? error.failure : String(error)
      }
    }
    const outcomes = [await connect(), await connect(), await connect(), await connect()]
    assert.deepEqual(outcomes, ['127.0.0.2', 'BLOCKED_ADDRESS', '127.0.0.2', 'BLOCKED_ADDRESS'])
    assert.equal(server.questions.length, 4)
    assert.equal(outside.connections.opened, 2)
    assert.equal(inside.connections.opened, 0)
  })

  it('is disconnected without a byte if the connected peer is not the allowed address', async () => {
    await using inside = await receiver(answering('200 OK'))
    let asked = 0
    const guard = { permits: () => ++asked === 1, lookup: nobody, timeoutMs: 5_000 }
    const target = { protocol: 'http:', hostname: '127.0.0.1', port: String(inside.port) } as const
    await assert.rejects(connectGuarded(target, guard), { failure: 'BLOCKED_ADDRESS' })
    await inside.abandoned()
    assert.equal(asked, 2)
    assert.equal(inside.connections.bytes, 0)
  })
})

describe('with private targets on', () => {
  const options = { allowPrivate: true, lookup: async () => ['127.0.0.1'] }

  for (const url of [...WAYS_TO_LOOPBACK, 'http://localhost:PORT/', 'http://tenant.localhost.:PORT/'])
    it(`goes to ${JSON.stringify(url)}`, async () => {
      const before = canary.connections.opened
      const { delivered } = await sendTo(at(url), options)
      assert.equal(delivered, true)
      assert.equal(canary.connections.opened, before + 1)
    })

  it('resolves localhost as the system does', async () => {
    const sender = createSender({ allowPrivate: true, limits: LIMITS })
    const url = at('http://localhost:PORT/')
    const attempt = await sender.send({ url, id: 'evt_1', timestampSeconds: 1, body: '{}', secrets: SECRETS })
    await sender.close()
    assert.equal(attempt.delivered, true)
  })

  for (const status of ['301', '302', '303', '307', '308'])
    it(`does not follow a ${status} to another address`, async () => {
      const before = canary.connections.opened
      await using redirecting = await receiver(
        answering(`${status} Elsewhere`, [at('location: http://127.0.0.1:PORT/inside')]),
      )
      const { failure, status: seen } = await sendTo(redirecting.url, options)
      assert.deepEqual([failure, seen], ['REDIRECT', Number(status)])
      assert.equal(canary.connections.opened, before)
    })
})

describe('a public address', () => {
  const PUBLIC = [
    '1.1.1.1',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '126.255.255.255',
    '128.0.0.0',
    '168.63.129.17',
    '169.253.255.255',
    '169.255.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '192.0.1.0',
    '192.167.255.255',
    '192.169.0.0',
    '198.17.255.255',
    '198.20.0.0',
    '223.255.255.255',
    '2001:200::1',
    '2001:4860:4860::8888',
    '2003::1',
    '2606:4700::1111',
    '2a00:1450::1',
    '3ffe::1',
  ]
  it('is separated from its neighbours by the exact border of each block', () => {
    assert.deepEqual(
      PUBLIC.filter((address) => !isPublicAddress(address)),
      [],
    )
  })

  it('is never a text that is not an address', () => {
    for (const text of [
      '',
      'example.com',
      '1.1.1',
      '01.1.1.1',
      '1.1.1.1 ',
      '[2606:4700::1111]',
      '2606:4700::1%eth0',
    ])
      assert.equal(isPublicAddress(text), false, text)
  })
})

describe('an endpoint URL', () => {
  const production = { allowPrivate: false, production: true }
  const staging = { allowPrivate: false, production: false }
  const local = { allowPrivate: true, production: false }

  it('is accepted when it is plain and public', () => {
    for (const url of [
      'https://merchant.example.com/hooks',
      'https://merchant.example.com:8443/hooks?source=recaudo',
      'https://merchant.example.com./hooks',
      'https://tienda-ñandú.example.co/avisos',
      'https://1.1.1.1/hooks',
      'https://[2606:4700::1111]/hooks',
      'https://127.0.0.1.example.com/',
      `https://example.com/${'a'.repeat(2_028)}`,
    ])
      assert.equal(endpointUrlProblem(url, production), undefined, url)
  })

  it('is refused when it names a host that is not public', () => {
    for (const host of [
      'localhost',
      'LOCALHOST',
      'localhost.',
      'ｌｏｃａｌｈｏｓｔ',
      'a.localhost',
      'printer.local',
      'printer.local.',
      'metadata.google.internal',
      'router.home.arpa',
      'abcdefgh.onion',
      'localhost.localdomain',
      'intranet',
      'db.',
    ]) {
      assert.equal(
        endpointUrlProblem(`https://${host}/`, production),
        'must name a host on the public internet',
        host,
      )
      assert.equal(endpointUrlProblem(`http://${host}:4000/`, local), undefined, host)
    }
  })

  it('may be plain http only outside production', () => {
    assert.equal(endpointUrlProblem('http://merchant.example.com/', production), 'must begin with https://')
    assert.equal(endpointUrlProblem('http://merchant.example.com/', staging), undefined)
    const either = 'must begin with https:// or http://'
    for (const rules of [staging, local])
      assert.equal(endpointUrlProblem('ftp://merchant.example.com/', rules), either)
    assert.equal(endpointUrlProblem('http://127.0.0.1:4000/', local), undefined)
  })

  it('is refused for anything unusual, wherever it leads', () => {
    for (const url of [
      '',
      'merchant.example.com/hooks',
      '/hooks',
      'https://',
      'ftp://merchant.example.com/',
      'file:///etc/passwd',
      'javascript:alert(1)',
      'https://user@merchant.example.com/',
      'https://:password@merchant.example.com/',
      'https://merchant.example.com/#top',
      'https://merchant.example.com/#',
      ' https://merchant.example.com/',
      'https://merchant.example.com/\n',
      'https://merchant\t.example.com/',
      'https://merchant.example.com/\u202eskooh',
      'https://merchant..example.com/',
      'https://merchant.example.com../',
      'https://.example.com/',
      `https://${'a'.repeat(64)}.example.com/`,
      `https://${'a.'.repeat(130)}com/`,
      'https://256.256.256.256/',
      'https://[fe80::1%25eth0]/',
      'https://merchant.example.com:99999/',
      `https://example.com/${'a'.repeat(2_029)}`,
      `https://example.com/${'ñ'.repeat(1_000)}`,
    ])
      assert.ok(endpointUrlProblem(url, local), url)
  })
})
