// The load generator. It uses plain sockets with keep-alive and prepared request texts: on a machine with few cores, CPU it
// saves is left for the server. Any answer other than 2xx fails the job.

import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { answerParent } from './child.ts'
import { type Job, type Load, UNIQUE } from './load.ts'

// Requests in progress at the end must be answered within this time. After it the server counts as stuck.
const DRAIN_MS = 10_000
// The open loop sends once per tick. A request may be sent this late, and the delay counts as latency.
const TICK_MS = 1

let uniqueCount = 0

answerParent<Job, Load>(run)

async function run(job: Job): Promise<Load> {
  const { promise: broken, reject: fail } = Promise.withResolvers<never>()
  broken.catch(() => {})
  const connections = await Promise.all(
    Array.from({ length: job.connections }, () => openConnection(job.port, fail)),
  )
  const nextRequest = roundRobin(job.requests)
  const measureFromMs = performance.now() + job.warmUpMs
  const measureToMs = measureFromMs + job.measureMs
  const isMeasured = (atMs: number): boolean => atMs >= measureFromMs && atMs < measureToMs
  const latenciesMs: number[] = []
  let answered = 0
  const send = async (connection: Connection): Promise<number> => {
    await connection.ask(nextRequest())
    answered += 1
    return performance.now()
  }

  const runClosed = async (connection: Connection): Promise<void> => {
    for (let sentAtMs = performance.now(); sentAtMs < measureToMs; ) {
      const answeredAtMs = await send(connection)
      if (isMeasured(answeredAtMs)) latenciesMs.push(answeredAtMs - sentAtMs)
      sentAtMs = answeredAtMs
    }
  }

  const runOpen = async (arrivalsPerSecond: number): Promise<void> => {
    const idle = [...connections]
    const waiting: number[] = []
    const inProgress: Promise<void>[] = []
    const serve = async (connection: Connection): Promise<void> => {
      for (let dueAtMs = waiting.shift(); dueAtMs !== undefined; dueAtMs = waiting.shift()) {
        const answeredAtMs = await send(connection)
        if (isMeasured(dueAtMs)) latenciesMs.push(answeredAtMs - dueAtMs)
      }
      idle.push(connection)
    }
    let dueAtMs = performance.now()
    for (let nowMs = dueAtMs; nowMs < measureToMs; nowMs = performance.now()) {
      for (; dueAtMs <= nowMs; dueAtMs += 1_000 / arrivalsPerSecond) {
        waiting.push(dueAtMs)
        const connection = idle.pop()
        if (connection !== undefined) inProgress.push(serve(connection))
      }
      await delay(TICK_MS)
    }
    await Promise.all(inProgress)
  }

  const { arrivalsPerSecond } = job
  const work =
    arrivalsPerSecond === null ? Promise.all(connections.map(runClosed)) : runOpen(arrivalsPerSecond)
  const stuck = setTimeout(
    () => fail(new Error('the server did not answer what was under way')),
    job.warmUpMs + job.measureMs + DRAIN_MS,
  )
  try {
    await Promise.race([work, broken])
  } finally {
    clearTimeout(stuck)
    for (const connection of connections) connection.close()
  }
  const sorted = Float64Array.from(latenciesMs).sort()
  return {
    answered,
    requestsPerSecond: (sorted.length / job.measureMs) * 1_000,
    p50Ms: quantile(sorted, 0.5),
    p99Ms: quantile(sorted, 0.99),
  }
}

function roundRobin(requests: string[]): () => string {
  const texts = requests.map((request) => request.split(UNIQUE))
  let index = 0
  return () => {
    index = (index + 1) % texts.length
    uniqueCount += 1
    return (texts[index] as string[]).join(String(uniqueCount).padStart(UNIQUE.length, '0'))
  }
}

function quantile(sorted: Float64Array, share: number): number {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN
}

type Connection = { ask: (request: string) => Promise<void>; close: () => void }

async function openConnection(port: number, fail: (error: Error) => void): Promise<Connection> {
  const socket = connect({ host: '127.0.0.1', port, noDelay: true })
  await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject))
  let answered: () => void = () => {}
  // `head` is an incomplete head; `bodyLeft` is how many bytes of the body are missing.
  let head: Buffer | null = null
  let bodyLeft = 0

  socket.on('error', fail)
  socket.on('close', () => fail(new Error('the server closed a connection')))
  socket.on('data', (bytes: Buffer) => {
    if (bodyLeft > 0) {
      bodyLeft -= bytes.length
    } else {
      head = head === null ? bytes : Buffer.concat([head, bytes])
      const bodyAt = head.indexOf('\r\n\r\n') + 4
      if (bodyAt === 3) return
      const text = head.toString('latin1', 0, bodyAt)
      // "HTTP/1.1 201 Created"
      if (text[9] !== '2') return fail(new Error(`answered ${text.slice(9, 12)}: ${head.toString()}`))
      const length = /\ncontent-length: (\d+)\r/i.exec(text)?.[1]
      if (length === undefined) return fail(new Error(`an answer without a length: ${text}`))
      bodyLeft = Number(length) - (head.length - bodyAt)
      head = null
    }
    if (bodyLeft < 0) fail(new Error('more bytes than the answer has'))
    if (bodyLeft === 0) answered()
  })
  return {
    ask: (request) =>
      new Promise((resolve) => {
        answered = resolve
        socket.write(request)
      }),
    close: () => {
      socket.removeAllListeners('close')
      socket.destroy()
    },
  }
}
