// The operator's doctor on certificates: the database's, through a proxy that ends TLS before a real PostgreSQL, and those of the
// public addresses.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import { type AddressInfo, connect, createServer as createTcpServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { getCACertificates, setDefaultCACertificates, TLSSocket } from 'node:tls'
import { readConfig } from '../../../src/config.ts'
import { DOCTOR_LIMITS } from '../../../src/operator/doctor/finding.ts'
import { examineTls } from '../../../src/operator/doctor/tls.ts'
import { type Certificate, selfSigned } from '../../webhooks/certificate.ts'
import { testServerUrl } from '../../world.ts'

const HOST = '127.0.0.1'
const DAY_MS = 24 * 60 * 60_000
const directory = mkdtempSync(join(tmpdir(), 'recaudo-certificates-'))
after(() => rmSync(directory, { recursive: true, force: true }))

const untilDay = (days: number): string =>
  `${new Date(Date.now() + days * DAY_MS).toISOString().replaceAll(/[-:T]|\.\d+/g, '')}`

describe('recaudo doctor --operator, on the database’s certificate', () => {
  const cases: [string, Certificate, string, string, RegExp | undefined][] = [
    ['nothing, if it is good', selfSigned(HOST), 'verify-full', 'ok', /is valid for \d+ days/],
    [
      'that it ends within a month',
      selfSigned(HOST, untilDay(20)),
      'verify-full',
      'note',
      /valid for 20 days|valid for 19 days/,
    ],
    ['that it ends within days', selfSigned(HOST, untilDay(5)), 'verify-full', 'problem', /valid for/],
    ['that it has ended', selfSigned(HOST, '20250101000000Z'), 'verify-full', 'problem', /expired/],
    [
      'that it is for another name',
      selfSigned('db.example.com'),
      'verify-full',
      'problem',
      /does not match/i,
    ],
    ['that nobody checks it', selfSigned(HOST), 'no-verify', 'problem', /is not checked/],
  ]
  for (const [what, certificate, mode, level, text] of cases)
    it(`finds ${what}`, async () => {
      await using proxy = await tlsBefore(testServerUrl(), certificate)
      const root = join(directory, `${proxy.port}.pem`)
      writeFileSync(root, certificate.cert)
      const url = proxy.url(`sslmode=${mode}${mode === 'no-verify' ? '' : `&sslrootcert=${root}`}`)
      const [finding] = await examineTls(readConfig({ DATABASE_URL: url }), Date.now(), DOCTOR_LIMITS)
      assert.equal(finding?.about, `certificate of ${HOST}:${proxy.port}`)
      assert.equal(finding.level, level, finding.text)
      if (text !== undefined) assert.match(finding.text, text)
      assert.equal(finding.remedy === undefined, level === 'ok')
    })

  it('finds one whose CA nobody named, and none on the way to another machine', async () => {
    await using proxy = await tlsBefore(testServerUrl(), selfSigned(HOST))
    const [unknown] = await examineTls(
      readConfig({ DATABASE_URL: proxy.url('sslmode=verify-full') }),
      Date.now(),
      DOCTOR_LIMITS,
    )
    assert.equal(unknown?.level, 'problem')
    assert.match(unknown.remedy ?? '', /sslrootcert=/)
    const [local] = await examineTls(readConfig({ DATABASE_URL: testServerUrl() }), Date.now(), DOCTOR_LIMITS)
    assert.match(local?.text ?? '', /on this machine/)
  })
})

describe('recaudo doctor --operator, on public addresses', () => {
  const look = async (certificate: Certificate, isKnown: boolean) => {
    const before = getCACertificates('default')
    if (isKnown) setDefaultCACertificates([...before, certificate.cert])
    const server = createServer(certificate, (_, response) => response.end())
    await new Promise<void>((resolve) => server.listen(0, HOST, resolve))
    const { port } = server.address() as AddressInfo
    const env = { DATABASE_URL: testServerUrl(), PUBLIC_URL: `https://${HOST}:${port}/base` }
    try {
      const findings = await examineTls(readConfig(env), Date.now(), DOCTOR_LIMITS)
      return findings.find(({ about }) => about === `certificate of https://${HOST}:${port}`) ?? assert.fail()
    } finally {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      setDefaultCACertificates(before)
    }
  }

  it('finds nothing if browsers would accept it', async () => {
    assert.equal((await look(selfSigned(HOST), true)).level, 'ok')
  })

  it('finds one that browsers would not accept, is for another name, or has ended', async () => {
    const unknown = await look(selfSigned(HOST), false)
    assert.deepEqual([unknown.level, unknown.text], ['problem', 'DEPTH_ZERO_SELF_SIGNED_CERT'])
    const other = await look(selfSigned('pay.example.com'), true)
    assert.equal(other.level, 'problem')
    const ended = await look(selfSigned(HOST, '20250101000000Z'), true)
    assert.equal(ended.level, 'problem')
    assert.match(ended.remedy ?? '', /renew it/)
  })

  it('notes an address that cannot be reached, and looks at none without TLS', async () => {
    const server = createTcpServer()
    await new Promise<void>((resolve) => server.listen(0, HOST, resolve))
    const { port } = server.address() as AddressInfo
    await new Promise((resolve) => server.close(resolve))
    const env = { DATABASE_URL: testServerUrl(), PUBLIC_URL: `https://${HOST}:${port}` }
    const findings = await examineTls(readConfig(env), Date.now(), DOCTOR_LIMITS)
    assert.match(findings.find(({ level }) => level === 'note')?.text ?? '', /ECONNREFUSED/)
    const plain = await examineTls(readConfig({ DATABASE_URL: testServerUrl() }), Date.now(), DOCTOR_LIMITS)
    assert.equal(plain.length, 1)
  })
})

type Proxy = AsyncDisposable & { port: number; url: (parameters: string) => string }

// Answers the request for TLS that a client of PostgreSQL begins with, and passes on what is inside.
async function tlsBefore(databaseUrl: string, certificate: Certificate): Promise<Proxy> {
  const [, user = '', database = '', query = ''] =
    /^\w+:\/\/([^@]*)@[^/]*\/([^?]*)\??(.*)$/.exec(databaseUrl) ?? []
  const { hostname, port: ownPort } = new URL(databaseUrl.replace(/@\//, '@socket/'))
  const socketDirectory = new URLSearchParams(query).get('host')
  const port = new URLSearchParams(query).get('port') ?? (ownPort || '5432')
  const target =
    socketDirectory === null
      ? { host: hostname, port: Number(port) }
      : { path: `${socketDirectory}/.s.PGSQL.${port}` }
  const server = createTcpServer((raw) => {
    raw.on('error', () => {})
    raw.once('data', () => {
      raw.write('S')
      const inside = new TLSSocket(raw, { isServer: true, key: certificate.key, cert: certificate.cert })
      const behind = connect(target)
      for (const socket of [inside, behind]) socket.on('error', () => {})
      inside.pipe(behind)
      behind.pipe(inside)
      inside.once('close', () => behind.destroy())
    })
  })
  await new Promise<void>((resolve) => server.listen(0, HOST, resolve))
  const { port: own } = server.address() as AddressInfo
  return {
    port: own,
    url: (parameters) => `postgresql://${user}@${HOST}:${own}/${database}?${parameters}`,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => void server.close(() => resolve())),
  }
}
