// `npm start` as a newcomer sees it, from the first line to the last signal.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { after, before, type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { findRunningEmbeddedPostgres } from '../../src/embedded/postgres.ts'
import { freePort } from '../free-port.ts'
import { brebPayin, clientOf, eventually } from '../world.ts'
import { recaudoInProcess } from './in-process.ts'
import { dataDirectory, postgresPid, type Running, readGreeting, start, stop } from './process.ts'

const dataDir = dataDirectory({ after })
let PORT: string
const env: Record<string, string> = { DATA_DIR: dataDir, LOG_LEVEL: 'info' }
before(async () => {
  PORT = String(await freePort())
  env.PORT = PORT
})

test('the first start prints everything that a first payin needs, and each line is true', async (t) => {
  const server = await start(t, { env })
  const greeting = readGreeting(server.stdout())
  const printed = server.stdout().trimEnd().split('\n')
  assert.ok(printed.filter((line) => !line.startsWith('{')).length < 15, server.stdout())
  assert.equal(greeting.baseUrl, server.baseUrl)
  assert.equal((await fetch(greeting.docs)).status, 200)
  const link = consoleLink(server)
  assert.equal((await fetch(`${server.baseUrl}/readyz`)).status, 200)

  const { status, payin } = await runCurl(greeting.curl)
  assert.equal(status, 201)
  assert.equal(payin.status, 'PROCESSING')

  const token = await fetch(`${server.baseUrl}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: greeting.clientId,
      client_secret: greeting.secret,
    }),
  })
  const { access_token } = (await token.json()) as { access_token: string }
  const byToken = clientOf(server.baseUrl, { authorization: `Bearer ${access_token}` })
  assert.equal((await byToken('GET', `/payins/${payin.id}`)).status, 200)

  await t.test('another start in its data directory, or with another key, is refused', () =>
    othersAreRefused(server),
  )
  await t.test('SIGTERM lets a request under way be answered, and leaves nothing running', () =>
    finishesAndEnds(t, server, greeting.apiKey, 'SIGTERM'),
  )

  const second = await start(t, { env })
  const { curl: secondCurl, ...same } = readGreeting(second.stdout())
  const { curl: _, ...first } = greeting
  assert.deepEqual(same, first)
  assert.notEqual(consoleLink(second), link, 'a fresh link at every start')
  const byKey = clientOf(second.baseUrl, { 'x-api-key': same.apiKey })
  assert.deepEqual((await byKey('GET', `/payins/${payin.id}`)).json.id, payin.id)
  assert.equal((await runCurl(secondCurl)).status, 201)
  await t.test('SIGINT does the same', () => finishesAndEnds(t, second, same.apiKey, 'SIGINT'))
})

// Signs in as the demo's owner, once.
function consoleLink(server: Running): string {
  const link = /^ {2}Console +(\S+)$/m.exec(server.stdout())?.[1] ?? assert.fail(server.stdout())
  assert.match(link, new RegExp(`^http://localhost:${PORT}/console/sign-in/[\\w-]{43}$`))
  return link
}

async function othersAreRefused(server: Running): Promise<void> {
  const ports = { PORT: String(await freePort()), SANDBOX_PORT: String(await freePort()) }
  const there = await recaudoInProcess(['start'], { DATA_DIR: dataDir, ...ports })
  assert.equal(there.code, 1)
  assert.match(
    there.stderr,
    /^recaudo: Another Recaudo is running in \S+\/data: stop it first, or .*DATA_DIR\.\n$/,
  )
  const { url } = (await findRunningEmbeddedPostgres(dataDir)) as { url: string }
  const withAnotherKey = { DATABASE_URL: url, SECRETS_KEY: 'b'.repeat(64), DATA_DIR: `${dataDir}-other` }
  const sealed = await recaudoInProcess(['start'], { ...withAnotherKey, ...ports })
  assert.equal(sealed.code, 1)
  assert.match(sealed.stderr, /^recaudo: SECRETS_KEY is not the one this database was set up with\..*\n$/)
  assert.equal((await fetch(`${server.baseUrl}/readyz`)).status, 200, 'it is none the worse')
}

// It waits for no idle client.
async function finishesAndEnds(
  t: TestContext,
  server: Running,
  apiKey: string,
  signal: NodeJS.Signals,
): Promise<void> {
  const idle = await openConnection(t)
  idle.socket.write('GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: keep-alive\r\n\r\n')
  await eventually(
    async () => idle.received(),
    (text) => text.includes('{"status":"ok"}'),
  )

  const body = JSON.stringify(brebPayin())
  const busy = await openConnection(t)
  busy.socket.write(
    `POST /payins HTTP/1.1\r\nhost: x\r\nx-request-id: under-way\r\nx-api-key: ${apiKey}\r\n` +
      `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body.slice(0, 20)}`,
  )
  // The request above, and the one that reads the count.
  await untilInFlight(server, 2)

  server.child.kill(signal)
  await eventually(
    async () =>
      fetch(`${server.baseUrl}/healthz`).then(
        () => 'open',
        () => 'closed',
      ),
    (status) => status === 'closed',
  )
  await eventually(
    async () => idle.socket.closed,
    (closed) => closed,
  )
  busy.socket.write(body.slice(20))
  await once(busy.socket, 'close')
  assert.match(busy.received(), /^HTTP\/1\.1 201 /)
  assert.match(busy.received(), /^connection: close\r$/im)

  const end = await server.ended
  assert.deepEqual({ code: end.code, stderr: end.stderr }, { code: 0, stderr: '' })
  assert.match(end.stdout, /"requestId":"under-way".*"status":201/, 'the last log lines are written')
  assert.equal(await postgresPid(dataDir), undefined)
}

test('when its PostgreSQL dies, the service says so and ends, and the next start recovers', async (t) => {
  const server = await start(t, { env })
  const { apiKey } = readGreeting(server.stdout())
  const made = await clientOf(server.baseUrl, { 'x-api-key': apiKey })('POST', '/payins', brebPayin())
  assert.equal(made.status, 201)
  process.kill((await postgresPid(dataDir)) as number, 'SIGKILL')
  const end = await server.ended
  assert.equal(end.code, 1)
  assert.match(
    end.stderr,
    /^recaudo: PostgreSQL ended by itself \(signal SIGKILL\): somebody killed it, or the system did for lack of memory, .*Start again: nothing that was answered is lost\.$/m,
  )
  assert.doesNotMatch(end.stderr, /^ +at /m)

  const next = await start(t, { env: { ...env, SHUTDOWN_GRACE_MS: '200' } })
  const found = await clientOf(next.baseUrl, { 'x-api-key': apiKey })('GET', `/payins/${made.json.id}`)
  assert.equal(found.status, 200)

  await t.test('a client that never finishes delays its end by the grace period only', async () => {
    const slow = await openConnection(t)
    slow.socket.write(
      `POST /payins HTTP/1.1\r\nhost: x\r\nx-api-key: ${apiKey}\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{`,
    )
    await untilInFlight(next, 2)
    const signaledAtMs = performance.now()
    await stop(next)
    assert.ok(performance.now() - signaledAtMs < 10_000)
  })
})

async function runCurl(line: string): Promise<{ status: number; payin: { id: string; status: string } }> {
  const { stdout } = await promisify(execFile)('sh', ['-c', `${line} -w '\\n%{http_code}'`])
  const [body, status] = stdout.split('\n')
  return { status: Number(status), payin: JSON.parse(body as string) }
}

async function openConnection(t: TestContext): Promise<{ socket: Socket; received: () => string }> {
  const socket = connect({ host: '127.0.0.1', port: Number(PORT) })
  t.after(() => socket.destroy())
  let received = ''
  socket.setEncoding('utf8').on('data', (text) => (received += text))
  await once(socket, 'connect')
  return { socket, received: () => received }
}

async function untilInFlight(server: Running, count: number): Promise<void> {
  const readInFlight = async () => {
    const metrics = await (await fetch(`${server.baseUrl}/metrics`)).text()
    return Number(/^recaudo_http_requests_in_flight (\d+)$/m.exec(metrics)?.[1])
  }
  await eventually(readInFlight, (inFlight) => inFlight === count)
}
