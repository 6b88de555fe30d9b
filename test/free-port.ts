// A port nobody listens on, for who must know an address before anything listens there. It stays free until it is used:
// outside the range from which the system takes ports by itself, and from a hundred that this process has for itself,
// because tests run side by side.

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

// Whoever listens on the first of a hundred has them all, for as long as it lives.
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
