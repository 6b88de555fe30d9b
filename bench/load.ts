// What can be asked of the load generator, and the texts of the requests it sends. The generator is a process of its own,
// so that its work is not counted as the server's.

import { type Child, startChild } from './child.ts'

export type Job = {
  port: number
  connections: number
  warmUpMs: number
  measureMs: number
  // Whole HTTP requests, sent in turn. UNIQUE in them becomes a text that no other request has.
  requests: string[]
  // Closed loop where null: each connection sends its next request when it has its answer, which finds the highest rate.
  // Open loop else: requests fall due at this rate whatever the server does, and latency counts from when they were due.
  // That is what merchants feel, since they do not wait for one another.
  arrivalsPerSecond: number | null
}

export type Load = {
  // All of the job, warm-up included.
  answered: number
  // Of the measured time only.
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
