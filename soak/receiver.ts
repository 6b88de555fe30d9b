// The merchant's receivers: one that acknowledges every event and remembers its number, one that always fails, one that never
// answers. A fourth address has nobody behind it.

import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { freePort } from '../test/free-port.ts'

export type ReceivedEvent = {
  readonly event: string
  readonly sequence: number
  readonly data: { readonly id: string }
}

export type Receiver = AsyncDisposable & {
  readonly goodUrl: string
  readonly deadUrls: readonly string[]
  // The numbers of the events that the good one has acknowledged.
  readonly received: ReadonlySet<number>
}

export async function startReceiver(onEvent: (event: ReceivedEvent) => void): Promise<Receiver> {
  const received = new Set<number>()
  const server = createServer((request, response) => {
    if (request.url === '/hanging') return void request.resume()
    if (request.url === '/failing') return answer(request, response, 500)
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const event = JSON.parse(Buffer.concat(chunks).toString()) as ReceivedEvent
      const isNew = !received.has(event.sequence)
      received.add(event.sequence)
      response.writeHead(200).end()
      if (isNew) onEvent(event)
    })
  })
  const port = await freePort()
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${port}`
  return {
    goodUrl: `${url}/good`,
    deadUrls: [`${url}/failing`, `${url}/hanging`, `http://127.0.0.1:${await freePort()}/nobody`],
    received,
    [Symbol.asyncDispose]: async () => {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

function answer(request: IncomingMessage, response: ServerResponse, status: number): void {
  request.resume()
  response.writeHead(status).end()
}
