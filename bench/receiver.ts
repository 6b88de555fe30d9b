// A merchant's endpoint in its own process. It acknowledges everything at once, counts events, and measures how long each
// took since the time written in its body. Requests to /perhaps hang when asked to. It parses just enough HTTP for our own
// sender, to use as little as possible of the machine it shares with what is measured.

import { type AddressInfo, createServer, type Socket } from 'node:net'
import { answerParent } from './child.ts'

export type ReceiverQuestion = 'port' | 'count' | 'latencies' | 'hang' | 'answer'

const ACKNOWLEDGED = 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: keep-alive\r\n\r\n'

let count = 0
let latenciesMs: number[] = []
let isHanging = false

// Returns whether to acknowledge the request.
function receive(head: string, body: string): boolean {
  const isMeasured = !head.startsWith('POST /perhaps ')
  if (!isMeasured && isHanging) return false
  count += 1
  const sentAt = /"committedAt":(\d+)/.exec(body)?.[1]
  if (isMeasured && sentAt !== undefined) latenciesMs.push(Date.now() - Number(sentAt))
  return true
}

function serve(socket: Socket): void {
  let unread = ''
  socket.setEncoding('latin1')
  socket.setNoDelay()
  socket.on('error', () => socket.destroy())
  socket.on('data', (chunk: string) => {
    unread += chunk
    for (;;) {
      const headEnds = unread.indexOf('\r\n\r\n')
      if (headEnds === -1) return
      const head = unread.slice(0, headEnds)
      const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0)
      const ends = headEnds + 4 + length
      if (unread.length < ends) return
      if (receive(head, unread.slice(headEnds + 4, ends))) socket.write(ACKNOWLEDGED)
      unread = unread.slice(ends)
    }
  })
}

const server = createServer(serve)
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
