// The launcher lets any Node from 20 on start Recaudo, which itself runs on the Node that came with `npm ci`. The two
// must behave like one process: signals pass through, and neither outlives the other.

import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { after, type TestContext, test } from 'node:test'
import { freePort } from '../free-port.ts'
import { eventually } from '../world.ts'
import {
  childrenOf,
  dataDirectory,
  isAlive,
  killGroup,
  postgresPid,
  ROOT,
  type Running,
  readGreeting,
  recaudo,
  spawnServer,
  start,
  stop,
} from './process.ts'

const OWN_MAJOR = 26

const dataDir = dataDirectory({ after })
const env = { DATA_DIR: dataDir }
const olderNode = findOlderNode()

test('an older Node is enough for every command', async (t) => {
  if (lacksOlderNode(t)) return
  const help = await recaudo(['--help'], {}, olderNode)
  assert.deepEqual({ code: help.code, stderr: help.stderr }, { code: 0, stderr: '' })
  assert.match(help.stdout, /recaudo start/)
  assert.equal((await recaudo(['frobnicate'], {}, olderNode)).code, 2)
})

// The launcher in a tree of its own, where it runs a program that only waits for a signal: it does not know what it runs. That the
// service ends by each of these signals is in start.test.ts and crash.test.ts.
const tree = mkdtempSync(join(tmpdir(), 'recaudo-launcher-'))
after(() => rmSync(tree, { recursive: true, force: true }))
for (const path of ['bin', 'src/operator/command-help.json', 'src/embedded/platforms.json'])
  cpSync(join(ROOT, path), join(tree, path), { recursive: true })
symlinkSync(join(ROOT, 'node_modules'), join(tree, 'node_modules'))
writeFileSync(join(tree, 'package.json'), '{"type":"module"}')
writeFileSync(
  join(tree, 'src/main.ts'),
  `for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP', 'disconnect'])
     process.on(name, () => process.exit(console.log('ended by', name)))
   setInterval(() => {}, 1_000)
   console.log('waiting')`,
)

async function startWaiting(t: TestContext): Promise<Running> {
  const waiting = await spawnServer(t, { args: ['start'], env, node: olderNode, root: tree })
  await eventually(
    async () => waiting.stdout(),
    (text) => text === 'waiting\n',
  )
  return waiting
}

// SIGHUP: the terminal was closed.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
  test(`${signal} to the launcher is passed on, and it ends with what it runs`, async (t) => {
    if (lacksOlderNode(t)) return
    const waiting = await startWaiting(t)
    const [child] = childrenOf(waiting.child.pid as number)
    assert.ok(child !== undefined)
    assert.equal((await stop(waiting, signal)).stdout, `waiting\nended by ${signal}\n`)
    assert.equal(isAlive(child), false)
  })
}

test('Ctrl-C, which reaches both processes at once, stops them gracefully too', async (t) => {
  if (lacksOlderNode(t)) return
  const server = await start(t, { env, node: olderNode })
  assert.equal((await fetch(`${server.baseUrl}/readyz`)).status, 200)
  readGreeting(server.stdout())
  const [child] = childrenOf(server.child.pid as number)
  assert.ok(child !== undefined)
  process.kill(-(server.child.pid as number), 'SIGINT')
  const end = await server.ended
  assert.deepEqual({ code: end.code, stderr: end.stderr }, { code: 0, stderr: '' })
  assert.equal(isAlive(child), false)
  assert.equal(await postgresPid(dataDir), undefined)
})

test('SIGTERM to npm start stops the server gracefully, though npm does not forward it', async (t) => {
  const port = await freePort()
  const npm = spawn('npm', ['start'], {
    cwd: ROOT,
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
    env: {
      PATH: process.env.PATH,
      ...env,
      LOG_LEVEL: 'silent',
      PORT: String(port),
      SANDBOX_PORT: String(await freePort()),
    },
  })
  t.after(() => {
    try {
      process.kill(-(npm.pid as number), 'SIGKILL')
    } catch {
      // All of them have ended.
    }
  })
  let stdout = ''
  npm.stdout.on('data', (chunk) => {
    stdout += chunk
  })
  await eventually(
    async () => stdout,
    (text) => text.includes('A first payin'),
  )
  npm.kill('SIGTERM')
  await eventually(
    () => postgresPid(dataDir),
    (pid) => pid === undefined,
  )
  await assert.rejects(fetch(`http://127.0.0.1:${port}/healthz`))
})

test('an older Node under npm start stops what it runs too, when npm’s shell has ended', async (t) => {
  if (lacksOlderNode(t)) return
  const shell = spawn('sh', ['-c', `"${olderNode}" bin/recaudo.mjs start & wait`], {
    cwd: tree,
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { PATH: process.env.PATH, npm_lifecycle_event: 'start' },
  })
  t.after(() => killGroup(shell))
  let stdout = ''
  shell.stdout.on('data', (chunk) => {
    stdout += chunk
  })
  await eventually(
    async () => stdout,
    (text) => text === 'waiting\n',
  )
  shell.kill('SIGKILL')
  await eventually(
    async () => stdout,
    (text) => text === 'waiting\nended by SIGTERM\n',
  )
})

test('a server whose launcher was killed ends by itself, and PostgreSQL with it', async (t) => {
  if (lacksOlderNode(t)) return
  const server = await start(t, { env, node: olderNode })
  const [child] = childrenOf(server.child.pid as number)
  const postgres = await postgresPid(dataDir)
  assert.ok(child !== undefined && postgres !== undefined)
  process.kill(server.child.pid as number, 'SIGKILL')
  await eventually(
    async () => ({ server: isAlive(child), postgres: isAlive(postgres) }),
    (alive) => !alive.server && !alive.postgres,
  )
})

test('a launcher whose process was killed reports it by its exit code and in a line', async (t) => {
  if (lacksOlderNode(t)) return
  const waiting = await startWaiting(t)
  const [child] = childrenOf(waiting.child.pid as number)
  process.kill(child as number, 'SIGKILL')
  const { code, stderr } = await waiting.ended
  assert.equal(code, 128 + 9)
  assert.match(
    stderr,
    /^recaudo: Recaudo was killed \(SIGKILL\), by somebody or by the system .*Start it again:/,
  )
})

function findOlderNode(): string | undefined {
  const candidates = (process.env.PATH ?? '').split(delimiter).map((directory) => join(directory, 'node'))
  return [...candidates, '/usr/bin/node', '/usr/local/bin/node']
    .filter((path) => existsSync(path) && realpathSync(path) !== realpathSync(process.execPath))
    .find((path) => majorOf(path) >= 20 && majorOf(path) < OWN_MAJOR)
}

function majorOf(node: string): number {
  return Number(/^v(\d+)/.exec(execFileSync(node, ['--version'], { encoding: 'utf8' }))?.[1])
}

function lacksOlderNode(t: TestContext): boolean {
  if (olderNode === undefined) t.diagnostic(`no Node older than ${OWN_MAJOR} on this machine to try it with`)
  return olderNode === undefined
}
