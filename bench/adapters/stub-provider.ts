// A provider that answers each path with the same bytes, in a process of its own. It keeps what it was asked until it is asked for it.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { answerParent } from '../child.ts'
import type { Answers } from './adapter.ts'

export type Asked = {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}
// Begins with the answers, and is told where it answers.
export type StubQuestion = { readonly answers: Answers } | 'asked'

// A bench that never asks would fill the memory.
const KEPT = 100
// Those of the connection.
const OF_HTTP = ['host', 'connection', 'content-length', 'transfer-encoding']

let answers = new Map<string, { status: number; bytes: Buffer }>()
let asked: Asked[] = []

const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => void chunks.push(chunk))
  request.on('end', () => {
    const { method = '', url: path = '' } = request
    const headers = Object.fromEntries(
      Object.entries(request.headers).filter(([name]) => !OF_HTTP.includes(name)),
    ) as Record<string, string>
    if (asked.length < KEPT) asked.push({ method, path, headers, body: Buffer.concat(chunks).toString() })
    const { status, bytes } = answers.get(`${method} ${path.split('?')[0]}`) ?? {
      status: 404,
      bytes: Buffer.from('{}'),
    }
    response.writeHead(status, { 'content-type': 'application/json', 'content-length': bytes.length })
    response.end(bytes)
  })
})
// The connections stay open while other providers are measured.
server.keepAliveTimeout = 600_000
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

answerParent(async (question: StubQuestion): Promise<string | Asked[]> => {
  if (question !== 'asked') {
    answers = new Map(
      Object.entries(question.answers).map(([call, { status, json }]) => [
        call,
        { status, bytes: Buffer.from(json === undefined ? '' : JSON.stringify(json)) },
      ]),
    )
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }
  const answer = asked
  asked = []
  return answer
})
