// Takes the spans of servers that trace, and counts what comes.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export type BenchCollector = AsyncDisposable & { url: string; requests: () => number }

export async function startCollector(): Promise<BenchCollector> {
  let requests = 0
  const server = createServer((request, response) => {
    requests += 1
    request.resume().on('end', () => response.end('{}'))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  server.unref()
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: () => requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
