// A free port, for tests that need an address before anything listens there. It stays free until used: it is outside
// the range from which the system assigns ports, and from a block of a hundred reserved for this process, because tests
// run in parallel.

import { createServer } from 'node:net'

const LOWEST = 11_000
const OF_A_PROCESS = 100
const PROCESSES = 210

let mine: Promise<number> | undefined
let given = 0

export async function freePort(): Promise<number> {
  mine ??= takeHundred()
  const first = await mine
  for (;;) {
    const port = first + 1 + (given++ % (OF_A_PROCESS - 1))
    const server = await listenOn(port)
    if (server === undefined) continue
    await new Promise((resolve) => server.close(resolve))
    return port
  }
}

// Listening on the first port of a hundred reserves the block while the process lives.
async function takeHundred(): Promise<number> {
  for (let at = process.pid; at < process.pid + PROCESSES; at += 1) {
    const first = LOWEST + (at % PROCESSES) * OF_A_PROCESS
    const server = await listenOn(first)
    server?.unref()
    if (server !== undefined) return first
  }
  throw new Error(`no hundred ports are free from ${LOWEST} on`)
}

function listenOn(port: number) {
  return new Promise<ReturnType<typeof createServer> | undefined>((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(undefined))
    server.listen({ host: '127.0.0.1', port }, () => resolve(server))
  })
}
