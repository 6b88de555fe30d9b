// Keeps a number of serving processes running: starts them, replaces one that ends, and stops them all. They are
// node:cluster's workers: the parent accepts connections and hands them out in turn. A listening socket that all of them
// share would give most connections to whoever wakes up first, and they stay there for as long as they are kept alive.
// With a socket for each, what waits at a process that dies would be lost.

import cluster, { type Worker } from 'node:cluster'
import { getCompileCacheDir } from 'node:module'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import { OperatorFailure } from '../failure.ts'
import { followConnections } from './handed-connections.ts'
import { type BeginMessage, type FromProcess, tell } from './process-messages.ts'

export type Processes = {
  // Resolves when all of them serve.
  ready: Promise<void>
  // Resolves only if they cannot be kept running.
  failed: Promise<OperatorFailure>
  serving: () => Worker[]
  // Lets each finish what it has begun.
  stop: () => Promise<void>
}

type Options = {
  count: number
  begin: Omit<BeginMessage, 'about' | 'number' | 'processes'>
  log: Logger
  graceMs: number
  // The API's address is free from here on.
  leaveAddress: () => Promise<void>
  onMessage: (worker: Worker, message: FromProcess) => void
  onEnd: (worker: Worker) => void
  onReplace: () => void
}

// One that was ready for less ended at once. So often in a row, and something is wrong that another start will not mend.
const EARLY_MS = 5_000
const MAX_EARLY_ENDS = 5
const MODULE_RESOLUTION = new URL('../../../bin/module-resolution.mjs', import.meta.url).href
// How one ends that was told to.
const FINISHED = 'exit code 0'
const FIRST_PAUSE_MS = 250
const MAX_PAUSE_MS = 5_000
// Beyond the time for requests: workers wait for networks that they have called.
const WORKERS_GRACE_MS = 30_000

// `earlyEnds` counts those in a row of the processes that had this number.
type Place = { number: number; earlyEnds: number; failures: number; hasServed: boolean }

type End = { how: string; reason: string | undefined; wasEarly: boolean }

export function runProcesses(options: Options): Processes {
  const { count, log } = options
  const allReady = Promise.withResolvers<void>()
  const failed = Promise.withResolvers<OperatorFailure>()
  const stopping = new AbortController()
  const running = new Map<Worker, Promise<void>>()
  const serving = new Set<Worker>()
  const places = Array.from({ length: count }, (_, index): Place => {
    return { number: index + 1, earlyEnds: 0, failures: 0, hasServed: false }
  })
  const cacheOfThisNode = getCompileCacheDir()
  const compileCache = cacheOfThisNode && { NODE_COMPILE_CACHE: dirname(cacheOfThisNode) }
  cluster.schedulingPolicy = cluster.SCHED_RR
  cluster.setupPrimary({
    exec: join(import.meta.dirname, 'one-of-many.ts'),
    args: [],
    execArgv: [...process.execArgv, '--import', MODULE_RESOLUTION],
  })

  const followConnection = followConnections()

  const run = (place: Place): void => {
    const worker = cluster.fork(compileCache)
    followConnection(worker)
    let readyAtMs: number | undefined
    let reason: string | undefined
    const ended = new Promise<void>((resolve) => {
      const end = (how: string): void => {
        if (!running.delete(worker)) return
        serving.delete(worker)
        options.onEnd(worker)
        const isEarly = readyAtMs === undefined || performance.now() - readyAtMs < EARLY_MS
        // Who sent it SIGTERM wants another, and that is no failure.
        const wasEarly = isEarly && (readyAtMs === undefined || how !== FINISHED)
        if (!stopping.signal.aborted) replace(place, { how, reason, wasEarly })
        resolve()
      }
      worker.once('exit', (code: number | null, signal: string | null) => end(signal ?? `exit code ${code}`))
      // The machine could not make a process, or a message came too late for one that ends.
      worker.on('error', ({ message }) => {
        if (worker.process.pid === undefined) end(message)
      })
    })
    running.set(worker, ended)
    worker.on('message', (message: FromProcess) => {
      if (message.about === 'prepared')
        void options.leaveAddress().then(() => tell(worker, { about: 'listen' }))
      else if (message.about === 'failed') reason = message.message
      else if (message.about === 'ready') {
        readyAtMs = performance.now()
        place.hasServed = true
        place.failures = 0
        serving.add(worker)
        if (places.every(({ hasServed }) => hasServed)) allReady.resolve()
      } else options.onMessage(worker, message)
    })
    tell(worker, { about: 'begin', number: place.number, processes: count, ...options.begin })
  }

  // A reason that an operator can remove ends a first start. Later others still serve, and the reason, such as a
  // database that is away, may pass: it is tried again for as long as it takes.
  const replace = (place: Place, { how, reason, wasEarly }: End): void => {
    log[how === FINISHED ? 'info' : 'error']({ ended: place.number, how, reason }, 'process ended')
    if (reason === undefined) place.earlyEnds = wasEarly ? place.earlyEnds + 1 : 0
    else place.failures += 1
    if (reason !== undefined && places.some(({ hasServed }) => !hasServed))
      failed.resolve(new OperatorFailure(reason))
    else if (place.earlyEnds >= MAX_EARLY_ENDS) failed.resolve(endsAtOnce(place, count, how))
    else {
      options.onReplace()
      void delay(pauseMsOf(place), undefined, { signal: stopping.signal }).then(
        () => run(place),
        () => {},
      )
    }
  }

  for (const place of places) run(place)
  return {
    ready: allReady.promise,
    failed: failed.promise,
    serving: () => [...serving],
    stop: async () => {
      stopping.abort()
      for (const worker of running.keys()) worker.process.kill('SIGTERM')
      const killing = setTimeout(() => {
        for (const worker of running.keys()) worker.process.kill('SIGKILL')
      }, options.graceMs + WORKERS_GRACE_MS)
      await Promise.all(running.values())
      clearTimeout(killing)
    },
  }
}

// The first is replaced without a pause.
function pauseMsOf({ earlyEnds, failures }: Place): number {
  const again = earlyEnds + failures - 2
  return again < 0 ? 0 : Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** again)
}

function endsAtOnce({ number }: Place, count: number, how: string): OperatorFailure {
  return new OperatorFailure(
    `Process ${number} of ${count} ended ${MAX_EARLY_ENDS} times in a row as soon as it was started, at last with ${how}. What it printed above says why.`,
  )
}
