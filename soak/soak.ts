// One run: starts the installation, puts a modest steady load on it, disrupts it and measures it again and again, and at the end
// looks for growth and for losses. An interrupt ends the load early; everything after it is the same.

import { setTimeout as delay } from 'node:timers/promises'
import { EVENT_TYPES } from '../src/core/events/event.ts'
import { openDb } from '../src/store/db.ts'
import { DISRUPTIONS, type Disrupted } from './disruptions.ts'
import { DISRUPTED_PROCESSES, STEADY, startInstallation } from './installation.ts'
import { type GrowthJudgement, judgeSamples } from './judgement.ts'
import { type Lives, startLives } from './lives.ts'
import { findLosses } from './losses.ts'
import { type Receiver, startReceiver } from './receiver.ts'
import { createRequests, type Requests } from './requests.ts'
import { percentilesOf, type Sample, sampleDatabase } from './samples.ts'

export type SoakOptions = {
  // Of an empty or migrated database that nobody else uses.
  readonly databaseUrl: string
  readonly seconds: number
  // Lives a second.
  readonly rate: number
  readonly sampleSeconds: number
  readonly disruptSeconds: number
  readonly seed: number
  // How often it looks whether everything has ended.
  readonly lookMs?: number
  readonly interrupted?: Promise<unknown>
  readonly onSample?: (sample: Sample, all: readonly Sample[]) => void
  readonly onProgress?: (text: string) => void
}

export type SoakReport = {
  readonly seconds: number
  readonly isWhole: boolean
  readonly lives: number
  readonly answered: Readonly<Record<string, number>>
  readonly events: number
  readonly retries: number
  readonly disruptions: Readonly<Record<string, number>>
  readonly samples: readonly Sample[]
  readonly judged: readonly GrowthJudgement[]
  readonly losses: readonly string[]
  // Requests that were refused or not answered, and processes that ended unasked.
  readonly surprises: readonly string[]
  readonly errorsLogged: readonly string[]
  readonly failures: readonly string[]
}

const TICK_MS = 200
const MOST_ERRORS = 50

