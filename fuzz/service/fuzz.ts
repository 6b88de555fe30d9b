// Sends requests of every kind, many at once, and holds each answer and the service itself to what must always be true. The seed
// decides what is drawn; which ids there are also depends on what came before.

import { setTimeout as delay } from 'node:timers/promises'
import { type Random, randomFrom } from '../random.ts'
import { apiRequest } from './api-requests.ts'
import { type ApiDocument, readDocument } from './document.ts'
import type { FuzzedAnswer, FuzzedRequest } from './fuzzed-request.ts'
import { faultOf } from './invariants.ts'
import { notification, pageRequest, rawBytes, unknownAddress } from './other-requests.ts'
import { openSender, type Send } from './send.ts'
import type { Started, State } from './server.ts'
import type { ServiceUnderTest } from './service.ts'
import { newSubjects, type Subjects } from './subjects.ts'

export type FuzzFailure = {
  readonly number: number
  readonly what: string
  readonly request: string
  readonly answer: string
}

export type FuzzReport = {
  readonly sent: number
  readonly byKind: Record<string, number>
  readonly byStatus: Record<string, number>
  readonly failures: readonly FuzzFailure[]
  readonly slowestMs: number
  readonly warm: State
  readonly end: State
}

export type FuzzOptions = {
  readonly requests: number
  readonly seed: number
  readonly atOnce?: number
  readonly limitMs?: number
  readonly onProgress?: (sent: number) => void
}

const AT_ONCE = 24
const LIMIT_MS = 10_000
const MOST_BUSY = 5
const MOST_FAILURES = 30
// Code is compiled, connections are open, caches are full.
const WARM_SHARE = 0.3
// What may be there more at the end: the garbage collector leaves some, and a heap is never the same twice.
const HEAP_GROWTH_BYTES = 48 * 1024 ** 2
const HANDLE_GROWTH = 40
const PLANTED = 60

export async function fuzz(service: ServiceUnderTest, options: FuzzOptions): Promise<FuzzReport> {
  const { requests, seed, atOnce = AT_ONCE, limitMs = LIMIT_MS, onProgress = () => {} } = options
  const random = randomFrom(seed)
  const document = readDocument()
  const subjects = newSubjects(service.started.merchants)
  const sender = openSender(service.started.port, atOnce, limitMs)
  const byKind: Record<string, number> = {}
  const byStatus: Record<string, number> = {}
  const failures: FuzzFailure[] = []
  let sent = 0
  let accepted = 0
  let slowestMs = 0

  const tryOne = async (request: FuzzedRequest): Promise<void> => {
    sent += 1
    const number = sent
    byKind[request.kind] = (byKind[request.kind] ?? 0) + 1
    const { what, answer, tookMs } = await judged(sender.send, document, subjects, request)
    slowestMs = Math.max(slowestMs, tookMs)
    const status = `${request.kind} ${answer?.status ?? 'none'}`
    byStatus[status] = (byStatus[status] ?? 0) + 1
    if (answer !== undefined && answer.status < 400) accepted += 1
    if (what !== null && failures.length < MOST_FAILURES)
      failures.push({
        number,
        what,
        request: repeatable(request),
        answer: (answer?.text ?? '').slice(0, 500),
      })
  }
  const untilSent = async (limit: number): Promise<void> => {
    const loop = async (): Promise<void> => {
      while (sent < limit && failures.length < MOST_FAILURES) {
        await tryOne(draw(random, document, subjects, service.started))
        if (sent % 10_000 === 0) onProgress(sent)
      }
    }
    await Promise.all(Array.from({ length: atOnce }, loop))
  }

  for (let planted = 0; planted < PLANTED; planted += 1)
    await tryOne(apiRequest(random, document, subjects, 'valid'))
  await untilSent(Math.floor(requests * WARM_SHARE))
  const warm = await service.state()
  const acceptedWarm = accepted
  await untilSent(requests)
  sender.close()
  const end = await service.state()
  for (const what of growthIn(warm, end, accepted - acceptedWarm))
    failures.push({ number: sent, what, request: '', answer: '' })
  return { sent, byKind, byStatus, failures, slowestMs, warm, end }
}

function draw(
  random: Random,
  document: ApiDocument,
  subjects: Subjects,
  { notificationKeys }: Started,
): FuzzedRequest {
  const chance = random.below(100)
  if (chance < 25) return apiRequest(random, document, subjects, 'valid')
  if (chance < 50) return apiRequest(random, document, subjects, 'near-valid')
  if (chance < 70) return apiRequest(random, document, subjects, 'hostile')
  if (chance < 82) return pageRequest(random, subjects)
  if (chance < 90) return notification(random, subjects, notificationKeys, Date.now())
  if (chance < 95) return unknownAddress(random, subjects)
  return rawBytes(random)
}

type Judged = { what: string | null; answer: FuzzedAnswer | undefined; tookMs: number }

async function judged(
  send: Send,
  document: ApiDocument,
  subjects: Subjects,
  request: FuzzedRequest,
): Promise<Judged> {
  const startedMs = performance.now()
  try {
    const answer = await sendAgainIfBusy(send, request)
    const tookMs = performance.now() - startedMs
    const what = faultOf(document, subjects.merchants, request, answer)
    if (request.merchant !== null && request.operation !== undefined && answer.status < 300)
      subjects.learn(request.merchant, answer.text.startsWith('{') ? JSON.parse(answer.text) : undefined)
    return { what, answer, tookMs }
  } catch (error) {
    return { what: (error as Error).message, answer: undefined, tookMs: performance.now() - startedMs }
  }
}

// On a machine that others use, the database may have no time for a while. The service says so and when to come again, and has done
// nothing. One that always says so is broken.
async function sendAgainIfBusy(send: Send, request: FuzzedRequest): Promise<FuzzedAnswer> {
  for (let times = 1; ; times += 1) {
    const answer = await send(request)
    const retryAfterSeconds = Number(answer.headers['retry-after'])
    if (answer.status !== 503 || !(retryAfterSeconds > 0) || times > MOST_BUSY) return answer
    await delay(retryAfterSeconds * 1_000)
  }
}

// Nothing may grow but what was accepted.
export function growthIn(warm: State, end: State, acceptedSince: number): string[] {
  const heapBytes = end.heapBytes - warm.heapBytes
  return [
    ...(heapBytes > HEAP_GROWTH_BYTES ? [`the heap grew by ${Math.round(heapBytes / 1024 ** 2)} MiB`] : []),
    ...(end.handles - warm.handles > HANDLE_GROWTH
      ? [`handles grew from ${warm.handles} to ${end.handles}`]
      : []),
    // An accepted one leaves at most the object and its first answer.
    ...(end.rows - warm.rows > 2 * acceptedSince
      ? [`${end.rows - warm.rows} rows for ${acceptedSince} requests`]
      : []),
    ...[...warm.errors, ...end.errors].map((line) => `the service logged an error: ${line.slice(0, 600)}`),
    ...end.ledgerFindings.map((finding) => `the books do not hold: ${JSON.stringify(finding)}`),
  ]
}

// Enough to send it again by hand.
function repeatable({ method, path, headers, body, rawPieces }: FuzzedRequest): string {
  if (rawPieces !== undefined) return JSON.stringify(rawPieces.map((piece) => piece.toString('latin1')))
  return JSON.stringify({ method, path, headers, body: body?.toString('latin1').slice(0, 4_000) })
}
