// What is soaked: two APIs, two workers and the simulated networks, each a process as an operator starts it, on one PostgreSQL. One
// API and one worker live as long as the run, and their memory is judged; the others are stopped, killed and started again.

import { randomBytes } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import { freePort } from '../test/free-port.ts'
import { recaudoInProcess } from '../test/process/in-process.ts'
import { type ProcessExit, type Running, spawnServer, start } from '../test/process/process.ts'
import { eventually } from '../test/world.ts'
import { startBalancer } from './balancer.ts'
import { type ProbeResult, socketOf } from './probe.ts'

export const STEADY = ['api-1', 'workers-1'] as const
export const DISRUPTED_PROCESSES = ['api-2', 'workers-2', 'networks'] as const
const NAMES = [...STEADY, ...DISRUPTED_PROCESSES]
export type ProcessName = (typeof NAMES)[number]

export type Installation = AsyncDisposable & {
  readonly nodes: readonly string[]
  readonly apiKey: string
  readonly networksUrl: string
  readonly networksSecret: string
  // Ends a process by a signal and starts it again.
  restart: (name: ProcessName, signal: 'SIGTERM' | 'SIGKILL') => Promise<void>
  // Undefined while it cannot be asked.
  probe: (name: ProcessName) => Promise<ProbeResult | undefined>
  command: (args: string[]) => Promise<ProcessExit>
  // What processes logged as errors.
  errors: () => string[]
  // How processes ended unasked, or otherwise than asked.
  readonly ends: readonly string[]
}

export const NETWORK_DELAY_MS = 500
const READY_MS = 90_000
const PROBE_MS = 5_000
// The good receiver never fails, but a worker may be killed or slow. The dead ones are given up before long.
const RETRY_SECONDS = '5,30,120,600'

type Process = { running: Running; clean: () => Promise<void>; isAsked: boolean; isOver: boolean }

export async function startInstallation(databaseUrl: string): Promise<Installation> {
  await using opened = new AsyncDisposableStack()
  const directory = mkdtempSync(join(tmpdir(), 'recaudo-soak-'))
  chmodSync(directory, 0o755)
  opened.defer(() => rmSync(directory, { recursive: true, force: true }))
  const apiKey = `rk_stg_${randomBytes(24).toString('base64url')}`
  const ports = { 'api-1': await freePort(), 'api-2': await freePort() }
  const [balancerPort, networksPort] = [await freePort(), await freePort()]
  opened.use(await startBalancer(balancerPort, Object.values(ports)))
  const settings = {
    DATABASE_URL: databaseUrl,
    SECRETS_KEY: randomBytes(32).toString('hex'),
    BOOTSTRAP_API_KEY: apiKey,
    DATA_DIR: join(directory, 'data'),
    PUBLIC_URL: `http://127.0.0.1:${balancerPort}`,
    SANDBOX_PORT: String(networksPort),
    SANDBOX_DELAY_MS: String(NETWORK_DELAY_MS),
    SETTLEMENT_DELAY_MINUTES: '5',
    WEBHOOK_RETRY_SECONDS: RETRY_SECONDS,
    // All payers come from one address here. Not off: what is counted is kept in memory.
    UNAUTHENTICATED_PER_SECOND: '1000000',
    PAYER_ACTIONS_PER_MINUTE: '100000',
    LOG_LEVEL: 'error',
  }
  const probed = {
    SOAK_PROBES: directory,
    NODE_OPTIONS: `--expose-gc --import=${pathToFileURL(join(import.meta.dirname, 'probe.ts'))}`,
  }
  const pastErrors: string[] = []
  const ends: string[] = []
  const processes = new Map<ProcessName, Process>()

  const begin = async (name: ProcessName): Promise<void> => {
    const cleans: (() => void | Promise<void>)[] = []
    const owner = { after: (clean: () => void | Promise<void>) => void cleans.push(clean) }
    const port = name === 'api-1' || name === 'api-2' ? { PORT: String(ports[name]) } : {}
    const env = { ...settings, ...probed, ...port }
    const clean = async (): Promise<void> => {
      for (const one of cleans) await one()
    }
    try {
      const running =
        name === 'networks' ? await startNetworks(owner, env) : await startPart(owner, name, env)
      const process: Process = { running, clean, isAsked: false, isOver: false }
      processes.set(name, process)
      void running.ended.then(({ code, signal, stdout, stderr }) => {
        pastErrors.push(...errorLines(name, stdout))
        process.isOver = true
        if (!process.isAsked) ends.push(`${name} ended by itself (${signal ?? code}): ${stderr.slice(-500)}`)
      })
    } catch (error) {
      await clean()
      throw error
    }
  }

  const restart: Installation['restart'] = async (name, signal) => {
    const process = processes.get(name)
    if (process !== undefined) {
      process.isAsked = true
      process.running.child.kill(signal)
      const { code, stderr } = await process.running.ended
      if (signal === 'SIGTERM' && code !== 0)
        ends.push(`${name} ended with ${code} at a SIGTERM: ${stderr.slice(-500)}`)
      processes.delete(name)
    }
    await begin(name)
  }

  opened.defer(async () => {
    for (const process of processes.values()) process.isAsked = true
    for (const { running } of processes.values()) running.child.kill('SIGTERM')
    // Who has ended is not killed: its number may be another's by now.
    await Promise.all(
      [...processes.values()].map(({ running, clean }) =>
        Promise.race([running.ended, new Promise((late) => setTimeout(late, READY_MS, 'late').unref())]).then(
          (end) => (end === 'late' ? clean() : undefined),
        ),
      ),
    )
  })
  // The first API migrates and makes the demo organization, and all others wait for that.
  await begin('networks')
  await begin('api-1')
  await Promise.all((['api-2', 'workers-1', 'workers-2'] as const).map(begin))
  const whole = opened.move()
  return {
    nodes: Object.values(ports).map((port) => `http://127.0.0.1:${port}`),
    apiKey,
    networksUrl: `http://127.0.0.1:${networksPort}`,
    networksSecret: 'staging-only-secret',
    restart,
    probe: async (name) => {
      const pid = processes.get(name)?.running.child.pid
      return pid === undefined ? undefined : await ask(socketOf(directory, pid))
    },
    command: (args) => recaudoInProcess(args, settings),
    errors: () => [
      ...pastErrors,
      ...[...processes]
        .filter(([, { isOver }]) => !isOver)
        .flatMap(([name, { running }]) => errorLines(name, running.stdout())),
    ],
    ends,
    [Symbol.asyncDispose]: () => whole.disposeAsync(),
  }
}

type Owner = Parameters<typeof start>[0]

function startPart(
  owner: Owner,
  name: Exclude<ProcessName, 'networks'>,
  env: Record<string, string>,
): Promise<Running> {
  return start(owner, { args: ['start', name.startsWith('api') ? '--api' : '--workers'], env })
}

async function startNetworks(owner: Owner, env: Record<string, string>): Promise<Running> {
  const running = await spawnServer(owner, { args: ['sandbox'], env })
  await eventually(
    async () => running.stdout(),
    (printed) => printed.startsWith('Simulated networks'),
    READY_MS,
  )
  return running
}

function errorLines(name: ProcessName, stdout: string): string[] {
  const lines = stdout.split('\n').filter((line) => line.startsWith('{'))
  return lines.map((line) => `${name}: ${line}`)
}

async function ask(path: string): Promise<ProbeResult | undefined> {
  const socket = connect(path)
  socket.setTimeout(PROBE_MS, () => socket.destroy())
  try {
    return JSON.parse(await text(socket)) as ProbeResult
  } catch {
    return undefined
  }
}
