// recaudo sandbox --provider: serves one simulated provider, for whoever writes against its API, with Recaudo or without.

import { join } from 'node:path'
import type { Config } from '../config.ts'
import { makeDirectory } from '../embedded/directory.ts'
import { NO_FAULTS } from '../sandbox/faults.ts'
import { isOnThisMachine } from '../sandbox/providers/input.ts'
import type { Provider } from '../sandbox/providers/provider.ts'
import { PROVIDERS } from '../sandbox/providers/providers.ts'
import { startProvider } from '../sandbox/providers/server.ts'
import { listening, OperatorFailure, USAGE_EXIT_CODE } from './failure.ts'
import type { Flags } from './flags.ts'

// It obeys anyone who can reach it, so it listens on this machine only.
const HOST = '127.0.0.1'
const DEFAULT_PORT = 4_010
const DEFAULT_DELAY_MS = 2_000
const DEFAULT_SEED = 1

export async function openSimulatedProvider(config: Config, flags: Flags) {
  const provider = readProvider(flags.provider)
  const port = readPort(flags.port)
  const notifyUrl = readNotifyUrl(flags['notify-url'])
  makeDirectory(config.dataDir, 0o700)
  const simulated = await listening({ host: HOST, port }, '--port', () =>
    startProvider(provider, {
      host: HOST,
      port,
      storageFile: join(config.dataDir, `provider-${provider.name}.sqlite`),
      notifyUrl,
      delayMs: config.sandbox?.delayMs ?? DEFAULT_DELAY_MS,
      seed: config.sandbox?.seed ?? DEFAULT_SEED,
      faults: NO_FAULTS,
    }),
  )
  return { ...simulated, greeting: greetingOf(provider, simulated.url, notifyUrl) }
}

function readProvider(name: unknown): Provider {
  const provider = Object.hasOwn(PROVIDERS, String(name)) ? PROVIDERS[String(name)] : undefined
  if (provider !== undefined) return provider
  throw new OperatorFailure(
    `There is no simulated provider ${JSON.stringify(name)}. There are ${Object.keys(PROVIDERS).join(', ')}.`,
    USAGE_EXIT_CODE,
  )
}

function readPort(text: unknown): number {
  if (text === undefined) return DEFAULT_PORT
  const port = /^\d{1,5}$/.test(String(text)) ? Number(text) : 0
  if (port >= 1 && port <= 65_535) return port
  throw new OperatorFailure(
    `--port must be a number from 1 to 65535, not ${JSON.stringify(text)}.`,
    USAGE_EXIT_CODE,
  )
}

function readNotifyUrl(text: unknown): string | null {
  if (text === undefined) return null
  if (typeof text === 'string' && isOnThisMachine(text)) return text
  throw new OperatorFailure(
    `--notify-url must be an address on this machine, such as http://127.0.0.1:4000/events, not ${JSON.stringify(text)}.`,
    USAGE_EXIT_CODE,
  )
}

function greetingOf(
  { name, credentials, testData, notices }: Provider,
  url: string,
  notifyUrl: string | null,
): string {
  const lines = (rows: readonly (readonly [string, string])[]) => {
    const width = Math.max(...rows.map(([label]) => label.length))
    return rows.map(([label, value]) => `  ${label.padEnd(width)}  ${value}`).join('\n')
  }
  return [
    `Simulated ${name} at ${url}`,
    lines(Object.entries(credentials)),
    `Notices go ${whereNoticesGo(notices.namedBy, notifyUrl)}.`,
    'Test data',
    lines(testData),
    'Controls',
    lines([
      [`curl -X POST ${url}/control/clock/advance --json '{"seconds": 60}'`, 'move its time'],
      [`curl -X PUT ${url}/control/faults --json '{"plan": "stormy"}'`, 'lose answers and notices'],
      [`curl ${url}/control/notices`, 'see what it has sent'],
    ]),
    '',
  ].join('\n')
}

function whereNoticesGo(namedBy: string | undefined, notifyUrl: string | null): string {
  if (namedBy !== undefined)
    return `where each payment says (${namedBy}), or else to ${notifyUrl ?? '--notify-url'}`
  return notifyUrl === null ? 'nowhere: name an address with --notify-url' : `to ${notifyUrl}`
}
