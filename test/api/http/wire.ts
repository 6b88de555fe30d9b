// Talks to the server byte by byte, for what no HTTP client would send.

import { connect } from 'node:net'
import type { Answer } from '../../world.ts'

type Exchange = {
  // Answers to wait for before closing.
  answers?: number
  // Closes our side after sending, as a client that has nothing more to send.
  halfClose?: boolean
}

const PATIENCE_MS = 10_000

export function speak(
  baseUrl: string,
  bytes: string | Buffer | readonly (string | Buffer)[],
  { answers = 1, halfClose = false }: Exchange = {},
): Promise<Answer[]> {
  const parts: readonly (string | Buffer)[] = [bytes].flat()
  return new Promise((resolve, reject) => {
    let received = Buffer.alloc(0)
    const socket = connect(Number(new URL(baseUrl).port), '127.0.0.1', () => {
      for (const part of parts) socket.write(part)
      if (halfClose) socket.end()
    })
    const settle = (why: string): void => {
      clearTimeout(timer)
      socket.destroy()
      const read = readAnswers(received)
      if (read.length >= answers) resolve(read)
      else reject(new Error(`${why} after ${read.length} answers: ${received.toString('latin1')}`))
    }
    const timer = setTimeout(() => settle('no answer in time'), PATIENCE_MS)
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk])
      if (readAnswers(received).length >= answers) settle('')
    })
    // The server may close while we still write. What it sent before counts.
    socket.on('error', (error) => settle(error.message))
    socket.on('close', () => settle('the connection was closed'))
  })
}

// Whole answers at the start of `bytes`. Ours always have a length.
function readAnswers(bytes: Buffer): Answer[] {
  const head = bytes.indexOf('\r\n\r\n')
  if (head === -1) return []
  const [statusLine, ...lines] = bytes.subarray(0, head).toString('latin1').split('\r\n')
  const headers = Object.fromEntries(
    lines.map((line) => [
      line.slice(0, line.indexOf(':')).toLowerCase(),
      line.slice(line.indexOf(':') + 1).trim(),
    ]),
  )
  const end = head + 4 + Number(headers['content-length'] ?? 0)
  if (bytes.length < end) return []
  const text = bytes.subarray(head + 4, end).toString('utf8')
  const isJson = /^application\/json/.test(headers['content-type'] ?? '') && text !== ''
  const answer: Answer = {
    status: Number(statusLine?.split(' ')[1]),
    headers,
    text,
    json: isJson ? JSON.parse(text) : undefined,
  }
  return [answer, ...readAnswers(bytes.subarray(end))]
}
