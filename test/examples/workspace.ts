// A folder to run code in as a merchant would, with the code and an SDK built from the sources. It is inside the project's dist,
// so that express and the others are found in node_modules, and so that the sdk/dist that other tests build is not touched.

import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pino from 'pino'
import { createDeliveryWorkerOptions, startWorkers } from '../../src/service.ts'
import { createWorld, type World } from '../world.ts'

export const ROOT = join(import.meta.dirname, '../..')
const BUILD_TIMEOUT_MS = 60_000

export type Workspace = { directory: string; [Symbol.asyncDispose](): Promise<void> }

// What it imports is found in the node_modules of `beside`.
export async function makeWorkspace(name: string, from?: string, beside = ROOT): Promise<Workspace> {
  mkdirSync(join(beside, 'dist'), { recursive: true })
  const directory = mkdtempSync(join(beside, 'dist', `${name}-`))
  const remove = () => rmSync(directory, { recursive: true, force: true, maxRetries: 5 })
  try {
    if (from !== undefined)
      cpSync(join(ROOT, from), directory, {
        recursive: true,
        filter: (source) => !/\/(?:dist|node_modules|orders\.log|[^/]+\.csv\.log)$/.test(source),
      })
    const built = await builtSdk()
    const installed = join(directory, 'node_modules/@recaudo/sdk')
    for (const part of ['package.json', 'dist'])
      cpSync(join(built, part), join(installed, part), { recursive: true })
  } catch (error) {
    remove()
    throw error
  }
  return { directory, [Symbol.asyncDispose]: async () => remove() }
}

const SDK = join(ROOT, 'sdk')
const SDK_PARTS = ['package.json', 'build.mjs', 'tsconfig.json', 'src']
const CACHE = join(ROOT, 'node_modules/.cache/recaudo-tests')

// A build of what is in sdk now. Six files of tests need one, and it takes seconds: the first to come makes it.
export async function builtSdk(): Promise<string> {
  const digest = createHash('sha256')
  const sources = globSync(['package.json', 'build.mjs', 'tsconfig.json', 'src/**/*.ts'], { cwd: SDK }).sort()
  for (const path of [...sources, '../node_modules/typescript/package.json'])
    digest.update(`\n${path}\n`).update(readFileSync(join(SDK, path)))
  const built = join(CACHE, `sdk-${digest.digest('hex').slice(0, 32)}`)
  if (existsSync(built)) return built
  // Inside the project, where it finds the compiler.
  mkdirSync(join(ROOT, 'dist'), { recursive: true })
  mkdirSync(CACHE, { recursive: true })
  const build = mkdtempSync(join(ROOT, 'dist', 'sdk-build-'))
  for (const part of SDK_PARTS) cpSync(join(SDK, part), join(build, part), { recursive: true })
  await promisify(execFile)(process.execPath, ['build.mjs'], { cwd: build, timeout: BUILD_TIMEOUT_MS })
  try {
    renameSync(build, built)
  } catch {
    // Somebody else was faster.
    rmSync(build, { recursive: true })
  }
  return built
}

export type Program = {
  output: () => string
  said: (text: RegExp) => Promise<string>
  exit: Promise<number | null>
  stop: () => Promise<void>
}

const SAY_TIMEOUT_MS = 60_000

export function startProgram(
  command: string,
  args: string[],
  { cwd, env }: { cwd: string; env: Record<string, string> },
): Program {
  // Its own process group: everything the program starts ends with it.
  const child: ChildProcess = spawn(command, args, {
    cwd,
    env: { ...process.env, NODE_TEST_CONTEXT: undefined, ...env },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const listeners = new Set<() => void>()
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text
      for (const listener of listeners) listener()
    })
  const exit = new Promise<number | null>((resolve) => child.once('close', (code) => resolve(code)))
  return {
    output: () => output,
    exit,
    said: (text) =>
      new Promise((resolve, reject) => {
        const fail = (why: string) => reject(new Error(`${why} before it said ${text}:\n${output}`))
        const timer = setTimeout(() => fail('time was up'), SAY_TIMEOUT_MS)
        const look = () => {
          const found = text.exec(output)
          if (found === null) return
          clearTimeout(timer)
          listeners.delete(look)
          resolve(found[1] ?? found[0])
        }
        listeners.add(look)
        look()
        void exit.then(() => {
          clearTimeout(timer)
          look()
          fail('the program ended')
        })
      }),
    stop: async () => {
      if (child.exitCode === null && child.signalCode === null && child.pid !== undefined)
        process.kill(-child.pid, 'SIGTERM')
      await exit
    },
  }
}

export type WorldWithWorkers = World & { stopWorkers: () => Promise<void> }

/** A world in which time runs by itself, as on a merchant's machine. */
export async function createWorldWithWorkers(delayMs: number): Promise<WorldWithWorkers> {
  const world = await createWorld({ sandbox: { delayMs } })
  const delivering = createDeliveryWorkerOptions(world.config)
  const workers = startWorkers(world.ctx, pino({ level: 'silent' }), delivering)
  world.ctx.signals.onWork(workers.wake)
  const dispose = world[Symbol.asyncDispose].bind(world)
  return {
    ...world,
    stopWorkers: () => workers.stop(),
    async [Symbol.asyncDispose]() {
      await workers.stop()
      await delivering.sender.close()
      await dispose()
    },
  }
}