export async function soak(options: SoakOptions): Promise<SoakReport> {
  const { onProgress = () => {}, onSample = () => {} } = options
  onProgress('starting the processes')
  await using installation = await startInstallation(options.databaseUrl)
  await using db = disposable(openDb({ url: options.databaseUrl, poolSize: 2, statementTimeoutMs: 60_000 }))
  const requests = createRequests(installation.nodes, installation.apiKey)
  let lives: Lives | undefined
  await using receiver = await startReceiver((event) => lives?.onEvent(event))
  await createEndpoint(requests, receiver.goodUrl)
  const dead = deadEndpoints(requests, receiver)
  await dead.replace()

  const samples: Sample[] = []
  const counts: Record<string, number> = {}
  let sinceSample: string[] = []
  const problems: string[] = []
  const startedAtMs = performance.now()
  const secondsNow = (): number => (performance.now() - startedAtMs) / 1_000
  let isInterrupted = false
  void options.interrupted?.then(() => {
    isInterrupted = true
  })
  onProgress(`${options.rate} lives a second for ${Math.round(options.seconds)} s`)
  lives = startLives(requests, options)
  const running = lives

  const sample = async (): Promise<void> => {
    const processes: Record<string, Sample['processes'][string]> = {}
    for (const name of [...STEADY, ...DISRUPTED_PROCESSES])
      processes[name] = (await installation.probe(name)) ?? null
    const taken: Sample = {
      atSeconds: secondsNow(),
      lives: running.begun(),
      retries: requests.retries(),
      processes,
      database: await sampleDatabase(db.db, dead.ids),
      answers: percentilesOf(requests.takeLatenciesMs()),
      told: percentilesOf(running.takeToldMs()),
      disruptions: sinceSample,
    }
    sinceSample = []
    samples.push(taken)
    onSample(taken, samples)
  }
  const disrupted: Disrupted = { installation, requests, db: db.db, replaceDeadEndpoints: dead.replace }
  const disrupt = async (turn: number): Promise<void> => {
    const [what, act] = DISRUPTIONS[turn % DISRUPTIONS.length] as (typeof DISRUPTIONS)[number]
    await act(disrupted).catch((error: Error) => problems.push(`${what} failed: ${error.message}`))
    sinceSample.push(what)
    counts[what] = (counts[what] ?? 0) + 1
  }

  // One after the other: a sample is never taken of what is being killed.
  let [sampleAt, disruptAt, turn] = [options.sampleSeconds, options.disruptSeconds, 0]
  while (!isInterrupted && secondsNow() < options.seconds) {
    if (secondsNow() >= sampleAt) {
      await sample().catch((error: Error) => problems.push(`a sample failed: ${error.message}`))
      sampleAt = secondsNow() + options.sampleSeconds
    }
    if (secondsNow() >= disruptAt) {
      await disrupt(turn++)
      disruptAt = secondsNow() + options.disruptSeconds
    }
    await delay(TICK_MS)
  }

  const isWhole = !isInterrupted
  onProgress(isWhole ? 'no new lives' : 'interrupted: no new lives')
  await running.stop()
  await sample().catch((error: Error) => problems.push(`the last sample failed: ${error.message}`))
  const seconds = secondsNow()
  onProgress('waiting until everything has ended')
  const { answered } = running
  const { lookMs } = options
  const ended = { installation, requests, db: db.db, receiver, answered, ...(lookMs && { lookMs }) }
  const losses = await findLosses(ended).catch((error: Error) => [
    `what was lost is not known: ${error.message}`,
  ])
  const judged = judgeSamples(samples, STEADY)
  const surprises = [...problems, ...running.surprises, ...installation.ends]
  return {
    seconds,
    isWhole,
    lives: running.begun(),
    answered: Object.fromEntries(Object.entries(answered).map(([kind, ids]) => [kind, ids.length])),
    events: receiver.received.size,
    retries: requests.retries(),
    disruptions: counts,
    samples,
    judged,
    losses,
    surprises,
    errorsLogged: installation.errors().slice(0, MOST_ERRORS),
    failures: failuresOf(judged, losses, surprises),
  }
}

export function failuresOf(
  judged: readonly GrowthJudgement[],
  losses: readonly string[],
  surprises: readonly string[],
): string[] {
  // In a run that is too short, nothing can be told of anything.
  const isLongEnough = judged.some(({ verdict }) => verdict.kind !== 'unjudged')
  return [
    ...judged.flatMap(({ what, unit, verdict }) =>
      verdict.kind === 'grows'
        ? [
            `${what} grows: ${[verdict.from, verdict.to].map((one) => one.toFixed(1)).join(' → ')} ${unit}`.trimEnd(),
          ]
        : [],
    ),
    ...judged
      .filter(({ verdict, isOptional }) => isLongEnough && verdict.kind === 'unjudged' && !isOptional)
      .map(({ what }) => `${what} was not measured often enough to tell whether it grows`),
    ...losses.map((loss) => `lost: ${loss}`),
    ...surprises.map((surprise) => `unexpected: ${surprise}`),
  ]
}

function deadEndpoints(requests: Requests, { deadUrls }: Receiver) {
  // Of the whole run: rows of those given up are no work either.
  const ids: string[] = []
  let current: string[] = []
  return {
    ids,
    replace: async (): Promise<void> => {
      for (const id of current) await requests.send('DELETE', `/webhook-endpoints/${id}`)
      current = []
      for (const url of deadUrls) current.push(await createEndpoint(requests, url))
      ids.push(...current)
    },
  }
}

async function createEndpoint(requests: Requests, url: string): Promise<string> {
  const { status, json, text } = await requests.send('POST', '/webhook-endpoints', {
    url,
    events: EVENT_TYPES,
  })
  if (status !== 201) throw new Error(`the endpoint of ${url} was not made: ${text}`)
  return json.id
}

function disposable(db: ReturnType<typeof openDb>) {
  return { db, [Symbol.asyncDispose]: () => db.close() }
}
