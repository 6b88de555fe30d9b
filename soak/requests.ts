// Requests of the merchant, as a careful client sends them: with a key that makes a second try harmless, to the nodes by turns, and
// again where there was no answer or the service asks to wait. Every answered try is timed.

import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Answer } from '../test/world.ts'
import { clientOf } from '../test/world.ts'

export type Requests = {
  // Throws when there is no answer for a minute.
  send: (method: 'GET' | 'POST' | 'DELETE', path: string, body?: unknown) => Promise<Answer>
  // A payer's page or form, at the address that a link has.
  visit: (url: string, form?: Record<string, string>) => Promise<number>
  // How long the answers since the last call took.
  takeLatenciesMs: () => number[]
  readonly retries: () => number
}

const PATIENCE_MS = 60_000
const PAUSE_MS = 250
const ANSWER_MS = 30_000
const AGAIN = [429, 502, 503, 504]

export function createRequests(nodes: readonly string[], apiKey: string): Requests {
  const clients = nodes.map((node) => clientOf(node, { 'x-api-key': apiKey }))
  let latenciesMs: number[] = []
  let turn = 0
  let retries = 0

  const timed = async <Result>(request: () => Promise<Result>): Promise<Result> => {
    const startedAtMs = performance.now()
    const result = await request()
    latenciesMs.push(performance.now() - startedAtMs)
    return result
  }

  const untilAnswered = async <Result>(
    name: string,
    request: () => Promise<Result>,
    isAgain: (result: Result) => boolean,
  ): Promise<Result> => {
    const endsAtMs = performance.now() + PATIENCE_MS
    for (;;) {
      const result = await timed(request).catch((error: Error) => error)
      if (!(result instanceof Error) && !isAgain(result)) return result
      if (performance.now() > endsAtMs)
        throw new Error(
          `${name} has no answer for a minute: ${result instanceof Error ? result.message : JSON.stringify(result)}`,
        )
      retries += 1
      await delay(PAUSE_MS)
    }
  }

  return {
    send: (method, path, body) => {
      const headers: Record<string, string> = method === 'POST' ? { 'idempotency-key': randomUUID() } : {}
      return untilAnswered(
        `${method} ${path}`,
        () => (clients[turn++ % clients.length] as (typeof clients)[number])(method, path, body, headers),
        // Of two with one key, the second is asked to wait.
        ({ status, headers: answered }) =>
          AGAIN.includes(status) || (status === 409 && answered['retry-after'] !== undefined),
      )
    },
    visit: (url, form) =>
      untilAnswered(
        `${form === undefined ? 'GET' : 'POST'} ${new URL(url).pathname.split('/', 2).join('/')}`,
        async () => {
          const answer = await fetch(url, {
            redirect: 'manual',
            signal: AbortSignal.timeout(ANSWER_MS),
            ...(form && { method: 'POST', body: new URLSearchParams(form) }),
          })
          await answer.arrayBuffer()
          return answer.status
        },
        (status) => AGAIN.includes(status),
      ),
    takeLatenciesMs: () => {
      const taken = latenciesMs
      latenciesMs = []
      return taken
    },
    retries: () => retries,
  }
}
