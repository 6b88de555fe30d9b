// Sends one thing and reads its answer, within a limit of time. Rejects with what went wrong.

import { Agent, request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import type { FuzzedAnswer, FuzzedRequest } from './fuzzed-request.ts'

export type Send = (request: FuzzedRequest) => Promise<FuzzedAnswer>

export function openSender(port: number, atOnce: number, limitMs: number): { send: Send; close: () => void } {
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce })
  return {
    send: (request) =>
      request.rawPieces === undefined
        ? sendOverHttp(port, agent, request, limitMs)
        : sendBytes(port, request.rawPieces, limitMs),
    close: () => agent.destroy(),
  }
}

function sendOverHttp(
  port: number,
  agent: Agent,
  request: FuzzedRequest,
  limitMs: number,
): Promise<FuzzedAnswer> {
  const { method, path, headers, body, isStream } = request
  return new Promise((resolve, reject) => {
    const sent = { ...headers, ...(body !== undefined && { 'content-length': String(body.length) }) }
    const outgoing = httpRequest(
      { host: '127.0.0.1', port, agent, method, path, headers: sent },
      (incoming) => {
        const status = incoming.statusCode ?? 0
        const chunks: Buffer[] = []
        const finish = (): void => {
          clearTimeout(timer)
          resolve({ status, headers: incoming.headers, text: Buffer.concat(chunks).toString() })
        }
        incoming.on('error', reject)
        if (isStream && status === 200) {
          finish()
          outgoing.destroy()
          return
        }
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
        incoming.on('end', finish)
      },
    )
    const timer = setTimeout(() => outgoing.destroy(new Error(`no answer within ${limitMs} ms`)), limitMs)
    outgoing.on('error', (error) => {
      clearTimeout(timer)
      reject(error)
    })
    outgoing.end(body)
  })
}

const PAUSE_MS = 2

// Status 0 if the connection was ended without an answer, which is one too.
function sendBytes(port: number, pieces: readonly Buffer[], limitMs: number): Promise<FuzzedAnswer> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port })
    let text = ''
    const timer = setTimeout(() => {
      reject(new Error(`the connection was not ended within ${limitMs} ms`))
      socket.destroy()
    }, limitMs)
    socket.setEncoding('latin1')
    socket.on('data', (chunk: string) => {
      text += chunk
    })
    // The other side may have ended it while we wrote.
    socket.on('error', () => {})
    socket.on('close', () => {
      clearTimeout(timer)
      resolve({ status: Number(/^HTTP\/1\.1 (\d{3}) /.exec(text)?.[1] ?? 0), headers: {}, text })
    })
    const [first, second] = pieces
    if (first !== undefined) socket.write(first)
    setTimeout(() => {
      if (second !== undefined) socket.write(second)
      socket.end()
    }, PAUSE_MS)
  })
}
