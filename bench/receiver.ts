// A merchant's endpoint in a process of its own: acknowledges everything at once, and can say how many came and how long
// each had been on its way since the time written in its body. What comes to /perhaps hangs where that is asked.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { answerParent } from './child.ts'

export type ReceiverQuestion = 'port' | 'count' | 'latencies' | 'hang' | 'answer'

let count = 0
let latenciesMs: number[] = []
let isHanging = false

const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const isWatched = request.url !== '/perhaps'
    if (!isWatched && isHanging) return
    count += 1
    const sentAt = /"committedAt":(\d+)/.exec(Buffer.concat(chunks).toString('latin1'))?.[1]
    if (isWatched && sentAt !== undefined) latenciesMs.push(Date.now() - Number(sentAt))
    response.writeHead(200, { 'content-length': '0' }).end()
  })
})
server.keepAliveTimeout = 60_000
const listening = new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

answerParent<ReceiverQuestion, number | number[]>(async (question) => {
  await listening
  if (question === 'port') return (server.address() as AddressInfo).port
  if (question === 'count') return count
  if (question === 'hang' || question === 'answer') {
    isHanging = question === 'hang'
    return 0
  }
  const taken = latenciesMs
  latenciesMs = []
  return taken
})
