// A simulated provider for one test, with a receiver of its notices. Its time stands still until the test moves it.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type FaultPlan, NO_FAULTS } from '../../../src/sandbox/faults.ts'
import type { Provider } from '../../../src/sandbox/providers/provider.ts'
import { type SimulatedProvider, startProvider } from '../../../src/sandbox/providers/server.ts'

export type Received = { path: string; headers: Record<string, string>; body: string }
// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects and fails where it is not there
export type ProviderAnswer = { status: number; json: any; headers: Headers; text: string }

export type Simulated = SimulatedProvider &
  AsyncDisposable & {
    received: Received[]
    /** Everything sent below it is received. Notices that name no address go to /notices. */
    receiverUrl: string
    /** What the receiver answers from now on. */
    answerNotices: (status: number) => void
    call: (
      method: string,
      path: string,
      body?: unknown,
      headers?: Record<string, string>,
    ) => Promise<ProviderAnswer>
  }

export async function simulate(
  provider: Provider,
  options: { faults?: Partial<FaultPlan>; seed?: number; storageFile?: string; delayMs?: number } = {},
): Promise<Simulated> {
  const received: Received[] = []
  let status = 200
  const receiver = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    received.push({
      path: request.url ?? '',
      headers: request.headers as Record<string, string>,
      body: Buffer.concat(chunks).toString(),
    })
    response.writeHead(status).end()
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  const receiverUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`
  const startedAt = Date.parse('2026-11-16T15:00:00.000Z')
  const simulated = await startProvider(provider, {
    host: '127.0.0.1',
    port: 0,
    storageFile: options.storageFile ?? ':memory:',
    notifyUrl: `${receiverUrl}/notices`,
    delayMs: options.delayMs ?? 2_000,
    seed: options.seed ?? 1,
    faults: { ...NO_FAULTS, ...options.faults },
    now: () => startedAt,
  })
  return {
    ...simulated,
    received,
    receiverUrl,
    answerNotices: (next) => {
      status = next
    },
    call: async (method, path, body, headers = {}) => {
      const answer = await fetch(simulated.url + path, {
        method,
        redirect: 'manual',
        headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      })
      const text = await answer.text()
      const isJson = /json/.test(answer.headers.get('content-type') ?? '') && text !== ''
      return {
        status: answer.status,
        headers: answer.headers,
        text,
        json: isJson ? JSON.parse(text) : undefined,
      }
    },
    [Symbol.asyncDispose]: async () => {
      await simulated[Symbol.asyncDispose]()
      receiver.closeAllConnections()
      await new Promise<void>((resolve) => receiver.close(() => resolve()))
    },
  }
}
