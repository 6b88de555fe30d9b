// `recaudo start --processes 3` for tests: every request on a connection of its own, which goes to the next process in
// turn, and what the processes say in their logs.

import { once } from 'node:events'
import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import type { Client } from '../world.ts'
import { childrenOf, type Running, type Start, start } from './process.ts'

export const PROCESSES = 3

export function startMany(owner: Parameters<typeof start>[0], options: Start): Promise<Running> {
  return start(owner, { ...options, args: ['start', '--processes', String(PROCESSES)] })
}

export function processesOf(running: Running): number[] {
  return childrenOf(running.child.pid as number)
}

export type LogLine = {
  process: number
  pid: number
  msg?: string
  route?: string
  status?: number
  reason?: string
}

export function logLines(text: string): LogLine[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as LogLine)
}

// An answer that does not come is an error, and not a test that ends by its own time.
const ANSWER_WITHIN_MS = 20_000

// Without `agent`, each request opens a connection and closes it.
export function clientOn(baseUrl: string, always: Record<string, string>, agent?: Agent): Client {
  return async (method, path, body, headers = {}) => {
    const isBody = body !== undefined
    const options = {
      method,
      agent: agent ?? new Agent({ keepAlive: false }),
      headers: { ...always, ...headers, ...(isBody && { 'content-type': 'application/json' }) },
    }
    const response = await new Promise<IncomingMessage>((resolve, reject) =>
      request(baseUrl + path, options, resolve)
        // Its connection goes too, or the next request would wait behind it for ever.
        .setTimeout(ANSWER_WITHIN_MS, function giveUp(this: ClientRequest) {
          this.destroy(new Error(`no answer within ${ANSWER_WITHIN_MS} ms`))
        })
        .once('error', reject)
        .end(isBody ? JSON.stringify(body) : undefined),
    )
    let text = ''
    for await (const chunk of response.setEncoding('utf8')) text += chunk
    const isJson = response.headers['content-type']?.startsWith('application/json') === true
    const status = response.statusCode as number
    return {
      status,
      headers: response.headers as Record<string, string>,
      text,
      json: isJson ? JSON.parse(text) : {},
    }
  }
}

// Sends half of a request, and the rest of it once it should be finished. Resolves with all that was answered.
export async function beginPost(
  baseUrl: string,
  path: string,
  body: unknown,
  always: Record<string, string>,
): Promise<{ finish: () => Promise<string> }> {
  const text = JSON.stringify(body)
  const length = String(Buffer.byteLength(text))
  const headers = { ...always, host: 'x', 'content-type': 'application/json', 'content-length': length }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const socket = connect(Number(new URL(baseUrl).port), '127.0.0.1')
  await once(socket, 'connect')
  socket.write(`POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n${text.slice(0, 20)}`)
  return {
    finish: async () => {
      socket.write(text.slice(20))
      return (await socket.setEncoding('utf8').toArray()).join('')
    },
  }
}

// A client that keeps its connection, and so stays with one process.
export function keptConnection(): Agent {
  return new Agent({ keepAlive: true, maxSockets: 1 })
}

// Listens to a stream of events on a connection of its own. Resolves once it is open.
export async function listen(
  owner: { after: (clean: () => void) => void },
  url: string,
  headers: Record<string, string> = {},
): Promise<() => string> {
  let text = ''
  await new Promise<void>((resolve, reject) => {
    const asked = request(url, { headers, agent: new Agent({ keepAlive: false }) }, (response) => {
      response.setEncoding('utf8').on('data', (chunk) => (text += chunk))
      response.on('error', () => {})
      if (response.statusCode === 200) resolve()
      else reject(new Error(`the stream was refused with ${response.statusCode}`))
    })
    asked.once('error', reject).end()
    owner.after(() => void asked.destroy())
  })
  return () => text
}

// The value of one series, or undefined if it is not shown.
export function seriesOf(metrics: string, series: string): number | undefined {
  const line = metrics.split('\n').find((one) => one.startsWith(`${series} `))
  return line === undefined ? undefined : Number(line.slice(series.length + 1))
}
