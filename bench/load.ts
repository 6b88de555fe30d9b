// The load generator's jobs and the texts of the requests it sends. The generator runs in its own process, so that its
// work does not count as the server's.

import { type Child, startChild } from './child.ts'

export type Job = {
  port: number
  connections: number
  warmUpMs: number
  measureMs: number
  // Whole HTTP requests, sent in rotation. UNIQUE is replaced with a different text in each request.
  requests: string[]
  // Null means a closed loop: each connection sends its next request when it has its answer, which finds the highest rate.
  // Otherwise an open loop: requests become due at this rate whatever the server does, and latency counts from then. That
  // is what merchants experience, since they do not wait for one another.
  arrivalsPerSecond: number | null
}

export type Load = {
  // Over the whole job, warm-up included.
  answered: number
  // Over the measured time only.
  requestsPerSecond: number
  p50Ms: number
  p99Ms: number
}

export const UNIQUE = '{unique-00}'

export function startGenerator(): Child<Job, Load> {
  return startChild('generator.ts')
}

export function requestText(
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body?: unknown,
): string {
  const content = body === undefined ? '' : JSON.stringify(body)
  const lines = Object.entries({
    host: '127.0.0.1',
    ...headers,
    ...(body !== undefined && {
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(content)),
    }),
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${content}`
}
