// The command as a merchant runs it: processes of the built binary, each with its own home and only the environment
// given here, on every supported Node.

import assert from 'node:assert/strict'
import { type ChildProcessByStdio, execFileSync, spawn } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import type { Readable } from 'node:stream'
import { eventually, type World } from '../world.ts'

export const ROOT = join(import.meta.dirname, '../..')

export type ProcessExit = {
  code: number | null
  stdout: string
  stderr: string
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects and fails where it is not there
  json: any
}

export type Running = {
  child: ChildProcessByStdio<null, Readable, Readable>
  stdout: () => string
  stderr: () => string
  // Waits until standard output matches, `count` times.
  said: (pattern: RegExp, count?: number) => Promise<void>
  noted: (pattern: RegExp) => Promise<void>
  ended: Promise<ProcessExit>
}

export type Options = { env?: Record<string, string>; input?: string; node?: string; binary?: string }

export type Merchant = {
  home: string
  file: string
  env: Record<string, string>
  // Runs it to completion.
  run: (args: readonly string[], options?: Options) => Promise<ProcessExit>
  // The same, but it must succeed; returns its output as JSON.
  json: (...args: string[]) => Promise<ProcessExit['json']>
  start: (args: readonly string[], options?: Options) => Running
  [Symbol.dispose](): void
}

// No command takes longer.
const COMMAND_TIMEOUT_MS = 60_000

export function asMerchant(world?: Pick<World, 'apiKey' | 'baseUrl'>): Merchant {
  buildIfStale()
  const home = mkdtempSync(join(tmpdir(), 'recaudo-cli-'))
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: home,
    XDG_CONFIG_HOME: join(home, 'config'),
    // Compiled once, not in each process.
    ...(process.env.NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE }),
    ...(world && { RECAUDO_API_KEY: world.apiKey, RECAUDO_BASE_URL: world.baseUrl }),
  }
  const start = (args: readonly string[], { env: more = {}, node, binary }: Options = {}): Running =>
    watch(
      spawn(node ?? process.execPath, [binary ?? join(ROOT, 'bin/recaudo.mjs'), ...args], {
        cwd: home,
        stdio: ['ignore', 'pipe', 'pipe'],
        env: { ...env, ...more },
      }),
    )
  const run = async (args: readonly string[], options: Options = {}): Promise<ProcessExit> => {
    if (options.input === undefined) return start(args, options).ended
    const file = join(ROOT, 'bin/recaudo.mjs')
    const child = spawn(options.node ?? process.execPath, [options.binary ?? file, ...args], {
      cwd: home,
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { ...env, ...options.env },
    })
    child.stdin.end(options.input)
    return watch(child as unknown as Running['child']).ended
  }
  return {
    home,
    file: join(home, 'config/recaudo/credentials.json'),
    env,
    run,
    start,
    json: async (...args) => {
      const end = await run([...args, '--json'])
      assert.deepEqual({ code: end.code, stderr: end.stderr }, { code: 0, stderr: '' }, end.stdout)
      return end.json
    },
    [Symbol.dispose]: () => rmSync(home, { recursive: true, force: true }),
  }
}

function watch(child: Running['child']): Running {
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  const hung = setTimeout(() => child.kill('SIGKILL'), COMMAND_TIMEOUT_MS)
  const ended = new Promise<ProcessExit>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => {
      clearTimeout(hung)
      resolve({ code, stdout, stderr, json: jsonOrUndefined(stdout) ?? jsonOrUndefined(stderr) })
    })
  })
  const has = async (read: () => string, pattern: RegExp, count = 1): Promise<void> => {
    await eventually(
      async () => read(),
      (text) => [...text.matchAll(new RegExp(pattern, 'gm'))].length >= count,
    )
  }
  return {
    child,
    stdout: () => stdout,
    stderr: () => stderr,
    said: (pattern, count) => has(() => stdout, pattern, count),
    noted: (pattern) => has(() => stderr, pattern),
    ended,
  }
}

export function jsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

// Every major version of Node that the command supports, this one included.
export function nodes(): Map<string, string> {
  const found = new Map([[process.versions.node.split('.')[0] as string, process.execPath]])
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/bin', '/usr/local/bin']
  for (const path of folders.map((folder) => join(folder, 'node')).filter((file) => existsSync(file))) {
    const major = execFileSync(path, ['-p', 'process.versions.node'], { encoding: 'utf8' }).split('.')[0]
    if (major !== undefined && Number(major) >= 20 && !found.has(major)) found.set(major, path)
  }
  return found
}

export function buildIfStale(): void {
  for (const packageName of ['sdk', 'cli']) {
    const built = newest(`${packageName}/dist/*.js`)
    const sources = newest(`${packageName}/src/*.ts`)
    if (built < sources || built < (packageName === 'cli' ? newest('sdk/dist/*.d.ts') : 0))
      execFileSync(process.execPath, [join(ROOT, packageName, 'build.mjs')], { stdio: 'inherit' })
  }
}

function newest(pattern: string): number {
  return Math.max(0, ...globSync(pattern, { cwd: ROOT }).map((path) => statSync(join(ROOT, path)).mtimeMs))
}
