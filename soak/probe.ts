// Preloaded into every process of a soak: on a socket of its own it says how much memory is left after a collection, and what is
// open. However the soak ends, its processes end too.

import { readdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'

export type ProbeResult = {
  readonly rssBytes: number
  readonly heapBytes: number
  readonly handles: number
  readonly files: number
}

export const socketOf = (directory: string, pid: number): string => join(directory, `${pid}.sock`)

const PARENT_LOOK_MS = 1_000

const directory = process.env.SOAK_PROBES
if (directory !== undefined) answerProbes(directory)

function answerProbes(into: string): void {
  const parent = process.ppid
  setInterval(() => {
    if (process.ppid !== parent) process.kill(process.pid, 'SIGTERM')
  }, PARENT_LOOK_MS).unref()
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.end(JSON.stringify(probe()))
  })
  server.on('error', () => {})
  server.listen(socketOf(into, process.pid)).unref()
}

function probe(): ProbeResult {
  globalThis.gc?.()
  const { rss, heapUsed, external } = process.memoryUsage()
  const waits = ['Timeout', 'Immediate']
  return {
    rssBytes: rss,
    heapBytes: heapUsed + external,
    handles: process.getActiveResourcesInfo().filter((name) => !waits.includes(name)).length,
    files: readdirSync('/dev/fd').length,
  }
}
