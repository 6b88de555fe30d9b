// Recaudo as an operator runs it: real processes of bin/recaudo.mjs, each in its own process group, so that nothing is
// left running when a test fails. A process gets only the environment given here.

import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findCluster } from '../../src/embedded/location.ts'
import { findPostmaster, stopLeftover } from '../../src/embedded/postmaster.ts'
import { freePort } from '../free-port.ts'
import { memoryDirectory } from '../memory.ts'
import { eventually } from '../world.ts'

export const ROOT = join(import.meta.dirname, '../..')

export type ProcessExit = {
  code: number | null
  signal: NodeJS.Signals | null
  stdout: string
  stderr: string
}

export type Running = {
  child: ChildProcess
  baseUrl: string
  stdout: () => string
  stderr: () => string
  ended: Promise<ProcessExit>
}

type Environment = Record<string, string>

// The suite or one test: everything created for it is removed after it.
type Owner = { after: (clean: () => void | Promise<void>) => void }

// `root`: the tree of another version.
export type Start = { args?: string[]; env?: Environment; node?: string | undefined; root?: string }

// Resolves once the greeting is printed.
export async function start(owner: Owner, options: Start): Promise<Running> {
  const running = await spawnServer(owner, options)
  const greeted = eventually(async () => running.stdout(), isGreeting, START_TIMEOUT_MS)
  await Promise.race([
    greeted.catch((error) => assert.fail(`${error.message}; on stderr: ${running.stderr()}`)),
    running.ended.then((end) => assert.fail(`recaudo start ended: ${JSON.stringify(end)}`)),
  ])
  return running
}

export async function spawnServer(
  owner: Owner,
  { args = ['start'], env = {}, node, root }: Start,
): Promise<Running> {
  const ports = { PORT: String(await freePort()), SANDBOX_PORT: String(await freePort()) }
  const settings = { LOG_LEVEL: 'silent', ...ports, ...env }
  const { child, ended, ...printed } = spawnRecaudo(args, settings, node, root)
  owner.after(async () => {
    killGroup(child)
    await ended
  })
  return { child, baseUrl: `http://127.0.0.1:${settings.PORT}`, ...printed, ended }
}

// Runs a command to completion.
export async function recaudo(
  args: string[],
  env: Environment = {},
  node?: string,
  root?: string,
): Promise<ProcessExit> {
  const { child, ended } = spawnRecaudo(args, { LOG_LEVEL: 'silent', ...env }, node, root)
  const hung = setTimeout(() => killGroup(child), COMMAND_TIMEOUT_MS)
  try {
    return await ended
  } finally {
    clearTimeout(hung)
  }
}

function spawnRecaudo(args: string[], env: Environment, node = process.execPath, root = ROOT) {
  const child = spawn(node, [join(root, 'bin/recaudo.mjs'), ...args], {
    cwd: root,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, ...env },
  })
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text) => (stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text) => (stderr += text))
  const ended = new Promise<ProcessExit>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => resolve({ code, signal, stdout, stderr }))
  })
  return { child, stdout: () => stdout, stderr: () => stderr, ended }
}

export async function stop(running: Running, signal: NodeJS.Signals = 'SIGTERM'): Promise<ProcessExit> {
  running.child.kill(signal)
  const end = await running.ended
  assert.deepEqual({ code: end.code, stderr: end.stderr }, { code: 0, stderr: '' })
  return end
}

export type Greeting = {
  baseUrl: string
  docs: string
  apiKey: string
  clientId: string
  secret: string
  curl: string
}

export function readGreeting(stdout: string): Greeting {
  const row = (label: string): string =>
    new RegExp(`^ +${label} +(\\S+)$`, 'm').exec(stdout)?.[1] ?? assert.fail(stdout)
  return {
    baseUrl: row('API'),
    docs: row('Docs'),
    apiKey: row('API key'),
    clientId: row('Client id'),
    secret: row('Client secret'),
    curl: /^curl .*$/m.exec(stdout)?.[0] ?? assert.fail(stdout),
  }
}

// Creates a DATA_DIR, in memory, where a database is made for half as much. A PostgreSQL still running there is stopped on cleanup.
export function dataDirectory(owner: Owner): string {
  const parent = mkdtempSync(join(memoryDirectory() ?? tmpdir(), 'recaudo-process-'))
  // As root the database runs under another account, which needs access.
  chmodSync(parent, 0o755)
  const dataDir = join(parent, 'data')
  owner.after(async () => {
    const cluster = await findCluster(dataDir)
    if (cluster !== undefined) await stopLeftover(cluster)
    rmSync(parent, { recursive: true, force: true })
  })
  return dataDir
}

export async function postgresPid(dataDir: string): Promise<number | undefined> {
  const cluster = await findCluster(dataDir)
  return cluster === undefined ? undefined : (await findPostmaster(cluster))?.pid
}

export function childrenOf(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()
  return children === '' ? [] : children.split(' ').map(Number)
}

// By a signal; a zombie does no more either.
export function isStopped(pid: number): boolean {
  try {
    return /\) [TZ] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return true
  }
}

// A zombie process has an empty command line.
export function isAlive(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8') !== ''
  } catch {
    return false
  }
}

// The first line of the greeting says that everything is ready. The last may be the curl line or the store's address.
function isGreeting(stdout: string): boolean {
  return / ready in \d/.test(stdout) && stdout.endsWith('\n')
}

export function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch {
    // It has exited by itself.
  }
}

// Patience costs nothing where all is well. Without a compile cache, on a busy machine, four processes take half a minute to load.
const COMMAND_TIMEOUT_MS = 90_000
const START_TIMEOUT_MS = 90_000
