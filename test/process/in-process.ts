// The operator's commands in this process: what main.ts does, without the half second that a process takes to load. That a
// command as a process comes to the same is shown once for each way to end (test/process/commands.test.ts).

import type { EventEmitter } from 'node:events'
import { runOperatorCommand } from '../../src/operator/commands.ts'
import { explainFailure } from '../../src/operator/failure.ts'
import { captureOutput } from '../captured-output.ts'
import { freePort } from '../free-port.ts'
import type { ProcessExit } from './process.ts'

// A start listens to these until its process ends. Here it leaves nothing behind.
const STOPPING = ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect']
// One that should have been refused would run for ever.
const STOPPED_AFTER_MS = 60_000
const own: EventEmitter = process

// A start runs until `stop`.
export async function recaudoInProcess(
  args: readonly string[],
  env: Record<string, string> = {},
  stop: AbortSignal = AbortSignal.timeout(STOPPED_AFTER_MS),
): Promise<ProcessExit> {
  const before = STOPPING.map((name) => own.listeners(name))
  const added = () =>
    STOPPING.flatMap((name, index) =>
      own
        .listeners(name)
        .filter((listener) => !before[index]?.includes(listener))
        .map((listener) => ({ name, listener: listener as () => void })),
    )
  const onStop = (): void => {
    for (const { listener } of added()) listener()
    // A start that does not listen yet hears of it as soon as it does.
    own.on('newListener', stopAtOnce)
  }
  const stopAtOnce = (name: string, listener: () => void): void => {
    if (STOPPING.includes(name)) queueMicrotask(listener)
  }
  stop.addEventListener('abort', onStop)
  const { result, stdout, stderr } = await captureOutput(() =>
    runOperatorCommand(args, { LOG_LEVEL: 'silent', ...env }).then(
      (exitCode) => ({ text: '', exitCode }),
      explainFailure,
    ),
  )
  stop.removeEventListener('abort', onStop)
  own.removeListener('newListener', stopAtOnce)
  for (const { name, listener } of added()) own.removeListener(name, listener)
  return { code: result.exitCode, signal: null, stdout, stderr: stderr + result.text }
}

export type ServiceInProcess = { baseUrl: string; stop: () => Promise<ProcessExit> }

// A service in this process, for tests of what it does and not of how its process ends.
export async function startInProcess(
  owner: { after: (clean: () => Promise<void>) => void },
  args: readonly string[],
  env: Record<string, string>,
): Promise<ServiceInProcess> {
  const ports = { PORT: String(await freePort()), SANDBOX_PORT: String(await freePort()) }
  const settings = { ...ports, ...env }
  const stopping = new AbortController()
  const ended = recaudoInProcess(args, settings, stopping.signal)
  const stop = (): Promise<ProcessExit> => {
    stopping.abort()
    return ended
  }
  owner.after(async () => void (await stop()))
  return { baseUrl: `http://127.0.0.1:${settings.PORT}`, stop }
}

export function readiness({ baseUrl }: { baseUrl: string }): Promise<number> {
  return fetch(`${baseUrl}/readyz`).then(
    ({ status }) => status,
    () => 0,
  )
}
