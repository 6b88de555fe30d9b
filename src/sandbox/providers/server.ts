// Serves one simulated provider over HTTP: its own paths, and /control for testers, who move its clock, choose its faults and read its
// notices. It listens on this machine only, because whoever reaches it may use it.

import type { IncomingMessage } from 'node:http'
import type { Instant } from '../../core/instant.ts'
import { isoInstant } from '../../core/instant.ts'
import { clockOffsetInRange } from '../../core/staging-clock.ts'
import { createClock, MAX_WAIT_MS } from '../clock.ts'
import { createFaults, type FaultPlan, readFaultPlan } from '../faults.ts'
import { RETRY_FULL_DISK_MS, runUnlessDiskFull } from '../full-disk.ts'
import { type Answer, failure, type ParsedRequest, readObject, readRequest, send } from '../http.ts'
import { openListener } from '../listener.ts'
import { createNoticeSender, queueNotice } from './notices.ts'
import type { Provider, ProviderContext, ProviderRequest } from './provider.ts'
import { openDocuments } from './storage.ts'
import { answerUnderFaults } from './under-faults.ts'

export type ProviderOptions = {
  host: string
  /** 0: any free port. */
  port: number
  publicUrl?: string
  /** `:memory:` does not survive a restart. */
  storageFile: string
  /** Where its notices go; null: nowhere, as with an account that has named no address. A function if it is known only later. */
  notifyUrl: string | null | (() => string | null)
  delayMs: number
  seed: number
  faults: FaultPlan
  now?: () => Instant
}

export type SimulatedProvider = {
  url: string
  now: () => Instant
  /** When it resolves, everything due has happened, and its notices were attempted once. */
  advance: (ms: number) => Promise<void>
  faultHits: () => Readonly<Record<string, number>>
  notices: () => { tries: number; reference: string; body: string; stage: string }[]
  [Symbol.asyncDispose](): Promise<void>
}

const NEVER = Number.POSITIVE_INFINITY
// A leap of more than ten years is a mistake.
const MAX_ADVANCE_SECONDS = 10 * 366 * 86_400

export async function startProvider(
  provider: Provider,
  options: ProviderOptions,
): Promise<SimulatedProvider> {
  const storage = openDocuments(options.storageFile)
  const clock = createClock(
    options.now ?? Date.now,
    clockOffsetInRange(storage.clockOffsetMs()),
    storage.rememberClockOffset,
  )
  const faults = createFaults(options.seed, options.faults)
  const listener = await openListener(options).catch((error: Error) => {
    storage.close()
    throw error
  })
  const { url } = listener
  const { delayMs, notifyUrl } = options
  const context: ProviderContext = {
    storage,
    clock,
    faults,
    delayMs,
    publicUrl: (options.publicUrl ?? url).replace(/\/+$/, ''),
    notify: (notice) => queueNotice({ storage, faults, delayMs }, notice),
    later: storage.addTask,
  }
  const notifyAddress = () => (typeof notifyUrl === 'function' ? notifyUrl() : notifyUrl) ?? undefined
  const sender = createNoticeSender(storage, clock, provider, notifyAddress, () => catchUp())

  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  // In the order of their time and as of that time, however late we are.
  const runDueTasks = (): void => {
    for (
      let task = storage.nextTask();
      task !== undefined && task.due <= clock.now();
      task = storage.nextTask()
    ) {
      const { id, name, subject, due } = task
      storage.transaction(() => {
        storage.removeTask(id)
        provider.runTask(context, name, subject, due)
      })
    }
  }
  const catchUp = (): void => {
    if (isStopped) return
    const hadRoom = runUnlessDiskFull(() => {
      runDueTasks()
      sender.sendDue()
    })
    const nextDue = hadRoom
      ? Math.min(storage.nextTask()?.due ?? NEVER, sender.nextDue() ?? NEVER)
      : clock.now() + RETRY_FULL_DISK_MS
    clearTimeout(timer)
    timer = setTimeout(catchUp, Math.max(0, Math.min(nextDue - clock.now(), MAX_WAIT_MS)))
    timer.unref()
  }
  const advance = async (ms: number): Promise<void> => {
    clock.advance(ms)
    const until = clock.now()
    catchUp()
    await sender.settled(until)
  }

  const control = async (request: ParsedRequest): Promise<Answer> => {
    const [, subject, verb] = request.segments
    const body = readObject(request.body) ?? {}
    if (request.method === 'GET' && subject === 'clock')
      return { status: 200, json: { now: isoInstant(clock.now()) } }
    if (request.method === 'POST' && subject === 'clock' && verb === 'advance') {
      const { seconds } = body
      if (typeof seconds !== 'number' || !(seconds > 0 && seconds <= MAX_ADVANCE_SECONDS))
        return failure(400, 'INVALID_REQUEST', `seconds is a number from 0 to ${MAX_ADVANCE_SECONDS}`)
      await advance(seconds * 1_000)
      return { status: 200, json: { now: isoInstant(clock.now()) } }
    }
    if (request.method === 'GET' && subject === 'notices')
      return { status: 200, json: { notices: storage.notices() } }
    if (request.method === 'PUT' && subject === 'faults') {
      const plan = readFaultPlan(body.plan)
      if (plan === undefined)
        return failure(400, 'INVALID_REQUEST', 'plan is none, stormy, or an object of probabilities by name')
      faults.change(typeof body.seed === 'number' ? body.seed : faults.seed, plan)
      return { status: 200, json: { seed: faults.seed, plan } }
    }
    return failure(404, 'NO_SUCH_PATH', 'no such control')
  }

  listener.answerWith(async (incoming, response) => {
    try {
      const parsed = await readRequest(incoming)
      catchUp()
      if (parsed === undefined) send(response, failure(413, 'TOO_LARGE', 'the request cannot be read'))
      else if (parsed.segments[0] === 'control')
        send(response, await guarded(incoming, () => control(parsed)))
      else await answerUnderFaults(provider, context, withHeaders(parsed, incoming), response, noSuchPath)
    } catch (error) {
      if (response.headersSent) response.destroy()
      else send(response, failure(500, 'SIMULATOR_BROKE', String(error)))
    }
    catchUp()
  })
  catchUp()

  let ended: Promise<void> | undefined
  const end = async (): Promise<void> => {
    isStopped = true
    clearTimeout(timer)
    clock.stop()
    await Promise.all([listener.close(), sender.close()])
    storage.close()
  }
  return {
    url,
    now: clock.now,
    advance,
    faultHits: faults.hits,
    notices: storage.notices,
    [Symbol.asyncDispose]: () => {
      ended ??= end()
      return ended
    },
  }
}

// A page of another site can make a browser send a form here, but not JSON.
async function guarded(incoming: IncomingMessage, act: () => Promise<Answer>): Promise<Answer> {
  const isJson = /^application\/json\b/.test(incoming.headers['content-type'] ?? '')
  if (incoming.method !== 'GET' && !isJson)
    return failure(415, 'INVALID_REQUEST', 'send content-type: application/json')
  return act()
}

function withHeaders(request: ParsedRequest, { headers }: IncomingMessage): ProviderRequest {
  return { ...request, header: (name) => String(headers[name.toLowerCase()] ?? '') }
}

const noSuchPath = failure(404, 'NO_SUCH_PATH', 'the provider has no such path')
